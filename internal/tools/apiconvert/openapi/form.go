package openapi

import (
	"net/url"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/schema"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// fields reads a form: a field per property, those of the example where the
// author gave one.
func (r *reader) fields(media *tree.Value, base string, at *warning.Place) []*request.Field {
	s := media.Get("schema")
	var value *tree.Value
	authored := false
	if examples := r.examples(media, at); len(examples) > 0 {
		e := examples[0]
		if text := e.Text + e.Value.Text(); text != "" && base == formType {
			r.budget.Text(len(text))
			list := formText(text)
			r.budget.Parts(parameterParts * len(list))
			r.budget.Bytes(len(text))
			return list
		}
		value, authored = e.Value, e.Value.Kind() == tree.Object
	}
	if !authored {
		value = r.sample(s, asking, at)
	}
	var list []*request.Field
	described := map[string]bool{}
	for i, p := range r.sampler.Properties(s, asking) {
		described[p.Name] = true
		v := value.Get(p.Name)
		f := form{r: r, media: media, base: base, property: p, at: at.Field("schema").Field("properties").Index(i)}
		unsent := v == nil && authored && !p.Required && !f.isFile()
		if unsent {
			v = r.sample(p.Schema, asking, f.at)
		}
		for _, field := range f.fields(v) {
			field.Optional = unsent
			list = append(list, field)
		}
	}
	for name, v := range value.Members() {
		if !described[name] {
			f := form{r: r, media: media, base: base, property: schema.Property{Name: name}, at: at}
			list = append(list, f.fields(v)...)
		}
	}
	return list
}

// formText takes a form apart that the author wrote as it is sent.
func formText(text string) []*request.Field {
	var list []*request.Field
	for pair := range strings.SplitSeq(strings.TrimSpace(text), "&") {
		name, value, _ := strings.Cut(pair, "=")
		list = append(list, &request.Field{Parameter: request.Parameter{Name: unescape(name), Value: unescape(value)}})
	}
	return list
}

func unescape(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// form is a property of a form that is being read.
type form struct {
	r        *reader
	media    *tree.Value
	base     string
	property schema.Property
	at       *warning.Place
}

// encoding is the encoding object of the property.
func (f *form) encoding() *tree.Value {
	return f.media.Get("encoding").Get(f.property.Name)
}

// isFile reports whether the property is a file or a list of files.
func (f *form) isFile() bool {
	if f.base != multipartType {
		return false
	}
	s := f.property.Schema
	items, _ := f.r.refs.Follow(s.Get("items"))
	if isBinary(s) || isBinary(items) {
		return true
	}
	first, _, _ := strings.Cut(f.encoding().Get("contentType").Text(), ",")
	if !request.IsBinaryType(first) || s.Has("contentEncoding") {
		return false
	}
	kind := s.Get("type").Text()
	return kind == "string" || kind == "" && !s.Has("properties") || kind == "array"
}

func (f *form) fields(v *tree.Value) []*request.Field {
	s := f.property.Schema
	f.r.budget.Parts(smallParts)
	base := request.Field{Parameter: request.Parameter{
		Name:        f.property.Name,
		Description: s.Get("description").Text(),
		Required:    f.property.Required,
		Deprecated:  s.Get("deprecated").Bool(),
		Schema:      s,
	}}
	encoding := f.encoding()
	if contentType := encoding.Get("contentType").Text(); f.base == multipartType && !strings.ContainsAny(contentType, ",*") {
		base.ContentType = contentType
	}
	if encoding.Get("headers").Len() > 0 {
		f.r.warnings.Add(warning.Encoding, f.at)
	}
	if f.isFile() {
		base.IsFile = true
		f.r.paid(&base.Parameter)
		return []*request.Field{&base}
	}
	one := func(name, value string) *request.Field {
		field := base
		field.Name, field.Value = name, value
		f.r.paid(&field.Parameter)
		return &field
	}
	switch {
	case v.Kind() == tree.Array && v.Len() > 0:
		return f.list(v, encoding, one)
	case v.Kind() == tree.Object && encoding.Get("style").Text() == "deepObject":
		var list []*request.Field
		deep(base.Name, v, f.r.budget, func(name, value string) { list = append(list, one(name, value)) })
		return list
	case v.Kind() == tree.Object && encoding.Get("style").Text() == "form":
		var list []*request.Field
		for name, value := range v.Members() {
			list = append(list, one(name, flat(value, f.r.budget)))
		}
		return list
	case v.Kind() == tree.Object || v.Kind() == tree.Array:
		field := one(base.Name, f.r.compact(v))
		if f.base == multipartType && field.ContentType == "" && v.Kind() == tree.Object {
			field.ContentType = jsonType
		}
		return []*request.Field{field}
	}
	return []*request.Field{one(base.Name, flat(v, f.r.budget))}
}

// list writes an array: an entry per element, unless the encoding joins them.
func (f *form) list(v, encoding *tree.Value, one func(name, value string) *request.Field) []*request.Field {
	separator := ","
	switch encoding.Get("style").Text() {
	case "spaceDelimited":
		separator = " "
	case "pipeDelimited":
		separator = "|"
	}
	if encoding.Has("explode") && !encoding.Get("explode").Bool() {
		return []*request.Field{one(f.property.Name, joined(v, separator, ",", f.r.budget))}
	}
	var list []*request.Field
	for _, element := range v.Elements() {
		list = append(list, one(f.property.Name, flat(element, f.r.budget)))
	}
	return list
}
