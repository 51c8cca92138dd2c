package sample

import "github.com/convertd/convertd/internal/tools/apiconvert/tree"

// Sampler creates samples of the schemas of one document.
type Sampler struct {
	refs   *tree.References
	budget *tree.Quota
}

// New returns a Sampler that resolves references with refs and charges budget for values.
func New(refs *tree.References, budget *tree.Quota) *Sampler {
	return &Sampler{refs: refs, budget: budget}
}

// Make returns a value that is valid against the schema, always the same for the same schema: its example, the first
// of its examples, default, const, the first of its enum, or a value generated from type, format and bounds.
// References are followed; recursion stops as soon as the schema allows. If no valid value is known (required
// recursion, or a pattern that Go's regular expressions don't support), Make returns the closest one: without that
// part, or with a plain string. It returns nil if no value is possible or the budget doesn't suffice. stop says what
// cut the sample short.
func (r *Sampler) Make(s *tree.Value, d Direction) (v *tree.Value, stop Stop) {
	m := run{Sampler: r, direction: d}
	v = m.make([]part{{s, nil}}, 0)
	if v == nil {
		m.nearest, m.steps = true, 0
		v = m.make([]part{{s, nil}}, 0)
	}
	return v, m.stop
}
