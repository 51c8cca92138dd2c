package reader

import (
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
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
func (r *reader) body(read *request.Request, v *tree.Value, contentType *request.Parameter) {
	body := r.readBody(v, contentType != nil)
	if body != nil && v.Get("disabled").Bool() {
		r.warnings.Add(warning.LostDisabled, v)
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
		r.warnings.Add(warning.ChangedContentType, v)
	default:
		body.MediaType, body.TypeGuessed = mediaType(contentType.Value), false
	}
	read.Bodies = []*request.Body{body}
}

// contradicts reports whether a Content-Type header can't belong to a body of its kind. The kind is what Postman's user
// selects; a header for another kind, or for a form when the body is JSON, is left over from earlier edits.
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

// mediaType returns a Content-Type without the boundary of a multipart body; the sender of the body generates it.
func mediaType(contentType string) string {
	contentType = strings.TrimSpace(contentType)
	kind, _, _ := strings.Cut(contentType, ";")
	multipart := strings.HasPrefix(request.BaseType(contentType), "multipart/")
	if multipart && request.TypeParameter(contentType, "boundary") != "" {
		return strings.TrimSpace(kind)
	}
	return contentType
}

// readBody returns a body, or nil if it is empty. A file without a name is a body only if there is a Content-Type.
func (r *reader) readBody(v *tree.Value, typed bool) *request.Body {
	mode := v.Get("mode").Text()
	for name := range v.Members() {
		if name != "mode" && name != mode && name != "options" && name != "disabled" {
			r.unread(v, name)
		}
	}
	switch mode {
	case "raw":
		if text := v.Get("raw").Text(); text != "" {
			return rawBody(text, v.Get("options").Get("raw").Get("language").Text())
		}
	case "urlencoded":
		for _, field := range v.Get("urlencoded").Elements() {
			r.unread(field, "contentType")
			r.unread(field, "fileName")
		}
		if fields := r.readFields(v.Get("urlencoded")); fields != nil {
			return &request.Body{Kind: request.URLEncoded, MediaType: request.FormType, Fields: fields}
		}
	case "formdata":
		if fields := r.readFields(v.Get("formdata")); fields != nil {
			return &request.Body{Kind: request.Multipart, MediaType: request.MultipartType, Fields: fields}
		}
	case "file":
		file := v.Get("file")
		if content := file.Get("content").Text(); content != "" {
			r.unread(file, "src")
			return &request.Body{Kind: request.Raw, MediaType: request.BinaryType, Text: content}
		}
		if src := file.Get("src").Text(); src != "" || typed {
			return &request.Body{Kind: request.File, MediaType: request.BinaryType, Path: src}
		}
	case "graphql":
		content := v.Get("graphql")
		for name := range content.Members() {
			if name != "query" && name != "variables" && name != "operationName" {
				r.unread(content, name)
			}
		}
		query, variables := content.Get("query").Text(), collection.ValueText(content.Get("variables"))
		if query != "" || strings.TrimSpace(variables) != "" {
			return &request.Body{
				Kind: request.GraphQL, MediaType: request.JSONType,
				Query: query, GraphQLVariables: variables, OperationName: content.Get("operationName").Text(),
			}
		}
	}
	return nil
}

// unread reports a member that is not sent, and that other formats cannot hold.
func (r *reader) unread(v *tree.Value, name string) {
	if text, scalar := v.Get(name).Scalar(); text != "" || !scalar && v.Get(name).Len() > 0 {
		r.warnings.AddNamed(warning.LostUnknownMembers, v, name)
	}
}

func (r *reader) readFields(list *tree.Value) []*request.Field {
	var fields []*request.Field
	for _, v := range list.Elements() {
		f := &request.Field{Parameter: *parameter(v)}
		if v.Get("type").Text() == "file" {
			r.unread(v, "value")
			f.IsFile, f.Value = true, ""
			f.Files = slices.DeleteFunc(v.Get("src").Texts(), func(path string) bool { return path == "" })
		} else {
			r.unread(v, "src")
		}
		f.FileName = v.Get("fileName").Text()
		f.ContentType = v.Get("contentType").Text()
		if f.Name != "" || f.Value != "" || f.IsFile {
			fields = append(fields, f)
		}
	}
	return fields
}

// rawBody returns a raw body without a Content-Type: its media type is that of its language, or is guessed from
// its content. Postman itself sends a body without a language as text/plain.
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

// response reads a saved response. If it only contains another variant of the request, it becomes a further
// body of the request: the writer saves those this way.
func (r *reader) response(read *request.Request, v *tree.Value) {
	response := &request.Response{
		Name:   v.Get("name").Text(),
		Saved:  true,
		Reason: v.Get("status").Text(),
	}
	if mediaType := collection.ContentType(v); mediaType != "" {
		response.Name = collection.WithoutMediaType(response.Name, mediaType)
	}
	response.Name, response.Status = splitStatus(response.Name, v.Get("code"))
	var contentType *request.Parameter
	for _, header := range v.Get("header").Elements() {
		h := parameter(header)
		if h.Name = strings.TrimSpace(h.Name); h.Name == "" {
			continue
		}
		if strings.EqualFold(h.Name, "Content-Type") && contentType == nil {
			contentType = h
			continue
		}
		response.Headers = append(response.Headers, h)
	}
	if text := v.Get("body").Text(); text != "" {
		if contentType != nil {
			typed := &request.Body{Kind: request.Raw, Text: text, MediaType: strings.TrimSpace(contentType.Value)}
			response.Bodies = []*request.Body{typed}
		} else {
			response.Bodies = []*request.Body{rawBody(text, v.Get("_postman_previewlanguage").Text())}
		}
	} else if contentType != nil {
		response.Headers = append(response.Headers, contentType)
	}
	if v.Get("cookie").Len() > 0 || v.Get("timings").Len() > 0 || v.Get("responseTime").Kind() > tree.Null {
		r.warnings.Add(warning.LostResponseDetails, v)
	}
	if original := v.Get("originalRequest"); original.Len() > 0 {
		response.Original = r.original(read, original)
	}
	if variant := variantBody(read, response, v); variant != nil {
		addVariant(read, variant, response.Name)
		return
	}
	read.Responses = append(read.Responses, response)
}

// splitStatus returns the status of a saved response. The writer puts a status that is not a number before the name.
func splitStatus(name string, code *tree.Value) (rest, status string) {
	text, _ := code.Scalar()
	number, _ := strconv.Atoi(text)
	if number >= 100 && number <= 599 {
		status = text
	}
	word, rest, _ := strings.Cut(name, ": ")
	switch {
	case word == "default":
		return rest, word
	case len(word) == 3 && word[1:] == "XX" && word[0] >= '1' && word[0] <= '5':
		return rest, word
	}
	return name, status
}

// original reads the request that a response was saved with. It returns nil if that is the request itself.
func (r *reader) original(read *request.Request, v *tree.Value) *request.Request {
	// Its problems were reported for the request itself or do not matter.
	draft := *r
	draft.warnings, draft.draft = nil, true
	original, problem := draft.sent(v, read.Folder)
	r.budget.Parts((len(read.Query) + len(read.Headers) + len(read.Cookies) + len(read.PathParameters)) / 8)
	if problem != nil || sameRequest(original, read) {
		return nil
	}
	original.Name, original.Place = read.Name, v
	return original
}

// variantBody returns the body of a saved response that has no content and whose request differs from read only
// in its body. It returns nil for other responses.
func variantBody(read *request.Request, response *request.Response, v *tree.Value) *request.Body {
	if v.Has("code") || response.Status != "" || response.Bodies != nil || response.Headers != nil ||
		response.Original == nil || len(response.Original.Bodies) != 1 || len(read.Bodies) == 0 {
		return nil
	}
	bare, other := *read, *response.Original
	bare.Bodies, other.Bodies = nil, nil
	if !sameRequest(&bare, &other) {
		return nil
	}
	return response.Original.Bodies[0]
}

// addVariant adds a body to a request: as a body if its media type is new, and otherwise as an example of the
// body with that type.
func addVariant(read *request.Request, variant *request.Body, name string) {
	for _, body := range read.Bodies {
		if body.MediaType == variant.MediaType {
			if variant.Kind == request.Raw {
				body.Examples = append(body.Examples, &request.Example{Name: name, Text: variant.Text})
			}
			return
		}
	}
	read.Bodies = append(read.Bodies, variant)
}

// sameRequest reports whether two requests send the same content.
func sameRequest(a, b *request.Request) bool {
	return a.Method == b.Method && a.Server == b.Server && a.Path == b.Path &&
		sameParameters(a.PathParameters, b.PathParameters) && sameParameters(a.Query, b.Query) &&
		sameParameters(a.Headers, b.Headers) && sameParameters(a.Cookies, b.Cookies) &&
		slices.EqualFunc(a.Bodies, b.Bodies, sameBody)
}

// sameParameters compares the parameters that are sent.
func sameParameters(a, b []*request.Parameter) bool {
	return slices.EqualFunc(sent(a), sent(b), func(a, b *request.Parameter) bool {
		return a.Name == b.Name && a.Value == b.Value && a.Bare == b.Bare
	})
}

func sent(list []*request.Parameter) []*request.Parameter {
	return slices.DeleteFunc(slices.Clone(list), func(p *request.Parameter) bool { return !p.Sent() })
}

func sameBody(a, b *request.Body) bool {
	return a.Kind == b.Kind && a.MediaType == b.MediaType && a.Text == b.Text && a.Path == b.Path &&
		a.Query == b.Query && a.GraphQLVariables == b.GraphQLVariables && a.OperationName == b.OperationName &&
		slices.EqualFunc(a.Fields, b.Fields, func(a, b *request.Field) bool {
			return a.Name == b.Name && a.Value == b.Value && a.IsFile == b.IsFile && a.Sent() == b.Sent() &&
				slices.Equal(a.Files, b.Files)
		})
}
