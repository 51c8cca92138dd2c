package sample

import (
	"slices"

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

// madeValue is a value that was created without reaching a limit, and its cost. The value can be reused where that cost
// fits the limits and none of its targets is being sampled at an outer level.
type madeValue struct {
	value   *tree.Value
	stop    Stop // Recursion or 0
	steps   int
	budget  int
	height  int           // levels below its own
	targets []*tree.Value // the schema, and those that its references lead to
}

// place is the key of a reusable value.
type place struct {
	schema    *tree.Value // reference resolved
	direction Direction
	depth     int // anyDepth if the depth didn't affect the value
}

const anyDepth = -1

// maxTargets is the maximum number of schemas that a reusable value depends on.
const maxTargets = 64

// sample returns a value that is valid against all the schemas, and reuses one if possible.
func (m *run) sample(parts []part, depth int) *tree.Value {
	if len(parts) != 1 || m.nearest {
		return m.make(parts, depth)
	}
	key := parts[0].schema
	if _, isReference := tree.Ref(key); isReference && key.Len() == 1 {
		if target, problem := m.refs.Follow(key); problem == tree.None {
			key = target
		}
	}
	at := place{key, m.direction, anyDepth}
	known, ok := m.cache[at]
	if !ok || depth+known.height >= fullDepth {
		at.depth = depth
		known, ok = m.cache[at]
	}
	if ok && m.fits(&known, parts[0].from) {
		m.steps += known.steps
		m.deepest = max(m.deepest, depth+known.height)
		m.stop |= known.stop
		m.targets = append(m.targets, known.targets...)
		return known.value
	}
	before, budget := *m, m.budget.Left()
	m.stop, m.deepest, m.outermost = 0, depth, depth
	v := m.make(parts, depth)
	if alone := m.outermost >= depth && m.stop&^Recursion == 0; alone && m.steps <= fullSteps {
		if at.depth = depth; m.deepest < fullDepth {
			at.depth = anyDepth
		}
		if targets := distinct(key, m.targets[len(before.targets):]); len(targets) <= maxTargets {
			m.cache[at] = madeValue{
				value: v, stop: m.stop, steps: m.steps - before.steps, budget: budget - m.budget.Left(),
				height: m.deepest - depth, targets: targets,
			}
		}
	}
	m.stop |= before.stop
	m.deepest, m.outermost = max(m.deepest, before.deepest), min(m.outermost, before.outermost)
	return v
}

// fits reports whether creating the value again, below from, would return the same value. If so, it charges the
// budget for it.
func (m *run) fits(known *madeValue, from *link) bool {
	if m.steps+known.steps > fullSteps {
		return false
	}
	for l := from; l != nil; l = l.from {
		if slices.Contains(known.targets, l.schema) {
			return false
		}
	}
	return m.budget.Spend(known.budget)
}

// distinct returns first and the others without duplicates. It stops once there are more than maxTargets.
func distinct(first *tree.Value, others []*tree.Value) []*tree.Value {
	list := []*tree.Value{first}
	for _, v := range others {
		if len(list) <= maxTargets && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return slices.Clip(list)
}
