package versions

import (
	"cmp"
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Null is nullable in OpenAPI 3.0, x-nullable in Swagger 2.0, and one of several types since OpenAPI 3.1.

// allowNull makes a nullable schema allow null. nullable has an effect only next to type, and none next to an enum
// without null (OpenAPI 3.0.3, section 4.7.24), but authors and tools expect more: the schema is then wider.
func (s *step) allowNull(v *tree.Value) {
	list := v.Get("enum")
	wider := list.Kind() == tree.Array && !slices.ContainsFunc(list.Elements(), isNullValue)
	if wider {
		list.Append(tree.NewNull())
	}
	null := tree.NewObject().Set("type", tree.NewString("null"))
	switch t := v.Get("type"); {
	case t.Kind() == tree.String && list.Len() == 1 && isNullValue(list.Element(0)):
		v.Set("type", tree.NewString("null"))
		v.Delete("enum")
	case t.Kind() == tree.String && t.Text() != "null":
		v.Set("type", tree.NewArray(t, tree.NewString("null")))
	case t.Kind() == tree.Array && !slices.ContainsFunc(t.Elements(), isNullName):
		t.Append(tree.NewString("null"))
	case t != nil:
	case v.Has("$ref") || v.Has("allOf"):
		orNull(v, null)
		wider = true
	default:
		wider = s.nullAmong(v, "anyOf", null) || s.nullAmong(v, "oneOf", null) || wider
	}
	if wider {
		s.warn(warning.Nullable, "nullable")
	}
}

func isNullName(e *tree.Value) bool { return e.Text() == "null" }

// nullAmong adds null to the alternatives of v unless one of them accepts it. It reports whether it did.
func (s *step) nullAmong(v *tree.Value, name string, null *tree.Value) bool {
	list := v.Get(name)
	if list.Kind() != tree.Array || list.Len() == 0 || slices.ContainsFunc(list.Elements(), s.acceptsNull) {
		return false
	}
	if name == "anyOf" || !slices.ContainsFunc(list.Elements(), s.mayAcceptNull) {
		list.Append(null)
	} else { // which may match two of oneOf
		orNull(v, null)
	}
	return true
}

// acceptsNull reports whether an alternative accepts null, as the NullEnum of drf-spectacular does.
func (s *step) acceptsNull(v *tree.Value) bool {
	v = s.Deref(v)
	return isNull(v) || v.Get("nullable").Bool() || slices.ContainsFunc(v.Get("type").Elements(), isNullName) ||
		!v.Has("type") && slices.ContainsFunc(v.Get("enum").Elements(), isNullValue)
}

// mayAcceptNull reports whether neither an alternative nor a part of its allOf has a type other than null.
func (s *step) mayAcceptNull(v *tree.Value) bool {
	v = s.Deref(v)
	typed := func(part *tree.Value) bool { return s.Deref(part).Get("type").Kind() == tree.String }
	return !typed(v) && !slices.ContainsFunc(v.Get("allOf").Elements(), typed)
}

// orNull replaces the constraints of v with an anyOf of them and null, at the position of the first constraint.
// Annotations of v stay where they are.
func orNull(v, null *tree.Value) {
	constraints := tree.NewObject()
	rewrite.Rebuild(v, func(out *tree.Value, _ int, name string, value *tree.Value) {
		switch {
		case name == "nullable":
		case annotations[name] || shape.IsExtension(name):
			out.Set(name, value)
		default:
			constraints.Set(name, value)
			out.Set("anyOf", tree.NewNull())
		}
	})
	if all := constraints.Get("allOf"); constraints.Len() == 1 && all.Len() == 1 && all.Element(0).Kind() == tree.Object {
		constraints = all.Element(0)
	}
	v.Set("anyOf", tree.NewArray(constraints, null))
}

func isNullValue(v *tree.Value) bool { return v.Kind() == tree.Null }

// nullAlternative turns null among the alternatives of a schema that has nothing else but annotations into nullable.
// Next to alternatives, nullable has no effect in OpenAPI 3.0, so it takes a single one with a type.
func (s *step) nullAlternative(v *tree.Value, list string) {
	all := v.Get(list).Elements()
	others := slices.DeleteFunc(slices.Clone(all), isNull)
	if len(others) == len(all) || len(others) == 0 {
		return
	}
	only, overlaps := others[0], false
	for name := range v.Members() {
		if name != list && !annotations[name] && !shape.IsExtension(name) {
			return
		}
		overlaps = overlaps || only.Has(name)
	}
	if len(others) > 1 || !simple(only) {
		if s.to < V30 { // x-nullable allows null whatever else the schema says
			v.Set(list, tree.NewArray(others...)).Set("nullable", tree.NewBool(true))
		}
		return
	}
	s.constAsEnum(only)
	if values := only.Get("enum"); values.Kind() == tree.Array && !slices.ContainsFunc(values.Elements(), isNullValue) {
		values.Append(tree.NewNull())
	}
	if overlaps {
		only.Set("nullable", tree.NewBool(true))
		rewrite.Replace(v, list, "allOf", tree.NewArray(only))
		return
	}
	rewrite.Rebuild(v, func(out *tree.Value, _ int, name string, value *tree.Value) {
		if name != list {
			out.Set(name, value)
			return
		}
		for name, value := range only.Members() {
			out.Set(name, value)
		}
	})
	v.Set("nullable", tree.NewBool(true))
}

// simple reports whether a schema has one type, and only keywords that don't apply to null.
func simple(v *tree.Value) bool {
	for name := range v.Members() {
		known := annotations[name] || shape.IsExtension(name) || shape.KeywordTypes[name] != ""
		if !known && !slices.Contains([]string{"type", "format", "enum", "const"}, name) {
			return false
		}
	}
	return v.Get("type").Text() != ""
}

// typeList turns a list of types into alternatives, and null into nullable.
func (s *step) typeList(v *tree.Value) {
	t := v.Get("type")
	types := rewrite.Texts(t)
	if t.Kind() == tree.String {
		types = []string{t.Text()}
	}
	null := slices.Contains(types, "null")
	types = slices.DeleteFunc(types, func(name string) bool {
		return name == "null" || name == "integer" && slices.Contains(types, "number")
	})
	switch {
	case t.Kind() == tree.String && !null:
		return
	case t == nil:
		if s.from >= V31 && slices.ContainsFunc(v.Get("enum").Elements(), isNullValue) {
			v.Set("nullable", tree.NewBool(true))
		}
		return
	case len(types) == 0 && null:
		v.Set("type", tree.NewString("string"))
		only := tree.NewArray(tree.NewNull())
		if v.Has("enum") {
			also(v, tree.NewObject().Set("enum", only))
		} else {
			v.Set("enum", only)
		}
	case len(types) == 0:
		v.Delete("type")
	case len(types) == 1:
		v.Set("type", tree.NewString(types[0]))
	case s.to < V30:
		s.warn(warning.SchemaAlternatives)
		v.Delete("type")
	default:
		s.warn(warning.TypeList)
		alternatives(v, types, null)
		return
	}
	if null && v.Has("type") {
		v.Insert(v.Position("type")+1, "nullable", tree.NewBool(true))
	}
}

// alternatives turns each of several types into an alternative with the keywords for that type.
func alternatives(v *tree.Value, types []string, null bool) {
	schemas := map[string]*tree.Value{}
	list := tree.NewArray()
	for _, name := range types {
		schemas[name] = tree.NewObject().Set("type", tree.NewString(name))
		if null {
			schemas[name].Set("nullable", tree.NewBool(true))
		}
		list.Append(schemas[name])
	}
	if schemas["number"] == nil {
		schemas["number"] = schemas["integer"]
	}
	rewrite.Rebuild(v, func(out *tree.Value, _ int, name string, value *tree.Value) {
		of := shape.KeywordTypes[name]
		if name == "format" {
			of = cmp.Or(formatTypes[value.Text()], "string")
		}
		switch {
		case name == "type":
			out.Set("type", list)
		case of != "" && schemas[of] != nil:
			schemas[of].Set(name, value)
		default:
			out.Set(name, value)
		}
	})
	if v.Rename("type", "anyOf") {
		return
	}
	v.Delete("type")
	also(v, tree.NewObject().Set("anyOf", list))
}

var formatTypes = map[string]string{"int32": "integer", "int64": "integer", "float": "number", "double": "number"}

// isNull reports whether a schema only allows null, such as {"type": "null"}.
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
