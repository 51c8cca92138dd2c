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

// example is a value with a name for it.
type example struct {
	label string
	value *tree.Value
}

// examples collects the distinct values of a parameter or body. A single value is written as example, several are
// written as named examples.
type examples struct {
	w    *writer
	list []example
	seen map[string]bool // JSON of the values that were short enough
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
	if e.w.api.Recorded && len(e.list) == maxRecorded {
		e.w.unshown.Count("", false)
		return
	}
	e.list = append(e.list, example{strings.TrimSpace(label), v})
}

// write sets example or examples of a Parameter or Media Type Object.
func (e *examples) write(out *tree.Value) {
	if len(e.list) != 1 {
		e.writeNamed(out)
		return
	}
	infer.Fill(e.list[0].value)
	out.Set("example", e.list[0].value)
}

// examples returns the samples of a body without the values that aren't known.
func (b *bodySchema) examples(w *writer) *examples {
	named := &examples{w: w}
	for _, sample := range b.samples {
		v := sample.value
		if text := v.Text(); text != "" && (request.VariableLength(text) == len(text) || isOpen(v) && !request.HasVariable(text)) {
			continue // the whole body is a template
		}
		if withoutTemplates(v, b.is) {
			named.add(sample.label, v)
		}
	}
	return named
}

// writeNamed sets examples, even for a single value.
func (e *examples) writeNamed(out *tree.Value) {
	all := tree.NewObject()
	taken := words.Unique{}
	for _, one := range e.list {
		name, described := cmp.Or(naming.Camel(one.label), "example"), tree.NewObject()
		if one.label != name {
			described.SetText("summary", one.label)
		}
		infer.Fill(one.value)
		all.Set(taken.Name(name), described.Set("value", one.value))
	}
	setFilled(out, "examples", all)
}
