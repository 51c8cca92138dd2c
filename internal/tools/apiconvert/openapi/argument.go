package openapi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/schema"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// argument is a parameter of an operation: what its requests send under one
// name in one place.
type argument struct {
	input
	in         string
	deprecated bool
	bare       bool
	empty      bool // sent without a value: ?name=
}

// arguments are those of an operation.
type arguments struct {
	w     *writer
	known ordered[[2]string, argument]
	from  int   // the number of the request whose parameters are taken
	call  *call // this request
}

// parameters makes the parameters of an operation from all of its requests.
func (w *writer) parameters(g *group) *tree.Value {
	s := arguments{w: w}
	for i, c := range g.calls {
		s.from, s.call = i, c
		for position, p := range c.values {
			s.take("path", g.names[position], p, w.variables.expand(p.Value).text)
		}
		for _, p := range c.Query {
			if name := unescape(w.variables.expand(p.Name).text); name != "" && w.key(c, request.InQuery, p) == nil {
				s.take("query", name, p, unescape(w.variables.expand(p.Value).text))
			}
		}
		for _, p := range c.Headers {
			name := w.variables.expand(p.Name).text
			switch {
			case w.restricted(c, p), w.key(c, request.InHeader, p) != nil:
			case !request.IsToken(name):
				w.warnings.Add(warning.Malformed, c.Place)
			default:
				s.take("header", name, p, w.variables.expand(p.Value).text)
			}
		}
		for _, p := range w.cookies(c) {
			if p.Name != "" && w.key(c, request.InCookie, p) == nil {
				s.take("cookie", p.Name, p, w.variables.expand(p.Value).text)
			}
		}
	}
	out := tree.NewArray()
	for _, a := range s.known.list {
		out.Append(w.parameter(a, len(g.calls)))
	}
	return out
}

// restricted reports whether a header is said by another part of a
// description; Accept and Authorization are looked at where that part is
// written.
func (w *writer) restricted(c *call, p *request.Parameter) bool {
	switch strings.ToLower(p.Name) {
	case "accept", "authorization":
		return true
	case "content-type":
		if p.Sent() && len(c.Bodies) == 0 {
			w.warnings.AddNamed(warning.RestrictedHeader, c.Place, "Content-Type")
		}
		return true
	case "cookie":
		return request.ParseCookies(p.Value) != nil
	}
	return false
}

// cookies are those of a request, and those of a Cookie header in it.
func (w *writer) cookies(c *call) []*request.Parameter {
	list := c.Cookies
	for _, h := range c.Headers {
		if strings.EqualFold(h.Name, "Cookie") && h.Sent() {
			list = append(list[:len(list):len(list)], request.ParseCookies(h.Value)...)
		}
	}
	return list
}

// take notes a parameter of the request. Names of headers are the same in
// small letters.
func (s *arguments) take(in, name string, p *request.Parameter, text string) {
	s.w.budget.Parts(parameterParts)
	key := name
	if in == "header" {
		key = strings.ToLower(name)
	}
	a := s.known.get([2]string{in, key}, argument{in: in, input: input{name: name}})
	a.description = cmp.Or(a.description, p.Description)
	a.deprecated = a.deprecated || p.Deprecated
	a.bare = a.bare || p.Bare
	a.empty = a.empty || in == "query" && p.Value == "" && p.Sent() && !p.Bare
	value := sent{from: s.from, label: s.call.Name, place: s.call.Place, texts: []string{text}}
	switch again := a.again(s.from); {
	case text == "" && (in == "path" || !p.Sent()):
	case !p.Sent():
		a.unsent = append(a.unsent, value)
	case again != nil:
		s.again(a, again, text)
	default:
		a.sent = append(a.sent, value)
	}
	for _, e := range p.Examples {
		value.label, value.texts = e.Name, []string{e.Text + flat(e.Value, s.w.budget)}
		a.unsent = append(a.unsent, value)
	}
}

// again takes a name that stands twice in one request: a list in the query, one
// value elsewhere.
func (s *arguments) again(a *argument, first *sent, text string) {
	a.list = a.in == "query"
	if !a.list {
		s.w.warnings.Add(warning.Duplicates, s.call.Place)
	}
	if a.list || a.in == "header" {
		first.texts = append(first.texts, text)
	}
}

func (w *writer) parameter(a *argument, calls int) *tree.Value {
	p := tree.NewObject().Set("name", str(a.name)).Set("in", str(a.in))
	setText(p, "description", a.description)
	p.Set("required", tree.NewBool(a.in == "path" || len(a.sent) == calls && !a.empty && !a.choosesView()))
	setTrue(p, "deprecated", a.deprecated)
	setTrue(p, "allowEmptyValue", a.empty || a.bare && a.in == "query")
	all := slices.Concat(a.sent, a.unsent)
	values := a.values(all)
	p.Set("schema", w.scalar(values))
	if p.Get("schema").Has("oneOf") {
		w.warnings.Add(warning.InferredSchemas, all[0].place)
	}
	unsent := len(a.sent) == 0 && a.in != "path" && len(all) > 0
	if unsent {
		all[0].label = notSentLabel
	}
	named := examples{}
	for i, v := range values {
		named.add(all[i].label, v)
	}
	if unsent {
		named.writeNamed(p)
		return p
	}
	named.write(p)
	return p
}

// choosesView reports whether it only says which part of an answer is wanted, and
// in what order: a parameter that APIs leave to their callers. It is read as one
// that is sent for its example.
func (a *argument) choosesView() bool {
	return a.in == "query" && views[plain(a.name)] && slices.ContainsFunc(a.sent, func(s sent) bool { return s.texts[0] != "" })
}

// views are the names of such parameters.
var views = set(`page perpage pagesize pagenumber limit offset cursor skip take top startingafter endingbefore
	sort sortby sortorder order orderby direction fields include expand embed`)

// scalar describes the values of an input, which are texts when none is known.
func (w *writer) scalar(values []*tree.Value) *tree.Value {
	if s := schema.Infer(values, nil, w.values); s.Len() > 0 {
		return s
	}
	return tree.NewObject().Set("type", str("string"))
}
