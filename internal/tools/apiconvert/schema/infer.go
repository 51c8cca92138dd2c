package schema

import (
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
// merged. A text that only names a type ("<integer>") is a sample of that type.
// Where all samples are among untyped, values that only stand in for ones whose
// type is not known, it says that anything may stand there. nil when the budget
// does not suffice.
func Describe(samples []*tree.Value, untyped map[*tree.Value]bool, budget *tree.Budget) *Inferred {
	i := inferrer{untyped, budget}
	s := i.place()
	for _, v := range samples {
		i.add(s, v, 0)
	}
	if !budget.Spend(0) {
		return nil
	}
	return s
}

type inferrer struct {
	untyped map[*tree.Value]bool
	budget  *tree.Budget
}

// placeValues is what a place costs beside its samples.
const placeValues = 4

func (i *inferrer) place() *Inferred {
	i.budget.Spend(placeValues)
	return &Inferred{}
}

// add takes in one more sample of a place.
func (i *inferrer) add(s *Inferred, v *tree.Value, depth int) {
	s.null = s.null || v.Kind() == tree.Null
	if depth > maxInferred {
		s.unbound = true
		return
	}
	if !i.budget.Spend(1) {
		return
	}
	s.samples++
	if i.untyped[v] {
		s.untyped++
	}
	switch v.Kind() {
	case tree.True, tree.False:
		s.boolean = true
	case tree.Number:
		s.addNumber(numberType(v), "")
	case tree.String:
		s.addString(v.Text())
	case tree.Array:
		if s.items == nil {
			s.items = i.place()
		}
		for _, element := range v.Elements() {
			i.add(s.items, element, depth+1)
		}
	case tree.Object:
		if s.object == nil {
			s.object = &Object{}
		}
		s.object.samples++
		for name, value := range v.Members() {
			at := s.object.position(name)
			if at < 0 {
				at = s.object.add(&entry{name: name, value: i.place()})
			}
			m := s.object.members[at]
			m.samples++
			i.add(m.value, value, depth+1)
		}
	}
}

// numberType says integer only where a sample is written as one: 1.0 is a
// measure that happens to be whole.
func numberType(v *tree.Value) string {
	if lexeme, _ := v.Scalar(); strings.ContainsAny(lexeme, ".eE") {
		return "number"
	}
	return "integer"
}
