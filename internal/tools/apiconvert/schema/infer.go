package schema

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// maxInferred is how many levels of a sample are described; what is deeper may
// be anything.
const maxInferred = 48

// Infer returns the schema of the samples; see Describe and Inferred.Schema.
// nil when the budget does not suffice.
func Infer(samples []*tree.Value, untyped map[*tree.Value]bool, budget *tree.Budget) *tree.Value {
	return Describe(samples, untyped, budget).Schema(Style{})
}

// Describe gathers what samples say of the values in their place: integer and
// number apart, a format only where every sample agrees, the items of arrays
// merged. Where all samples are among untyped, values that only stand in for
// ones whose type is not known, it says that anything may stand there. nil when
// the budget does not suffice.
func Describe(samples []*tree.Value, untyped map[*tree.Value]bool, budget *tree.Budget) *Inferred {
	i := inferrer{untyped: untyped, budget: budget}
	s := i.infer(samples, 0)
	if i.failed {
		return nil
	}
	return s
}

type inferrer struct {
	untyped map[*tree.Value]bool
	budget  *tree.Budget
	failed  bool
}

func (i *inferrer) infer(samples []*tree.Value, depth int) *Inferred {
	s := &Inferred{}
	if depth > maxInferred || i.failed || !i.budget.Spend(len(samples)+4) {
		i.failed = i.failed || depth <= maxInferred
		s.anything = true
		s.null = slices.ContainsFunc(samples, func(v *tree.Value) bool { return v.Kind() == tree.Null })
		return s
	}
	if len(samples) > 0 && !slices.ContainsFunc(samples, func(v *tree.Value) bool { return !i.untyped[v] }) {
		s.anything = true
		return s
	}
	var arrays, objects []*tree.Value
	for _, v := range samples {
		switch v.Kind() {
		case tree.Null:
			s.null = true
		case tree.True, tree.False:
			s.boolean = true
		case tree.Number:
			s.addNumber(numberType(v))
		case tree.String:
			s.addText(formatOf(v.Text()))
		case tree.Array:
			arrays = append(arrays, v)
		case tree.Object:
			objects = append(objects, v)
		}
	}
	if len(arrays) > 0 {
		var items []*tree.Value
		for _, v := range arrays {
			items = append(items, v.Elements()...)
		}
		s.items = i.infer(items, depth+1)
	}
	if len(objects) > 0 {
		s.object = i.object(objects, depth)
	}
	return s
}

// numberType says integer only where a sample is written as one: 1.0 is a
// measure that happens to be whole.
func numberType(v *tree.Value) string {
	if lexeme, _ := v.Scalar(); strings.ContainsAny(lexeme, ".eE") {
		return "number"
	}
	return "integer"
}

// formatOf is the format that a text has, "" for none.
func formatOf(text string) string {
	for _, f := range inferredFormats {
		if f.holds(text) {
			return f.name
		}
	}
	return ""
}

func (i *inferrer) object(samples []*tree.Value, depth int) *Object {
	o := &Object{samples: len(samples)}
	var values [][]*tree.Value
	for _, v := range samples {
		for name, value := range v.Members() {
			at := o.position(name)
			if at < 0 {
				at = o.add(&entry{name: name})
				values = append(values, nil)
			}
			values[at] = append(values[at], value)
		}
	}
	for at, m := range o.members {
		m.value, m.samples = i.infer(values[at], depth+1), len(values[at])
	}
	return o
}
