package curl

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// sends holds what all requests of an operation share.
type sends struct {
	headers []field
	body    *request.Body
	query   string
}

// requests adds one request for each URL of the operation. The total is limited, since many URLs may repeat many
// options.
func (op *operation) requests(cmd *script.Command, at *warning.ScriptPlace) error {
	s := sends{headers: op.allHeaders()}
	s.body = op.body(s.headers)
	s.query = op.query()
	size, n := op.weight(&s), 0
	for i, written := range op.urls {
		upload := ""
		if i < len(op.uploads) {
			upload = op.uploads[i]
		}
		urls, pattern := op.globbed(written)
		for _, text := range urls {
			if err := op.count(size+len(text), cmd.Offset); err != nil {
				return err
			}
			n++
			r := &request.Request{Place: at, Patterns: pattern}
			op.pending = append(op.pending, pendingWarning{at, &op.notes}) // the requests add more
			if n > 1 {
				op.pending = append(op.pending, pendingWarning{at, &[]note{{warning.ChangedSeveralUrls, ""}}})
				r.Place = at.Nth("URL", n)
			}
			op.comments(r, cmd.Comment)
			if op.request(r, &s, text, upload) {
				op.api.Requests = append(op.api.Requests, r)
			}
		}
	}
	return nil
}

// protocols are the schemes of the requests that formats other than shell can express. The scheme is "" if a variable
// contains it.
var protocols = []string{"", "http", "https", "ws", "wss"}

// request fills in the request for one URL. It reports whether the target can express the URL's protocol.
func (op *operation) request(r *request.Request, s *sends, text, upload string) bool {
	t := op.parseURL(text)
	if !op.toShell && !slices.Contains(protocols, t.scheme) && request.VariableLength(t.scheme) == 0 {
		op.note(warning.LostProtocol, t.scheme)
		return false
	}
	if op.fillers[op.cur.Offset] == nil {
		put(&op.fillers, op.cur.Offset, map[string]string{})
	}
	r.Filled = op.fillers[op.cur.Offset]
	body := clone(s.body)
	if upload != "" {
		if body != nil {
			op.note(warning.ChangedOptions, "--upload-file")
		}
		body = op.uploaded(upload, s.headers)
		if upload != "-" && request.VariableLength(text) < len(text) { // such a URL may have a path
			t.addFile(upload, op.toShell)
		}
	}
	if t.query != "" && s.query != "" && !strings.HasSuffix(t.query, "&") {
		t.query += "&"
	}
	t.query += s.query
	op.address(r, &t)
	r.Method = op.method(body != nil, upload != "")
	op.putHeaders(r, s.headers, body != nil)
	if body != nil {
		r.Bodies = []*request.Body{body}
	}
	auth, several := op.authentication(t.user)
	if auth != nil {
		r.Security = request.Require(auth)
	}
	if several {
		r.Transport = append(r.Transport, request.Option{Name: "anyauth", Bare: true})
	}
	r.Transport = append(r.Transport, op.settings...)
	op.key(r)
	return true
}

// method returns the method that curl sends (RFC 9110, section 9, defines the methods).
func (op *operation) method(hasBody, uploads bool) string {
	head := op.flags["head"]
	if head && hasBody {
		op.note(warning.ChangedOptions, "--head")
	}
	switch method := strings.TrimPrefix(op.texts["request"], "="); {
	case method != "":
		if upper := strings.ToUpper(method); slices.Contains(syntax.Methods, upper) {
			return upper
		}
		return method
	case uploads:
		return "PUT"
	case hasBody:
		return "POST"
	case head:
		return "HEAD"
	}
	return "GET"
}

// query returns what -G and --url-query add to every URL. The data of -G replaces --url-query. What follows a # is a
// fragment, which is not sent.
func (op *operation) query() string {
	text := strings.Join(op.queries, "&")
	if op.flags["get"] && len(op.parts) > 0 {
		if text != "" {
			op.note(warning.ChangedOptions, "--url-query")
		}
		text = op.joined()
	}
	text, _, cut := strings.Cut(text, "#")
	if cut {
		op.note(warning.ChangedOptions, "--get")
	}
	return op.visible(text)
}

// putHeaders stores headers where the model keeps them.
func (op *operation) putHeaders(r *request.Request, headers []field, hasBody bool) {
	for _, h := range headers {
		op.budget.Parts(budget.Entry)
		switch {
		case strings.EqualFold(h.name, "Content-Type") && hasBody:
			continue // the body has it
		case h.removed:
			r.Transport = append(r.Transport, request.Option{Name: "header", Value: h.name + ":"})
			continue
		case strings.EqualFold(h.name, "Authorization") && r.Security == nil:
			if a := request.ParseAuthorization(h.value); a != nil {
				r.Security = request.Require(a)
				continue
			}
		case strings.EqualFold(h.name, "Cookie"):
			op.budget.Parts(budget.Entry * strings.Count(h.value, ";"))
			if cookies := request.ParseCookies(h.value); cookies != nil {
				r.Cookies = append(r.Cookies, cookies...)
				continue
			}
		}
		r.Headers = append(r.Headers, &request.Parameter{Name: h.name, Value: h.value})
	}
}

// weight returns the size of a request when it is written: its bytes, plus a constant for each part.
func (op *operation) weight(s *sends) int {
	const each = 32
	n := each*(1+len(op.parts)) + len(s.query)
	for _, h := range s.headers {
		n += each + len(h.name) + len(h.value)
	}
	if b := s.body; b != nil {
		n += 2 * len(b.Text)
		for _, f := range b.Fields {
			n += 2*each + len(f.Name) + len(f.Value)
		}
	}
	for _, o := range op.settings {
		n += each + len(o.Value)
	}
	return n
}

// comments sets a request's name and description from the comment above it: the first line is the name.
func (op *operation) comments(r *request.Request, comment string) {
	op.budget.Bytes(len(comment)) // each request of a command gets its own lines of it
	var lines []string
	for line := range strings.Lines(comment) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#"))
		ruler := len(lines) == 0 && strings.Trim(line, "-=*~_ ") == ""
		if ruler || strings.HasPrefix(line, "!") || strings.HasSuffix(line, syntax.Unsigned) {
			continue
		}
		link := strings.Contains(line, "://") && !strings.Contains(line, " ")
		if len(lines) == 0 && (link || line == syntax.Deprecated) { // of an unnamed request
			lines = append(lines, "")
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return
	}
	r.Name = lines[0]
	if r.Deprecated = len(lines) > 1 && lines[1] == syntax.Deprecated; r.Deprecated {
		lines = lines[1:]
	}
	r.Description = strings.TrimSpace(strings.Join(lines[1:], "\n"))
}

// readKeys records the variables that the comment from Write calls API keys.
func (r *reader) readKeys() {
	_, names, _ := strings.Cut(r.source, "# "+syntax.SetBefore)
	names, _, _ = strings.Cut(names, "\n")
	for name := range strings.SplitSeq(names, ", ") {
		if name, ok := strings.CutSuffix(name, syntax.IsKey); ok {
			r.keys["{{"+name+"}}"] = true
		}
	}
}

// key turns a parameter that is an API key into the request's authentication.
func (r *reader) key(read *request.Request) {
	for _, in := range []struct {
		list     *[]*request.Parameter
		location request.Location
	}{{&read.Headers, request.InHeader}, {&read.Query, request.InQuery}, {&read.Cookies, request.InCookie}} {
		if read.Security != nil || len(r.keys) == 0 {
			return
		}
		if i := slices.IndexFunc(*in.list, func(p *request.Parameter) bool { return r.keys[p.Value] }); i >= 0 {
			p := (*in.list)[i]
			*in.list = slices.Delete(*in.list, i, i+1)
			read.Security = request.Require(&request.Auth{Kind: request.APIKey, Key: p.Name, In: in.location, Token: p.Value})
		}
	}
}
