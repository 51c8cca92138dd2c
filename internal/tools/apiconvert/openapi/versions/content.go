package versions

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// mediaType writes the schema of a stream's items, which OpenAPI 3.2 has, as
// that of a list.
func (s *step) mediaType(v *tree.Value, at *warning.Place) {
	if s.from != V32 || s.to >= V32 || !v.Has("itemSchema") || v.Has("schema") {
		return
	}
	s.w.Add(warning.Streaming, at)
	items := v.Get("itemSchema")
	v.Set("itemSchema", tree.NewObject().Set("type", tree.NewString("array")).Set("items", items))
	v.Rename("itemSchema", "schema")
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

// response keeps the summary of a response, which OpenAPI 3.2 has, as its
// description when it has none.
func (s *step) response(v *tree.Value, at *warning.Place) {
	if s.from == V32 && s.to < V32 && v.Get("summary").Kind() == tree.String && !v.Has("description") {
		v.Rename("summary", "description")
	}
}

// example writes the two forms of a value that OpenAPI 3.2 has as the one
// that older versions have.
func (s *step) example(v *tree.Value) {
	if s.from == V32 && s.to < V32 && !v.Has("value") && !v.Has("externalValue") {
		if !v.Rename("dataValue", "value") {
			v.Rename("serializedValue", "value")
		}
	}
}

// xml writes the kind of a node, which OpenAPI 3.2 has, as the older mark of
// attributes.
func (s *step) xml(v *tree.Value) {
	if s.from == V32 && s.to < V32 && v.Get("nodeType").Text() == "attribute" && !v.Has("attribute") {
		v.Set("nodeType", tree.NewBool(true))
		v.Rename("nodeType", "attribute")
	}
}
