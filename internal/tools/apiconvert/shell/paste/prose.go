package paste

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Patterns that no shell script contains: a sentence, and an apostrophe inside a word.
var (
	sentence = expression.Lazy(`^(?:[-*>•]+ +|[0-9]+[.)] +)?[A-Z](?:` +
		`[A-Za-z]*,?(?: [A-Za-z(][A-Za-z'’)-]*,?){2,}[^|;&$=]*[.:!?]\*{0,2}$|[a-z]*,?(?: [a-z][a-z'’-]*,?){5})`)
	withCode   = expression.Lazy("^[A-Z][a-z]+ (?:[a-z]+ )*`[^`]+`.*[.:]$") // Run `curl …`, or download it:
	apostrophe = expression.Lazy(`[a-z]['’](?:t|s|re|ll|ve|d|m)(?:[ ,.;:!?)]|$)`)
)

// isSentence reports whether line, which begins no command, is natural language.
func isSentence(line string) bool {
	line = line[:min(len(line), script.MaxToken)]
	if sentence().MatchString(line) || withCode().MatchString(line) {
		return true
	}
	at := apostrophe().FindStringIndex(line)
	return at != nil && strings.Count(line[:at[0]], `"`)%2 == 0
}

var announced = expression.Lazy(`<<-?[ \t]*['"\\]?([A-Za-z_][A-Za-z0-9_]*)`)

// rejectProse returns a failure if text has commands among sentences, outside of any fence, as opposed to a script or a
// terminal session.
func rejectProse(text string) error {
	at := 0
	quote, document := byte(0), "" // that is open: a quote, and the last line of a here-document
	for line := range strings.Lines(text) {
		start := strings.TrimSpace(line)
		switch {
		case document != "":
			if start == document {
				document = ""
			}
		case quote == 0 && strings.HasPrefix(start, "#"):
		case quote == 0 && Prompts{}.Length(start, false) > 0:
			return nil
		case quote == 0 && !IsPlainCommand(start) && isSentence(start):
			if DialectOf("", text) != POSIX {
				return nil
			}
			return convert.Reject(convert.UnrecognizedSource,
				"The text has sentences besides its commands.",
				"Send the commands alone, or put them into a Markdown code block each (```sh).").At(text, at)
		default:
			quote = openQuote(line, quote)
			if m := announced().FindStringSubmatch(line[:min(len(line), script.MaxToken)]); m != nil && quote == 0 {
				document = m[1]
			}
		}
		at += len(line)
	}
	return nil
}

// openQuote returns the quote that is open after a line, 0 if none is, from the one before it.
func openQuote(line string, quote byte) byte {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quote != '\'':
			i++
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		}
	}
	return quote
}

// OptionLine matches a line end and the option at the beginning of the next line. No command begins with an option, so
// it continues the line before.
var OptionLine = expression.Lazy(`^\n[ \t]*(--?[A-Za-z])`)
