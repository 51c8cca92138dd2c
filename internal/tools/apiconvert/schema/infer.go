package schema

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// maxInferred is how many levels of a sample are described; what is deeper may
// be anything.
const maxInferred = 48

// Infer returns the schema of the samples: integer and number apart, null as
// one of the types, a format only where every sample agrees, the items of
// arrays merged, required where every sample has the member. Samples of
// different types become alternatives (anyOf). With no samples it is the empty
// schema, and so it is where all samples are among untyped: values that only
// stand in for ones whose type is not known. nil when the budget does not
// suffice.
func Infer(samples []*tree.Value, untyped map[*tree.Value]bool, budget *tree.Budget) *tree.Value {
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

// groups holds samples by their type.
type groups struct {
	null, boolean    bool
	numbers, strings []*tree.Value
	arrays, objects  []*tree.Value
}

func group(samples []*tree.Value) groups {
	var g groups
	for _, v := range samples {
		switch v.Kind() {
		case tree.Null:
			g.null = true
		case tree.True, tree.False:
			g.boolean = true
		case tree.Number:
			g.numbers = append(g.numbers, v)
		case tree.String:
			g.strings = append(g.strings, v)
		case tree.Array:
			g.arrays = append(g.arrays, v)
		case tree.Object:
			g.objects = append(g.objects, v)
		}
	}
	return g
}

func (i *inferrer) infer(samples []*tree.Value, depth int) *tree.Value {
	if depth > maxInferred || i.failed || !i.budget.Spend(len(samples)+4) {
		i.failed = i.failed || depth <= maxInferred
		return tree.NewObject()
	}
	if len(samples) > 0 && !slices.ContainsFunc(samples, func(v *tree.Value) bool { return !i.untyped[v] }) {
		return tree.NewObject()
	}
	g := group(samples)
	var kinds []*tree.Value
	if len(g.objects) > 0 {
		kinds = append(kinds, i.object(g.objects, depth))
	}
	if len(g.arrays) > 0 {
		kinds = append(kinds, i.array(g.arrays, depth))
	}
	if len(g.strings) > 0 {
		kinds = append(kinds, text(g.strings))
	}
	if len(g.numbers) > 0 {
		kinds = append(kinds, typed(numberType(g.numbers)))
	}
	if g.boolean {
		kinds = append(kinds, typed("boolean"))
	}
	return alternatives(kinds, g.null)
}

// alternatives joins the schemas of the different types and null.
func alternatives(kinds []*tree.Value, null bool) *tree.Value {
	switch {
	case len(kinds) == 0 && null:
		return typed("null")
	case len(kinds) == 0:
		return tree.NewObject()
	case len(kinds) == 1 && null:
		name := kinds[0].Get("type")
		return kinds[0].Set("type", tree.NewArray(name, tree.NewString("null")))
	case len(kinds) == 1:
		return kinds[0]
	}
	if null {
		kinds = append(kinds, typed("null"))
	}
	return tree.NewObject().Set("anyOf", tree.NewArray(kinds...))
}

func typed(name string) *tree.Value {
	return tree.NewObject().Set("type", tree.NewString(name))
}

// numberType says integer only where every sample is written as one: 1.0 is a
// measure that happens to be whole.
func numberType(samples []*tree.Value) string {
	for _, v := range samples {
		if lexeme, _ := v.Scalar(); strings.ContainsAny(lexeme, ".eE") {
			return "number"
		}
	}
	return "integer"
}

func text(samples []*tree.Value) *tree.Value {
	s := typed("string")
	for _, f := range inferredFormats {
		every := true
		for _, v := range samples {
			if !f.holds(v.Text()) {
				every = false
				break
			}
		}
		if every {
			return s.Set("format", tree.NewString(f.name))
		}
	}
	return s
}

func (i *inferrer) array(samples []*tree.Value, depth int) *tree.Value {
	var items []*tree.Value
	for _, v := range samples {
		items = append(items, v.Elements()...)
	}
	return typed("array").Set("items", i.infer(items, depth+1))
}

func (i *inferrer) object(samples []*tree.Value, depth int) *tree.Value {
	s := typed("object")
	var names []string
	members := map[string][]*tree.Value{}
	for _, v := range samples {
		for name, value := range v.Members() {
			if members[name] == nil {
				names = append(names, name)
			}
			members[name] = append(members[name], value)
		}
	}
	if len(names) == 0 {
		return s
	}
	properties, required := tree.NewObject(), tree.NewArray()
	for _, name := range names {
		properties.Set(name, i.infer(members[name], depth+1))
		if len(members[name]) == len(samples) {
			required.Append(tree.NewString(name))
		}
	}
	s.Set("properties", properties)
	if required.Len() > 0 {
		s.Set("required", required)
	}
	return s
}
