package reader

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// concrete returns a media type for Content-Type that matches the media range.
func concrete(mediaType string) string {
	switch request.BaseType(mediaType) {
	case "*/*", "application/*", "*", "application/*+json": // the last is ASP.NET's
		return request.JSONType
	case "text/*":
		return request.TextType
	case "image/*":
		return "image/png"
	case "multipart/*":
		return request.MultipartType
	}
	if strings.HasSuffix(request.BaseType(mediaType), "/*") {
		return request.BinaryType
	}
	return strings.TrimSpace(mediaType)
}

// requestBody reads the body of an operation. Its description is also added to that of the request, because formats
// that only describe what is sent have none for a body.
func (r *reader) requestBody(req *request.Request, v *tree.Value, at *warning.Place) {
	v = r.resolve(v, at)
	if v == nil {
		return
	}
	r.extensions(v, at)
	if text := v.Get("description").Text(); strings.TrimSpace(text) != "" && !strings.Contains(req.Description, text) {
		r.budget.Bytes(len(req.Description) + len(text))
		req.Description = openapi.Paragraphs(req.Description, "Body: "+text)
	}
	req.Bodies = r.content(v.Get("content"), toServer, at.Field("content"))
	if !v.Get("required").Bool() { // generators write an empty form for no body
		req.Bodies = slices.DeleteFunc(req.Bodies, func(b *request.Body) bool {
			return (b.Kind == request.URLEncoded || b.Kind == request.Multipart) && len(b.Fields) == 0
		})
	}
	for _, body := range req.Bodies {
		r.budget.Bytes(len(v.Get("description").Text()))
		body.Description = openapi.Paragraphs(v.Get("description").Text(), body.Description)
		body.Required = v.Get("required").Bool()
	}
}

// content reads media type objects into one body each.
func (r *reader) content(v *tree.Value, d sample.Direction, at *warning.Place) []*request.Body {
	var list []*request.Body
	seen := map[string]bool{"": true}
	for name, p := range r.objects(v, at, openapi.BodyParts) {
		if mediaType := concrete(name); !seen[mediaType] {
			seen[mediaType] = true
			r.extensions(p.v, p.at)
			list = append(list, r.body(mediaType, p.v, d, p.at))
		}
	}
	return list
}

func (r *reader) body(mediaType string, media *tree.Value, d sample.Direction, at *warning.Place) *request.Body {
	s := media.Get("schema")
	if media.Has("prefixEncoding") || media.Has("itemEncoding") {
		r.warnings.Add(warning.Encoding, at)
	}
	body := &request.Body{MediaType: mediaType, Schema: r.schemaOf(s)}
	base := request.BaseType(mediaType)
	if d == toServer && base == request.FormType {
		body.Kind, body.Fields = request.URLEncoded, r.fields(media, base, at)
		return body
	}
	if d == toServer && strings.HasPrefix(base, "multipart/") {
		fields := r.fields(media, request.MultipartType, at)
		if len(fields) > 0 || base == request.MultipartType {
			body.Kind, body.Fields = request.Multipart, fields
			return body
		}
	}
	examples := r.examples(media, at)
	if len(examples) == 0 && (request.IsBinaryType(mediaType) || isBinary(body.Schema)) {
		body.Kind = request.File
		return body
	}
	if len(examples) > 0 {
		if d == toServer && base == request.JSONType && r.graphQL(body, examples[0].Value) {
			return body
		}
		body.Text = r.exampleText(examples[0], mediaType, body.Schema)
		body.Label, body.Examples = examples[0].Name, r.further(examples)
		return body
	}
	item := media.Get("itemSchema")
	if s == nil && item != nil {
		body.Schema = r.schemaOf(item)
		s = item
	}
	v := r.sample(s, d, at)
	switch {
	case v != nil:
		body.Text = r.text(v, mediaType, body.Schema)
	case d == toServer && request.IsJSONType(mediaType):
		body.Text = "{}"
	case d == toServer && request.IsXMLType(mediaType):
		body.Text = "<root/>"
	case d == toServer:
		body.Text = "string"
	}
	return body
}

// graphQL recognizes a GraphQL request in its JSON form: the query must look like GraphQL, and no other members are
// allowed than those of GraphQL requests.
func (r *reader) graphQL(body *request.Body, v *tree.Value) bool {
	query := strings.TrimSpace(v.Get("query").Text())
	word, _, _ := strings.Cut(query, " ")
	word, _, _ = strings.Cut(word, "{")
	if !slices.Contains([]string{"", "query", "mutation", "subscription", "fragment"}, word) || !strings.Contains(query, "{") {
		return false
	}
	for name, value := range v.Members() {
		kind := value.Kind()
		known := name == "query" || name == "operationName" && (kind == tree.String || kind == tree.Null) ||
			name == "variables" && (kind == tree.Object || kind == tree.Null)
		if !known {
			return false
		}
	}
	body.Kind, body.Query, body.OperationName = request.GraphQL, v.Get("query").Text(), v.Get("operationName").Text()
	if variables := v.Get("variables"); variables.Len() > 0 {
		body.GraphQLVariables = r.pretty(variables)
	}
	return true
}

// exampleText returns an author's example as it is sent.
func (r *reader) exampleText(e *request.Example, mediaType string, s *tree.Value) string {
	if e.Text != "" || e.Value == nil {
		r.budget.Bytes(len(e.Text))
		return e.Text
	}
	text := e.Value.Text()
	r.budget.Text(len(text))
	if e.Value.Kind() != tree.String || request.IsJSONType(mediaType) && !request.LooksLikeJSON(text) {
		return r.text(e.Value, mediaType, s)
	}
	// XML, CSV, or JSON written as a string.
	r.budget.Bytes(len(text))
	return text
}

// text serializes a value in a media type. A string that already is XML or JSON lines is written as it is.
func (r *reader) text(v *tree.Value, mediaType string, s *tree.Value) string {
	begin := strings.TrimSpace(v.Text())
	begin = begin[:min(1, len(begin))]
	switch {
	case begin == "<" && request.IsXMLType(mediaType), begin == "{" && request.IsJSONLines(mediaType):
		r.budget.Bytes(len(v.Text()))
		return v.Text()
	case request.IsXMLType(mediaType):
		return r.xml(v, s)
	case request.IsJSONLines(mediaType):
		return r.compact(v) + "\n"
	case request.IsJSONType(mediaType):
		return r.pretty(v)
	}
	if text, ok := v.Scalar(); ok {
		r.budget.Bytes(len(text))
		return text
	}
	return r.pretty(v)
}

// examples reads the example or examples of a parameter, header or media type, which are mutually exclusive. It
// doesn't copy their values.
func (r *reader) examples(v *tree.Value, at *warning.Place) []*request.Example {
	if v.Has("example") {
		return []*request.Example{{Value: v.Get("example")}}
	}
	var list []*request.Example
	for name, p := range r.objects(v.Get("examples"), at.Field("examples"), openapi.SmallParts) {
		example := p.v
		r.extensions(example, p.at)
		e := &request.Example{Name: name}
		switch {
		case example.Has("value"):
			e.Value = example.Get("value")
		case example.Has("serializedValue"): // OpenAPI 3.2
			e.Text = example.Get("serializedValue").Text()
		case example.Has("dataValue"): // OpenAPI 3.2
			e.Value = example.Get("dataValue")
		case example.Has("externalValue"):
			r.warnings.Add(warning.RemoteReference, p.at)
			continue
		default:
			continue
		}
		for _, text := range []string{"summary", "description"} {
			if example.Has(text) {
				r.warnings.AddNamed(warning.UnknownMembers, p.at, text)
			}
		}
		r.budget.Bytes(len(e.Name) + len(e.Text))
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
		r.warnings.Add(warning.Complexity, nil)
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
