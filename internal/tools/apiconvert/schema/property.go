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
func Properties(s *tree.Value, refs *tree.References, d Direction, budget *tree.Budget) []Property {
	m := sampler{refs: refs, direction: d, budget: budget}
	merged := shape{m: &m}
	if !merged.add(s, true) {
		return nil
	}
	var list []Property
	for _, p := range merged.properties() {
		if m.hidden(p) {
			continue
		}
		property := Property{Name: p.name, Required: p.required}
		if len(p.schemas) > 0 {
			property.Schema, _ = refs.Follow(p.schemas[0])
		}
		list = append(list, property)
	}
	return list
}
