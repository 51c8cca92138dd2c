package versions

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// schema31 gives a schema of OpenAPI 3.0 the form of JSON Schema 2020-12. In
// a description that is of 3.1 already only what is wrong there is changed.
func (s *step) schema31(v *tree.Value) {
	namedExamples(v)
	if s.from < V31 {
		exampleList(v)
		contentKeywords(v)
	}
	exclusiveBound(v, "minimum", "exclusiveMinimum")
	exclusiveBound(v, "maximum", "exclusiveMaximum")
	if v.Get("nullable").Bool() {
		allowNull(v)
	}
	v.Delete("nullable")
}

// namedExamples writes examples with names, which a media type has and a
// schema has not, as a list.
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

// exampleList writes example as examples.
func exampleList(v *tree.Value) {
	example := v.Get("example")
	if example == nil {
		return
	}
	replace(v, "example", "examples", tree.NewArray(example).Append(v.Get("examples").Elements()...))
}

// contentKeywords writes the formats byte and binary as what JSON Schema has
// for them.
func contentKeywords(v *tree.Value) {
	switch v.Get("format").Text() {
	case "byte":
		if v.Rename("format", "contentEncoding") {
			v.Set("contentEncoding", tree.NewString("base64"))
		}
	case "binary":
		if v.Rename("format", "contentMediaType") {
			v.Set("contentMediaType", tree.NewString(binaryType))
		}
	}
}

// exclusiveBound writes a bound that is marked as exclusive as an exclusive
// bound.
func exclusiveBound(v *tree.Value, bound, exclusive string) {
	mark, value := v.Get(exclusive), v.Get(bound)
	switch {
	case mark.Bool() && value.Kind() == tree.Number:
		v.Set(exclusive, value)
		v.Delete(bound)
	case isFlag(mark):
		v.Delete(exclusive)
	}
}

// allowNull makes a schema that is marked as nullable allow null. Where the
// mark stands beside a reference or allOf it has no effect by the letter of
// OpenAPI 3.0.3, section 4.7.24; authors and tools read it as nullable all the
// same.
func allowNull(v *tree.Value) {
	isNullName := func(e *tree.Value) bool { return e.Text() == "null" }
	if list := v.Get("enum"); list.Kind() == tree.Array && !slices.ContainsFunc(list.Elements(), isNullValue) {
		list.Append(tree.NewNull())
	}
	null := tree.NewObject().Set("type", tree.NewString("null"))
	switch t := v.Get("type"); {
	case t.Kind() == tree.String && t.Text() != "null":
		v.Set("type", tree.NewArray(t, tree.NewString("null")))
	case t.Kind() == tree.Array && !slices.ContainsFunc(t.Elements(), isNullName):
		t.Append(tree.NewString("null"))
	case t != nil:
	case v.Has("$ref") || v.Has("allOf"):
		orNull(v, null)
	default:
		for _, name := range []string{"anyOf", "oneOf"} {
			if list := v.Get(name); list.Kind() == tree.Array && !slices.ContainsFunc(list.Elements(), isNull) {
				list.Append(null)
				return
			}
		}
	}
}

// orNull puts what v asks for beside null in an anyOf, where the first of it
// stood; what merely describes v stays where it is.
func orNull(v, null *tree.Value) {
	asked := tree.NewObject()
	rebuild(v, func(out *tree.Value, _ int, name string, value *tree.Value) {
		switch {
		case name == "nullable":
		case annotations[name] || isExtension(name):
			out.Set(name, value)
		default:
			asked.Set(name, value)
			out.Set("anyOf", tree.NewNull())
		}
	})
	if all := asked.Get("allOf"); asked.Len() == 1 && all.Len() == 1 && all.Element(0).Kind() == tree.Object {
		asked = all.Element(0)
	}
	v.Set("anyOf", tree.NewArray(asked, null))
}

func isNullValue(v *tree.Value) bool { return v.Kind() == tree.Null }
