package extract

import (
	"sort"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Script is the shell script in a source.
type Script struct {
	Text string
	// Unread are the lines of strings in the file that seem to call curl but that nothing is known to run.
	Unread []int
	// Malformed is the failure of a YAML file that seems to have commands, or nil.
	Malformed error
	Found     bool   // in a file or document
	source    string // the file or document
	lines     []int  // its line of each line of Text
}

// Relocate returns an error about a position in Text as one about the line of the source.
func (s *Script) Relocate(err error) error {
	failure, ok := err.(*convert.Failure)
	if !ok || !s.Found || failure.Line == 0 {
		return err
	}
	return s.at(failure, s.Line(failure.Line))
}

// at returns a failure with the position of a line of the source.
func (s *Script) at(failure *convert.Failure, line int) error {
	offset := 0
	for range line - 1 {
		offset += strings.IndexByte(s.source[offset:], '\n') + 1
	}
	return failure.At(s.source, offset)
}

// Reject returns the failure for a script without requests, or another one if the source has requests that are not read.
func (s *Script) Reject(failure *convert.Failure) error {
	if len(s.Unread) == 0 {
		return failure
	}
	return s.at(convert.Reject(convert.UnrecognizedSource,
		"The file calls curl only where its program does not run it, in a shell other than POSIX's, or in a form that is not supported.",
		"Paste the curl commands themselves and send them as text/plain. For a Makefile, run make -n with the name of the target and send what it prints."), s.Unread[0])
}

// Line returns the line of the source that a line of Text, counting from 1, is from.
func (s *Script) Line(line int) int {
	if n := len(s.lines); n > 0 && line > 0 {
		return s.lines[min(line, n)-1]
	}
	return line
}

// Find returns the script in text: the commands of a file or document in one of the supported formats, or text itself.
func Find(text string, b *budget.Budget) *Script {
	b.Pass(3 * len(text))
	if !mentionsCurl().MatchString(text) || beginsScript().MatchString(text) {
		return &Script{Text: text, Unread: paste.Unread(text), source: text}
	}
	b.Pass(8 * len(text))
	f := &file{text: strings.ReplaceAll(text, "\r\n", "\n"), budget: b, attributes: map[string]string{}}
	for _, read := range []func(*file) bool{(*file).dockerfile, (*file).yaml, (*file).makefile, (*file).document} {
		if read(f) {
			return &Script{Text: string(f.script), Unread: append(f.unread, f.inline...), lines: f.lines, Found: true, source: f.text}
		}
		if f.script, f.lines = nil, nil; f.malformed != nil {
			break
		}
	}
	return &Script{Text: text, Unread: append(f.unread, paste.Unread(f.text)...), Malformed: f.malformed, source: f.text}
}

// file is a file whose commands become one script.
type file struct {
	text   string
	starts []int // the offsets of its lines
	budget *budget.Budget
	script []byte
	lines  []int
	unread []int
	inline []int  // lines of a document with requests outside of its commands
	added  int    // lines that are not comments
	named  string // the name of the next request
	open   bool   // a quote is: what follows would be part of it

	malformed error

	attributes map[string]string // of the document so far
	replaces   bool              // the next block refers to them
}

// lineOf returns the line of an offset.
func (f *file) lineOf(at int) int {
	if f.starts == nil {
		f.starts = []int{0}
		for i := range len(f.text) {
			if f.text[i] == '\n' {
				f.starts = append(f.starts, i+1)
			}
		}
	}
	return sort.SearchInts(f.starts, at+1)
}

// add appends text to the script. Its first line is from a line of the file; the next ones are from the lines below it
// if step is 1, or from the same line if step is 0.
func (f *file) add(text string, line, step int) {
	if text = strings.TrimRight(text, "\n"); text == "" {
		return
	}
	f.budget.Bytes(len(text))
	var q quoting
	for part := range strings.SplitSeq(text, "\n") {
		f.budget.Text(len(part))
		if f.named != "" && q.closed() && mentionsCurl().MatchString(part) {
			f.script = append(f.script, "# "+f.named+"\n"...)
			f.lines = append(f.lines, line)
			f.named = ""
		}
		q.read(part + "\n")
		if !isEmpty(part) && !isComment(part) {
			f.added++
		}
		f.script = append(append(f.script, part...), '\n')
		f.lines = append(f.lines, line)
		line += step
	}
	f.open = len(q.open) > 0
}

// assign adds an assignment of a word to a variable.
func (f *file) assign(name, word string, line int) {
	if script.IsName(name) {
		f.budget.Text(len(word))
		f.script = append(f.script, name+"="+word+"\n"...)
		f.lines = append(f.lines, line)
	}
}

// own adds what do adds, as commands that run in a shell of their own. The name is that of the first request. Without
// commands it adds nothing.
func (f *file) own(name string, line int, do func()) {
	f.named = ""
	if name = strings.TrimSpace(name); !strings.Contains(name, "\n") {
		f.named = name
	}
	length, lines, added := len(f.script), len(f.lines), f.added
	f.add("(", line, 0)
	f.added = added
	if do(); f.added == added {
		f.script, f.lines = f.script[:length], f.lines[:lines]
		return
	}
	f.add(")", line, 0)
}

func isComment(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") }

func isEmpty(line string) bool { return strings.TrimSpace(line) == "" }

func continues(line string) bool { return strings.HasSuffix(strings.TrimRight(line, " \t"), `\`) }

var mentionsCurl = expression.Lazy(`(?i)curl`)

// beginsScript matches text that begins with a command, perhaps below comments: no file or document does.
var beginsScript = expression.Lazy(`\A(?:[ \t]*(?:#.*)?\n)*curl(?:\.exe)?[ \t]`)

const wordLetters = script.NameLetters + "-./:=@%+,"
