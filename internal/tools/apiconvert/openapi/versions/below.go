package versions

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// below holds, for each version, what gives an object of a kind the form that
// the version below has for it. A step down passes them one version after the
// other; what has no other form there is left out by the shapes.
var below = [Newest + 1][kinds]func(*step, *tree.Value, *warning.Place){
	V32: {
		parameter: parameter31, mediaType: listOfItems, response: summaryAsDescription,
		tag: summaryAsDescription, example: valueOfExample, xml: attributeOfXML,
	},
	V31: {info: summaryAsDescription, pathItem: (*step).ownPathItem},
	V30: {schema: schema20},
}

// parameter31 takes from a parameter what only OpenAPI 3.2 has.
func parameter31(s *step, v *tree.Value, at *warning.Place) {
	in := v.Get("in").Text()
	if in == "querystring" {
		// A form as the whole query is what an exploded object is.
		v.Set("in", tree.NewString("query"))
		replace(v, "content", "schema", v.Get("content").Get(urlencodedType).Get("schema"))
		v.Set("style", tree.NewString("form")).Set("explode", tree.NewBool(true))
	}
	if v.Get("style").Text() == "cookie" {
		v.Delete("style")
		s.w.Add(warning.ParameterStyle, at)
	}
	if in != "query" && v.Has("allowReserved") {
		if v.Get("allowReserved").Bool() {
			s.w.Add(warning.ParameterStyle, at)
		}
		v.Delete("allowReserved")
	}
}

// listOfItems writes the schema of a stream's items as that of a list.
func listOfItems(s *step, v *tree.Value, at *warning.Place) {
	if !v.Has("itemSchema") || v.Has("schema") {
		return
	}
	s.w.Add(warning.Streaming, at)
	items := tree.NewObject().Set("type", tree.NewString("array")).Set("items", v.Get("itemSchema"))
	replace(v, "itemSchema", "schema", items)
}

// summaryAsDescription keeps the summary as the description when there is none.
func summaryAsDescription(s *step, v *tree.Value, at *warning.Place) {
	if v.Get("summary").Kind() == tree.String && !v.Has("description") {
		v.Rename("summary", "description")
		s.w.AddNamed(warning.SummaryMoved, at, "summary")
	}
}

// valueOfExample writes one of the two forms of a value as the one that older
// versions have.
func valueOfExample(_ *step, v *tree.Value, _ *warning.Place) {
	if !v.Has("value") && !v.Has("externalValue") && !v.Rename("dataValue", "value") {
		v.Rename("serializedValue", "value")
	}
}

// attributeOfXML writes the kind of a node as the older mark of attributes.
func attributeOfXML(_ *step, v *tree.Value, _ *warning.Place) {
	if v.Get("nodeType").Text() == "attribute" && !v.Has("attribute") {
		replace(v, "nodeType", "attribute", tree.NewBool(true))
	}
}

// inlineMediaType copies a reusable media type to where it is used: only
// OpenAPI 3.2 has them.
func (s *step) inlineMediaType(v *tree.Value, at *warning.Place) bool {
	source := s.deref(v)
	if source.Kind() != tree.Object || !s.inline(v, source, at) {
		v.Become(tree.NewObject())
		return true
	}
	v.Become(s.copy(source, at))
	return true
}
