package postman

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// languages are the media types that Postman sends for a raw body's language,
// which are also those of a response's preview language.
var languages = map[string]string{
	"json":       request.JSONType,
	"xml":        request.XMLType,
	"html":       "text/html",
	"javascript": "application/javascript",
	"text":       request.TextType,
	"auto":       "",
}

// body reads a request's body. A Content-Type without a body stays a header.
func (r *reader) body(read *request.Request, v *tree.Value, contentType *request.Parameter, at *warning.Place) {
	body := readBody(v, contentType != nil)
	if body != nil && v.Get("disabled").Bool() {
		r.warnings.Add(warning.DisabledEntries, at)
		body = nil
	}
	if body == nil {
		if contentType != nil {
			read.Headers = append(read.Headers, contentType)
		}
		return
	}
	switch {
	case contentType == nil:
	case contradicts(body, contentType.Value):
		r.warnings.Add(warning.ContentType, at)
	default:
		body.MediaType, body.TypeGuessed = mediaType(contentType.Value), false
	}
	read.Bodies = []*request.Body{body}
}

// contradicts reports whether a Content-Type header cannot be that of a body of
// its kind: the kind is what Postman's user sees and fills in, a header of
// another form or of a form beside JSON has been left over.
func contradicts(body *request.Body, contentType string) bool {
	base := request.BaseType(contentType)
	if base == "" || request.HasVariable(contentType) {
		return false
	}
	switch body.Kind {
	case request.URLEncoded:
		return base != request.FormType
	case request.Multipart:
		return !strings.HasPrefix(base, "multipart/")
	case request.GraphQL:
		return !request.IsJSONType(base) && base != request.GraphQLType
	case request.Raw:
		return (base == request.FormType || base == request.MultipartType) && (body.MediaType == request.JSONType || body.MediaType == request.XMLType)
	}
	return false
}

// mediaType returns a Content-Type without the boundary of a multipart body,
// which whoever sends the body makes.
func mediaType(contentType string) string {
	contentType = strings.TrimSpace(contentType)
	kind, _, _ := strings.Cut(contentType, ";")
	multipart := strings.HasPrefix(request.BaseType(contentType), "multipart/")
	if multipart && request.TypeParameter(contentType, "boundary") != "" {
		return strings.TrimSpace(kind)
	}
	return contentType
}

// readBody returns what a body holds, nil when it holds nothing. A file that
// is not named is a body only with a Content-Type.
func readBody(v *tree.Value, typed bool) *request.Body {
	switch v.Get("mode").Text() {
	case "raw":
		if text := v.Get("raw").Text(); text != "" {
			return rawBody(text, v.Get("options").Get("raw").Get("language").Text())
		}
	case "urlencoded":
		if fields := readFields(v.Get("urlencoded")); fields != nil {
			return &request.Body{Kind: request.URLEncoded, MediaType: request.FormType, Fields: fields}
		}
	case "formdata":
		if fields := readFields(v.Get("formdata")); fields != nil {
			return &request.Body{Kind: request.Multipart, MediaType: request.MultipartType, Fields: fields}
		}
	case "file":
		file := v.Get("file")
		if content := file.Get("content").Text(); content != "" {
			return &request.Body{Kind: request.Raw, MediaType: request.BinaryType, Text: content}
		}
		if src := file.Get("src").Text(); src != "" || typed {
			return &request.Body{Kind: request.File, MediaType: request.BinaryType, Path: src}
		}
	case "graphql":
		content := v.Get("graphql")
		query, variables := content.Get("query").Text(), valueText(content.Get("variables"))
		if query != "" || strings.TrimSpace(variables) != "" {
			return &request.Body{
				Kind: request.GraphQL, MediaType: request.JSONType,
				Query: query, GraphQLVariables: variables, OperationName: content.Get("operationName").Text(),
			}
		}
	}
	return nil
}

func readFields(list *tree.Value) []*request.Field {
	var fields []*request.Field
	for _, v := range list.Elements() {
		f := &request.Field{Parameter: *parameter(v)}
		if v.Get("type").Text() == "file" {
			f.IsFile, f.Value = true, ""
			src := v.Get("src") // one or several
			for _, path := range append([]*tree.Value{src}, src.Elements()...) {
				if path.Text() != "" {
					f.Files = append(f.Files, path.Text())
				}
			}
		}
		f.FileName = v.Get("fileName").Text()
		f.ContentType = v.Get("contentType").Text()
		if f.Name != "" || f.Value != "" || f.IsFile {
			fields = append(fields, f)
		}
	}
	return fields
}

// rawBody is a raw body without a Content-Type: its media type is that of its
// language, or the one its text looks like. Postman itself sends text that has no
// language as text/plain.
func rawBody(text, language string) *request.Body {
	body := &request.Body{Kind: request.Raw, Text: text, MediaType: languages[language]}
	if body.MediaType != "" {
		return body
	}
	body.TypeGuessed = true
	switch trimmed := strings.TrimSpace(text); {
	case request.LooksLikeJSON(trimmed):
		body.MediaType = request.JSONType
	case strings.HasPrefix(trimmed, "<?xml"):
		body.MediaType = request.XMLType
	default:
		body.MediaType = request.TextType
	}
	return body
}
