package shell

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// dialect is a shell whose text is read. Which one wrote a block is decided
// once, before the block is read; all yield the same commands, so that nothing
// behind this package asks which one it was.
type dialect uint8

const (
	posix      dialect = iota // POSIX, with bash's additions
	windowsCmd                // cmd.exe of Windows
	javaScript                // none: a call of fetch, as browsers copy it
	unsure                    // of a line: nothing in it tells
)

// readers reads a block in each dialect.
var readers = [...]func(*reader){
	posix:      (*reader).posixBlock,
	windowsCmd: (*reader).cmdBlock,
	javaScript: (*reader).refuseScript,
}

// dialectNotes tell which dialect was read; POSIX is what is expected.
var dialectNotes = [...]Note{posix: "", windowsCmd: CmdDialect, javaScript: ""}

// posixBlock reads a block of POSIX shell.
func (r *reader) posixBlock() {
	r.startLine()
	r.list(outermost)
	r.readDocuments()
}

// CopyAsBash is the hint of a text that browsers also copy in a form that is
// read.
const CopyAsBash = "In the network list of the browser's developer tools choose Copy, Copy as cURL (bash), and send that."

func (r *reader) refuseScript() {
	r.fail(r.pos, convert.Refuse(convert.UnrecognizedSource,
		"The text is a call of fetch in JavaScript, which is not converted.", CopyAsBash))
}

// fenced are the dialects that the info word of a fenced block decides. The
// words of POSIX shells decide nothing: they are written over anything.
var fenced = map[string]dialect{"bat": windowsCmd, "batch": windowsCmd, "batchfile": windowsCmd, "dos": windowsCmd}

// dialectOf decides which shell wrote a block: by the info word of its fence,
// or by the first line that only one of them would have.
func dialectOf(info, text string) dialect {
	if d, ok := fenced[info]; ok {
		return d
	}
	for line := range strings.Lines(text) {
		if d := dialectOfLine(strings.TrimSpace(strings.TrimPrefix(line, "\uFEFF"))); d != unsure {
			return d
		}
	}
	return posix
}

// dialectOfLine says which shell a line can only be of.
func dialectOfLine(line string) dialect {
	line, prompted := withoutPrompt(line)
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimLeft(rest, " ")
	switch lower := strings.ToLower(word[:min(len(word), maxWord)]); {
	case strings.HasPrefix(line, "#!"):
		return posix
	case line == "" || line[0] == '#':
		return unsure
	case lower == "@echo" || lower == "setlocal" || lower == "rem" || strings.HasPrefix(line, "::"),
		lower == "set" && strings.Contains(rest, "=") && rest[0] != '-':
		return windowsCmd
	case isCurl(strings.TrimPrefix(lower, "@")):
		return dialectOfCurl(line, strings.HasSuffix(lower, ".exe"), prompted)
	case callsFetch(line):
		return javaScript
	case lower == "export", strings.Contains(line, "<<"), assigns(line):
		return posix
	}
	return prompted
}

// maxWord is longer than any word that a line is known by.
const maxWord = 80

// isCurl reports whether a word calls curl, by a path or not.
func isCurl(word string) bool {
	name := strings.Trim(word[strings.LastIndexAny(word, `/\`)+1:], `"'`)
	return name == "curl" || name == "curl.exe"
}

func assigns(line string) bool {
	n := nameLength(line)
	return n > 0 && strings.HasPrefix(line[n:], "=")
}

// callsFetch reports whether a line is JavaScript that calls fetch.
func callsFetch(line string) bool {
	before, after, calls := strings.Cut(line, "fetch(")
	if !calls || after != "" && strings.IndexByte("\"'`", after[0]) < 0 {
		return false
	}
	before = strings.TrimSpace(before)
	return before == "" || strings.HasSuffix(before, "await") || strings.HasSuffix(before, "=") || strings.HasSuffix(before, "return")
}

// withoutPrompt takes the prompt off a line and says whose it is.
func withoutPrompt(line string) (string, dialect) {
	n := promptLength(line, false)
	if n == 0 {
		return line, unsure
	}
	if drive := strings.TrimPrefix(line, "PS "); len(drive) > 1 && drive[1] == ':' {
		return line[n:], windowsCmd
	}
	return line[n:], posix
}

// dialectOfCurl says which shell a line that calls curl can only be of. How
// the line ends tells most, then the first quote.
func dialectOfCurl(line string, exe bool, prompted dialect) dialect {
	quote := strings.IndexAny(line, `'"`)
	double := quote >= 0 && line[quote] == '"'
	switch {
	case strings.HasSuffix(line, "^"), double && quote > 0 && line[quote-1] == '^':
		return windowsCmd
	case strings.HasSuffix(line, `\`):
		return posix
	case prompted != unsure:
		return prompted
	case double && strings.HasPrefix(line[quote:], `"@`): // a file's name
	case double && containsAny(line[quote:], `^\^"`, `^%^`, `"^%"`, `{""`, `"":`, `[""`):
		return windowsCmd
	case double && percentOutside(line[quote:]):
		return windowsCmd
	case exe && double && containsAny(line, `\"`, `""`):
		return windowsCmd
	}
	if open(line) || containsAny(line, "$'", "$(", "<<", `'\''`) {
		return posix
	}
	return unsure
}

func containsAny(text string, marks ...string) bool {
	for _, mark := range marks {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// percentOutside reports whether a % stands alone between two quoted stretches
// of one word, where cmd.exe cannot take it for a variable's.
func percentOutside(line string) bool {
	for rest := line; ; {
		before, after, ok := strings.Cut(rest, `"%"`)
		if !ok {
			return false
		}
		if before != "" && !isBlank(before[len(before)-1]) && after != "" && !isBlank(after[0]) {
			return true
		}
		rest = after
	}
}

// open reports whether a quote of the line, as POSIX reads it, does not end on
// it.
func open(line string) bool {
	var quote byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == quote:
			quote = 0
		}
	}
	return quote != 0
}

// Mentions reports whether a text holds a word that this package could find a
// request by. Whether it is a command is for Read to say.
func Mentions(text string) bool {
	return holdsWord(text, "curl") || strings.Contains(text, "fetch(")
}

// holdsWord reports whether a word stands in the text, alone or behind a path.
func holdsWord(text, word string) bool {
	for rest := text; ; {
		i := strings.Index(rest, word)
		if i < 0 {
			return false
		}
		before := i == 0 || !isNameByte(rest[i-1])
		rest = rest[i+len(word):]
		if before && (rest == "" || !isNameByte(rest[0])) {
			return true
		}
	}
}

func isNameByte(c byte) bool { return isNameStart(c) || c >= '0' && c <= '9' }
