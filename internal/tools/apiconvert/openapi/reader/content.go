package reader

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// concreteTypes maps media ranges to media types for Content-Type that match them.
var concreteTypes = map[string]string{
	"*/*": request.JSONType, "application/*": request.JSONType, "*": request.JSONType,
	"application/*+json": request.JSONType, // ASP.NET's
	"text/*":             request.TextType,
	"image/*":            "image/png",
	"multipart/*":        request.MultipartType,
}

// concrete returns a media type for Content-Type that matches the media range.
func concrete(mediaType string) string {
	base := request.BaseType(mediaType)
	if known := concreteTypes[base]; known != "" {
		return known
	}
	if strings.HasSuffix(base, "/*") {
		return request.BinaryType
	}
	return strings.TrimSpace(mediaType)
}

// requestBody reads the body of an operation. Its description is also added to that of the request, because formats
// that only describe what is sent have none for a body.
func (r *reader) requestBody(req *request.Request, p part) {
	p = r.follow(p)
	text, required := p.text("description"), p.Get("required").Bool()
	if strings.TrimSpace(text) != "" && !strings.Contains(req.Description, text) {
		req.Description = openapi.Paragraphs(req.Description, "Body: "+text)
	}
	req.Bodies = r.content(p.field("content"), sample.ToServer)
	if !required { // generators write an empty form for no body
		req.Bodies = slices.DeleteFunc(req.Bodies, func(b *request.Body) bool {
			return (b.Kind == request.URLEncoded || b.Kind == request.Multipart) && len(b.Fields) == 0
		})
	}
}

// content reads media type objects into one body each.
func (r *reader) content(types part, d sample.Direction) []*request.Body {
	var list []*request.Body
	seen := map[string]bool{"": true}
	for name, media := range r.objects(types) {
		if mediaType := concrete(name); !seen[mediaType] {
			seen[mediaType] = true
			list = append(list, r.body(mediaType, media, d))
		}
	}
	return list
}

func (r *reader) body(mediaType string, media part, d sample.Direction) *request.Body {
	s := media.field("schema")
	body := &request.Body{MediaType: mediaType, Schema: r.schemaOf(s.Value)}
	base := request.BaseType(mediaType)
	if d == sample.ToServer && base == request.FormType {
		body.Kind, body.Fields = request.URLEncoded, r.fields(media, base)
		return body
	}
	if d == sample.ToServer && strings.HasPrefix(base, "multipart/") {
		fields := r.fields(media, request.MultipartType)
		if len(fields) > 0 || base == request.MultipartType {
			body.Kind, body.Fields = request.Multipart, fields
			return body
		}
	}
	examples := r.examples(media)
	if len(examples) == 0 && (request.IsBinaryType(mediaType) || isBinary(body.Schema)) {
		body.Kind = request.File
		return body
	}
	if len(examples) > 0 {
		body.Text = r.exampleText(examples[0], mediaType, body.Schema)
		body.Label, body.Examples = examples[0].Name, r.further(examples)
		return body
	}
	if item := media.Get("itemSchema"); s.Value == nil && item != nil {
		body.Schema = r.schemaOf(item)
		s.Value = item
	}
	v := r.sample(s, d)
	switch {
	case v != nil:
		body.Text = r.text(v, mediaType, body.Schema)
	case d == sample.ToServer && request.IsJSONType(mediaType):
		body.Text = "{}"
	case d == sample.ToServer && request.IsXMLType(mediaType):
		body.Text = "<root/>"
	case d == sample.ToServer:
		body.Text = "string"
	}
	return body
}

// exampleText returns an author's example as it is sent.
func (r *reader) exampleText(e *request.Example, mediaType string, s *tree.Value) string {
	text := e.Text + e.Value.Text() // one of them is ""
	r.budget.Bytes(len(text))
	begin := strings.TrimSpace(text)
	isString := request.IsJSONType(mediaType) && !strings.HasPrefix(begin, "{") && !strings.HasPrefix(begin, "[")
	if e.Text == "" && e.Value != nil && (e.Value.Kind() != tree.String || isString) {
		return r.text(e.Value, mediaType, s)
	}
	return text // XML, CSV, or JSON written as a string, even if it is invalid
}

// text serializes a value in a media type. A string that already is XML or JSON lines is written as it is.
func (r *reader) text(v *tree.Value, mediaType string, s *tree.Value) string {
	begin := strings.TrimSpace(v.Text())
	begin = begin[:min(1, len(begin))]
	text, scalar := v.Scalar()
	r.budget.Bytes(len(text))
	switch {
	case begin == "<" && request.IsXMLType(mediaType), begin == "{" && request.IsJSONLines(mediaType):
		return text
	case request.IsXMLType(mediaType):
		return r.xml(v, s)
	case request.IsJSONLines(mediaType):
		return r.compact(v) + "\n"
	case scalar && !request.IsJSONType(mediaType):
		return text
	}
	return r.pretty(v)
}

// examples reads the example or examples of a parameter, header or media type, which are mutually exclusive. It
// doesn't copy their values.
func (r *reader) examples(p part) []*request.Example {
	if p.Has("example") {
		return []*request.Example{{Value: p.Get("example")}}
	}
	var list []*request.Example
	for name, example := range r.objects(p.field("examples")) {
		e := &request.Example{Name: name}
		switch {
		case example.Has("value"):
			e.Value = example.Get("value")
		case example.Has("serializedValue"): // OpenAPI 3.2
			e.Text = example.text("serializedValue")
		case example.Has("dataValue"): // OpenAPI 3.2
			e.Value = example.Get("dataValue")
		case example.Has("externalValue"):
			r.warnings.Add(warning.LostRemoteReference, example.at)
			continue
		default:
			continue
		}
		list = append(list, e)
	}
	return list
}

// further returns the examples after the first with copies of their values, because secrets are replaced in place.
func (r *reader) further(examples []*request.Example) []*request.Example {
	for _, e := range examples[1:] {
		e.Value = e.Value.Clone(r.values)
	}
	return examples[1:]
}

// isBinary reports whether a schema describes binary data.
func isBinary(s *tree.Value) bool {
	if format := s.Get("format").Text(); format == "binary" || format == "file" {
		return true
	}
	contentType := s.Get("contentMediaType").Text()
	return contentType != "" && !isEncoded(s) && request.IsBinaryType(contentType)
}

// isEncoded reports whether a schema describes binary data that is encoded as text.
func isEncoded(s *tree.Value) bool {
	encoding := s.Get("contentEncoding").Text()
	return encoding != "" && encoding != "binary" // RFC 2045, section 6.2
}

// spend charges the budget for text and returns it, or "" if it exceeds the remaining room.
func (r *reader) spend(text []byte, err error) string {
	r.budget.Bytes(len(text))
	if r.room -= len(text); err != nil || r.room < 0 {
		r.room = max(r.room, 0)
		r.warnings.Add(warning.LostComplexity, nil)
		return ""
	}
	return string(text)
}

// compact returns a value as JSON on one line.
func (r *reader) compact(v *tree.Value) string {
	return r.spend(v.AppendJSON(nil, r.room))
}

// pretty returns a value as indented JSON.
func (r *reader) pretty(v *tree.Value) string {
	text, err := v.AppendIndented(r.printed[:0], r.room)
	r.printed = text
	return r.spend(text, err)
}

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
