package writer

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// body writes the body that a request sends, and returns the Content-Type that requires a header: Postman adds
// those of forms itself.
func (w *writer) body(r *request.Request, brief bool) (body *tree.Value, contentType string) {
	if len(r.Bodies) == 0 {
		return nil, ""
	}
	b := r.Bodies[0]
	form := func(mode, own string) (*tree.Value, string) {
		if contentType = b.MediaType; strings.EqualFold(contentType, own) {
			contentType = ""
		}
		return w.form(mode, b, brief), contentType
	}
	body = tree.NewObject()
	switch b.Kind {
	case request.URLEncoded:
		return form("urlencoded", request.FormType)
	case request.Multipart:
		return form("formdata", request.MultipartType)
	case request.File:
		file := tree.NewObject()
		file.SetText("src", b.Path)
		return body.Set("mode", tree.NewString("file")).Set("file", file), cmp.Or(b.MediaType, request.BinaryType)
	case request.GraphQL:
		graphql := tree.NewObject().Set("query", tree.NewString(b.Query)).
			Set("variables", tree.NewString(b.GraphQLVariables))
		graphql.SetText("operationName", b.OperationName)
		return body.Set("mode", tree.NewString("graphql")).Set("graphql", graphql), cmp.Or(b.MediaType, request.JSONType)
	}
	body.Set("mode", tree.NewString("raw")).Set("raw", tree.NewString(b.Text))
	if language := languageOf(b.MediaType); language != "" {
		body.Set("options", tree.NewObject().Set("raw", tree.NewObject().Set("language", tree.NewString(language))))
	}
	return body, b.MediaType
}

// languageOf returns Postman's language for a media type, or "" if there is none.
func languageOf(mediaType string) string {
	kind := request.BaseType(mediaType)
	switch {
	case kind == request.JSONType, strings.HasSuffix(kind, "+json"):
		return "json"
	case request.IsXMLType(kind):
		return "xml"
	case kind == "text/html":
		return "html"
	case kind == "application/javascript", kind == "text/javascript":
		return "javascript"
	case strings.HasPrefix(kind, "text/"):
		return "text"
	}
	return ""
}

func (w *writer) form(mode string, b *request.Body, brief bool) *tree.Value {
	list := tree.NewArray()
	for _, f := range b.Fields {
		if brief && !f.Sent() {
			continue
		}
		v := w.parameter(&f.Parameter, f.Value, brief)
		if mode == "formdata" {
			if f.IsFile {
				v.Set("type", tree.NewString("file"))
				v.Delete("value")
				v.Set("src", sources(f.Files))
			} else {
				v.Set("type", tree.NewString("text"))
			}
			v.SetText("fileName", f.FileName)
			v.SetText("contentType", f.ContentType)
		}
		list.Append(v)
	}
	return tree.NewObject().Set("mode", tree.NewString(mode)).Set(mode, list)
}

// sources writes the files of a field: one as a string, several as a list, null for an unknown file.
func sources(files []string) *tree.Value {
	switch len(files) {
	case 0:
		return tree.NewNull()
	case 1:
		return tree.NewString(files[0])
	}
	return tree.NewStrings(files)
}
