package writer

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/schema"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// examples gathers the different values of a parameter or body: one is
// written as example, several under names.
type examples struct {
	values []*tree.Value
	labels []string
	seen   map[string]bool // the JSON of short values
}

// maxCompared is how long a value may be to be compared with the others.
const maxCompared = 1 << 16

// add takes a value. One that only names types is no example: the schema says
// them.
func (e *examples) add(label string, v *tree.Value) {
	if v == nil || schema.OnlyStandIns(v) {
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
	e.values = append(e.values, v)
	e.labels = append(e.labels, strings.TrimSpace(label))
}

// write sets example or examples of a parameter or media type object.
func (e *examples) write(out *tree.Value) {
	switch len(e.values) {
	case 0:
	case 1:
		schema.Fill(e.values[0])
		out.Set("example", e.values[0])
	default:
		e.writeNamed(out)
	}
}

// writeNamed sets examples, also of one value.
func (e *examples) writeNamed(out *tree.Value) {
	if len(e.values) == 0 {
		return
	}
	all := tree.NewObject()
	taken := openapi.Unique{}
	for i, v := range e.values {
		name, example := cmp.Or(naming.Camel(e.labels[i]), "example"), tree.NewObject()
		if label := e.labels[i]; label != name {
			setText(example, "summary", label)
		}
		schema.Fill(v)
		all.Set(taken.Name(name), example.Set("value", v))
	}
	out.Set("examples", all)
}
