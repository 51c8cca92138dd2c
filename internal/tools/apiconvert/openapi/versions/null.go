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
	case t != nil:
	case v.Has("$ref") || v.Has("allOf"):
		orNull(v, null)
		wider = true
	default:
		wider = s.nullAmong(v, "anyOf", null) || s.nullAmong(v, "oneOf", null) || wider
	}
	if wider {
		s.Warn(warning.ChangedNullable, "nullable")
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
	s.Budget.Parts(1 + v.Get("type").Len() + v.Get("enum").Len())
	return isNull(v) || v.Get("nullable").Bool() || slices.ContainsFunc(v.Get("type").Elements(), isNullName) ||
		!v.Has("type") && slices.ContainsFunc(v.Get("enum").Elements(), isNullValue)
}

// mayAcceptNull reports whether neither an alternative nor a part of its allOf has a type other than null.
func (s *step) mayAcceptNull(v *tree.Value) bool {
	v = s.Deref(v)
	s.Budget.Parts(1 + v.Get("allOf").Len())
	typed := func(part *tree.Value) bool { return s.Deref(part).Get("type").Kind() == tree.String }
	return !typed(v) && !slices.ContainsFunc(v.Get("allOf").Elements(), typed)
}

// orNull replaces the constraints of v with an anyOf of them and null, at the position of the first constraint.
// Annotations of v stay where they are.
func orNull(v, null *tree.Value) {
	constraints := tree.NewObject()
	rewrite.Rebuild(v, func(out *tree.Value, name string, value *tree.Value) {
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

// nullAlternative turns null among the alternatives of a schema into nullable. OpenAPI 3.0 defines it next to a type:
// an alternative that has one takes it. It has no effect next to a reference, but every tool writes and reads it there.
// Where neither is possible, null stays an alternative, except in Swagger 2.0, which has no alternatives.
func (s *step) nullAlternative(v *tree.Value, list string) {
	all := v.Get(list).Elements()
	others := slices.DeleteFunc(slices.Clone(all), s.nullOnly)
	if len(others) == len(all) || len(others) == 0 {
		return
	}
	only, typed := others[0], slices.IndexFunc(others, isTyped)
	parts := only.Get("allOf")
	if rewrite.IsReference(only) {
		parts = tree.NewArray(only)
	} else if only.Len() > 1 {
		parts = nil
	}
	switch single := len(others) == 1; {
	case single && (typed == 0 || list == "anyOf" && only.Kind() == tree.Object && neutral(only, "")):
		s.allowNullIn(only)
		onlyAlternative(v, list, only)
	case single && parts.Len() > 0 && neutral(v, list):
		s.warnNullable(list, only)
		rewrite.Replace(v, list, "allOf", parts)
		v.Set("nullable", tree.NewBool(true))
	case typed >= 0:
		for i, other := range others {
			if i == typed || list == "anyOf" && isTyped(other) {
				s.allowNullIn(other)
			}
		}
		v.Set(list, tree.NewArray(others...))
	}
}

// warnNullable warns about null beside only, another alternative, which becomes nullable next to it.
func (s *step) warnNullable(list string, only *tree.Value) {
	accepts := s.acceptsNull(only)
	both := list == "oneOf" && (accepts || s.mayAcceptNull(only)) // accept null, so that oneOf refused it
	if both || s.to >= V30 && !accepts {
		s.Warn(warning.ChangedNullable, list)
	}
}

// nullOnly reports whether an alternative is null, in the form of OpenAPI 3.0, too, if the target isn't that.
func (s *step) nullOnly(v *tree.Value) bool {
	values := v.Get("enum")
	return isNull(v) || s.from != s.to && values.Len() == 1 && isNullValue(values.Element(0)) &&
		(!v.Has("type") || s.from < V31 && v.Get("nullable").Bool()) && !slices.ContainsFunc(decisive[2:], v.Has)
}

// decisive are the keywords that may refuse null, the first three by themselves, or that references may know by their
// place.
var decisive = []string{"type", "enum", "const", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref",
	"$dynamicRef", "$id", "$anchor", "$dynamicAnchor", "$defs", "definitions"}

// neutral reports whether the keywords of a schema, except for one, all accept null.
func neutral(v *tree.Value, except string) bool {
	return !slices.ContainsFunc(decisive, func(name string) bool { return name != except && v.Has(name) })
}

// isTyped reports whether a schema has types, null not among them, and would accept null if that were one of them.
func isTyped(v *tree.Value) bool {
	t, values := v.Get("type"), v.Get("enum")
	if slices.ContainsFunc(decisive[3:], v.Has) || values != nil && (v.Has("const") || values.Len() == 0) || v.Get("nullable").Bool() {
		return false
	}
	return t.Kind() == tree.String && t.Text() != "null" || t.Len() > 0 && !slices.ContainsFunc(t.Elements(), isNullName)
}

// allowNullIn adds null to what an alternative accepts.
func (s *step) allowNullIn(v *tree.Value) {
	s.constAsEnum(v)
	if values := v.Get("enum"); values.Kind() == tree.Array && !slices.ContainsFunc(values.Elements(), isNullValue) {
		values.Append(tree.NewNull())
	}
	if t := v.Get("type"); t.Kind() == tree.Array { // becomes alternatives
		t.Append(tree.NewString("null"))
	} else {
		v.Set("nullable", tree.NewBool(true))
	}
}

// onlyAlternative merges the only alternative that remains into v. It uses allOf if they say something about the same.
func onlyAlternative(v *tree.Value, list string, only *tree.Value) {
	for name := range v.Members() {
		of := shape.KeywordTypes[name]
		apart := annotations[name] || shape.IsExtension(name) || name == "format" || of == "string" || of == "number"
		switch {
		case name == list || apart && !only.Has(name):
			continue
		case v.Has("allOf"):
			also(v, only)
			v.Delete(list)
		default:
			rewrite.Replace(v, list, "allOf", tree.NewArray(only))
		}
		return
	}
	rewrite.Rebuild(v, func(out *tree.Value, name string, value *tree.Value) {
		if name != list {
			out.Set(name, value)
			return
		}
		for name, value := range only.Members() {
			out.Set(name, value)
		}
	})
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
	case t == nil || t.Kind() == tree.String && !null:
		return
	case len(types) == 0 && null:
		v.Set("type", tree.NewString("string"))
		only := tree.NewArray(tree.NewNull())
		if v.Has("enum") {
			also(v, tree.NewObject().Set("enum", only))
		} else {
			v.Set("enum", only)
		}
	case len(types) == 1:
		v.Set("type", tree.NewString(types[0]))
	default:
		s.Warn(warning.ChangedTypeList)
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
	rewrite.Rebuild(v, func(out *tree.Value, name string, value *tree.Value) {
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
	t := v.Get("type")
	return (t.Text() == "null" || t.Len() == 1 && t.Element(0).Text() == "null") && neutral(v, "type")
}
