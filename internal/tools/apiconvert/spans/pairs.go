package spans

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
)

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
