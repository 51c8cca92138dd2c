package postman

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// bodyModes are the modes of bodies that the schema lists.
var bodyModes = []string{"raw", "urlencoded", "formdata", "file", "graphql"}

// body mends a request's body; a string is a raw one.
func (m mender) body(parent *tree.Value, at *warning.Place) {
	body := parent.Get("body")
	switch body.Kind() {
	case tree.Missing, tree.Null:
		return
	case tree.String:
		raw := body.Take()
		body.Become(tree.NewObject().Set("mode", tree.NewString("raw")).Set("raw", raw))
	case tree.Object:
	default:
		m.malformed(at)
		parent.Delete("body")
		return
	}
	m.mode(body)
	if raw := body.Get("raw"); raw.Kind() == tree.Object || raw.Kind() == tree.Array {
		raw.Become(tree.NewString(compact(raw)))
	}
	m.text(body, "raw", at)
	m.urlencoded(body, at.Field("body"))
	m.formdata(body, at.Field("body"))
	if graphql := body.Get("graphql"); graphql.Kind() == tree.String {
		query := graphql.Take()
		graphql.Become(tree.NewObject().Set("query", query))
	}
	m.object(body, "graphql", at)
	if file := body.Get("file"); file.Kind() == tree.String {
		src := file.Take()
		file.Become(tree.NewObject().Set("src", src))
	}
	if file := m.object(body, "file", at); file != nil {
		if file.Get("src").Kind() != tree.Null {
			m.text(file, "src", at)
		}
		m.text(file, "content", at)
	}
	m.object(body, "options", at)
	m.flag(body, "disabled")
}

// mode makes a body's mode one that the schema lists. Without one, the first
// member that is a mode's decides; Postman takes an unknown mode as raw.
func (m mender) mode(body *tree.Value) {
	mode, ok := body.Get("mode").Scalar()
	if lower := strings.ToLower(mode); slices.Contains(bodyModes, lower) {
		if lower != body.Get("mode").Text() {
			body.Set("mode", tree.NewString(lower))
		}
		return
	}
	if ok && mode != "" {
		body.Set("mode", tree.NewString("raw"))
		return
	}
	if body.Has("mode") {
		body.Delete("mode")
	}
	for _, name := range bodyModes {
		if content := body.Get(name); content.Len() > 0 || content.Text() != "" {
			body.Insert(0, "mode", tree.NewString(name))
			return
		}
	}
}

func (m mender) urlencoded(body *tree.Value, at *warning.Place) {
	if form := body.Get("urlencoded"); form.Kind() == tree.String {
		form.Become(queryValue(parseQuery(newCutter(form.Text()))))
	}
	for i, field := range m.list(body, "urlencoded", at).Elements() {
		m.field(field, at.Index(i))
	}
}

func (m mender) formdata(body *tree.Value, at *warning.Place) {
	for i, field := range m.list(body, "formdata", at).Elements() {
		m.field(field, at.Index(i))
		m.text(field, "contentType", at.Index(i))
		kind := field.Get("type")
		if kind == nil {
			if field.Has("src") {
				field.Set("type", tree.NewString("file"))
			}
		} else if kind.Text() != "text" && kind.Text() != "file" {
			field.Set("type", tree.NewString("text"))
		}
		switch field.Get("src").Kind() {
		case tree.Missing, tree.Array, tree.String, tree.Null:
		default:
			m.text(field, "src", at.Index(i))
		}
	}
}

// field mends what the entries of both kinds of form have in common.
func (m mender) field(field *tree.Value, at *warning.Place) {
	m.textOrEmpty(field, "key", at)
	if value := field.Get("value"); value.Kind() == tree.Object || value.Kind() == tree.Array {
		value.Become(tree.NewString(compact(value)))
	}
	m.text(field, "value", at)
	m.disabled(field)
	m.description(field, at)
}
