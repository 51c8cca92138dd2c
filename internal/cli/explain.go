package cli

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/printable"
)

// excerptContext is how many characters of a line are shown on each side of a position.
const excerptContext = 36

// position matches the position at the end of a detail (ERR-7 of docs/contract.md).
var position = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\(line ([0-9]{1,9}), column ([0-9]{1,9})\)$`)
})

// Explain tells a person why an input was rejected: title, detail and hint. The first line starts with name:line:column,
// as editors and other tools expect, if the problem is at a position in the input, and the line itself follows with a
// caret if excerpt is set. name is the input's; only says that there is no other input, so the title need not name it.
func (p *Problem) Explain(w io.Writer, name, input string, only, excerpt bool) {
	line, column, positioned := p.position()
	at := "convertd"
	switch {
	case positioned:
		at = fmt.Sprintf("%s:%d:%d", atStart(Shown(name)), line, column)
	case !only:
		at += ": " + Shown(name)
	}
	fmt.Fprintf(w, "%s: %s (%s)\n", at, printable.Line(p.Title), printable.Line(p.Code))
	if p.Step != "" {
		fmt.Fprintf(w, "  step:   %s\n", printable.Line(p.Step))
	}
	fmt.Fprintf(w, "  detail: %s\n  hint:   %s\n", p.forShell(p.Detail), p.forShell(p.Hint))
	if p.RetryAfter > 0 {
		fmt.Fprintf(w, "  retry:  in %d s\n", p.RetryAfter)
	}
	if input == "" && p.Path == "/input/value" {
		fmt.Fprintf(w, "\n%s is empty\n", Shown(name))
		return
	}
	if shown, ok := excerptOf(input, line, column); ok && positioned && excerpt {
		fmt.Fprintf(w, "\n%s", shown)
	}
}

// atStart returns a file's name for the start of a line, where CI systems look for commands such as ::error::.
func atStart(name string) string {
	first, _ := utf8.DecodeRuneInString(name)
	if unicode.IsLetter(first) || unicode.IsDigit(first) || strings.ContainsRune("./_-~", first) {
		return name
	}
	return "./" + name
}

// InLine returns the problem of one line of an input, on one line.
func (p *Problem) InLine(name string, line int) string {
	at := fmt.Sprintf("%s:%d", Shown(name), line)
	detail := p.Detail
	if _, column, ok := p.position(); ok {
		at += fmt.Sprintf(":%d", column)
		detail = strings.TrimRight(detail[:strings.LastIndex(detail, "(")], " ")
	}
	return fmt.Sprintf("%s: %s (%s): %s %s", at, printable.Line(p.Title), printable.Line(p.Code), p.forShell(detail), p.forShell(p.Hint))
}

// members matches the members of a request body that have a flag of the same meaning.
var members = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\b(?:options\.([A-Za-z_]+)|input\.mediaType)`)
})

// forShell returns a detail or hint with flags in place of the members of a
// request body, on one line. A pipeline's steps have options, not flags.
func (p *Problem) forShell(text string) string {
	return members().ReplaceAllStringFunc(printable.Line(text), func(member string) string {
		option, isOption := strings.CutPrefix(member, "options.")
		switch {
		case !isOption:
			return "--media-type"
		case p.Step != "":
			return "the option " + option
		}
		return "--" + option
	})
}

// position returns the line and column in the input, both from 1. A detail that begins with "In the" has a position
// inside a decoded part, which the input does not show.
func (p *Problem) position() (line, column int, ok bool) {
	match := position().FindStringSubmatch(p.Detail)
	if match == nil || p.Path != "/input/value" || strings.HasPrefix(p.Detail, "In the ") {
		return 0, 0, false
	}
	line, _ = strconv.Atoi(match[1])
	column, _ = strconv.Atoi(match[2])
	return line, column, true
}

// excerptOf returns the line around a position with a caret below it, false if the input has no such position. It
// replaces characters that would control the terminal.
func excerptOf(input string, line, column int) (string, bool) {
	text, ok := lineOf(input, line)
	runes := []rune(text)
	if !ok || column < 1 || column > len(runes)+1 {
		return "", false
	}
	from, to := max(0, column-1-excerptContext), min(len(runes), column+excerptContext)
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

// lineOf returns a line of text by its number, from 1. A line ends with LF, CR LF
// or CR, as convert.Failure counts them.
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
