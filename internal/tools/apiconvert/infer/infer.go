package infer

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// maxInferred is how many levels of a sample are described; deeper values may be anything.
const maxInferred = 48

// Schema returns the schema of the samples, or nil if the budget doesn't suffice. See Summarize and Summary.Schema.
func Schema(samples []*tree.Value, untyped map[*tree.Value]bool, budget *tree.Quota) *tree.Value {
	return Summarize(samples, untyped, budget).Schema(Style{})
}

// Summarize summarizes samples of the values at one location. It distinguishes integers from other numbers, infers a
// format only if every sample has it, and merges the items of arrays. A string that only names a type ("<integer>")
// is a sample of that type. Members that are named after a date or an identifier are samples of one value. The values in untyped are placeholders for values of unknown type; if all samples are
// among them, any type is allowed. Summarize returns nil if the budget doesn't suffice.
func Summarize(samples []*tree.Value, untyped map[*tree.Value]bool, budget *tree.Quota) *Summary {
	i := inferrer{untyped: untyped, budget: budget}
	s := i.place()
	for _, v := range samples {
		i.sample++
		i.add(s, v, 0)
	}
	if !budget.Spend(0) {
		return nil
	}
	return s
}

type inferrer struct {
	untyped map[*tree.Value]bool
	budget  *tree.Quota
	sample  int // number of the present sample
}

// placeValues is the budget cost of a location, without its samples.
const placeValues = 4

func (i *inferrer) place() *Summary {
	i.budget.Spend(placeValues)
	return &Summary{}
}

func (i *inferrer) add(s *Summary, v *tree.Value, depth int) {
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
			s.object = &Object{index: map[string]int{}}
		}
		s.object.samples++
		if s.object.latest != i.sample {
			s.object.latest = i.sample
			s.object.sources++
		}
		for name, value := range v.Members() {
			if isKey(name) {
				if s.object.values == nil {
					s.object.values = i.place()
				}
				i.add(s.object.values, value, depth+1)
				continue
			}
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

// isKey reports whether a name is a date or an identifier: an object with such names is a map. An identifier with a
// prefix may be a property unless it has several digits: address_streetLine1.
func isKey(name string) bool {
	return words.IsDate(name) || words.IsIdentifier(name) && (severalDigits().MatchString(name) || !strings.Contains(name, "_"))
}

var severalDigits = expression.Lazy(`[0-9].*[0-9]`)

// numberType returns integer only for a sample that is written as one: 1.0 is a measurement that happens to be whole.
func numberType(v *tree.Value) string {
	if lexeme, _ := v.Scalar(); strings.ContainsAny(lexeme, ".eE") {
		return "number"
	}
	return "integer"
}
