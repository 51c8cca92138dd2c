package writer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// responses writes the saved responses of a request: one for each media type and each example of a response. Further
// request bodies are saved as requests without a response, which the reader turns into bodies again.
func (w *writer) responses(r *request.Request) *tree.Value {
	list := tree.NewArray()
	examples := namedBodies(r)
	for _, response := range r.Responses {
		if !w.hasContent(r, response) {
			continue
		}
		if len(response.Bodies) == 0 {
			list.Append(w.response(r, response, "", nil, ""))
		}
		for _, body := range response.Bodies {
			if body.Text != "" || len(body.Examples) == 0 {
				name := body.Label
				if len(body.Examples) == 0 { // a single response needs no name
					name = ""
				}
				list.Append(w.response(w.withExample(r, examples, body.Label), response, name, body, body.Text))
			}
			for _, example := range body.Examples {
				if text := w.exampleText(example); text != "" && text != body.Text {
					list.Append(w.response(w.withExample(r, examples, example.Name), response, example.Name, body, text))
				}
			}
		}
	}
	w.otherBodies(list, r)
	return list
}

// otherBodies saves the bodies and examples that the request itself does not send.
func (w *writer) otherBodies(list *tree.Value, r *request.Request) {
	if len(r.Bodies) > 1 {
		w.warnings.AddNamed(warning.ChangedMediaTypes, r.Place, r.OtherMediaTypes()...)
	}
	for i, body := range r.Bodies {
		if i > 0 {
			w.variant(list, r, *body, body.MediaType)
		}
		for _, example := range body.Examples {
			if text := w.exampleText(example); body.Kind == request.Raw && text != "" && text != body.Text {
				other := *body
				other.Text = text
				w.variant(list, r, other, example.Name)
			}
		}
	}
}

// unspecified are placeholder descriptions of responses.
var unspecified = []string{"", "Response", "Default response"}

// named is an example of a request's body.
type named struct {
	body    *request.Body
	example *request.Example // nil for the body itself
}

// namedBodies returns the examples of a request's bodies by name.
func namedBodies(r *request.Request) map[string]named {
	list := map[string]named{}
	for _, body := range r.Bodies {
		if _, twice := list[body.Label]; !twice {
			list[body.Label] = named{body: body}
		}
		for _, example := range body.Examples {
			if _, twice := list[example.Name]; !twice {
				list[example.Name] = named{body, example}
			}
		}
	}
	return list
}

// withExample returns the request with the body whose example has the given name, because examples of a request
// and a response with the same name belong together. It returns r itself if no example has the name.
func (w *writer) withExample(r *request.Request, examples map[string]named, name string) *request.Request {
	x, ok := examples[name]
	if name == "" || !ok {
		return r
	}
	sent, other := *r, *x.body
	sent.Bodies = []*request.Body{&other}
	if x.example != nil {
		other.Text = w.exampleText(x.example)
	}
	return &sent
}

// hasContent reports whether a response is worth saving. A default response without content would be saved as
// an error that nobody described; its description, if any, is reported as lost.
func (w *writer) hasContent(r *request.Request, response *request.Response) bool {
	hasContent := func(b *request.Body) bool { return b.Text != "" || len(b.Examples) > 0 || b.Schema.Len() > 0 }
	if response.Saved || response.Status != "default" || len(response.Headers) > 0 ||
		slices.ContainsFunc(response.Bodies, hasContent) {
		return true
	}
	if !slices.Contains(unspecified, strings.TrimSpace(response.Description)) {
		w.warnings.Add(warning.LostDefaultResponse, r.Place)
	}
	return false
}

func (w *writer) exampleText(example *request.Example) string {
	if example.Text != "" || example.Value == nil {
		return example.Text
	}
	text := collection.Compact(example.Value)
	var laidOut bytes.Buffer
	if err := json.Indent(&laidOut, []byte(text), "", "  "); err != nil {
		return text
	}
	return laidOut.String()
}

// variant saves the request with another body.
func (w *writer) variant(list *tree.Value, r *request.Request, body request.Body, name string) {
	other := *r
	other.Bodies = []*request.Body{&body}
	if !w.roomFor(&other) {
		w.warnings.Add(warning.LostComplexity, r.Place)
		return
	}
	saved := tree.NewObject().Set("name", tree.NewString(name))
	list.Append(saved.Set("originalRequest", w.request(&other, true)))
}

// response writes one saved response.
func (w *writer) response(
	r *request.Request, response *request.Response, name string, body *request.Body, text string,
) *tree.Value {
	w.budget.Parts(collection.ItemParts)
	w.budget.Bytes(len(text))
	name = responseName(response, name)
	if len(response.Bodies) > 1 {
		name = collection.WithMediaType(name, body.MediaType)
	}
	v := tree.NewObject().Set("name", tree.NewString(name))
	original := cmp.Or(response.Original, r)
	if w.roomFor(original) {
		v.Set("originalRequest", w.savedRequest(original))
	}
	code := statusCode(response.Status)
	v.SetText("status", cmp.Or(response.Reason, request.ReasonPhrase(code)))
	if code != "" {
		v.Set("code", tree.NewNumber(code))
	}
	headers := tree.NewArray()
	for _, h := range response.Headers {
		sent := *h
		sent.Disabled, sent.Optional = false, false
		headers.Append(w.parameter(&sent, h.Value, false))
	}
	if body != nil {
		if language := languageOf(body.MediaType); language != "" {
			v.Set("_postman_previewlanguage", tree.NewString(language))
		}
		if body.MediaType != "" && !body.TypeGuessed {
			headers.Append(w.parameter(&request.Parameter{Name: "Content-Type"}, body.MediaType, true))
		}
	}
	v.Set("header", headers).Set("cookie", tree.NewArray())
	if body != nil {
		v.Set("body", tree.NewString(text))
	}
	return v
}

// savedRequest returns a request as it is saved with a response. The responses of one request share the value;
// later code only reads it or changes all occurrences alike.
func (w *writer) savedRequest(r *request.Request) *tree.Value {
	if w.lastRequest != r {
		w.lastRequest, w.lastSaved = r, w.request(r, true)
	}
	return w.lastSaved
}

// maxSaved limits the bytes of requests saved with responses. Most are there only because Postman shows them,
// and add no information.
const maxSaved = 1 << 18

func (w *writer) roomFor(r *request.Request) bool {
	size := 200 + len(r.Path) + 100*(len(r.Query)+len(r.Headers)+len(r.Cookies)+len(r.PathParameters))
	for _, body := range r.Bodies[:min(1, len(r.Bodies))] {
		size += len(body.Text) + len(body.Query) + len(body.GraphQLVariables) + 100*len(body.Fields)
	}
	w.saved += size
	return w.saved <= maxSaved
}

// responseName returns the name of a saved response. It begins with the status if that is not a number.
func responseName(response *request.Response, example string) string {
	name := response.Name
	for _, candidate := range []string{example, response.Description, response.Reason} {
		if name == "" || candidate == example && example != "" {
			name, _, _ = strings.Cut(strings.TrimSpace(candidate), "\n")
		}
	}
	if name == "" || response.Status != "" && statusCode(response.Status) != response.Status {
		return collection.Joined(response.Status, ": ", name)
	}
	return name
}

// statusCode returns the code of a status: the first of a range, and 500 for default.
func statusCode(status string) string {
	switch {
	case status == "default":
		return "500"
	case len(status) == 3 && status[0] >= '1' && status[0] <= '5' && strings.EqualFold(status[1:], "XX"):
		return status[:1] + "00"
	case len(status) == 3 && collection.IsNumber(status):
		return status
	}
	return ""
}

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
