package extract

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// references is what a format replaces in its strings before a shell reads them.
type references struct {
	pattern func() *regexp.Regexp
	// with returns what replaces a match other than $$, which is $: an expansion of the shell, or a string. If it is nil, the
	// groups of the match, joined, are a variable with its default.
	with func(groups []string) (text string, expansion bool)
}

// next returns the first match in text at or after from, what replaces it, and where it ends.
func (r references) next(text string, from int) (at, end int, with string, expansion bool) {
	m := r.pattern().FindStringSubmatchIndex(text[from:])
	if m == nil {
		return len(text), len(text), "", false
	}
	groups := make([]string, len(m)/2)
	for i := range groups {
		if m[2*i] >= 0 {
			groups[i] = text[from+m[2*i] : from+m[2*i+1]]
		}
	}
	switch {
	case groups[0] == "$$":
		with = "$"
	case r.with != nil:
		with, expansion = r.with(groups)
	default:
		with, expansion = "${"+strings.Join(groups[1:], "")+"}", true
	}
	return from + m[0], from + m[1], with, expansion
}

// word returns a string as one word of a shell.
func (r references) word(text string) string {
	var out, literal strings.Builder
	flush := func() {
		if strings.Trim(literal.String(), wordLetters) == "" {
			out.WriteString(literal.String())
		} else {
			out.WriteString("'" + strings.ReplaceAll(literal.String(), "'", `'\''`) + "'")
		}
		literal.Reset()
	}
	for i := 0; i < len(text); {
		at, end, with, expansion := r.next(text, i)
		literal.WriteString(text[i:at])
		if i = end; expansion {
			flush()
			out.WriteString(`"` + with + `"`)
		} else {
			literal.WriteString(with)
		}
	}
	if flush(); out.Len() == 0 {
		return "''"
	}
	return out.String()
}

// command returns arguments as a command.
func (r references) command(words []string) string {
	var all []string
	for _, w := range words {
		all = append(all, r.word(w))
	}
	return strings.Join(all, " ")
}

// script returns a shell script with its references replaced. Where a shell expands nothing, in single quotes and in
// here-documents with a quoted delimiter, it ends the quotes around an expansion.
func (r references) script(text string) string {
	q := quoting{}
	for i := 0; i < len(text); {
		at, end, with, expansion := r.next(text, i)
		q.read(text[i:at])
		if i = end; at < end {
			q.replace(with, expansion)
		}
	}
	q.endDocument()
	return string(q.out)
}

// quoting is the state of a shell that reads a script piece by piece.
type quoting struct {
	out       []byte
	open      []byte // the open quotes and, within them, the ( of $(…), outermost first
	skip      bool   // the last byte was a backslash
	comment   bool
	documents []document // announced, or being read from offset start of out on
	start     int
}

// document is a here-document.
type document struct {
	at, length int    // the position in out of its delimiter, with quotes
	end        string // its last line
	quoted     bool
	expands    bool // it contains an expansion, so the quotes go
}

var announced = expression.Lazy(`^<<-?[ \t]*((['"\\]?)([A-Za-z_]\w*)['"]?)`)

func (q *quoting) last() byte {
	if len(q.open) == 0 {
		return 0
	}
	return q.open[len(q.open)-1]
}

// closed reports whether a command may begin: neither a quote, a here-document nor a continued line is open.
func (q *quoting) closed() bool {
	return len(q.open) == 0 && len(q.documents) == 0 && !bytes.HasSuffix(q.out, []byte("\\\n"))
}

// replace adds what replaces a reference.
func (q *quoting) replace(with string, expansion bool) {
	q.skip = false
	switch {
	case expansion && q.start > 0 && q.documents[0].quoted:
		q.documents[0].expands = true
		with = "\xff" + with[1:] // its $ is not escaped
	case expansion && q.start == 0 && q.last() == '\'':
		with = `'"` + with + `"'`
	}
	q.out = append(q.out, with...)
}

// read adds a piece of the script.
func (q *quoting) read(text string) {
	for i := 0; i < len(text); i++ {
		c, last := text[i], q.last()
		if c == '\n' && (q.start > 0 || last != '\'' && last != '"') {
			q.out = append(q.out, c)
			q.newline()
			continue
		}
		before := byte('\n')
		if n := len(q.out); n > 0 {
			before = q.out[n-1]
		}
		switch {
		case q.start > 0, q.comment:
		case q.skip:
			q.skip = false
		case last == '\'' && c != '\'':
		case c == '\\':
			q.skip = true
		case c == '#' && last != '"' && strings.IndexByte(" \t\n;(", before) >= 0:
			q.comment = true
		case c == last && c != '(' && c != 0, c == ')' && last == '(':
			q.open = q.open[:len(q.open)-1]
		case c == '"', c == '\'' && last != '"', c == '(' && (last == '(' || before == '$'):
			q.open = append(q.open, c)
		case c == '<' && last != '"' && before != '<':
			if m := announced().FindStringSubmatchIndex(text[i:]); m != nil {
				q.documents = append(q.documents, document{
					at: len(q.out) + m[2], length: m[3] - m[2], end: text[i+m[6] : i+m[7]], quoted: m[4] < m[5],
				})
			}
		}
		q.out = append(q.out, c)
	}
}

// newline ends a line: a comment, the line that announces here-documents, or the last line of one.
func (q *quoting) newline() {
	q.comment, q.skip = false, false
	if len(q.documents) == 0 {
		return
	}
	if q.start > 0 {
		body := q.out[q.start : len(q.out)-1]
		if string(bytes.TrimLeft(body[bytes.LastIndexByte(body, '\n')+1:], "\t")) != q.documents[0].end {
			return
		}
		q.endDocument()
	}
	if len(q.documents) > 0 {
		q.start = len(q.out)
	}
}

var documentEscapes = strings.NewReplacer(`\`, `\\`, "$", `\$`, "`", "\\`", "\xff", "$")

// endDocument ends the here-document that is being read. If it contains an expansion, blanks replace the quotes of its
// delimiter.
func (q *quoting) endDocument() {
	if q.start == 0 {
		return
	}
	d := q.documents[0]
	if d.expands {
		q.out = append(q.out[:q.start], documentEscapes.Replace(string(q.out[q.start:]))...)
		copy(q.out[d.at:], d.end+strings.Repeat(" ", d.length-len(d.end)))
	}
	q.documents, q.start = q.documents[1:], 0
}
