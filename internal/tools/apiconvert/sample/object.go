package sample

import (
	"slices"
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// property is a property that a sample may have, with all its schemas.
type property struct {
	name     string
	schemas  []part
	required bool
}

// propertiesPerValue is how many properties can be visited for the cost of creating a value.
const propertiesPerValue = 16

// properties returns the properties of all schemas in order of appearance, followed by those that are only named in
// required.
func (s *shape) properties() []property {
	var list []property
	var first *tree.Value    // the object whose members the list begins with; most shapes have one
	var index map[string]int // of the other properties
	entry := func(name string) *property {
		i := first.Position(name)
		if known, ok := index[name]; ok {
			i = known
		}
		if i < 0 {
			if index == nil {
				index = map[string]int{}
			}
			i = len(list)
			index[name] = i
			list = append(list, property{name: name})
		}
		return &list[i]
	}
	for position, schema := range s.schemas {
		described := schema.Get("properties")
		n := described.Len()
		s.m.budget.Pay(n + schema.Get("required").Len())
		if !s.m.budget.Spend(n / propertiesPerValue) {
			s.m.stop |= Complexity
			return nil
		}
		begins := first == nil && n > 0
		if begins {
			first, list = described, make([]property, 0, n)
		}
		schemas := make([]part, 0, n)
		for name, value := range described.Members() {
			schemas = append(schemas, part{value, s.links[position]})
			if own := schemas[len(schemas)-1:]; begins {
				list = append(list, property{name: name, schemas: own[:1:1]})
			} else {
				p := entry(name)
				p.schemas = append(p.schemas, own...)
			}
		}
	}
	for _, schema := range s.schemas {
		for _, name := range schema.Get("required").Elements() {
			if name.Kind() == tree.String {
				entry(name.Text()).required = true
			}
		}
	}
	return list
}

// hidden reports whether a property is not sent in the sampler's direction.
func (m *run) hidden(p *property) bool {
	keyword := "readOnly"
	if m.direction == FromServer {
		keyword = "writeOnly"
	}
	return slices.ContainsFunc(p.schemas, func(one part) bool {
		if one.schema.Get(keyword).Bool() {
			return true
		}
		target, _ := m.refs.Follow(one.schema)
		return target.Get(keyword).Bool()
	})
}

func (s *shape) object(depth int) *tree.Value {
	most := s.limit("maxProperties", 1<<30)
	list := s.properties()
	out := tree.NewObjectFor(len(list))
	required := 0
	for _, p := range list {
		if p.required {
			required++
		}
	}
	for i := range list {
		p := &list[i]
		if s.m.hidden(p) {
			continue
		}
		if p.required {
			required--
		} else if out.Len()+required >= most || depth >= fullDepth || s.m.steps > fullSteps {
			continue
		}
		if len(p.schemas) == 0 {
			p.schemas = s.additional()
		}
		v := s.m.sample(p.schemas, depth+1)
		if name, ok := s.discriminators[p.name]; ok && v.Kind() == tree.String {
			v = tree.NewString(name)
		}
		if v == nil && p.required && !s.m.nearest {
			return nil
		}
		if v != nil {
			out.Add(p.name, v)
		}
	}
	return s.fill(out, depth, most)
}

// additional returns the schemas of properties that aren't declared.
func (s *shape) additional() []part { return s.parts("additionalProperties", "unevaluatedProperties") }

// fill adds properties with generated names: as many as minProperties requires, and at least one to illustrate a map.
func (s *shape) fill(out *tree.Value, depth, most int) *tree.Value {
	least := s.limit("minProperties", 0)
	described := s.additional()
	wanted := least
	if out.Len() == 0 && depth < fullDepth {
		for _, p := range described {
			if p.schema.Kind() == tree.Object {
				wanted = max(wanted, 1)
			}
		}
	}
	if wanted > maxCount {
		return nil
	}
	for i := 1; out.Len() < min(wanted, most) && i <= 2*maxCount; i++ {
		name := "property" + strconv.Itoa(i)
		if out.Has(name) {
			continue
		}
		v := s.m.sample(described, depth+1)
		if v == nil {
			break
		}
		out.Set(name, v)
	}
	if out.Len() < least && !s.m.nearest {
		return nil
	}
	return out
}

// Property is a property that an object may have.
type Property struct {
	Name     string
	Schema   *tree.Value // reference resolved; nil if only named in required
	Required bool
}

// Properties returns the properties that an object of the schema has in a direction, in order of appearance. It
// includes those of allOf and of the first alternatives of oneOf and anyOf. It returns nil if the schema doesn't
// describe an object or the budget doesn't suffice.
func (r *Sampler) Properties(s *tree.Value, d Direction) []Property {
	m := run{Sampler: r, direction: d}
	merged := shape{m: &m}
	if !merged.add(s, nil, true) {
		return nil
	}
	var list []Property
	for _, p := range merged.properties() {
		if m.hidden(&p) {
			continue
		}
		property := Property{Name: p.name, Required: p.required}
		if len(p.schemas) > 0 {
			property.Schema, _ = r.refs.Follow(p.schemas[0].schema)
		}
		list = append(list, property)
	}
	return list
}

// array returns an array with the required number of elements, at least one if allowed.
func (s *shape) array(depth int) *tree.Value {
	var longest part
	for _, p := range s.parts("prefixItems") {
		if p.schema.Len() > longest.schema.Len() {
			longest = p
		}
	}
	prefix := longest.schema.Elements()
	least, most := s.limit("minItems", 0), s.limit("maxItems", maxCount)
	count := min(max(least, len(prefix), 1), most)
	if count < least || count > maxCount {
		return nil
	}
	out := tree.NewArray()
	for i := range count {
		var v *tree.Value
		switch {
		case i < len(prefix):
			v = s.m.sample([]part{{prefix[i], longest.from}}, depth+1)
		case i == len(prefix):
			v = s.m.sample(s.parts("items"), depth+1)
		default:
			v = out.Element(len(prefix)).Clone(s.m.budget)
			if slices.ContainsFunc(s.schemas, func(schema *tree.Value) bool { return schema.Get("uniqueItems").Bool() }) {
				v = s.m.vary(v, s.parts("items"), i-len(prefix))
			}
		}
		if v == nil {
			break
		}
		out.Append(v)
	}
	if out.Len() < least && !s.m.nearest {
		return nil
	}
	return out
}

// vary returns the i-th of several elements that must be distinct, or nil if it isn't known to be valid.
func (m *run) vary(v *tree.Value, items []part, i int) *tree.Value {
	s := shape{m: m}
	if !s.addAll(items) {
		return nil
	}
	for _, schema := range s.schemas {
		if enum := schema.Get("enum"); enum.Len() > 0 {
			return enum.Element(i).Clone(m.budget)
		}
		if schema.Has("pattern") || schema.Has("const") || schema.Has("format") && v.Kind() == tree.String {
			return nil
		}
	}
	if text := v.Text() + strconv.Itoa(i+1); v.Kind() == tree.String && len(text) <= s.limit("maxLength", len(text)) {
		return tree.NewString(text)
	}
	b := s.bounds(isInteger(v))
	first, isNumber := float(v)
	if n := first + float64(i)*max(b.step, 1); isNumber && b.allow(n) {
		return decimal(n)
	}
	return nil
}
