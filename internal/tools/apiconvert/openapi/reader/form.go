package reader

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// fields reads a form into one field per property. If the author wrote an example, it provides the values, and its
// members that aren't properties become fields, too.
func (r *reader) fields(media *tree.Value, base string, at *warning.Place) []*request.Field {
	s := media.Get("schema")
	var value *tree.Value
	authored := false
	if examples := r.examples(media, at); len(examples) > 0 {
		e := examples[0]
		if text := e.Text + e.Value.Text(); text != "" && base == request.FormType {
			return r.formText(text)
		}
		value, authored = e.Value, e.Value.Kind() == tree.Object
	}
	if !authored {
		value = r.sample(s, toServer, at)
	}
	var list []*request.Field
	described := map[string]bool{}
	for i, p := range r.sampler.Properties(s, toServer) {
		described[p.Name] = true
		v := value.Get(p.Name)
		f := form{r: r, media: media, base: base, property: p, at: at.Field("schema").Field("properties").Index(i)}
		unsent := v == nil && authored && !p.Required && !f.isFile()
		if unsent {
			v = r.sample(p.Schema, toServer, f.at)
		}
		for _, field := range f.fields(v) {
			field.Optional = unsent
			list = append(list, field)
		}
	}
	for name, v := range value.Members() {
		if !described[name] {
			f := form{r: r, media: media, base: base, property: sample.Property{Name: name}, at: at}
			list = append(list, f.fields(v)...)
		}
	}
	return list
}

// formText parses a form that the author wrote as it is sent.
func (r *reader) formText(text string) []*request.Field {
	r.budget.Text(2 * len(text))
	var list []*request.Field
	for pair := range strings.SplitSeq(strings.TrimSpace(text), "&") {
		r.budget.Parts(openapi.ParameterParts)
		name, value, _ := strings.Cut(pair, "=")
		list = append(list, &request.Field{Parameter: request.Parameter{Name: percent.DecodeQuery(name), Value: percent.DecodeQuery(value)}})
	}
	return list
}

// form is a form property that is being read.
type form struct {
	r        *reader
	media    *tree.Value
	base     string
	property sample.Property
	at       *warning.Place
}

// encoding returns the Encoding Object of the property.
func (f *form) encoding() *tree.Value {
	return f.media.Get("encoding").Get(f.property.Name)
}

// isFile reports whether the property is a file or a list of files.
func (f *form) isFile() bool {
	if f.base != request.MultipartType {
		return false
	}
	s := f.property.Schema
	items, _ := f.r.refs.Follow(s.Get("items"))
	if isBinary(s) || isBinary(items) {
		return true
	}
	first, _, _ := strings.Cut(f.encoding().Get("contentType").Text(), ",")
	if !request.IsBinaryType(first) || isEncoded(s) {
		return false
	}
	kind := s.Get("type").Text()
	return kind == "string" || kind == "" && !s.Has("properties") || kind == "array"
}

func (f *form) fields(v *tree.Value) []*request.Field {
	s := f.property.Schema
	f.r.budget.Parts(openapi.SmallParts)
	base := request.Field{Parameter: request.Parameter{
		Name:        f.property.Name,
		Description: s.Get("description").Text(),
		Required:    f.property.Required,
		Deprecated:  s.Get("deprecated").Bool(),
		Schema:      s,
	}}
	encoding := f.encoding()
	if contentType := encoding.Get("contentType").Text(); f.base == request.MultipartType && !strings.ContainsAny(contentType, ",*") {
		base.ContentType = contentType
	}
	f.r.extensions(encoding, f.at)
	if encoding.Get("headers").Len() > 0 || encoding.Has("encoding") {
		f.r.warnings.Add(warning.Encoding, f.at)
	}
	if f.isFile() {
		base.IsFile = true
		f.r.paid(&base.Parameter)
		return []*request.Field{&base}
	}
	var list []*request.Field
	emit := func(name, value string) {
		field := base
		field.Name, field.Value = name, value
		f.r.paid(&field.Parameter)
		list = append(list, &field)
	}
	style := encoding.Get("style").Text()
	switch kind := v.Kind(); {
	case kind == tree.Array && v.Len() > 0, kind == tree.Object && (style == "deepObject" || style == "form"):
		spread(base.Name, v, style, !encoding.Has("explode") || encoding.Get("explode").Bool(), f.r.budget, emit)
	case kind == tree.Object || kind == tree.Array:
		if f.base == request.MultipartType && base.ContentType == "" && kind == tree.Object {
			base.ContentType = request.JSONType
		}
		emit(base.Name, f.r.compact(v))
	default:
		emit(base.Name, openapi.ScalarText(v, f.r.budget))
	}
	return list
}
