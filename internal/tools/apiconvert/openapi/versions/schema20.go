package versions

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// schema20 gives a schema of OpenAPI 3.0 the form that Swagger 2.0 has.
func schema20(s *step, v *tree.Value) {
	if v.Get("nullable").Bool() {
		v.Delete("x-nullable")
		v.Rename("nullable", "x-nullable")
	}
	v.Delete("nullable")
	s.differentValues(v)
	for _, name := range []string{"anyOf", "oneOf"} {
		list := v.Get(name)
		if list.Kind() != tree.Array {
			continue
		}
		if list.Len() == 1 && !v.Has("allOf") {
			v.Rename(name, "allOf") // which says the same
		} else if kind := s.commonType(list); kind != "" && !v.Has("type") && !v.Has("$ref") {
			v.Insert(v.Position(name), "type", tree.NewString(kind))
		}
	}
}

// differentValues removes what stands twice in an enum, where Swagger 2.0
// allows nothing twice.
func (s *step) differentValues(v *tree.Value) {
	if list := v.Get("enum"); list.Kind() == tree.Array && list.Len() <= maxTexts {
		var seen []*tree.Value
		list.KeepElements(func(e *tree.Value) bool {
			keep := !slices.ContainsFunc(seen, func(other *tree.Value) bool { return s.copies.Equal(e, other) })
			seen = append(seen, e)
			return keep
		})
	}
}

// requiredProperties names the properties that are required and not described:
// readers of Swagger 2.0 ask for each.
func (s *step) requiredProperties(v *tree.Value) {
	properties := v.Get("properties")
	if v.Has("allOf") || properties.Len() == 0 {
		return
	}
	for _, name := range texts(v.Get("required")) {
		if !properties.Has(name) && s.copies.Spend(1) {
			properties.Set(name, tree.NewObject())
		}
	}
}

// commonType is the type that all alternatives have, "" if they differ.
func (s *step) commonType(list *tree.Value) (kind string) {
	for i, alternative := range list.Elements() {
		s.budget.Parts(1)
		of := s.deref(alternative).Get("type").Text()
		if i > 0 && of != kind {
			return ""
		}
		kind = of
	}
	return kind
}

// discriminator20 writes the name of a discriminator alone. Swagger 2.0 asks
// for a property of that name in the same schema.
func (s *step) discriminator20(v *tree.Value) {
	d := v.Get("discriminator")
	if d == nil {
		return
	}
	name := d.Get("propertyName")
	if !v.Get("properties").Has(name.Text()) {
		s.tell(warning.SchemaAlternatives)
		v.Delete("discriminator")
		return
	}
	v.Set("discriminator", name)
}
