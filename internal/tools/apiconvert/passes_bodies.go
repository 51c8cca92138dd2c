package apiconvert

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// meantBodies reads the bodies of requests that were sent as what they mean:
// multipart text as browsers copy it is a form, JSON with its quotes escaped or
// with comments is JSON. It stands before redact, which knows more of a field
// than of a text.
func meantBodies(c *conversion, api *request.API) {
	if api.Described {
		return
	}
	for _, r := range api.Requests {
		for _, b := range r.Bodies {
			if b.Kind == request.Raw {
				c.budget.Text(len(b.Text))
				c.meantForm(b, r.Place)
				c.meantJSON(b, r.Place)
			}
		}
	}
}

// meantForm makes a form of multipart text.
func (c *conversion) meantForm(b *request.Body, at *warning.Place) {
	base := request.BaseType(b.MediaType)
	if base != request.MultipartType && !(open(b) && request.LooksLikeMultipart(b.Text)) ||
		!request.LooksLikeMultipart(b.Text) && request.HasVariable(b.Text) {
		return
	}
	form, ok := request.ReadMultipart(b.Text, b.MediaType)
	if !ok {
		c.warnings.Add(warning.BrokenMultipart, at)
		return
	}
	c.budget.Parts(fieldParts * len(form.Fields))
	if form.Contents {
		c.warnings.Add(warning.FileContents, at)
	}
	if form.Headers {
		c.warnings.Add(warning.Encoding, at)
	}
	b.Kind, b.MediaType, b.TypeGuessed = request.Multipart, request.MultipartType, false
	b.Text, b.Fields = "", form.Fields
}

// fieldParts is what a field of a form costs, in parts of the budget.
const fieldParts = 12

// open reports whether the media type of a body is none that its author wrote:
// none at all, one that was guessed, or that of curl for all data.
func open(b *request.Body) bool {
	base := request.BaseType(b.MediaType)
	return b.TypeGuessed || base == "" || base == request.FormType
}

// meantJSON makes JSON of what is JSON but for escapes, comments and commas.
func (c *conversion) meantJSON(b *request.Body, at *warning.Place) {
	if b.Kind != request.Raw || !open(b) && !request.IsJSONType(b.MediaType) ||
		!request.IsLenient(b.Text) || request.LooksLikeJSON(b.Text) {
		return
	}
	text, ok := request.Unescaped(b.Text)
	if ok {
		c.warnings.Add(warning.EscapedJSON, at)
	} else if text, ok = request.Uncommented(b.Text); ok {
		c.warnings.Add(warning.JSONComments, at)
	} else {
		return
	}
	b.Text = text
	if request.BaseType(b.MediaType) == request.FormType {
		b.TypeGuessed = true // as curl's reader says it of JSON
	} else if !request.IsJSONType(b.MediaType) {
		b.MediaType = request.JSONType
	}
}
