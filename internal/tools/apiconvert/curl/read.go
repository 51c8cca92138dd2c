package curl

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/curlcmd"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Read reads shell text. Nothing is run, no file is read. It fails with
// unrecognized_source when no command is curl, with invalid_source and the
// place when the text is no shell text (an open quote), with too_complex when
// it is nested or repeated too much.
//
// whole says that the target is shell text, too, and can say what others cannot:
// an address with curl's {a,b} or [1-3] stays one request, a here-document stays
// one, and comments that belong to no request are kept. Options of how curl sends
// are in Request.Transport, those that concern its output included: call Portable
// when the model is for another format.
func Read(text string, whole bool, b *budget.Budget, warnings *warning.List) (*request.API, error) {
	result, err := curlcmd.Read(text, whole, b)
	if err != nil {
		return nil, err
	}
	if len(result.Requests) == 0 {
		return nil, convert.Refuse(convert.UnrecognizedSource,
			"The text holds no curl command with an address.",
			"Send shell text with at least one curl command; send a collection or description as application/json or application/yaml.")
	}
	r := reader{
		whole: whole, budget: b, api: &request.API{}, warnings: warnings, lines: lines{text: text},
		servers: map[string]*request.Server{}, keys: map[string]bool{},
	}
	for _, v := range result.Variables {
		if request.VariableName(v.Name) {
			r.api.Variables = append(r.api.Variables, &request.Variable{Name: v.Name, Value: v.Default})
		}
	}
	for _, e := range result.Expanded {
		r.api.Resolved = append(r.api.Resolved, &request.Variable{Name: e.Name, Value: e.Value})
	}
	for _, n := range result.Notes {
		r.note(n, nil)
	}
	for i := range result.Requests {
		r.readKeys(result.Requests[i].Apart)
		b.Parts(requestParts)
		r.api.Requests = append(r.api.Requests, r.request(&result.Requests[i]))
	}
	if whole {
		r.api.Remarks = remarks(result.Trailing)
	}
	return r.api, nil
}

// What a request and a part of one cost on their way, in parts of the budget.
const (
	requestParts = 12
	smallParts   = 4
)

// reader makes the model of one text.
type reader struct {
	whole    bool
	budget   *budget.Budget
	api      *request.API
	servers  map[string]*request.Server
	warnings *warning.List
	lines    lines
	keys     map[string]bool // the values that are API keys
}

// lines tells the lines of places in a text that follow each other.
type lines struct {
	text   string
	offset int
	before int // lines that end in front of the offset
}

func (l *lines) of(offset int) int {
	if offset < l.offset {
		l.offset, l.before = 0, 0
	}
	offset = min(offset, len(l.text))
	l.before += strings.Count(l.text[l.offset:offset], "\n")
	l.offset = offset
	return l.before + 1
}

// place is where a command or a part of one stands.
func (r *reader) place(p curlcmd.Place) *warning.Place {
	line := r.lines.of(p.Offset)
	if p.Command == 0 {
		return warning.Line(line)
	}
	place := warning.Command(p.Command, line)
	if p.Operation > 1 {
		place = place.Nth("operation", p.Operation)
	}
	return place
}

func (r *reader) request(c *curlcmd.Request) *request.Request {
	place := r.place(c.Place)
	for _, n := range c.Notes {
		r.note(n, place)
	}
	if c.Place.URL > 1 {
		r.warnings.Add(warning.SeveralURLs, place)
		place = place.Nth("address", c.Place.URL)
	}
	read := &request.Request{Method: method(c.Method), Place: place}
	r.budget.Bytes(len(c.Comment)) // each request of a command gets its own lines of it
	r.budget.Parts(1 + strings.Count(c.Comment, "\n"))
	named(read, c.Comment)
	if r.whole {
		read.Remarks = remarks(c.Apart)
	}
	read.Patterns = c.Pattern
	r.address(read, c.URL)
	r.headers(read, c)
	r.body(read, &c.Body)
	if a := auth(&c.Auth); a != nil {
		read.Security = &request.Security{Alternatives: [][]*request.Auth{{a}}}
	}
	if c.Auth.Scheme == curlcmd.AnyAuth {
		read.Transport = append(read.Transport, request.Option{Name: "anyauth", Bare: true})
	}
	for _, s := range c.Settings {
		read.Transport = append(read.Transport, option(s))
	}
	if read.Security == nil && len(r.keys) > 0 {
		r.key(read, &read.Headers, request.InHeader)
		r.key(read, &read.Query, request.InQuery)
		r.key(read, &read.Cookies, request.InCookie)
	}
	return read
}

// readKeys keeps the variables that a comment of Write calls API keys.
func (r *reader) readKeys(comment string) {
	for remark := range strings.SplitSeq(comment, "\n\n") {
		names, _ := strings.CutPrefix(remark, setBefore)
		for name := range strings.SplitSeq(names, ", ") {
			if name, ok := strings.CutSuffix(name, isKey); ok && len(names) < len(remark) {
				r.keys["{{"+name+"}}"] = true
			}
		}
	}
}

// key makes a parameter that is an API key the request's authentication.
func (r *reader) key(read *request.Request, parameters *[]*request.Parameter, in request.Location) {
	i := slices.IndexFunc(*parameters, func(p *request.Parameter) bool { return r.keys[p.Value] })
	if i < 0 || read.Security != nil {
		return
	}
	p := (*parameters)[i]
	*parameters = slices.Delete(*parameters, i, i+1)
	a := &request.Auth{Kind: request.APIKey, Key: p.Name, In: in, Token: p.Value}
	read.Security = &request.Security{Alternatives: [][]*request.Auth{{a}}}
}

// standard are the methods of RFC 9110, section 9.3, and PATCH: no server
// knows them in lower case.
var standard = strings.Fields("GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH")

func method(text string) string {
	if upper := strings.ToUpper(text); slices.Contains(standard, upper) {
		return upper
	}
	return text
}

// named takes a request's name from the comment above it: the first line, the
// others are its description.
func named(r *request.Request, comment string) {
	var lines []string
	for line := range strings.Lines(comment) {
		line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#"))
		if strings.HasPrefix(line, "!") || strings.HasSuffix(line, unsigned) || len(lines) == 0 && strings.Trim(line, "-=*~_ ") == "" {
			continue
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return
	}
	if lines[0] == deprecated { // of a request without a name
		lines = append([]string{""}, lines...)
	}
	r.Name = lines[0]
	if len(lines) > 1 && lines[1] == deprecated {
		r.Deprecated = true
		lines = lines[1:]
	}
	r.Description = strings.TrimSpace(strings.Join(lines[1:], "\n"))
}

// remarks are comments without the one that Write makes itself.
func remarks(text string) string {
	var kept []string
	for remark := range strings.SplitSeq(text, "\n\n") {
		if !strings.HasPrefix(remark, setBefore) {
			kept = append(kept, remark)
		}
	}
	return strings.Join(kept, "\n\n")
}

// option is a setting as the model has it.
func option(s curlcmd.Setting) request.Option {
	o := request.Option{Name: s.Option, Value: s.Value, Bare: s.Value == ""}
	if s.Off {
		o.Name = "no-" + o.Name
	}
	return o
}

// address takes a URL apart: the server up to the path, path and query.
func (r *reader) address(read *request.Request, text string) {
	end := authorityEnd(text)
	base, rest := hostVariables(text[:end]), text[end:]
	server := r.servers[base]
	if server == nil {
		server = &request.Server{URL: base}
		r.servers[base] = server
		r.api.Servers = append(r.api.Servers, server)
	}
	read.Server = server
	path, query, _ := strings.Cut(rest, "?")
	read.Path = r.path(read, path)
	for pair := range strings.SplitSeq(query, "&") {
		r.budget.Parts(smallParts)
		if pair == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		read.Query = append(read.Query, &request.Parameter{Name: name, Value: value, Bare: !ok})
	}
}

// hostVariables writes a {name} in a host as the variable of that name.
func hostVariables(base string) string {
	if !strings.Contains(base, "{") {
		return base
	}
	var out strings.Builder
	for _, part := range request.SplitPath(base) {
		switch {
		case part.Kind == request.LiteralPart:
			out.WriteString(part.Text)
		case part.Kind == request.ParameterPart && !isParameterName(part.Text):
			out.WriteString("{" + part.Text + "}")
		default:
			out.WriteString("{{" + part.Text + "}}")
		}
	}
	return out.String()
}

// authorityEnd returns where the path or query of an address begins.
func authorityEnd(text string) int {
	at := 0
	scheme := strings.Index(text, "://")
	if scheme >= 0 && strings.ContainsAny(text[:scheme], "/?") {
		scheme = -1 // of another address, in the query
	}
	for _, part := range request.Split(text) {
		size := len(part.Text)
		if part.Kind == request.VariablePart {
			at += size + 4
			continue
		}
		from := 0
		if scheme >= at && scheme < at+size {
			from = scheme + 3 - at
		}
		if i := strings.IndexAny(part.Text[min(from, size):], "/?"); i >= 0 {
			return at + from + i
		}
		at += size
	}
	return len(text)
}

// encodeBraces is made once: making it costs more than what it does.
var encodeBraces = strings.NewReplacer("{", "%7B", "}", "%7D")

// path notes the path parameters and encodes other braces, which would look
// like some.
func (r *reader) path(read *request.Request, text string) string {
	if !strings.ContainsAny(text, "{}") {
		return text
	}
	var path strings.Builder
	known := map[string]bool{}
	for _, part := range request.SplitPath(text) {
		switch {
		case part.Kind == request.VariablePart:
			path.WriteString("{{" + part.Text + "}}")
		case part.Kind == request.ParameterPart && isParameterName(part.Text):
			path.WriteString("{" + part.Text + "}")
			if !known[part.Text] {
				known[part.Text] = true
				read.PathParameters = append(read.PathParameters, &request.Parameter{Name: part.Text, Required: true})
			}
		case part.Kind == request.ParameterPart && read.Patterns:
			path.WriteString("{" + part.Text + "}")
		case part.Kind == request.ParameterPart:
			path.WriteString("%7B" + part.Text + "%7D")
		case read.Patterns:
			path.WriteString(part.Text)
		default:
			path.WriteString(encodeBraces.Replace(part.Text))
		}
	}
	return path.String()
}

var parameterName = expression.Lazy(`^[A-Za-z0-9_.-]*$`)

func isParameterName(name string) bool { return parameterName().MatchString(name) }

// headers puts header fields where the model has them.
func (r *reader) headers(read *request.Request, c *curlcmd.Request) {
	for _, h := range c.Headers {
		r.budget.Parts(smallParts)
		switch {
		case strings.EqualFold(h.Name, "Content-Type") && c.Body.Kind != curlcmd.NoBody:
			continue // the body has it
		case h.Removed:
			read.Transport = append(read.Transport, request.Option{Name: "header", Value: h.Name + ":"})
			continue
		case strings.EqualFold(h.Name, "Authorization") && read.Security == nil:
			if a := request.ParseAuthorization(h.Value); a != nil {
				read.Security = &request.Security{Alternatives: [][]*request.Auth{{a}}}
				continue
			}
		case strings.EqualFold(h.Name, "Cookie"):
			r.budget.Parts(smallParts * strings.Count(h.Value, ";"))
			if cookies := request.ParseCookies(h.Value); cookies != nil {
				read.Cookies = append(read.Cookies, cookies...)
				continue
			}
		}
		read.Headers = append(read.Headers, &request.Parameter{Name: h.Name, Value: h.Value})
	}
}
