package paste

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Patterns that no shell script contains: a sentence, and an apostrophe inside a word.
var (
	sentence = expression.Lazy(`^(?:[-*>•]+ +|[0-9]+[.)] +)?[A-Z](?:` +
		`[A-Za-z]*,?(?: [A-Za-z(][A-Za-z'’)-]*,?){2,}[^|;&$=]*[.:!?]\*{0,2}$|[a-z]*,?(?: [a-z][a-z'’-]*,?){5})`)
	inlineCode = expression.Lazy("`(curl(?:\\.exe)? [^`\n]+)`")
	withCode   = expression.Lazy("^[A-Z][a-z]+ (?:[a-z]+ )*`[^`]+`.*[.:]$") // Run `curl …`, or download it:
	apostrophe = expression.Lazy(`[a-z]['’](?:t|s|re|ll|ve|d|m)(?:[ ,.;:!?)]|$)`)
	bullet     = expression.Lazy(`^(?:[-*•]|[0-9]{1,3}[.)])[ \t]+`)
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

// isProse reports whether text has commands among sentences, outside of any fence, as opposed to a script or a terminal
// session.
func isProse(text string) bool {
	var ends commandEnds
	for i := 0; i < len(text); {
		line, _, _ := strings.Cut(text[i:], "\n")
		next := i + len(line) + 1
		switch line = strings.TrimSpace(line); {
		case line == "" || line[0] == '#':
			i = next
		case PromptLength(line, false) > 0:
			return false
		case IsPlainCommand(line):
			i = ends.of(text, i)
		case isSentence(line):
			return DialectOf("", text) == POSIX
		default:
			i = ends.of(text, i)
		}
	}
	return false
}

// commandsInProse returns the commands among sentences: each from a line that can only be a command to its end, commands
// in `…`, and assignments.
func commandsInProse(text string) []Block {
	var found []Block
	var above heading
	var ends commandEnds
	for i := 0; i < len(text); {
		line, _, _ := strings.Cut(text[i:], "\n")
		blanks := len(line) - len(strings.TrimLeft(line, " \t"))
		item := bullet().FindString(line[blanks:min(len(line), blanks+script.MaxToken)])
		command := line[blanks+len(item):]
		plain := IsPlainCommand(command[PromptLength(command, false):])
		n := script.NameLength(command)
		switch {
		case plain, n > 0 && strings.HasPrefix(command[n:], "=") && !strings.HasPrefix(command[n:], "=="):
			b := Block{Start: i + blanks + len(item), End: ends.of(text, i+blanks+len(item))}
			if plain {
				b.Heading = above.name()
			}
			found = append(found, b)
			i = b.End
			continue
		case strings.HasPrefix(command, "#"):
			above.add(strings.TrimSpace(command))
		default:
			for _, at := range inlineCode().FindAllStringSubmatchIndex(line, -1) {
				if IsPlainCommand(line[at[2]:at[3]]) {
					found = append(found, Block{Start: i + at[2], End: i + at[3], Heading: above.name()})
				}
			}
		}
		i += len(line) + 1
	}
	return found
}

var announced = expression.Lazy(`<<-?[ \t]*['"\\]?([A-Za-z_][A-Za-z0-9_]*)`)

// commandEnds finds the ends of commands without parsing them.
type commandEnds struct {
	unclosed int // here-documents whose end was searched for up to the end of the input
}

// of returns the offset after the line on which the command at i ends, judging by its quotes, line continuations and
// here-documents.
func (e *commandEnds) of(text string, i int) int {
	var quote byte
	line := i
	for ; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '\n':
			start := text[line:min(i, line+script.MaxToken)]
			if m := announced().FindStringSubmatch(start); m != nil && e.unclosed < maxSearches {
				if _, after, ok := strings.Cut(text[i:], "\n"+m[1]+"\n"); ok {
					return len(text) - len(after)
				}
				e.unclosed++
			}
			if OptionLine().FindStringIndex(text[i:min(len(text), i+script.MaxToken)]) == nil {
				return i + 1
			}
			line = i + 1
		}
	}
	return len(text)
}

// maxSearches limits how many here-documents may be searched for their end up to the end of the input.
const maxSearches = 16

// OptionLine matches a line end and the option at the beginning of the next line. No command begins with an option, so
// it continues the line before.
var OptionLine = expression.Lazy(`^\n[ \t]*(--?[A-Za-z])`)
