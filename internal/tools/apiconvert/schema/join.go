package schema

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// comparedLevels is how deep two objects are compared before they are joined.
const comparedLevels = 4

// Same reports whether two objects have the same properties of the same types, and
// so have the objects below them. An empty object and null agree with everything.
func Same(a, b *Object, budget *tree.Budget) bool {
	a, b = a.Whole(), b.Whole()
	return a == b || a.sameNames(b, budget) && a.agrees(b, comparedLevels, budget)
}

// sameNames reports whether two objects have properties of the same names.
func (o *Object) sameNames(other *Object, budget *tree.Budget) bool {
	if o.Len() != other.Len() {
		return false
	}
	budget.Pay(other.Len())
	return !slices.ContainsFunc(other.members, func(m *entry) bool { return o.position(m.name) < 0 })
}

// agrees reports whether the members that both have are of one type.
func (o *Object) agrees(other *Object, levels int, budget *tree.Budget) bool {
	if o == other || levels == 0 {
		return true
	}
	if other.Len() > o.Len() {
		o, other = other, o
	}
	budget.Pay(other.Len())
	for _, m := range other.members {
		if at := o.position(m.name); at >= 0 && !o.members[at].value.agrees(m.value, levels, budget) {
			return false
		}
	}
	return true
}

func (s *Inferred) agrees(other *Inferred, levels int, budget *tree.Budget) bool {
	if s == nil || other == nil || len(s.kinds()) == 0 || len(other.kinds()) == 0 {
		return true
	}
	if (s.object == nil) != (other.object == nil) || (s.items == nil) != (other.items == nil) ||
		s.text != other.text || s.boolean != other.boolean || (s.number == "") != (other.number == "") {
		return false
	}
	if x, y := s.Object(), other.Object(); x != nil && x != y {
		if x.Len() > 0 && y.Len() > 0 && !x.sameNames(y, budget) || !x.agrees(y, levels-1, budget) {
			return false
		}
	}
	return s.items.agrees(other.items, levels, budget)
}

// Join makes two objects one that both are samples of, and so all that stands
// in the same places below them. Members keep the order of the one that has
// more of them. It is paid by the members of the other.
func Join(a, b *Object, budget *tree.Budget) {
	a, b = a.Whole(), b.Whole()
	if a == b {
		return
	}
	if b.Len() > a.Len() {
		a, b = b, a
	}
	budget.Pay(1 + b.Len())
	b.joined = a
	a.samples += b.samples
	for _, m := range b.members {
		a = a.Whole() // members below may have joined it to yet another
		at := a.position(m.name)
		if at < 0 {
			a.add(m)
			continue
		}
		to := a.members[at]
		to.samples += m.samples
		to.value.join(m.value, budget)
	}
}

func (s *Inferred) join(other *Inferred, budget *tree.Budget) {
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
