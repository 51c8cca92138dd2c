package schema

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// shape is what several schemas say together: references followed, allOf and
// one alternative each of oneOf and anyOf taken in.
type shape struct {
	m       *sampler
	schemas []*tree.Value
	holders []int // of each of schemas the position of the one that refers to it or lists it
	holder  int   // of the schema that is being taken in
	met     []int // of each of schemas when enter met it last
	entered int   // how often enter was called
	outer   int   // how many of schemas stand outside of allOf and alternatives
	branch  int   // the alternative to take, of the first choice met
	chosen  bool  // that choice was met
	more    bool  // it has alternatives behind the one taken
	// told are the values of discriminating properties.
	told map[string]string
}

// outside is the holder of what a shape begins with.
const outside = -1

func newShape(m *sampler, branch int) shape { return shape{m: m, branch: branch, holder: outside} }

// enter notes that what is sampled next stands in the schemas at the positions:
// those and the ones that lead to them are what it recurs to when it comes back
// to one of them. The other schemas of the shape only stand beside. It returns
// how many led here before, for leave.
func (s *shape) enter(positions []int) int {
	before := len(s.m.active)
	if s.met == nil {
		s.met = make([]int, len(s.schemas))
	}
	s.entered++
	for _, i := range positions {
		for ; i != outside && s.met[i] != s.entered; i = s.holders[i] {
			s.met[i] = s.entered
			s.m.active = append(s.m.active, s.schemas[i])
		}
	}
	s.m.budget.Pay((len(s.m.active) - before) / 16)
	return before
}

func (s *shape) leave(before int) { s.m.active = s.m.active[:before] }

func (s *shape) addAll(schemas []*tree.Value, outer bool) bool {
	for _, schema := range schemas {
		if !s.add(schema, outer) {
			return false
		}
	}
	return true
}

// add takes a schema in. It reports false when no value can fit it: the schema
// false, or one that is being sampled further out.
func (s *shape) add(schema *tree.Value, outer bool) bool {
	switch schema.Kind() {
	case tree.Object:
	case tree.False:
		return false
	default: // true, and what is no schema at all
		return true
	}
	if len(s.schemas) >= maxTogether {
		s.m.stop.Complexity = true
		return true
	}
	s.m.budget.Pay(stepParts + (len(s.schemas)+len(s.m.active))/16)
	if slices.Contains(s.schemas, schema) {
		return true
	}
	if i := slices.Index(s.m.active, schema); i >= 0 {
		s.m.stop.Recursion = true
		s.m.outermost = min(s.m.outermost, i)
		return false
	}
	s.m.steps++
	before := s.holder
	s.schemas, s.holders = append(s.schemas, schema), append(s.holders, before)
	s.holder = len(s.schemas) - 1
	defer func() { s.holder = before }()
	if outer {
		s.outer = len(s.schemas)
	}
	if _, isReference := tree.Ref(schema); isReference {
		target, problem := s.m.refs.Follow(schema)
		s.m.targets = append(s.m.targets, target)
		switch {
		case problem == tree.Remote:
			s.m.stop.Remote = true // unknown: anything fits as far as we know
		case problem != tree.None:
			s.m.stop.Broken = true
		case !s.add(target, outer):
			return false
		}
	}
	return s.addAll(schema.Get("allOf").Elements(), false) &&
		s.choose(schema, "oneOf") && s.choose(schema, "anyOf")
}

// choose takes one of the alternatives in, one that is not null if it can.
func (s *shape) choose(schema *tree.Value, keyword string) bool {
	list := schema.Get(keyword).Elements()
	if len(list) == 0 {
		return true
	}
	skip := 0
	if !s.chosen {
		s.chosen = true
		skip = s.branch
	}
	var nulls []*tree.Value
	for i, alternative := range list {
		s.m.budget.Pay(1 + len(s.schemas)/4)
		if alternative.Get("type").Text() == "null" {
			nulls = append(nulls, alternative)
			continue
		}
		if skip > 0 {
			skip--
			continue
		}
		before := len(s.schemas)
		if s.add(alternative, false) && s.possible() {
			s.discriminate(schema.Get("discriminator"), alternative)
			s.more = s.more || i < len(list)-1
			return true
		}
		s.schemas, s.holders = s.schemas[:before], s.holders[:before]
	}
	return skip == 0 && len(nulls) > 0 && s.add(nulls[0], false)
}

// discriminate notes the value by which a discriminator tells the alternative.
func (s *shape) discriminate(discriminator, alternative *tree.Value) {
	property := discriminator.Get("propertyName").Text()
	ref, ok := tree.Ref(alternative)
	if property == "" || !ok {
		return
	}
	name := s.m.refs.Name(alternative)
	s.m.budget.Pay(discriminator.Get("mapping").Len())
	for value, target := range discriminator.Get("mapping").Members() {
		if target.Text() == ref || target.Text() == name {
			name = value
			break
		}
	}
	if s.told == nil {
		s.told = map[string]string{}
	}
	s.told[property] = name
}
