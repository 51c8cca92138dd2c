package writer

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// examples collects the distinct values of a parameter or body. A single value is written as example, several are
// written as named examples.
type examples struct {
	w      *writer
	values []*tree.Value
	labels []string
	seen   map[string]bool // JSON of the values that were short enough
}

// maxRecorded is how many examples of one parameter or body are written from recorded traffic.
const maxRecorded = 3

// maxCompared is the maximum length of a value that is compared with others.
const maxCompared = 1 << 16

// add adds a value, unless it only names types, which the schema already has.
func (e *examples) add(label string, v *tree.Value) {
	if v == nil || infer.OnlyStandIns(v) {
		return
	}
	if key, err := v.AppendJSON(nil, maxCompared); err == nil {
		if e.seen[string(key)] {
			return
		}
		if e.seen == nil {
			e.seen = map[string]bool{}
		}
		e.seen[string(key)] = true
	}
	if e.w.api.Recorded && len(e.values) == maxRecorded {
		e.w.unshown.Count("", false)
		return
	}
	e.values = append(e.values, v)
	e.labels = append(e.labels, strings.TrimSpace(label))
}

// write sets example or examples of a Parameter or Media Type Object.
func (e *examples) write(out *tree.Value) {
	switch len(e.values) {
	case 0:
	case 1:
		infer.Fill(e.values[0])
		out.Set("example", e.values[0])
	default:
		e.writeNamed(out)
	}
}

// examples returns the samples of a body without the values that aren't known.
func (b *bodySchema) examples(w *writer) *examples {
	named := &examples{w: w}
	for i, v := range b.samples {
		if text := v.Text(); text != "" && (request.VariableLength(text) == len(text) || isOpen(v) && !request.HasVariable(text)) {
			continue // the whole body is a template
		}
		if withoutTemplates(v, b.is) {
			named.add(b.labels[i], v)
		}
	}
	return named
}

// writeNamed sets examples, even for a single value.
func (e *examples) writeNamed(out *tree.Value) {
	if len(e.values) == 0 {
		return
	}
	all := tree.NewObject()
	taken := words.Unique{}
	for i, v := range e.values {
		name, example := cmp.Or(naming.Camel(e.labels[i]), "example"), tree.NewObject()
		if label := e.labels[i]; label != name {
			example.SetText("summary", label)
		}
		infer.Fill(v)
		all.Set(taken.Name(name), example.Set("value", v))
	}
	out.Set("examples", all)
}
