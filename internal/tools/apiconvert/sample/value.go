package sample

import (
	"slices"

	openapishape "github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Direction says which properties a sample leaves out.
type Direction uint8

// The directions.
const (
	ToServer   Direction = iota // without readOnly properties
	FromServer                  // without writeOnly properties
)

// Stop is a set of reasons why a sample is smaller than its schema.
type Stop uint8

// The flags of a Stop.
const (
	Recursion  Stop = 1 << iota // the schema contains itself
	Complexity                  // too large once references are followed
	Remote                      // a reference points to another document
	Broken                      // a reference doesn't resolve
)

// Limits for one sample.
const (
	maxSteps    = 50_000 // schemas visited
	fullSteps   = 2_000  // schemas visited before optional properties are left out
	fullDepth   = 12     // levels with optional properties
	maxDepth    = 40     // levels in total
	maxCount    = 50     // elements of an array
	maxTogether = 500    // schemas that apply together
)

// run is the creation of one sample.
type run struct {
	*Sampler
	direction Direction
	steps     int
	deepest   int  // the deepest level reached
	nearest   bool // omit values that can't be created instead of failing
	stop      Stop
}

// make returns a value that is valid against all the schemas.
func (m *run) make(parts []part, depth int) *tree.Value {
	m.deepest = max(m.deepest, depth)
	m.steps++
	if m.steps > maxSteps || depth > maxDepth || !m.budget.Spend(1) {
		m.stop |= Complexity
		return nil
	}
	s := shape{m: m, depth: depth}
	if !s.addAll(parts) {
		return nil
	}
	return s.value(depth)
}

// types returns the types that all schemas allow; typed is false if no schema names a type.
func (s *shape) types() (types []string, typed bool) {
	for _, schema := range s.schemas {
		own := schema.Get("type").Texts()
		if own == nil {
			continue
		}
		if !typed {
			types, typed = own, true
			continue
		}
		types = slices.DeleteFunc(slices.Clone(types), func(t string) bool {
			return !slices.Contains(own, t) && !(t == "integer" && slices.Contains(own, "number"))
		})
	}
	return types, typed
}

func (s *shape) value(depth int) *tree.Value {
	if v := s.authored(); v != nil {
		return v
	}
	if v, ok := s.fixed(); ok {
		return v
	}
	kind := s.kind()
	switch kind {
	case "object":
		return s.object(depth)
	case "array":
		return s.array(depth)
	case "string":
		return s.text()
	case "integer", "number":
		return s.number(kind == "integer")
	case "boolean":
		return tree.NewBool(true)
	case "null":
		return tree.NewNull()
	}
	return nil
}

// authored returns the author's example, or else the default, converted to a type that the schemas allow.
func (s *shape) authored() *tree.Value {
	for _, keyword := range []string{"example", "examples", "default"} {
		for _, schema := range s.schemas[:s.outer] {
			v := schema.Get(keyword)
			if keyword == "examples" {
				v = v.Element(0)
			}
			if v == nil || v.Kind() == tree.Null && keyword != "example" {
				continue
			}
			if v = s.coerce(v); v != nil {
				return v
			}
		}
	}
	return nil
}

// coerce returns a copy of an author's value. YAML and hasty authors write 12345 for a string and "10" for a number,
// so those are converted. coerce returns nil for values of any other wrong type.
func (s *shape) coerce(v *tree.Value) *tree.Value {
	types, declared := s.types()
	if !declared || isOneOf(v, types) {
		return v.Clone(s.m.budget)
	}
	is := func(t string) bool { return slices.Contains(types, t) }
	text, scalar := v.Scalar()
	switch {
	case scalar && is("string"):
		return tree.NewString(text)
	case v.Kind() != tree.String:
	case is("number") || is("integer"):
		return numberOf(text, !is("number"))
	}
	return nil
}

// kindTypes maps kinds of values to JSON Schema types.
var kindTypes = [...]string{
	tree.Null: "null", tree.True: "boolean", tree.False: "boolean", tree.Number: "number",
	tree.String: "string", tree.Array: "array", tree.Object: "object",
}

// isOneOf reports whether a value has one of the JSON Schema types.
func isOneOf(v *tree.Value, types []string) bool {
	return slices.Contains(types, kindTypes[v.Kind()]) || slices.Contains(types, "integer") && isInteger(v)
}

// fixed returns the const value, or the first value of an enum, preferably one that has the type and isn't null. If an
// enum contradicts its type, the enum wins.
func (s *shape) fixed() (v *tree.Value, ok bool) {
	types, declared := s.types()
	for _, schema := range s.schemas {
		if schema.Has("const") {
			return schema.Get("const").Clone(s.m.budget), true
		}
		if enum := schema.Get("enum").Elements(); len(enum) > 0 {
			at := slices.IndexFunc(enum, func(v *tree.Value) bool {
				return v.Kind() != tree.Null && (!declared || isOneOf(v, types))
			})
			return enum[max(at, 0)].Clone(s.m.budget), true
		}
	}
	return nil, false
}

// kind returns the type of the value: the first named type other than null, otherwise the type that the keywords
// imply.
func (s *shape) kind() string {
	types, declared := s.types()
	for _, t := range types {
		if t != "null" {
			return t
		}
	}
	switch {
	case len(types) > 0:
		return "null"
	case declared:
		return ""
	}
	implied := map[string]bool{}
	for _, schema := range s.schemas {
		s.m.budget.Pay(schema.Len())
		for keyword := range schema.Members() {
			implied[openapishape.KeywordTypes[keyword]] = true
		}
		implied["string"] = implied["string"] || schema.Has("format")
	}
	kinds := []string{"object", "array", "string", "number"}
	return kinds[max(0, slices.IndexFunc(kinds, func(kind string) bool { return implied[kind] }))]
}

// limit returns the first value of a keyword, or other if no schema has it.
func (s *shape) limit(keyword string, other int) int {
	for _, schema := range s.schemas {
		if n, ok := float(schema.Get(keyword)); ok && n >= 0 {
			return int(min(n, 1<<30))
		}
	}
	return other
}

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
