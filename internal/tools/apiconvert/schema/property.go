package schema

import "github.com/convertd/convertd/internal/tools/apiconvert/tree"

// Property is a member that an object may have.
type Property struct {
	Name     string
	Schema   *tree.Value // reference followed; nil when it is only named in required
	Required bool
}

// Properties returns the properties that an object of the schema has in a
// direction, those of allOf and of the first alternatives of oneOf and anyOf
// included, in order of appearance. It is nil for what describes no object,
// or when the budget does not suffice.
func (r *Sampler) Properties(s *tree.Value, d Direction) []Property {
	m := sampler{Sampler: r, direction: d}
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
