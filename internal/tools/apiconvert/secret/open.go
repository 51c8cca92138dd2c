package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/spans"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
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
	if edits := r.labelled(text, v); edits != nil {
		return edits
	}
	return r.search(text, asData, v)
}

// label matches what may come before a value that is the rest of a text: the option of a command, the name of a setting,
// or the scheme of a credential.
var label = expression.Lazy(`^(?:(--[\w-]+)=|([A-Za-z][\w -]{0,40}): ?|(?i:bearer) )`)

// maxLabel is the length of the longest name of a setting with its colon, in bytes.
const maxLabel = 42

// labelled returns the edits for a text in a single line that consists of a label and a value.
func (r *Redactor) labelled(text string, v value) []spans.Edit {
	if text == "" || strings.IndexByte("-bB", text[0]) < 0 && strings.IndexByte(text[:min(len(text), maxLabel)], ':') < 0 {
		return nil
	}
	m := label().FindStringSubmatchIndex(text)
	if m == nil || strings.ContainsAny(text, "\r\n") {
		return nil
	}
	rest := text[m[1]:]
	switch {
	case m[2] >= 0:
		v.Name = strings.TrimLeft(text[m[2]:m[3]], "-")
	case m[4] >= 0:
		if v.Name = text[m[4]:m[5]]; strings.EqualFold(v.Name, "authorization") {
			return shift(r.header(rest, v), m[1])
		}
	case strings.Contains(rest, " ") || len(rest) < minSecret || !words.IsMixed(rest) || isPlaceholder(rest):
		return nil
	default:
		v.Name = "token"
	}
	if s := r.sensitivity(v.Name, site.Field); m[4] >= 0 && s != passwordLike || !s.accepts(rest) {
		return nil
	}
	return shift(r.all(rest, v, true), m[1])
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
