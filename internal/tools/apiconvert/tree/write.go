package tree

import (
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
	w := writer{dst: dst, limit: limit, deepest: maxWriteDepth}
	w.value(v, 0)
	return w.dst, w.err
}

// AppendIndented appends v as JSON with a line for each member and element, two
// spaces a level. It is refused as AppendJSON refuses.
func (v *Value) AppendIndented(dst []byte, limit int) ([]byte, error) {
	w := writer{dst: dst, limit: limit, deepest: maxWriteDepth, lines: true}
	w.value(v, 0)
	return w.dst, w.err
}

// AppendOutput appends v as AppendIndented does, as an output that ends where
// its budget does and is given away where that streams. What is deeper than
// jsondoc.MaxDepth is refused as too_complex.
func (v *Value) AppendOutput(dst []byte, output *convert.Budget) ([]byte, error) {
	w := writer{dst: dst, limit: convert.Chunk, deepest: jsondoc.MaxDepth, lines: true, output: output}
	w.value(v, 0)
	if w.err == nil && output.Exceeded(w.dst) {
		w.err = output.Failure()
	}
	return w.dst, w.err
}

// Size is about how many bytes a value takes as JSON, without what has to be
// escaped: as one line, and laid out with a line for each member and element.
type Size struct{ Line, Indented int }

// Size measures v. It is paid by the values that it goes over, and stops
// behind a line of more than limit bytes.
func (v *Value) Size(limit int, paid *budget.Budget) Size {
	var s Size
	s.add(v, limit, 0, paid)
	return s
}

func (s *Size) add(v *Value, limit, depth int, paid *budget.Budget) {
	paid.Parts(1)
	const name, other, level = 3, 3, 2 // quotes and a colon; quotes and a comma, or brackets; spaces
	size := other + len(v.Text())
	spaces := 1 + level*depth
	if v.Len() > 0 && depth <= maxWriteDepth {
		for _, n := range v.box.names {
			size += len(n) + name
		}
		spaces += spaces + len(v.box.names)
	}
	s.Line, s.Indented = s.Line+size, s.Indented+size+spaces
	if v.Len() == 0 || depth > maxWriteDepth {
		return
	}
	for _, value := range v.box.values {
		if s.Line > limit {
			return
		}
		s.add(value, limit, depth+1, paid)
	}
}

type writer struct {
	dst     []byte
	limit   int
	deepest int
	lines   bool // one for each member
	output  *convert.Budget
	err     error
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
		w.full()
	}
}

// full looks what is to be done behind the limit: to end, or with an output to
// go on if it may be larger.
func (w *writer) full() {
	switch {
	case w.output == nil:
		w.err = tooLarge()
	case w.output.Exceeded(w.dst):
		w.err = w.output.Failure()
	default:
		w.dst, w.err = w.output.Drain(w.dst)
		w.limit = len(w.dst) + convert.Chunk
	}
}

func (w *writer) box(v *Value, depth int) {
	if depth > w.deepest {
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
