package tree

import (
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// maxWriteDepth is the depth at which writing stops, far beyond what jsondoc reads: a rewrite may nest a
// document of maximum depth a little deeper.
const maxWriteDepth = 4 * jsondoc.MaxDepth

// AppendJSON appends v as one line of JSON without spaces. It fails with output_too_large as soon as dst has
// more than limit bytes. Indent the result with jsondoc.Format, or convert it to YAML; both reject more than
// jsondoc.MaxDepth levels.
func (v *Value) AppendJSON(dst []byte, limit int) ([]byte, error) {
	w := writer{limit: limit, deepest: maxWriteDepth}
	dst = w.value(dst, v, 0)
	return dst, w.err
}

// AppendIndented appends v as JSON with one member or element a line, indented by two spaces a level. It fails
// as AppendJSON does.
func (v *Value) AppendIndented(dst []byte, limit int) ([]byte, error) {
	w := writer{limit: limit, deepest: maxWriteDepth, lines: true}
	dst = w.value(dst, v, 0)
	return dst, w.err
}

// AppendOutput is like AppendIndented, but limits the result by output's budget and flushes it where output
// streams. It fails with too_complex when v is deeper than jsondoc.MaxDepth.
func (v *Value) AppendOutput(dst []byte, output *convert.OutputLimit) ([]byte, error) {
	w := writer{limit: convert.Chunk, deepest: jsondoc.MaxDepth, lines: true, output: output}
	dst = w.value(dst, v, 0)
	if w.err == nil && output.Exceeded(dst) {
		w.err = output.Failure()
	}
	return dst, w.err
}

// Size is the approximate number of bytes of a value as JSON, not counting escapes: as one line, and indented
// with one member or element a line.
type Size struct{ Line, Indented int }

// Size measures v and charges paid for the values it visits. It stops once the line has more than limit bytes.
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
	limit   int
	deepest int
	lines   bool // one member a line
	output  *convert.OutputLimit
	err     error
}

func (w *writer) value(dst []byte, v *Value, depth int) []byte {
	switch v.Kind() {
	case Missing, Null:
		dst = append(dst, "null"...)
	case False:
		dst = append(dst, "false"...)
	case True:
		dst = append(dst, "true"...)
	case Number:
		dst = append(dst, v.text...)
	case String:
		dst = jsondoc.AppendString(dst, v.text)
	case Array, Object:
		dst = w.box(dst, v, depth+1)
	}
	if len(dst) > w.limit && w.err == nil {
		dst = w.full(dst)
	}
	return dst
}

// full handles reaching the limit: it fails, or with an output continues if the output may be larger.
func (w *writer) full(dst []byte) []byte {
	switch {
	case w.output == nil:
		w.err = tooLarge()
	case w.output.Exceeded(dst):
		w.err = w.output.Failure()
	default:
		dst, w.err = w.output.Drain(dst)
		w.limit = len(dst) + convert.Chunk
	}
	return dst
}

func (w *writer) box(dst []byte, v *Value, depth int) []byte {
	if depth > w.deepest {
		w.err = budget.TooDeep()
		return dst
	}
	opening, closing := byte('['), byte(']')
	if v.kind == Object {
		opening, closing = '{', '}'
	}
	dst = append(dst, opening)
	for i, value := range v.box.values {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = w.line(dst, depth)
		if v.kind == Object {
			dst = append(jsondoc.AppendString(dst, v.box.names[i]), ':')
			if w.lines {
				dst = append(dst, ' ')
			}
		}
		if dst = w.value(dst, value, depth); w.err != nil {
			return dst
		}
	}
	if len(v.box.values) > 0 {
		dst = w.line(dst, depth-1)
	}
	return append(dst, closing)
}

// spaces indents a line of most depths.
const spaces = "                                                                "

func (w *writer) line(dst []byte, depth int) []byte {
	if !w.lines {
		return dst
	}
	dst = append(dst, '\n')
	left := 2 * depth
	for ; left > len(spaces); left -= len(spaces) {
		dst = append(dst, spaces...)
	}
	return append(dst, spaces[:left]...)
}

func tooLarge() *convert.Failure {
	return convert.Reject(convert.OutputTooLarge,
		"The output would be larger than 2,097,152 characters.",
		"Split the source, and convert its parts one by one.")
}

func tooManyValues(most int) *convert.Failure {
	return convert.Reject(convert.TooComplex,
		"The document has more than %d values once its aliases and merge keys are expanded.",
		"Split the source, or use fewer YAML aliases.", most)
}
