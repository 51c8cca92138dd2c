package sample

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// shape combines several schemas, with references resolved and with allOf and one alternative each of oneOf and anyOf
// added.
type shape struct {
	m       *run
	depth   int
	schemas []*tree.Value
	links   []*link // one for each of schemas
	outer   int     // number of schemas outside allOf and alternatives
	// discriminators holds the values of discriminator properties.
	discriminators map[string]string
}

// link is a schema and the link that leads to it: a reference, a list of alternatives or a parent schema. A schema
// that occurs twice in a chain contains itself. One that occurs in two separate chains is only used twice.
type link struct {
	schema *tree.Value
	from   *link
	depth  int // depth of its shape
	length int // length of the chain
}

// part is the schema of a property or element, and the link that leads to it.
type part struct {
	schema *tree.Value
	from   *link
}

// parts returns the schemas that are values of keywords.
func (s *shape) parts(keywords ...string) []part {
	var list []part
	for i, schema := range s.schemas {
		for _, keyword := range keywords {
			if v := schema.Get(keyword); v != nil {
				list = append(list, part{v, s.links[i]})
			}
		}
	}
	return list
}

func (s *shape) addAll(parts []part) bool {
	for _, p := range parts {
		if !s.add(p.schema, p.from, true) {
			return false
		}
	}
	return true
}

// add adds a schema to the shape. It returns false if no value can be valid: the schema is false, or is being sampled
// at an outer level.
func (s *shape) add(schema *tree.Value, from *link, outer bool) bool {
	switch schema.Kind() {
	case tree.Object:
	case tree.False:
		return false
	default: // true, and invalid schemas
		return true
	}
	if len(s.schemas) >= maxTogether {
		s.m.stop |= Complexity
		return true
	}
	own := &link{schema: schema, from: from, depth: s.depth, length: 1}
	if from != nil {
		own.length = from.length + 1
	}
	s.m.budget.Pay(1 + (len(s.schemas)+own.length)/64)
	if slices.Contains(s.schemas, schema) {
		return true
	}
	for l := from; l != nil; l = l.from {
		if l.schema == schema {
			s.m.stop |= Recursion
			return false
		}
	}
	s.m.steps++
	s.schemas, s.links = append(s.schemas, schema), append(s.links, own)
	if outer {
		s.outer = len(s.schemas)
	}
	if _, isReference := tree.Ref(schema); isReference {
		target, problem := s.m.refs.Follow(schema)
		switch {
		case problem == tree.Remote:
			s.m.stop |= Remote // the target is unknown, so anything is valid
		case problem != tree.None:
			s.m.stop |= Broken
		case !s.add(target, own, outer):
			return false
		}
	}
	for _, inner := range schema.Get("allOf").Elements() {
		if !s.add(inner, own, false) {
			return false
		}
	}
	s.inherit(own)
	return s.choose(own, "oneOf") && s.choose(own, "anyOf")
}

// inherit records the discriminator value of a schema that extends the one of l through allOf: the outermost that does.
func (s *shape) inherit(l *link) {
	discriminator := l.schema.Get("discriminator")
	if discriminator == nil {
		return
	}
	s.m.budget.Pay(l.length / 16)
	extends := false
	for up := l.from; up != nil && up.depth == l.depth; up = up.from {
		_, isReference := tree.Ref(up.schema)
		switch {
		case !isReference && !up.schema.Has("allOf"):
			return
		case isReference && extends:
			s.discriminate(discriminator, up.schema)
		}
		extends = extends || !isReference
	}
}

// choose adds one of the alternatives, preferably one that isn't null.
func (s *shape) choose(l *link, keyword string) bool {
	schema := l.schema
	list := schema.Get(keyword).Elements()
	if len(list) == 0 {
		return true
	}
	var nulls []*tree.Value
	for _, alternative := range list {
		s.m.budget.Pay(len(s.schemas) / 16)
		if alternative.Get("type").Text() == "null" {
			nulls = append(nulls, alternative)
			continue
		}
		before := len(s.schemas)
		added := s.add(alternative, l, false)
		if types, typed := s.types(); added && (!typed || len(types) > 0) {
			s.discriminate(schema.Get("discriminator"), alternative)
			return true
		}
		s.schemas, s.links = s.schemas[:before], s.links[:before]
	}
	return len(nulls) > 0 && s.add(nulls[0], l, false)
}

// discriminate records the discriminator value that selects the alternative.
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
	if s.discriminators == nil {
		s.discriminators = map[string]string{}
	}
	s.discriminators[property] = name
}
