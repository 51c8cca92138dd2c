package posix

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// document is a here-document (XCU 2.7.4) that has been announced.
type document struct {
	cmd      *script.Command
	redirect int // index of the redirection in cmd.Redirects
	at       int // the offset of its <<
	end      string
	word     [2]int // the position of its delimiter
	tabs     bool   // <<-: leading tabs of its lines are removed
	verbatim bool   // the delimiter is quoted: nothing in it is expanded
}

var delimiterBytes = script.Except(" \t\n;&|<>()")

var withoutQuotes = strings.NewReplacer(`'`, "", `"`, "", `\`, "")

// announce reads the delimiter after << or <<- and queues the document.
func (r *Reader) announce(at int, tabs bool) {
	d := &document{cmd: r.Cur, redirect: len(r.Cur.Redirects), at: at, tabs: tabs}
	start := r.Pos
	r.Pos = r.Span(start, &delimiterBytes)
	word := r.Text[start:r.Pos]
	d.word = [2]int{start, r.Pos}
	d.end = withoutQuotes.Replace(word)
	d.verbatim = len(d.end) < len(word)
	if word == "" {
		r.Fail(at, convert.Reject(convert.InvalidSource,
			"A here-document has no delimiter.", "Write its delimiter after the <<."))
	}
	r.documents = append(r.documents, d)
}

// readDocuments reads the documents announced on the line that just ended.
func (r *Reader) readDocuments() {
	documents := r.documents
	r.documents = nil
	for _, d := range documents {
		r.readDocument(d)
	}
}

// readDocument reads the lines of d up to its delimiter.
func (r *Reader) readDocument(d *document) {
	var body strings.Builder
	for i := r.Pos; i < r.Limit; {
		start := r.skipContinuationPrompt(i)
		stop := r.LineEnd(start)
		next := r.AfterNewline(stop)
		line := r.Text[start:stop]
		r.Budget.Text(len(line))
		if d.tabs {
			line = strings.TrimLeft(line, "\t")
		}
		closes := line == d.end
		if r.substOnly && strings.HasPrefix(line, d.end+")") {
			closes, next = true, start+strings.Index(r.Text[start:stop], d.end)+len(d.end)
		}
		if closes {
			r.endDocument(d, body.String(), next)
			return
		}
		body.WriteString(line + r.Text[stop:next])
		i = next
	}
	r.Fail(d.at, convert.Reject(convert.InvalidSource,
		"A here-document is not closed.", "End it with a line that contains only its delimiter, without blanks around it."))
}

// endDocument stores the body of d and continues at next.
func (r *Reader) endDocument(d *document, body string, next int) {
	start := r.Pos
	r.Pos = next
	exact := r.exact && strings.HasPrefix(r.Text[start:], body)
	word := script.LiteralWord(body)
	if !d.verbatim {
		r.Enter(d.at)
		inner := r.deriveFrom(body, d.at, start)
		inner.Cur = d.cmd
		f := Fields{unsplit: true}
		inner.expand(&f, hereDocument)
		r.Depth--
		word = f.Word()
	}
	d.cmd.Redirects[d.redirect].Target = word
	if d.cmd.CommandName() == "read" {
		outer := r.Cur
		r.Cur = d.cmd
		r.reads(d.cmd, word)
		r.Cur = outer
	}
	r.recordDocument(d, start, len(body), exact, word)
}

// A redirection's descriptor and operator, from XCU 2.7 and bash. Longer operators precede their prefixes.
var (
	posixRedirects = expression.Lazy(`^(?:([0-9]{0,4})(<<<|<<-|<<|<&|<>|<|>>|>&|>\||>)|()(&>>?))`)
	redirectStarts = script.BytesOf("<>&*0123456789")
)

// Redirection reads one redirection at the cursor and reports whether there was one. target reads the target after an
// operator at an offset.
func (r *Reader) Redirection(
	cmd *script.Command, operators *regexp.Regexp, target func(op string, at int) script.Word,
) bool {
	at := r.Pos
	if c := r.Text[at]; !redirectStarts[c] || c == '<' && r.PlaceholderEnd(at) > at {
		return false
	}
	m := r.Match(operators)
	if m == nil {
		return false
	}
	red := script.Redirect{Op: m[2] + m[len(m)-1], FD: 1}
	if r.ByteAt(r.Pos) == '(' && len(red.Op) == 1 { // a process substitution
		r.Pos = at
		return false
	}
	if red.Op[0] == '<' {
		red.FD = 0
	}
	if m[1] != "" {
		red.FD, _ = strconv.Atoi(m[1])
	}
	red.Target = target(red.Op, at)
	if red.Op == "<<<" && cmd.CommandName() == "read" {
		name, _ := cmd.Words[len(cmd.Words)-1].Literal()
		r.nameToken(name, "")
	}
	cmd.Redirects = append(cmd.Redirects, red)
	return true
}

// redirectTarget reads the target of a POSIX operator.
func (r *Reader) redirectTarget(op string, at int) script.Word {
	r.blanks()
	switch op {
	case "<<", "<<-":
		r.announce(at, op == "<<-")
		return nil
	case "<<<":
		return append(r.unsplitWord(), script.Part{Kind: script.Literal, Text: "\n"})
	}
	return r.unsplitWord()
}
