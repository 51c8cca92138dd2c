package curlcmd

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// requests returns one request for each URL of the operation. count is told
// what each takes, so that many URLs times many options stay bounded.
func (op *operation) requests(count func(sent int) error) ([]Request, error) {
	headers := op.allHeaders()
	body := op.body(headers)
	query := op.query()
	size := weigh(headers, body, query, op.settings)
	var all []Request
	for i, written := range op.urls {
		upload := ""
		if i < len(op.uploads) {
			upload = op.uploads[i]
		}
		urls, pattern := []string{written}, op.patterns && !op.flags["globoff"] && hasPattern(written)
		if !pattern && !op.flags["globoff"] {
			urls = op.globbed(written)
		}
		for _, text := range urls {
			if err := count(size + len(text)); err != nil {
				return nil, err
			}
			r := op.request(text, upload, headers, body, query)
			r.Pattern = pattern
			all = append(all, r)
		}
	}
	for i := range all {
		all[i].Settings, all[i].Notes = op.settings, op.notes
	}
	return all, nil
}

// request is that of one URL.
func (op *operation) request(text, upload string, headers []Header, body Body, query string) Request {
	t := op.parseURL(text)
	r := Request{Headers: headers, Body: body, Auth: op.authentication(t.user)}
	if upload != "" {
		if body.Kind != NoBody {
			op.changed("method_conflict", "upload-file")
		}
		r.Body = op.uploaded(upload).withType(headers)
		if upload != "-" && upload != "." {
			t.addFile(upload)
		}
	}
	t.addQuery(query)
	r.URL = t.String()
	r.Method = op.method(r.Body, upload != "")
	if scheme, _, ok := strings.Cut(r.URL, "://"); ok && scheme != "http" && scheme != "https" && request.VariableLength(r.URL) == 0 {
		op.lost("protocol", "url")
	}
	return r
}

// method is what curl sends (RFC 9110, section 9, names the methods).
func (op *operation) method(body Body, uploads bool) string {
	head := op.flags["head"]
	if head && body.Kind != NoBody {
		op.changed("method_conflict", "head")
	}
	if method := op.texts["request"]; method != "" {
		return method
	}
	switch {
	case uploads:
		return "PUT"
	case body.Kind != NoBody:
		return "POST"
	case head:
		return "HEAD"
	}
	return "GET"
}

// query is what -G and --url-query add to every URL; the data of -G goes
// before --url-query. What stands behind a # is not sent: it is a fragment.
func (op *operation) query() string {
	text := strings.Join(op.queries, "&")
	if op.flags["get"] && len(op.parts) > 0 {
		if text != "" {
			op.changed("query_ignored", "url-query")
		}
		text = op.joined()
	}
	text, _, cut := strings.Cut(text, "#")
	if cut {
		op.changed("query_cut", "get")
	}
	return op.visible(text)
}

// uploaded is the body of -T.
func (op *operation) uploaded(name string) Body {
	if name == "." {
		name = "-"
	}
	text, file := op.content(name)
	if file != "" {
		return Body{Kind: File, Path: file, Parts: []DataPart{{Option: "upload-file", File: file}}}
	}
	return Body{Kind: Data, Text: text, Parts: []DataPart{{Option: "upload-file", Text: text}}, JSON: request.LooksLikeJSON(text)}
}

// weigh is what a request takes when it is written out: its bytes, and some
// for each thing in it.
func weigh(headers []Header, body Body, query string, settings []Setting) int {
	const each = 32
	n := each + len(body.Text) + len(query)
	for _, h := range headers {
		n += each + len(h.Name) + len(h.Value)
	}
	for _, p := range body.Parts {
		n += each + len(p.Text)
	}
	for _, f := range body.Fields {
		n += each + len(f.Name) + len(f.Value) + each*len(f.Files)
	}
	for _, s := range settings {
		n += each + len(s.Value)
	}
	return n
}
