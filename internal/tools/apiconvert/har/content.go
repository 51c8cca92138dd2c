package har

import (
	"cmp"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// body reads the body of a request, or returns nil if it has none. Its text takes precedence over its params, which
// repeat it.
func (r *reader) body(v *tree.Value, contentType string) *request.Body {
	mediaType := cmp.Or(strings.TrimSpace(v.Get("mimeType").Text()), contentType)
	base := request.BaseType(mediaType)
	text, known := r.text(v, mediaType)
	switch {
	case !known:
		return unknownBody(mediaType)
	case text == "":
		return r.form(v, base)
	case base == request.FormType:
		if fields := request.ParseForm(text); fields != nil {
			r.budget.Parts(len(fields))
			return &request.Body{Kind: request.URLEncoded, MediaType: base, Fields: fields}
		}
	}
	return &request.Body{Kind: request.Raw, MediaType: mediaType, TypeGuessed: mediaType == "", Text: text}
}

// unknownBody returns a body that was sent but not recorded, as browsers do with files.
func unknownBody(mediaType string) *request.Body {
	if base := request.BaseType(mediaType); base == request.MultipartType {
		return &request.Body{Kind: request.Multipart, MediaType: base}
	}
	return &request.Body{Kind: request.File, MediaType: mediaType}
}

// form reads the fields of a form from its params, or returns nil if there are none.
func (r *reader) form(v *tree.Value, base string) *request.Body {
	body := &request.Body{Kind: request.URLEncoded, MediaType: request.FormType}
	if strings.HasPrefix(base, "multipart/") {
		body.Kind, body.MediaType = request.Multipart, base
	}
	for _, p := range v.Get("params").Elements() {
		r.budget.Parts(1)
		f := &request.Field{Parameter: parameter(p), ContentType: p.Get("contentType").Text()}
		if f.Name == "" {
			continue
		}
		if name := p.Get("fileName").Text(); name != "" {
			if f.Value != "" {
				r.warnings.Add(warning.LostFileContents, v)
			}
			f.IsFile, f.Value, f.Files = true, "", []string{name}
			body.Kind, body.MediaType = request.Multipart, request.MultipartType
		}
		body.Fields = append(body.Fields, f)
	}
	if body.Fields == nil {
		return nil
	}
	return body
}

// response reads the response of an entry.
func (r *reader) response(e *entry) *request.Response {
	read := &request.Response{Saved: true, Status: e.status, Reason: e.response.Get("statusText").Text()}
	r.parameters(e.response.Get("headers"), func(name, values string) {
		if strings.EqualFold(name, "Content-Type") || request.SenderOf(name) == request.Connection {
			return
		}
		for value := range strings.SplitSeq(values, "\n") { // Chromium joins headers of the same name
			read.Headers = append(read.Headers, &request.Parameter{Name: name, Value: value})
		}
	})
	content := e.response.Get("content")
	size, _ := content.Get("size").Scalar()
	text, _ := r.text(content, e.mediaType)
	if text != "" || size != "" && size != "0" && size[0] != '-' && e.mediaType != "" {
		read.Bodies = []*request.Body{{Kind: request.Raw, MediaType: e.mediaType, TypeGuessed: e.mediaType == "", Text: text}}
	}
	return read
}

// text returns the text of a body, which may be in base64. known is false for bytes that are not text, which are lost.
func (r *reader) text(v *tree.Value, mediaType string) (text string, known bool) {
	text = v.Get("text").Text()
	if known = v.Get("encoding").Text() != "base64"; !known {
		plain, err := base64.StdEncoding.DecodeString(text)
		text, known = string(plain), err == nil && utf8.Valid(plain)
	}
	if known && (text == "" || !request.IsBinaryType(mediaType) && !strings.ContainsAny(text, "\x00\ufffd")) {
		return text, true
	}
	r.warnings.Add(warning.LostFileContents, v)
	return "", false
}
