// Package spans opens texts in known encodings into the parts that mean
// something by themselves: the members of JSON, the fields of forms, the
// elements of XML, each with its name. Spans are places in the bytes of the
// text, not values of a parsed tree: what is not changed keeps its bytes, and a
// text may end anywhere and hold variables.
//
// A new encoding is an Opener and, where its values are written in a way of
// their own, a Codec.
package spans

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Span is a part of a text.
type Span struct {
	From, To  int // in bytes
	Role      site.Role
	Name      string // what it is the value of
	MediaType string // "" when it is not known
	Written   *Codec // how the value is written in the text around it; nil: as it is
	Number    bool   // a JSON number
}

// An Opener hands the spans of a text in one encoding to yield, in order.
type Opener func(text, mediaType string, yield func(Span))

// OpenerOf returns what opens a text: what the text looks like decides before
// its media type, which many clients guess. nil when nothing opens it.
func OpenerOf(text, mediaType string) Opener {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	base := request.BaseType(mediaType)
	if strings.HasPrefix(base, "multipart/") || strings.HasPrefix(trimmed, "--") {
		if opener := multipartOpener(trimmed); opener != nil {
			return opener
		}
	}
	switch {
	case len(trimmed) < 2, base == "application/graphql", base == "text/javascript", base == "application/javascript":
		return nil
	case trimmed[0] == '{' || trimmed[0] == '[':
		if i := strings.IndexByte(trimmed, '"'); i > 0 {
			if trimmed[i-1] == '\\' {
				return escaped
			}
			return json
		}
	case trimmed[0] == '"' && (trimmed[1] == '{' || trimmed[1] == '['):
		return json // within a JSON string
	case trimmed[0] == '<' && (words.IsLetter(trimmed[1]) || trimmed[1] == '?' || trimmed[1] == '!'):
		return xml
	}
	if base == request.FormType || isForm(text) {
		return Query
	}
	return nil
}

// multipartOpener is what opens a text that begins like a multipart body.
func multipartOpener(text string) Opener {
	head := strings.ToLower(text[:min(len(text), 512)])
	switch {
	case !strings.Contains(head, "content-disposition") && !strings.Contains(head, "content-type"):
		return nil
	case !strings.Contains(head, "\n"): // line ends as \r\n of some language
		return escaped
	}
	return multipart
}

// isForm reports whether a text looks like name=value&name=value.
func isForm(text string) bool {
	return strings.Contains(text, "=") && !strings.ContainsAny(text, " \t\r\n\"<>/?")
}

// run returns how many bytes at the start of text are letters, digits or of
// others.
func run(text, others string) int {
	n := 0
	for n < len(text) && (words.IsAlnum(text[n]) || strings.IndexByte(others, text[n]) >= 0) {
		n++
	}
	return n
}
