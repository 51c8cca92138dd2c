package infer

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// comparedLevels is how many levels of two objects are compared.
const comparedLevels = 4

// Same reports whether two objects and the objects nested in them have the same properties with the same types. An
// empty nested object matches any object, and null matches any type.
func Same(a, b *Object, budget *tree.Quota) bool {
	return a.Whole().same(b.Whole(), comparedLevels, budget)
}

// same compares the names of properties, and their types down to so many levels.
func (o *Object) same(other *Object, levels int, budget *tree.Quota) bool {
	if o == other {
		return true
	}
	if o.Len() != other.Len() {
		return false
	}
	budget.Pay(1 + other.Len())
	return (levels == 0 || o.values.agrees(other.values, levels-1, budget)) && !slices.ContainsFunc(other.members, func(m *entry) bool {
		at := o.position(m.name)
		return at < 0 || levels > 0 && !o.members[at].value.agrees(m.value, levels-1, budget)
	})
}

// agrees reports whether the values have the same types, as far as they are known.
func (s *Summary) agrees(other *Summary, levels int, budget *tree.Quota) bool {
	if s == nil || other == nil || s.kinds() == 0 || other.kinds() == 0 {
		return true
	}
	if (s.object == nil) != (other.object == nil) || (s.items == nil) != (other.items == nil) ||
		s.text != other.text || s.boolean != other.boolean || (s.number == "") != (other.number == "") {
		return false
	}
	if x, y := s.Object(), other.Object(); x != nil && x.Len() > 0 && y.Len() > 0 && !x.same(y, levels, budget) {
		return false
	}
	return s.items.agrees(other.items, levels, budget)
}

// Join merges two objects and, recursively, the values of members that both have. The cost is the number of members of
// the second.
func Join(a, b *Object, budget *tree.Quota) {
	a, b = a.Whole(), b.Whole()
	if a == b {
		return
	}
	budget.Pay(1 + b.Len())
	b.joined = a
	a.samples += b.samples
	a.sources += b.sources
	for _, m := range b.members {
		a = a.Whole() // joining nested objects may have joined it to another one
		at := a.position(m.name)
		if at < 0 {
			a.add(m)
			continue
		}
		to := a.members[at]
		to.samples += m.samples
		to.value.join(m.value, budget)
	}
	if a = a.Whole(); a.values == nil {
		a.values = b.values
	} else if b.values != nil {
		a.values.join(b.values, budget)
	}
}

func (s *Summary) join(other *Summary, budget *tree.Quota) {
	if s == other {
		return
	}
	s.unbound = s.anything() || other.anything()
	s.samples += other.samples
	s.untyped += other.untyped
	s.null = s.null || other.null
	s.boolean = s.boolean || other.boolean
	if other.number != "" {
		s.addNumber(other.number, other.width)
	}
	if other.text {
		s.addText(other.format)
	}
	if s.items == nil {
		s.items = other.items
	} else if other.items != nil {
		s.items.join(other.items, budget)
	}
	if s.object == nil {
		s.object = other.object
	} else if other.object != nil {
		Join(s.object, other.object, budget)
	}
}
