package cli

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/convertd/convertd/internal/printable"
)

// beside is how many characters of a line are shown on each side of a place.
const beside = 36

// placed is the place at the end of a detail (ERR-7 of docs/contract.md).
var placed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\(line ([0-9]{1,9}), column ([0-9]{1,9})\)$`)
})

// Explain tells a person why the call was refused: title, detail, hint, and
// the place in the input with a caret, when the problem is about a place in
// the input, or that there is none. name is the input's, for the place. The
// input is shown because this is its owner's terminal; nothing else of the
// service repeats it. Each member stays on its line, whoever wrote it. one says
// that there is no other input, so that the title need not name it.
func (p *Problem) Explain(w io.Writer, name, input string, one bool) {
	name = printable.Line(name)
	title := printable.Line(p.Title)
	if !one {
		title = name + ": " + title
	}
	fmt.Fprintf(w, "convertd: %s (%s)\n", title, printable.Line(p.Code))
	if p.Step != "" {
		fmt.Fprintf(w, "  step:   %s\n", printable.Line(p.Step))
	}
	fmt.Fprintf(w, "  detail: %s\n  hint:   %s\n", printable.Line(p.Detail), printable.Line(p.Hint))
	if p.RetryAfter > 0 {
		fmt.Fprintf(w, "  retry:  in %d s\n", p.RetryAfter)
	}
	if input == "" && p.Path == "/input/value" {
		fmt.Fprintf(w, "\n%s is empty\n", name)
		return
	}
	if line, column, ok := p.place(); ok {
		if shown, ok := excerpt(input, line, column); ok {
			fmt.Fprintf(w, "\n%s:%d:%d\n%s", name, line, column, shown)
		}
	}
}

// InLine is the problem in one line, of a line of an input.
func (p *Problem) InLine(name string, line int) string {
	detail, column := p.Detail, ""
	if at := placed().FindStringSubmatchIndex(detail); at != nil && p.Path == "/input/value" && !strings.HasPrefix(detail, "In the ") {
		column = ":" + detail[at[4]:at[5]]
		detail = strings.TrimRight(detail[:at[0]], " ")
	}
	return printable.Line(fmt.Sprintf("%s:%d%s: %s (%s): %s %s", name, line, column, p.Title, p.Code, detail, p.Hint))
}

// place returns the line and column in the input, both from 1. A detail that
// begins with "In the" gives a place inside a decoded part, which the input
// does not show.
func (p *Problem) place() (line, column int, ok bool) {
	match := placed().FindStringSubmatch(p.Detail)
	if match == nil || p.Path != "/input/value" || strings.HasPrefix(p.Detail, "In the ") {
		return 0, 0, false
	}
	line, _ = strconv.Atoi(match[1])
	column, _ = strconv.Atoi(match[2])
	return line, column, true
}

// excerpt returns the line around a place and a caret below it, false when the
// input has no such place. Characters that would act on a terminal instead of
// being shown by it are replaced.
func excerpt(input string, line, column int) (string, bool) {
	text, ok := lineOf(input, line)
	runes := []rune(text)
	if !ok || column < 1 || column > len(runes)+1 {
		return "", false
	}
	from, to := max(0, column-1-beside), min(len(runes), column+beside)
	before, after := "", ""
	if from > 0 {
		before = "…"
	}
	if to < len(runes) {
		after = "…"
	}
	shown := []rune(before + string(runes[from:to]) + after)
	for i, r := range shown {
		if !unicode.IsPrint(r) || unicode.In(r, unicode.Cf, unicode.Co) {
			shown[i] = '\u00b7'
		}
		if r == '\t' {
			shown[i] = ' '
		}
	}
	margin := strconv.Itoa(line) + " | "
	caret := strings.Repeat(" ", len(margin)+len([]rune(before))+column-1-from) + "^"
	return margin + string(shown) + "\n" + caret + "\n", true
}

// lineOf returns a line of a text by its number from 1; a line ends at LF,
// CR LF or a CR alone, as convert.Failure counts them.
func lineOf(text string, number int) (string, bool) {
	for ; number > 1; number-- {
		end := strings.IndexAny(text, "\r\n")
		if end < 0 {
			return "", false
		}
		if strings.HasPrefix(text[end:], "\r\n") {
			end++
		}
		text = text[end+1:]
	}
	if end := strings.IndexAny(text, "\r\n"); end >= 0 {
		text = text[:end]
	}
	return text, true
}
