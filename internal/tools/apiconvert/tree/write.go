package tree

import (
	"slices"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// maxWriteDepth stops a write far behind what jsondoc reads back: a rewrite
// may nest a document that is as deep as may be read a little deeper.
const maxWriteDepth = 4 * jsondoc.MaxDepth

// AppendJSON appends v as one line of JSON without spaces. It is refused as
// output_too_large as soon as dst has more than limit bytes. Lay the text out
// with jsondoc.Format, or make YAML of it; both refuse what is deeper than
// jsondoc.MaxDepth.
func (v *Value) AppendJSON(dst []byte, limit int) ([]byte, error) {
	size := min(v.size(limit, 0), limit)
	w := writer{dst: slices.Grow(dst, size+size/16), limit: limit}
	w.value(v, 0)
	return w.dst, w.err
}

// AppendIndented appends v as JSON with a line for each member and element, two
// spaces a level. It is refused as AppendJSON refuses.
func (v *Value) AppendIndented(dst []byte, limit int) ([]byte, error) {
	w := writer{dst: dst, limit: limit, lines: true}
	w.value(v, 0)
	return w.dst, w.err
}

// Fits refuses a v whose JSON, without what has to be escaped, has more than
// limit bytes, with output_too_large. It is paid by the values that it goes
// over, and stops behind the limit.
func (v *Value) Fits(limit int, paid *budget.Budget) error {
	if v.measured(limit, 0, paid) > limit {
		return tooLarge()
	}
	return nil
}

// size is about how many bytes v takes as JSON, without what has to be escaped;
// it stops counting behind limit.
func (v *Value) size(limit, depth int) int { return v.measured(limit, depth, nil) }

func (v *Value) measured(limit, depth int, paid *budget.Budget) int {
	paid.Parts(1)
	const name, other = 3, 3 // quotes and a colon; quotes and a comma, or brackets
	if v == nil || v.box == nil || depth > maxWriteDepth {
		return len(v.Text()) + other
	}
	size := other
	for _, n := range v.box.names {
		size += len(n) + name
	}
	for _, value := range v.box.values {
		if size > limit {
			break
		}
		size += value.measured(limit-size, depth+1, paid)
	}
	return size
}

type writer struct {
	dst   []byte
	limit int
	lines bool // one for each member
	err   error
}

func (w *writer) value(v *Value, depth int) {
	switch v.Kind() {
	case Missing, Null:
		w.dst = append(w.dst, "null"...)
	case False:
		w.dst = append(w.dst, "false"...)
	case True:
		w.dst = append(w.dst, "true"...)
	case Number:
		w.dst = append(w.dst, v.text...)
	case String:
		w.dst = jsondoc.AppendString(w.dst, v.text)
	case Array, Object:
		w.box(v, depth+1)
	}
	if len(w.dst) > w.limit && w.err == nil {
		w.err = tooLarge()
	}
}

func (w *writer) box(v *Value, depth int) {
	if depth > maxWriteDepth {
		w.err = tooDeep()
		return
	}
	opening, closing := byte('['), byte(']')
	if v.kind == Object {
		opening, closing = '{', '}'
	}
	w.dst = append(w.dst, opening)
	for i, value := range v.box.values {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		w.line(depth)
		if v.kind == Object {
			w.dst = jsondoc.AppendString(w.dst, v.box.names[i])
			w.dst = append(w.dst, ':')
			if w.lines {
				w.dst = append(w.dst, ' ')
			}
		}
		w.value(value, depth)
		if w.err != nil {
			return
		}
	}
	if len(v.box.values) > 0 {
		w.line(depth - 1)
	}
	w.dst = append(w.dst, closing)
}

func (w *writer) line(depth int) {
	if w.lines {
		w.dst = append(w.dst, '\n')
		for range depth {
			w.dst = append(w.dst, "  "...)
		}
	}
}

func tooLarge() *convert.Failure {
	return convert.Refuse(convert.OutputTooLarge,
		"The output would be larger than 2,097,152 characters.",
		"Split the source into several and convert them one by one.")
}

func tooDeep() *convert.Failure {
	return convert.Refuse(convert.TooComplex,
		"The document is nested deeper than %d levels.",
		"Flatten the document: move inner schemas into named components.", jsondoc.MaxDepth)
}

func tooManyValues(most int) *convert.Failure {
	return convert.Refuse(convert.TooComplex,
		"The document has more than %d values once its aliases and merge keys are expanded.",
		"Split the source into several, or use fewer YAML aliases.", most)
}
