package postman

import (
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// response reads a saved response. One that holds nothing but another form of
// the request is a further body of it: that is how Write keeps those.
func (r *reader) response(read *request.Request, v *tree.Value, at *warning.Place) {
	response := &request.Response{
		Name:   v.Get("name").Text(),
		Saved:  true,
		Reason: v.Get("status").Text(),
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
		r.warnings.Add(warning.ResponseDetails, at)
	}
	if original := v.Get("originalRequest"); original.Len() > 0 {
		response.Original = r.original(read, original, at.Field("request"))
	}
	if variant := furtherBody(read, response, v); variant != nil {
		addVariant(read, variant, response.Name)
		return
	}
	read.Responses = append(read.Responses, response)
}

// splitStatus returns the status of a saved response. Write puts a status that
// is no number in front of the name.
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

// original reads the request that a response was saved with, nil when it is
// the request itself.
func (r *reader) original(read *request.Request, v *tree.Value, at *warning.Place) *request.Request {
	// What is wrong with it was told of the request or does not matter.
	draft := *r
	draft.warnings, draft.draft = nil, true
	original, problem := draft.sent(v, at, read.Folder)
	r.budget.Parts((len(read.Query) + len(read.Headers) + len(read.Cookies) + len(read.PathParameters)) / 8)
	if problem != nil || sameRequest(original, read) {
		return nil
	}
	original.Name, original.Place = read.Name, at
	return original
}

// furtherBody returns the body of a saved response that has no answer and
// whose request differs from read in its body only, nil otherwise.
func furtherBody(read *request.Request, response *request.Response, v *tree.Value) *request.Body {
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

// addVariant adds a body to a request: as a body when its media type is new,
// as an example of the one of its type otherwise.
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

// sameRequest reports whether two requests send the same.
func sameRequest(a, b *request.Request) bool {
	return a.Method == b.Method && a.Server == b.Server && a.Path == b.Path &&
		sameParameters(a.PathParameters, b.PathParameters) && sameParameters(a.Query, b.Query) &&
		sameParameters(a.Headers, b.Headers) && sameParameters(a.Cookies, b.Cookies) &&
		slices.EqualFunc(a.Bodies, b.Bodies, sameBody)
}

// sameParameters compares those that are sent.
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
