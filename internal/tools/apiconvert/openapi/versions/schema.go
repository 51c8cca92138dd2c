package versions

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// schema changes one schema, not those within it: first what is wrong in every
// version, then what the version has in another form.
func (s *step) schema(v *tree.Value) {
	if s.to < V31 {
		s.nullAlternatives(v)
	}
	s.requiredFlags(v)
	s.uniqueRequired(v)
	s.knownType(v)
	if s.from == V20 {
		switch n := v.Get("x-nullable"); n.Kind() {
		case tree.True, tree.False:
			v.Delete("nullable")
			v.Rename("x-nullable", "nullable")
		}
		v.Delete("collectionFormat")
	}
	if s.to >= V31 {
		s.schema31(v)
	} else {
		s.schema30(v)
	}
}

// completeSchema removes lists that may not be empty and adds what an array
// must have in OpenAPI 3.0.
func (s *step) completeSchema(v *tree.Value) {
	for _, name := range []string{"allOf", "anyOf", "oneOf", "required", "enum"} {
		mayBeEmpty := s.to >= V31 && (name == "required" || name == "enum")
		if l := v.Get(name); l.Kind() == tree.Array && l.Len() == 0 && !mayBeEmpty {
			v.Delete(name)
		}
	}
	if s.to < V31 && v.Get("type").Text() == "array" && !v.Has("items") {
		v.Insert(v.Position("type")+1, "items", tree.NewObject())
	}
	if s.to < V30 {
		s.discriminator20(v)
		s.requiredProperties(v)
	}
}

// requiredFlags reads required: true in a property, as JSON Schema had it
// before version 4, as the parent's list.
func (s *step) requiredFlags(v *tree.Value) {
	for name, property := range v.Get("properties").Members() {
		mark := property.Get("required")
		if !isFlag(mark) {
			continue
		}
		property.Delete("required")
		if mark.Bool() {
			if v.Get("required").Kind() != tree.Array {
				v.Set("required", tree.NewArray())
			}
			v.Get("required").Append(tree.NewString(name))
		}
	}
}

// uniqueRequired removes names that stand twice.
func (s *step) uniqueRequired(v *tree.Value) {
	if list := v.Get("required"); list.Kind() == tree.Array {
		seen := map[string]bool{}
		list.KeepElements(func(e *tree.Value) bool {
			name, _ := e.Scalar()
			first := !seen[name]
			seen[name] = true
			return first
		})
	}
}

// schemaTypes are those of JSON Schema; OpenAPI 3.0 has them all but null.
var schemaTypes = []string{"string", "number", "integer", "boolean", "array", "object", "null"}

// typeNames are other names of types, in lower case, and what they are in a
// schema: the type, and the format if the name says one.
var typeNames = map[string][2]string{
	"int": {"integer", ""}, "integer": {"integer", ""}, "int32": {"integer", "int32"}, "int64": {"integer", "int64"},
	"long": {"integer", "int64"}, "float": {"number", "float"}, "double": {"number", "double"}, "decimal": {"number", ""},
	"number": {"number", ""}, "bool": {"boolean", ""}, "boolean": {"boolean", ""}, "string": {"string", ""},
	"str": {"string", ""}, "text": {"string", ""}, "date": {"string", "date"}, "datetime": {"string", "date-time"},
	"date-time": {"string", "date-time"}, "uuid": {"string", "uuid"}, "file": {"string", "binary"},
	"object": {"object", ""}, "dict": {"object", ""}, "map": {"object", ""}, "array": {"array", ""},
	"list": {"array", ""}, "any": {},
}

// knownType replaces a type that no version has by the one that is meant,
// Swagger 2.0's file among them, and leaves out what is no type at all.
func (s *step) knownType(v *tree.Value) {
	t := v.Get("type")
	// In YAML null without quotes is not the name of a type, but is meant.
	for _, e := range append(slices.Clip(t.Elements()), t) {
		if e.Kind() == tree.Null {
			e.Become(tree.NewString("null"))
		}
	}
	meant, renamed := typeNames[strings.ToLower(t.Text())]
	switch {
	case t == nil || slices.Contains(schemaTypes, t.Text()):
		return
	case t.Kind() == tree.Array:
		t.KeepElements(func(e *tree.Value) bool {
			known := slices.Contains(schemaTypes, e.Text())
			if !known {
				s.tell(warning.Malformed)
			}
			return known
		})
		if t.Len() > 0 {
			return
		}
	case !renamed:
		s.tell(warning.Malformed)
	}
	if meant[0] == "" {
		v.Delete("type")
		return
	}
	v.Set("type", tree.NewString(meant[0]))
	if meant[1] != "" && !v.Has("format") {
		v.Insert(v.Position("type")+1, "format", tree.NewString(meant[1]))
	}
}

// itemsList writes a list of schemas in items, as JSON Schema had it before
// 2020-12, as any of them.
func (s *step) itemsList(v *tree.Value) {
	s.tell(warning.TupleItems)
	v.Become(anyOf(v.Elements()))
}

// anyOf returns a schema that allows what any of the schemas does, that schema
// itself if they are all the same.
func anyOf(schemas []*tree.Value) *tree.Value {
	var different []*tree.Value
	for _, candidate := range schemas {
		if len(different) > maxCompared || !slices.ContainsFunc(different, candidate.Equal) {
			different = append(different, candidate)
		}
	}
	switch len(different) {
	case 0:
		return tree.NewObject()
	case 1:
		return different[0]
	}
	return tree.NewObject().Set("anyOf", tree.NewArray(different...))
}

// maxCompared bounds the schemas that are compared with each other.
const maxCompared = 20

// annotations are the members of a schema that say nothing about which values
// it allows.
var annotations = map[string]bool{
	"title": true, "description": true, "default": true, "example": true, "examples": true, "deprecated": true,
	"readOnly": true, "writeOnly": true, "externalDocs": true, "xml": true, "$comment": true,
}

// isNull reports whether a schema allows null only, as {"type": "null"} does.
func isNull(v *tree.Value) bool {
	if t := v.Get("type"); t.Text() != "null" && (t.Len() != 1 || t.Element(0).Text() != "null") {
		return false
	}
	for name := range v.Members() {
		if name != "type" && !annotations[name] {
			return false
		}
	}
	return true
}
