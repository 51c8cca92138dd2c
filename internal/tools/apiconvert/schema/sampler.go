package schema

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Sampler makes samples of the schemas of one document. What it has made for a
// schema once it uses again wherever the schema is referred to, so the values
// it returns share parts and must not be changed; nor may the schemas be while
// it is used.
type Sampler struct {
	refs   *tree.References
	budget *tree.Budget
	made   map[place]made
}

// NewSampler follows references by refs and makes values out of the budget.
func NewSampler(refs *tree.References, budget *tree.Budget) *Sampler {
	return &Sampler{refs: refs, budget: budget, made: map[place]made{}}
}

// Make returns a value that fits the schema, always the same for the same
// schema: its example, the first of its examples, default, const, the first of
// its enum, or a value made to fit type, format and bounds. References are
// followed; recursion stops where it can without breaking the schema. Where no
// value is known to fit (recursion that is required, a pattern that Go's
// regular expressions do not have), the nearest to one is returned: without
// the part, or with a plain string. nil when there is none at all or the budget
// does not suffice. stop says where it stopped.
func (r *Sampler) Make(s *tree.Value, d Direction) (v *tree.Value, stop Stop) {
	m := sampler{Sampler: r, direction: d}
	v = m.sample([]part{{s, nil}}, 0)
	if v == nil {
		m.nearest, m.steps = true, 0
		v = m.sample([]part{{s, nil}}, 0)
	}
	return v, m.stop
}

// made is a value that was made without meeting a bound, and what making it
// takes. Where that is left again, and where none of the schemas that it can
// come back to is being sampled further out, it would be made the same.
type made struct {
	value   *tree.Value
	stop    Stop // nothing but Recursion
	steps   int
	budget  int
	height  int           // levels below its own
	targets []*tree.Value // it, and the schemas that its references lead to
}

// place is what a value is made for.
type place struct {
	schema    *tree.Value // behind a reference
	direction Direction
	depth     int // anyDepth for a value that no level bounds
}

const anyDepth = -1

// maxTargets is of how many schemas a value may be made that is used again.
const maxTargets = 64

// sample makes a value that fits all the schemas.
func (m *sampler) sample(parts []part, depth int) *tree.Value {
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
	known, ok := m.made[at]
	if !ok || depth+known.height >= fullDepth {
		at.depth = depth
		known, ok = m.made[at]
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
			m.made[at] = made{
				value: v, stop: m.stop, steps: m.steps - before.steps, budget: budget - m.budget.Left(),
				height: m.deepest - depth, targets: targets,
			}
		}
	}
	m.stop |= before.stop
	m.deepest, m.outermost = max(m.deepest, before.deepest), min(m.outermost, before.outermost)
	return v
}

// fits reports whether a value that was made before would be made here too,
// behind from, and pays for it.
func (m *sampler) fits(known *made, from *link) bool {
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

// distinct returns first and the others, each once; more than maxTargets when
// there are more.
func distinct(first *tree.Value, others []*tree.Value) []*tree.Value {
	list := []*tree.Value{first}
	for _, v := range others {
		if len(list) <= maxTargets && !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return slices.Clip(list)
}
