package sample

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Sampler creates samples of the schemas of one document. It reuses the value of a schema wherever the schema is
// referenced, so the values that it returns share parts. Neither they nor the schemas may be changed while the
// Sampler is in use.
type Sampler struct {
	refs   *tree.References
	budget *tree.Quota
	cache  map[place]madeValue
}

// New returns a Sampler that resolves references with refs and charges budget for values.
func New(refs *tree.References, budget *tree.Quota) *Sampler {
	return &Sampler{refs: refs, budget: budget, cache: map[place]madeValue{}}
}

// Make returns a value that is valid against the schema, always the same for the same schema: its example, the first
// of its examples, default, const, the first of its enum, or a value generated from type, format and bounds.
// References are followed; recursion stops as soon as the schema allows. If no valid value is known (required
// recursion, or a pattern that Go's regular expressions don't support), Make returns the closest one: without that
// part, or with a plain string. It returns nil if no value is possible or the budget doesn't suffice. stop says what
// cut the sample short.
func (r *Sampler) Make(s *tree.Value, d Direction) (v *tree.Value, stop Stop) {
	m := run{Sampler: r, direction: d}
	v = m.sample([]part{{s, nil}}, 0)
	if v == nil {
		m.nearest, m.steps = true, 0
		v = m.sample([]part{{s, nil}}, 0)
	}
	return v, m.stop
}

// madeValue is a value of schemas that don't contain themselves, created without reaching a limit, and its cost. It can be
// reused where that cost fits the limits.
type madeValue struct {
	value  *tree.Value
	steps  int
	budget int
	height int // levels below its own
}

// place is the key of a reusable value.
type place struct {
	schema    *tree.Value // reference resolved
	direction Direction
}

// sample returns a value that is valid against all the schemas, and reuses one if possible.
func (m *run) sample(parts []part, depth int) *tree.Value {
	if len(parts) != 1 || m.nearest {
		return m.make(parts, depth)
	}
	at := place{parts[0].schema, m.direction}
	if _, isReference := tree.Ref(at.schema); isReference && at.schema.Len() == 1 {
		if target, problem := m.refs.Follow(at.schema); problem == tree.None {
			at.schema = target
		}
	}
	known, ok := m.cache[at]
	if ok && depth+known.height < fullDepth && m.steps+known.steps <= fullSteps && m.budget.Spend(known.budget) {
		m.steps += known.steps
		m.deepest = max(m.deepest, depth+known.height)
		return known.value
	}
	before, budget := *m, m.budget.Left()
	m.stop, m.deepest = 0, depth
	v := m.make(parts, depth)
	if m.stop == 0 && m.deepest < fullDepth && m.steps <= fullSteps {
		m.cache[at] = madeValue{v, m.steps - before.steps, budget - m.budget.Left(), m.deepest - depth}
	}
	m.stop |= before.stop
	m.deepest = max(m.deepest, before.deepest)
	return v
}
