package versions

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// schema changes one schema, but not those within it: first what is invalid in every version, then what has another
// form in the target version.
func (s *step) schema(v *tree.Value) {
	if n := v.Get("nullable"); s.from >= V31 && n.Bool() && n.ID() >= 0 { // not added by a rule
		s.Warn(warning.ChangedNullable, "nullable")
	}
	if s.to < V31 {
		s.nullAlternative(v, "anyOf")
		s.nullAlternative(v, "oneOf")
	}
	s.requiredFlags(v)
	if list := v.Get("required"); list.Kind() == tree.Array {
		rewrite.Distinct(list, func(e *tree.Value) string { name, _ := e.Scalar(); return name }, func(*tree.Value) {})
	}
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

// completeSchema removes lists that may not be empty, and adds the items that OpenAPI 3.0 requires of an array.
func (s *step) completeSchema(v *tree.Value) {
	if s.to < V30 { // a part may have lost all that it said
		v.Get("allOf").Keep(func(_ int, _ string, part *tree.Value) bool { return part.Len() > 0 })
	}
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

// requiredFlags replaces required: true in a property, which JSON Schema used before draft 4, with an entry in the
// parent's list.
func (s *step) requiredFlags(v *tree.Value) {
	for name, property := range v.Get("properties").Members() {
		mark := property.Get("required")
		if !rewrite.BecomeFlag(mark) {
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

// schemaTypes are the types of JSON Schema. OpenAPI 3.0 has all of them except null.
var schemaTypes = []string{"string", "number", "integer", "boolean", "array", "object", "null"}

// typeNames maps other names for types, in lower case, to the type and format in a schema.
var typeNames = map[string][2]string{
	"int": {"integer", ""}, "integer": {"integer", ""}, "int32": {"integer", "int32"}, "int64": {"integer", "int64"},
	"long": {"integer", "int64"}, "float": {"number", "float"}, "double": {"number", "double"}, "decimal": {"number", ""},
	"number": {"number", ""}, "bool": {"boolean", ""}, "boolean": {"boolean", ""}, "string": {"string", ""},
	"str": {"string", ""}, "text": {"string", ""}, "date": {"string", "date"}, "datetime": {"string", "date-time"},
	"date-time": {"string", "date-time"}, "uuid": {"string", "uuid"}, "file": {"string", "binary"},
	"object": {"object", ""}, "dict": {"object", ""}, "map": {"object", ""}, "array": {"array", ""},
	"list": {"array", ""}, "any": {},
}

// knownType replaces a type that no version has, or Swagger 2.0's file, with the intended one. It drops values that
// aren't types.
func (s *step) knownType(v *tree.Value) {
	t := v.Get("type")
	nullNamed := func(e *tree.Value) { // an unquoted null in YAML is not a string, but means the type
		if e.Kind() == tree.Null {
			e.Become(tree.NewString("null"))
		}
	}
	if t == nil || slices.Contains(schemaTypes, t.Text()) {
		return
	}
	nullNamed(t)
	meant, renamed := typeNames[strings.ToLower(t.Text())]
	switch {
	case t.Text() == "null":
		return
	case t.Kind() == tree.Array:
		t.Keep(func(_ int, _ string, e *tree.Value) bool {
			nullNamed(e)
			known := slices.Contains(schemaTypes, e.Text())
			if !known {
				s.Warn(warning.LostMalformed)
			}
			return known
		})
		if t.Len() > 0 {
			return
		}
	case !renamed:
		s.Warn(warning.LostMalformed)
	case s.from > V20 || t.Text() != "file":
		s.Warn(warning.ChangedSchemaType, t.Text())
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

// anyOf returns a schema that allows what any of the schemas allows. If they are all equal, it returns the first.
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

// maxCompared limits the number of schemas that are compared with each other.
const maxCompared = 20

// annotations are the keywords of a schema that don't restrict its values.
var annotations = map[string]bool{
	"title": true, "description": true, "default": true, "example": true, "examples": true, "deprecated": true,
	"readOnly": true, "writeOnly": true, "externalDocs": true, "xml": true, "$comment": true,
}

// schema31 converts a schema of OpenAPI 3.0 to JSON Schema 2020-12. In a document that already is OpenAPI 3.1, it
// only fixes what is invalid there.
func (s *step) schema31(v *tree.Value) {
	namedExamples(v)
	if s.from < V31 {
		if example := v.Get("example"); example != nil {
			rewrite.Replace(v, "example", "examples", tree.NewArray(example).Append(v.Get("examples").Elements()...))
		}
		to, is := contentKeywords[v.Get("format").Text()]
		if is && v.Rename("format", to.keyword) {
			v.Set(to.keyword, tree.NewString(to.value))
		}
	}
	exclusiveBound(v, "minimum", "exclusiveMinimum")
	exclusiveBound(v, "maximum", "exclusiveMaximum")
	if s.from < V31 && v.Has("$ref") {
		s.ignoredSiblings(v)
	}
	if v.Get("nullable").Bool() {
		s.allowNull(v)
	}
	v.Delete("nullable")
}

// ignoredSiblings removes the keywords next to a reference that would restrict values from JSON Schema 2020-12 on.
func (s *step) ignoredSiblings(v *tree.Value) {
	v.Keep(func(_ int, name string, _ *tree.Value) bool {
		keep := name == "$ref" || name == "nullable" || annotations[name] || shape.IsExtension(name)
		if !keep {
			s.Warn(warning.LostReferenceSiblings, name)
		}
		return keep
	})
}

// contentKeywords maps formats of encoded strings to JSON Schema keywords.
var contentKeywords = map[string]struct{ keyword, value string }{
	"byte": {"contentEncoding", "base64"}, "binary": {"contentMediaType", request.BinaryType},
}

// namedExamples turns named examples, which a media type may have but a schema may not, into a list.
func namedExamples(v *tree.Value) {
	named := v.Get("examples")
	if named.Kind() != tree.Object {
		return
	}
	list := tree.NewArray()
	for _, example := range named.Members() {
		if value := example.Get("value"); value != nil {
			example = value
		}
		list.Append(example)
	}
	v.Set("examples", list)
}

// exclusiveBound turns a bound that is flagged as exclusive into an exclusive bound.
func exclusiveBound(v *tree.Value, bound, exclusive string) {
	mark, value := v.Get(exclusive), v.Get(bound)
	switch {
	case mark.Bool() && value.Kind() == tree.Number:
		v.Set(exclusive, value)
		v.Delete(bound)
	case rewrite.IsFlag(mark):
		v.Delete(exclusive)
	}
}
