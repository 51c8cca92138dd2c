package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/spans"
)

// maxDepth limits the nesting of encoded texts.
const maxDepth = 8

// open judges the spans of a text in a known encoding, and searches any other text.
func (r *Redactor) open(text string, v value) []spans.Edit {
	if v.depth < maxDepth && !isPlain(text) {
		if opener := spans.OpenerOf(text, v.MediaType); opener != nil {
			return r.parts(text, v, opener)
		}
	}
	return r.search(text, asData, v)
}

// Text between spans is searched if it has at least minGap bytes and isn't just JSON punctuation.
const minGap, between = 8, " \t\r\n\",:{}[]"

// parts judges each span that an opener yields for a text, and searches the text between them.
func (r *Redactor) parts(text string, v value, open spans.Opener) []spans.Edit {
	var edits []spans.Edit
	last := 0
	span := func(s spans.Span) {
		r.budget.Pass(s.To - s.From)
		if s.From-last >= minGap && strings.Trim(text[last:s.From], between) != "" {
			edits = append(edits, shift(r.search(text[last:s.From], asData, v), last)...)
		}
		edits = append(edits, r.inner(text, value{s, v.depth + 1})...)
		last = s.To
	}
	open(text, v.MediaType, span)
	span(spans.Span{From: len(text), To: len(text)})
	return edits
}

// inner judges one span of a text and returns its edits with offsets in the text.
func (r *Redactor) inner(text string, v value) []spans.Edit {
	raw := text[v.From:v.To]
	plain := v.Written.Decode(raw)
	v.Name = r.mostSensitive(v.Name, v.Role)
	edits := r.judge(plain, v)
	if len(edits) == 0 {
		return nil
	}
	edits = slices.Clone(edits) // the edits of long bodies are cached
	v.Written.Locate(raw, edits)
	for i := range edits {
		edits[i].With = v.Written.Quote(edits[i].With)
	}
	return shift(edits, v.From)
}
