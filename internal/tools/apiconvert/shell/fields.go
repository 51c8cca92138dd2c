package shell

import (
	"strings"
	"unicode/utf8"
)

// fields collects the parts of a word and splits it where an unquoted
// expansion holds blanks (XCU 2.6.5, default IFS).
type fields struct {
	done    []Word
	parts   Word
	literal strings.Builder
	started bool // something stands in the current field, if only empty quotes
	whole   bool // no splitting: an assignment's value, a here-document
	plain   bool // nothing but unquoted literal text so far
	nothing bool // a list of words without any stands in the quotes

	misquoted bool // an operator was read as text
}

// text adds literal text as it is.
func (f *fields) text(s string) {
	f.literal.WriteString(s)
	f.started = true
}

// quoted marks that quotes stand here: the field exists even if it is empty.
func (f *fields) quoted() { f.started, f.plain = true, false }

// word ends the literal that is being collected and returns the parts.
func (f *fields) word() Word {
	if f.literal.Len() > 0 {
		f.parts = append(f.parts, Part{Kind: Literal, Text: f.literal.String()})
		f.literal.Reset()
	}
	return f.parts
}

// part adds anything but a literal.
func (f *fields) part(p Part) {
	f.parts = append(f.word(), p)
	f.quoted()
}

// split ends the current field.
func (f *fields) split() {
	if w := f.word(); f.started {
		f.done = append(f.done, w)
	}
	f.parts, f.started = nil, false
}

// value adds what a variable or a substitution stands for.
func (f *fields) value(w Word, quoted bool) {
	f.plain = false
	f.started = f.started || quoted
	for _, p := range w {
		switch {
		case p.Kind != Literal:
			p.Quoted = quoted
			f.part(p)
		case quoted || f.whole:
			f.text(p.Text)
		default:
			f.unquotedText(p.Text)
		}
	}
}

func (f *fields) unquotedText(text string) {
	const blanks = " \t\n"
	for text != "" {
		n := strings.IndexAny(text, blanks)
		if n < 0 {
			f.text(text)
			return
		}
		if n > 0 {
			f.text(text[:n])
		}
		f.split()
		text = strings.TrimLeft(text[n:], blanks)
	}
}

// words ends the word and returns its fields.
func (f *fields) words() []Word {
	f.split()
	return f.done
}

// valid makes the escaped bytes of $'…' UTF-8 and reports whether they were.
func valid(text string) (string, bool) {
	return strings.ToValidUTF8(text, "\uFFFD"), utf8.ValidString(text)
}
