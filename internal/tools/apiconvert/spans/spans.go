package spans

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Span is a byte range in a text.
type Span struct {
	From, To  int // in bytes
	Role      site.Role
	Name      string // the name of the value; several possible ones are lines
	MediaType string // "" if unknown
	Written   *Codec // the encoding of the value; nil if it is not encoded
	Number    bool   // a JSON number
}

// An Opener calls yield for each span of a text in one encoding, in order.
type Opener func(text, mediaType string, yield func(Span))

// OpenerOf returns the Opener for text, or nil. The content decides before the media type, which many clients guess.
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
		return json // inside a JSON string
	case trimmed[0] == '<' && (words.IsLetter(trimmed[1]) || trimmed[1] == '?' || trimmed[1] == '!'):
		return xml
	}
	if base == request.FormType || isForm(text) {
		return Query
	}
	return nil
}

// multipartOpener returns the Opener for text that begins like a multipart body.
func multipartOpener(text string) Opener {
	head := strings.ToLower(text[:min(len(text), 512)])
	switch {
	case !strings.Contains(head, "content-disposition") && !strings.Contains(head, "content-type"):
		return nil
	case !strings.Contains(head, "\n"): // line ends are escaped as \r\n
		return escaped
	}
	return multipart
}

// isForm reports whether text looks like name=value&name=value, not like name=value;name=value.
func isForm(text string) bool {
	return strings.Contains(text, "=") && !strings.ContainsAny(text, " \t\r\n\"<>/?") && (strings.Contains(text, "&") || !strings.Contains(text, ";"))
}

// run returns how many bytes at the start of text are letters, digits or in others.
func run(text, others string) int {
	n := 0
	for n < len(text) && (words.IsAlnum(text[n]) || strings.IndexByte(others, text[n]) >= 0) {
		n++
	}
	return n
}

// Query yields the values of a query or a URL-encoded form.
func Query(text, _ string, yield func(Span)) {
	for p := range request.Pairs(text, '&') {
		if !p.Bare {
			yield(Span{
				From: p.At, To: p.At + len(p.Value), Role: site.Query, Name: Percent.Decode(p.Name), Written: &Percent,
			})
		}
	}
}

// Address yields the path of a URL and the values of its query or fragment.
func Address(text, mediaType string, yield func(Span)) {
	query := len(text)
	if i := strings.IndexAny(text, "?#"); i >= 0 {
		query = i + 1
	}
	yield(Span{To: query, Role: site.Path})
	Query(text[query:], mediaType, func(s Span) {
		s.From, s.To, s.Name = s.From+query, s.To+query, site.QueryName(text[:query], s.Name)
		yield(s)
	})
}

// Cookies yields the cookies of a Cookie header.
func Cookies(text, _ string, yield func(Span)) {
	for p := range request.Pairs(text, ';') {
		if !p.Bare {
			yield(Span{From: p.At, To: p.At + len(p.Value), Role: site.Cookie, Name: strings.TrimSpace(p.Name)})
		}
	}
}

// HeaderLines yields the values of headers that are written as lines.
func HeaderLines(text, _ string, yield func(Span)) {
	at := 0
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":"); ok {
			from := at + len(name) + 1
			to := from + len(value)
			from += len(value) - len(strings.TrimLeft(value, " \t"))
			yield(Span{From: from, To: to, Role: site.Header, Name: strings.TrimSpace(name)})
		}
		at += len(line)
	}
}

// multipart yields the content of each part of a multipart body, with the part's name and media type.
func multipart(text, mediaType string, yield func(Span)) {
	for _, part := range request.ParseMultipart(text, mediaType) {
		yield(Span{From: part.From, To: part.To, Role: site.Field, Name: part.Name, MediaType: part.Type})
	}
}
