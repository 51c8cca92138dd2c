package posix

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Fields collects the parts of a word and splits it where an unquoted expansion contains blanks (XCU 2.6.5, default
// IFS).
type Fields struct {
	done    []script.Word
	parts   script.Word
	Literal strings.Builder
	Started bool // the current field exists, even if it is only empty quotes
	unsplit bool // no splitting: an assignment's value, a here-document
	plain   bool // only unquoted literal text so far
	nothing bool // the quotes contain an empty list of words
	operand bool // of ${NAME:-operand}: Parse records its literals
}

// Text adds literal text.
func (f *Fields) Text(s string) {
	f.Literal.WriteString(s)
	f.Started = true
}

// Quoted records that the field has quotes: it exists even if it is empty.
func (f *Fields) Quoted() { f.Started, f.plain = true, false }

// AfterSlash reports whether the text so far ends with a slash.
func (f *Fields) AfterSlash() bool {
	text := f.Literal.String()
	first := script.Part{Kind: script.Literal, Text: text}
	if len(f.parts) > 0 {
		first = f.parts[0]
	}
	return strings.HasSuffix(text, "/") && beginsURL(first)
}

// beginsURL reports whether a word may be a URL rather than the name of a file by its first part: a variable, a scheme
// or a host.
func beginsURL(first script.Part) bool {
	host, _, _ := strings.Cut(first.Text, "/")
	return first.Kind == script.Variable || strings.Contains(first.Text, "://") || strings.ContainsAny(strings.TrimLeft(host, ".~"), ".:")
}

// Word ends the current literal and returns the parts.
func (f *Fields) Word() script.Word {
	if f.Literal.Len() > 0 {
		f.parts = append(f.parts, script.Part{Kind: script.Literal, Text: f.Literal.String()})
		f.Literal.Reset()
	}
	return f.parts
}

// Part adds any part but a literal.
func (f *Fields) Part(p script.Part) {
	f.parts = append(f.Word(), p)
	f.Quoted()
}

func (f *Fields) split() {
	if w := f.Word(); f.Started {
		f.done = append(f.done, w)
	}
	f.parts, f.Started = nil, false
}

// Value adds the value of a variable or a substitution.
func (f *Fields) Value(w script.Word, quoted bool) {
	f.plain = false
	f.Started = f.Started || quoted
	for _, p := range w {
		switch {
		case p.Kind != script.Literal:
			p.Quoted = quoted
			f.Part(p)
		case quoted || f.unsplit:
			f.Text(p.Text)
		default:
			f.unquotedText(p.Text)
		}
	}
}

func (f *Fields) unquotedText(text string) {
	const blanks = " \t\n"
	for text != "" {
		n := strings.IndexAny(text, blanks)
		if n < 0 {
			f.Text(text)
			return
		}
		if n > 0 {
			f.Text(text[:n])
		}
		f.split()
		text = strings.TrimLeft(text[n:], blanks)
	}
}

// words ends the word and returns its fields.
func (f *Fields) words() []script.Word {
	f.split()
	return f.done
}
