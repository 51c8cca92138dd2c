package openapi

import (
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// spend takes a text into account; a text beyond what may be made is "".
func (r *reader) spend(text []byte, err error) string {
	r.budget.Bytes(len(text))
	if r.room -= len(text); err != nil || r.room < 0 {
		r.room = max(r.room, 0)
		r.warnings.Add(warning.Complexity, nil)
		return ""
	}
	return string(text)
}

// compact writes a value as one line of JSON.
func (r *reader) compact(v *tree.Value) string {
	return r.spend(v.AppendJSON(nil, r.room))
}

// pretty writes a value as JSON with a line per member.
func (r *reader) pretty(v *tree.Value) string {
	if v.Len() == 0 {
		return r.compact(v)
	}
	p := printer{out: r.printed[:0], limit: r.room}
	p.value(v, 0)
	r.printed = p.out
	return r.spend(p.out, nil)
}

// printer writes JSON with two spaces a level.
type printer struct {
	out   []byte
	limit int // bytes; there is no more written behind it
}

func (p *printer) value(v *tree.Value, level int) {
	if len(p.out) > p.limit {
		return
	}
	switch {
	case v.Kind() == tree.String:
		p.out = jsondoc.AppendString(p.out, v.Text())
		return
	case v.Len() == 0:
		p.out, _ = v.AppendJSON(p.out, len(p.out)+p.limit)
		return
	}
	opening, closing := byte('['), byte(']')
	names := v.Names()
	if names != nil {
		opening, closing = '{', '}'
	}
	p.out = append(p.out, opening)
	i := 0
	entry := func(value *tree.Value) {
		if i > 0 {
			p.out = append(p.out, ',')
		}
		p.line(level + 1)
		if names != nil {
			p.out = jsondoc.AppendString(p.out, names[i])
			p.out = append(p.out, ": "...)
		}
		p.value(value, level+1)
		i++
	}
	for _, value := range v.Members() {
		entry(value)
	}
	for _, value := range v.Elements() {
		entry(value)
	}
	p.line(level)
	p.out = append(p.out, closing)
}

const spaces = "                                                                "

func (p *printer) line(level int) {
	p.out = append(p.out, '\n')
	for width := 2 * level; width > 0; width -= len(spaces) {
		p.out = append(p.out, spaces[:min(width, len(spaces))]...)
	}
}
