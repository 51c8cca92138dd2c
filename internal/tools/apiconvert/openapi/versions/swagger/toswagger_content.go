package swagger

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// requestBody returns the parameters for a request body, and its media types.
func (d *toSwagger) requestBody(v *tree.Value, name string) ([]*tree.Value, []string) {
	if v == nil {
		return nil, nil
	}
	target := d.use(v)
	if target == nil {
		return []*tree.Value{v}, nil // in another document
	}
	if d.body(target, name) {
		return []*tree.Value{v}, d.done[target]
	}
	return d.form(target)
}

// body turns a request body into a body parameter in place, with the name from its author if there is one. It returns
// false for a form, which becomes one parameter per field.
func (d *toSwagger) body(v *tree.Value, author string) bool {
	if _, done := d.done[v]; done {
		return true
	}
	content := v.Get("content")
	names := content.Names()
	if len(names) > 0 && request.IsFormType(names[0]) && d.fields(content.Get(names[0])) != nil {
		return false
	}
	kept := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return request.IsFormType(name) && !request.IsFormType(names[0]) })
	if len(kept) < len(names) {
		d.Warn(warning.LostMediaTypes, slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(kept, name) })...)
	}
	kept = kept[:min(len(kept), rewrite.MaxTexts)]
	schema := cmp.Or(d.schema(content, kept), d.Object())
	// Readers of Swagger 2.0 look for the example in the schema.
	example := d.only(content, kept, d.exampleOf, warning.LostExamples)
	rewrite.Rebuild(v, func(out *tree.Value, name string, value *tree.Value) {
		if name == "description" || name == "required" || shape.IsExtension(name) {
			out.Set(name, value)
		}
	})
	name := cmp.Or(author, v.Delete(bodyNameExtension).Text(), bodyName(d.Rewriter, schema))
	v.Insert(0, "name", d.String(name))
	v.Insert(1, "in", d.String("body"))
	if example != nil && !rewrite.IsReference(schema) && !schema.Has("example") {
		schema.Set("example", example)
	} else if example != nil {
		d.SetExtension(v, "example", example)
	}
	v.Set("schema", schema)
	d.done[v] = orJSON(kept)
	return true
}

// schema returns the first schema among several media types. It describes those without one, too, which a warning says.
func (d *toSwagger) schema(content *tree.Value, names []string) *tree.Value {
	of := func(entry *tree.Value) *tree.Value { return entry.Get("schema") }
	first := d.only(content, names, of, warning.LostMediaTypeSchemas)
	for _, name := range names {
		if first != nil && !content.Get(name).Has("schema") {
			d.Warn(warning.LostMediaTypeSchemas, name)
		}
	}
	return first
}

// only returns the first value among several media types. It warns about those with another one.
func (d *toSwagger) only(
	content *tree.Value, names []string, of func(entry *tree.Value) *tree.Value, differs warning.Feature,
) (first *tree.Value) {
	for _, name := range names {
		if one := of(content.Get(name)); first == nil {
			first = one
		} else if one != nil && !d.Copies.Equal(first, one) {
			d.Warn(differs, name)
		}
	}
	return first
}

// exampleOf returns the example of a media type, or the first of several.
func (d *toSwagger) exampleOf(entry *tree.Value) *tree.Value {
	d.extensions(entry)
	return cmp.Or(entry.Get("example"), d.firstOf(entry.Get("examples")))
}

// fields returns the merged schema of a form with known properties, or nil.
func (d *toSwagger) fields(entry *tree.Value) *tree.Value {
	if object := d.merged(entry.Get("schema")); object.Get("properties").Len() > 0 {
		return object
	}
	return nil
}

// form returns a parameter for each field of a form.
func (d *toSwagger) form(v *tree.Value) (list []*tree.Value, consumes []string) {
	content := v.Get("content")
	names := content.Names()
	entry := content.Get(names[0])
	object := d.fields(entry)
	for _, name := range names {
		if !request.IsFormType(name) {
			d.Warn(warning.LostMediaTypes, name)
			continue
		}
		consumes = append(consumes, request.BaseType(name))
		if !d.Copies.Equal(entry.Get("schema"), content.Get(name).Get("schema")) {
			d.Warn(warning.LostMediaTypeSchemas, name)
		}
	}
	d.unsupported(v, "description")
	d.unsupported(object, "description", "title")
	d.extensions(v)
	d.extensions(object)
	part := objectPart{in: "formData", object: object, example: d.exampleOf(entry), encodings: entry.Get("encoding"), required: true}
	list = d.split(part)
	files := slices.ContainsFunc(list, func(p *tree.Value) bool { return p.Get("type").Text() == "file" })
	if files && !slices.Contains(consumes, request.MultipartType) {
		d.Warn(warning.ChangedFormMediaType)
		consumes = []string{request.MultipartType}
	}
	return list, slices.Compact(consumes)
}

func isBinary(schema *tree.Value) bool {
	return schema.Get("type").Text() == "string" && schema.Get("format").Text() == "binary"
}

// responses converts the responses of an operation and returns their media types.
func (d *toSwagger) responses(v *tree.Value) (produces []string) {
	for _, r := range rewrite.Entries(v) {
		target := d.Deref(r)
		if target == nil {
			continue // in another document
		}
		d.Within(r, func() { d.response(target) })
		d.Budget.Parts(len(d.done[target]))
		for _, name := range d.done[target] {
			if len(produces) < rewrite.MaxTexts && !slices.Contains(produces, name) {
				produces = append(produces, name)
			}
		}
	}
	d.classes(v)
	return produces
}

// classes replaces a class of status codes, which OpenAPI 3.0 allows, with its first code, unless that has a response
// of its own.
func (d *toSwagger) classes(v *tree.Value) {
	for _, class := range slices.Clone(v.Names()) {
		switch {
		case !strings.HasSuffix(class, "XX"):
		case v.Rename(class, class[:1]+"00"):
			d.Warn(warning.ChangedResponseClasses, class)
		default:
			d.Warn(warning.LostResponses, class)
			v.Delete(class)
		}
	}
}

// response converts a response in place.
func (d *toSwagger) response(r *tree.Value) {
	if _, done := d.done[r]; done || r.Kind() != tree.Object || r.Has("$ref") {
		return
	}
	var types []string
	rewrite.Rebuild(r, func(out *tree.Value, name string, value *tree.Value) {
		switch name {
		case "content":
			types = value.Names()[:min(value.Len(), rewrite.MaxTexts)]
			d.responseBody(out, value, types)
		case "headers":
			d.Within(d.Place().Near("headers"), func() { d.headers(value) })
			out.Set(name, value)
		default:
			out.Set(name, value)
		}
	})
	d.done[r] = types
}

// responseBody adds the schema and examples of a response.
func (d *toSwagger) responseBody(out, content *tree.Value, types []string) {
	schema := d.schema(content, types)
	examples := d.Object()
	for _, name := range types {
		if one := d.exampleOf(content.Get(name)); one != nil {
			examples.Set(name, one)
		}
	}
	described := d.Deref(schema)
	binary := described.Len() == 0 && len(types) > 0 && !slices.ContainsFunc(types, func(name string) bool { return !request.IsBinaryType(name) })
	if binary || isBinary(described) {
		schema = d.Object().Set("type", d.String("file"))
		d.SetText(schema, "title", described.Get("title").Text())
		d.SetText(schema, "description", described.Get("description").Text())
	}
	if schema == nil && examples.Len() == 0 && len(types) > 0 {
		schema = d.Object() // without a schema, Swagger 2.0 responses have no content
	}
	if schema != nil {
		out.Set("schema", schema)
	}
	if examples.Len() > 0 {
		out.Set("examples", examples)
	}
}

// headers converts the headers of a response. Those that refer to another one are replaced by copies.
func (d *toSwagger) headers(headers *tree.Value) {
	headers.Keep(func(_ int, name string, h *tree.Value) bool {
		target := d.use(h)
		if target == nil {
			return false
		}
		d.Within(d.Place().Near(name), func() {
			if target != h {
				h.Become(d.Copy(target))
			}
			d.flat(h, "header")
		})
		return true
	})
}
