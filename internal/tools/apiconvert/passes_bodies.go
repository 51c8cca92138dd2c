package apiconvert

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// inferMediaTypes parses the bodies of requests that were sent by what they mean: multipart data as browsers copy
// it is a form, JSON with escaped quotes or comments is JSON. It runs before redact, which knows more about a
// field than about a string.
func inferMediaTypes(c *conversion, api *request.API) {
	if api.Described {
		return
	}
	for _, r := range api.Requests {
		for _, b := range r.Bodies {
			if b.Kind == request.Raw {
				c.budget.Text(len(b.Text))
				c.inferForm(b, r.Place)
				c.inferJSON(b, r.Place)
			}
		}
	}
}

// inferForm turns a multipart body into a form.
func (c *conversion) inferForm(b *request.Body, at warning.Place) {
	base := request.BaseType(b.MediaType)
	if base != request.MultipartType && !(open(b) && request.LooksLikeMultipart(b.Text)) ||
		!request.LooksLikeMultipart(b.Text) && request.HasVariable(b.Text) {
		return
	}
	form, ok := request.ReadMultipart(b.Text, b.MediaType)
	if !ok {
		c.warnings.Add(warning.LostFormFields, at)
		return
	}
	c.budget.Parts(3 * budget.Entry * len(form.Fields))
	if form.Contents {
		c.warnings.Add(warning.LostFileContents, at)
	}
	if form.Headers {
		c.warnings.Add(warning.LostEncoding, at)
	}
	b.Kind, b.MediaType, b.TypeGuessed = request.Multipart, request.MultipartType, false
	b.Text, b.Fields = "", form.Fields
}

// open reports whether the media type of a body was not chosen by its author: there is none, it was guessed, or
// it is curl's default for data.
func open(b *request.Body) bool {
	base := request.BaseType(b.MediaType)
	return b.TypeGuessed || base == "" || base == request.FormType
}

// inferJSON removes escapes, comments and trailing commas from a body that is otherwise JSON.
func (c *conversion) inferJSON(b *request.Body, at warning.Place) {
	if b.Kind != request.Raw || !open(b) && !request.IsJSONType(b.MediaType) ||
		!request.IsLenient(b.Text) || request.LooksLikeJSON(b.Text) {
		return
	}
	text, ok := request.Unescaped(b.Text)
	if ok {
		c.warnings.Add(warning.ChangedEscapedJSON, at)
	} else if text, ok = request.Uncommented(b.Text); ok {
		c.warnings.Add(warning.ChangedJSONComments, at)
	} else {
		return
	}
	b.Text = text
	if request.BaseType(b.MediaType) == request.FormType {
		b.TypeGuessed = true // as curl's reader does for JSON
	} else if !request.IsJSONType(b.MediaType) {
		b.MediaType = request.JSONType
	}
}
