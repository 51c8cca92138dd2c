package shell

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// document is a here-document (XCU 2.7.4) that has been announced.
type document struct {
	cmd      *Command
	redirect int // which of the command's redirections it is
	at       int // the offset of its <<
	end      string
	word     [2]int // where its closing word is announced
	tabs     bool   // <<-: tabs at the beginning of its lines are removed
	verbatim bool   // its end was quoted: nothing in it is expanded
}

var withoutQuotes = strings.NewReplacer(`'`, "", `"`, "", `\`, "")

// announce reads the word behind << or <<- and waits for the document.
func (r *reader) announce(at int, tabs bool) {
	d := &document{cmd: r.cur, redirect: len(r.cur.Redirects), at: at, tabs: tabs}
	start := r.pos
	for r.pos < r.limit && !endsWord[r.text[r.pos]] && r.newlineAt(r.pos) == 0 {
		r.pos++
	}
	word := r.text[start:r.pos]
	d.word = [2]int{start, r.pos}
	d.end = withoutQuotes.Replace(word)
	d.verbatim = len(d.end) < len(word)
	if word == "" {
		r.fail(at, convert.Refuse(convert.InvalidSource,
			"A here-document has no closing word.",
			"Write the word that ends it behind the <<."))
	}
	r.documents = append(r.documents, d)
}

// readDocuments reads the text of the documents announced on the line that
// has just ended.
func (r *reader) readDocuments() {
	documents := r.documents
	r.documents = nil
	for _, d := range documents {
		r.readDocument(d)
	}
}

// slowSearches is how often the end of a here-document may be searched to the
// end of the text before a line that matches without its blanks is taken.
const slowSearches = 16

// readDocument reads the lines of d up to its end. A last line with blanks
// around it, as in an indented example, is accepted when no other is there.
func (r *reader) readDocument(d *document) {
	var body strings.Builder
	near, nearText := -1, 0
	for i := r.pos; i < r.limit; {
		start := r.skipContinuationPrompt(i)
		stop := r.lineEnd(start)
		next := stop + r.newlineAt(stop)
		line := strings.TrimSuffix(r.text[start:stop], "\r")
		r.budget.Text(len(line))
		if d.tabs {
			line = strings.TrimLeft(line, "\t")
		}
		closes := line == d.end
		if r.substOnly && strings.HasPrefix(line, d.end+")") {
			closes, next = true, start+strings.Index(r.text[start:stop], d.end)+len(d.end)
		}
		if !closes && near < 0 && strings.Trim(line, " \t") == d.end {
			near, nearText = next, body.Len()
			closes = r.slowDocuments >= slowSearches
		}
		if closes {
			r.endDocument(d, body.String(), next)
			return
		}
		body.WriteString(line)
		if next > stop {
			body.WriteByte('\n')
		}
		i = next
		if next == stop {
			break
		}
	}
	if near >= 0 {
		r.slowDocuments++
		r.noteScript(DocumentUnclosed)
		r.endDocument(d, body.String()[:nearText], near)
		r.closeDocument(near)
		return
	}
	r.fail(d.at, convert.Refuse(convert.InvalidSource,
		"A here-document is not closed.",
		"End it with a line that holds only its closing word."))
}

// endDocument gives d its text and goes on at next.
func (r *reader) endDocument(d *document, body string, next int) {
	start := r.pos
	r.pos = next
	exact := r.isExact() && strings.HasPrefix(r.text[start:], body)
	if d.verbatim {
		r.recordDocument(d, start, len(body), exact, Word{{Text: body}})
		if body != "" {
			d.cmd.Redirects[d.redirect].Target = Word{{Kind: Literal, Text: body}}
		}
		return
	}
	r.enter(d.at)
	inner := r.derive(body, d.at)
	inner.cur = d.cmd
	if r.parsed != nil && exact {
		inner.base, inner.exact = r.place(start), true
	}
	f := fields{whole: true}
	inner.expand(&f, hereDocument)
	r.depth--
	d.cmd.Redirects[d.redirect].Target = f.word()
	r.recordDocument(d, start, len(body), exact, f.word())
}
