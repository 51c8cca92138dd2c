package reader

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// fields reads a form into one field per property. If the author wrote an example, it provides the values, and its
// members that aren't properties become fields, too.
func (r *reader) fields(media part, base string) []*request.Field {
	s := media.field("schema")
	var value *tree.Value
	authored := false
	if examples := r.examples(media); len(examples) > 0 {
		e := examples[0]
		if text := e.Text + e.Value.Text(); text != "" && base == request.FormType {
			return r.formText(text)
		}
		value, authored = e.Value, e.Value.Kind() == tree.Object
	}
	if !authored {
		value = r.sample(s, sample.ToServer)
	}
	var list []*request.Field
	described := map[string]bool{}
	properties := s.field("properties")
	for _, p := range r.sampler.Properties(s.Value, sample.ToServer) {
		described[p.Name] = true
		v := value.Get(p.Name)
		f := property{p, r, base, media.Get("encoding").Get(p.Name)}
		unsent := v == nil && authored && !p.Required && !f.isFile()
		if unsent {
			v = r.sample(part{Value: p.Schema, at: properties.field(p.Name).at}, sample.ToServer)
		}
		for _, field := range f.fields(v) {
			field.Optional = unsent
			list = append(list, field)
		}
	}
	for name, v := range value.Members() {
		if !described[name] {
			f := property{sample.Property{Name: name}, r, base, media.Get("encoding").Get(name)}
			list = append(list, f.fields(v)...)
		}
	}
	return list
}

// formText parses a form that the author wrote as it is sent.
func (r *reader) formText(text string) []*request.Field {
	var list []*request.Field
	for pair := range strings.SplitSeq(strings.TrimSpace(text), "&") {
		r.budget.Parts(openapi.ParameterParts)
		name, value, _ := strings.Cut(pair, "=")
		f := &request.Field{}
		f.Name, f.Value = percent.DecodeQuery(name), percent.DecodeQuery(value)
		list = append(list, f)
	}
	return list
}

// property is a form property that is being read.
type property struct {
	sample.Property
	r        *reader
	base     string      // media type of the form
	encoding *tree.Value // Encoding Object
}

// isFile reports whether the property is a file or a list of files.
func (p *property) isFile() bool {
	if p.base != request.MultipartType {
		return false
	}
	s := p.Schema
	items, _ := p.r.refs.Follow(s.Get("items"))
	if isBinary(s) || isBinary(items) {
		return true
	}
	first, _, _ := strings.Cut(p.encoding.Get("contentType").Text(), ",")
	if !request.IsBinaryType(first) || isEncoded(s) {
		return false
	}
	kind := s.Get("type").Text()
	return kind == "string" || kind == "" && !s.Has("properties") || kind == "array"
}

func (p *property) fields(v *tree.Value) []*request.Field {
	s := p.Schema
	p.r.budget.Parts(openapi.SmallParts)
	base := request.Field{Parameter: request.Parameter{
		Name:        p.Name,
		Description: s.Get("description").Text(),
		Required:    p.Required,
		Deprecated:  s.Get("deprecated").Bool(),
		Schema:      s,
	}}
	contentType := p.encoding.Get("contentType").Text()
	styled := slices.ContainsFunc([]string{"style", "explode", "allowReserved"}, p.encoding.Has) // instead of contentType
	if p.base == request.MultipartType && !styled && !strings.ContainsAny(contentType, ",*") {
		base.ContentType = contentType
	}
	if p.isFile() {
		base.IsFile = true
		p.r.paid(&base.Parameter)
		return []*request.Field{&base}
	}
	var list []*request.Field
	emit := func(name, value string) {
		field := base
		field.Name, field.Value = name, value
		p.r.paid(&field.Parameter)
		list = append(list, &field)
	}
	switch kind := v.Kind(); {
	case kind == tree.Array && v.Len() > 0, kind == tree.Object && styled:
		style, explode := openapi.Style(p.encoding, "form")
		spread(base.Name, v, style, explode, p.r.budget, emit)
	case kind == tree.Object || kind == tree.Array:
		if p.base == request.MultipartType && base.ContentType == "" && kind == tree.Object {
			base.ContentType = request.JSONType
		}
		emit(base.Name, p.r.compact(v))
	default:
		emit(base.Name, openapi.ScalarText(v, p.r.budget))
	}
	return list
}
