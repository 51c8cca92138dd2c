package openapi

import (
	"net/url"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/schema"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// argument is a parameter of an operation: what its requests send under one
// name in one place.
type argument struct {
	name, in    string
	description string
	deprecated  bool
	bare        bool
	values      []sent
	unsent      []sent // values that the source writes beside those it sends
	senders     int    // requests that send it
	last        int    // the request that sent it last
	list        bool   // a request sends it several times
}

// sent is a value with the request it is of.
type sent struct {
	call    *call
	texts   []string
	example *request.Example // where the source gives one beside
}

// parameters makes the parameters of an operation from all of its requests.
func (w *writer) parameters(g *group) *tree.Value {
	var list []*argument
	known := map[[2]string]*argument{}
	entry := func(in, key, name string) *argument {
		a := known[[2]string{in, key}]
		if a == nil {
			a = &argument{name: name, in: in, last: -1}
			known[[2]string{in, key}] = a
			list = append(list, a)
		}
		return a
	}
	for i, c := range g.calls {
		for position, p := range c.values {
			entry("path", g.names[position], g.names[position]).take(w, i, c, p, p.Value)
		}
		for _, p := range c.Query {
			if w.key(c, request.InQuery, p) != nil {
				continue
			}
			name, value := unescape(w.variables.expand(p.Name).text), w.variables.expand(p.Value).text
			if plain, err := url.QueryUnescape(value); err == nil {
				value = plain
			}
			if name != "" {
				entry("query", name, name).take(w, i, c, p, value)
			}
		}
		for _, p := range c.Headers {
			name := w.variables.expand(p.Name).text
			if w.restricted(c, p) || w.key(c, request.InHeader, p) != nil {
				continue
			}
			if !request.IsToken(name) {
				w.warnings.Add(warning.Malformed, c.Place)
				continue
			}
			entry("header", strings.ToLower(name), name).take(w, i, c, p, w.variables.expand(p.Value).text)
		}
		for _, p := range w.cookies(c) {
			if p.Name != "" && w.key(c, request.InCookie, p) == nil {
				entry("cookie", p.Name, p.Name).take(w, i, c, p, w.variables.expand(p.Value).text)
			}
		}
	}
	out := tree.NewArray()
	for _, a := range list {
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

// take notes that a request sends a value.
func (a *argument) take(w *writer, i int, c *call, p *request.Parameter, text string) {
	w.budget.Parts(parameterParts)
	if a.description == "" {
		a.description = p.Description
	}
	a.deprecated = a.deprecated || p.Deprecated
	a.bare = a.bare || p.Bare
	if p.Sent() && a.last != i {
		a.senders++
	}
	if a.in == "path" {
		text = w.variables.expand(text).text
	}
	if a.last == i && p.Sent() {
		a.again(w, c, text)
	} else if text != "" || a.in != "path" && p.Sent() {
		v := sent{call: c, texts: []string{text}}
		if !p.Sent() {
			a.unsent = append(a.unsent, v)
		} else {
			a.values = append(a.values, v)
		}
	}
	if p.Sent() {
		a.last = i
	}
	for _, e := range p.Examples {
		a.unsent = append(a.unsent, sent{call: c, texts: []string{e.Text + flat(e.Value, w.budget)}, example: e})
	}
}

// again takes a name that stands twice in one request: a list in the query,
// one value elsewhere.
func (a *argument) again(w *writer, c *call, text string) {
	if len(a.values) == 0 {
		return
	}
	last := &a.values[len(a.values)-1]
	switch a.in {
	case "query":
		a.list = true
		last.texts = append(last.texts, text)
	case "header":
		w.warnings.Add(warning.Duplicates, c.Place)
		last.texts = append(last.texts, text)
	default:
		w.warnings.Add(warning.Duplicates, c.Place)
	}
}

func (w *writer) parameter(a *argument, calls int) *tree.Value {
	p := tree.NewObject().Set("name", str(a.name)).Set("in", str(a.in))
	if a.description != "" {
		p.Set("description", str(a.description))
	}
	p.Set("required", tree.NewBool(a.in == "path" || a.senders == calls))
	if a.deprecated {
		p.Set("deprecated", tree.NewBool(true))
	}
	if a.bare && a.in == "query" {
		p.Set("allowEmptyValue", tree.NewBool(true))
	}
	a.values = append(a.values, a.unsent...)
	samples := a.samples()
	s := schema.Infer(samples, nil, w.values)
	if s.Len() == 0 {
		s = tree.NewObject().Set("type", str("string"))
	}
	w.conflict(s, a.values)
	p.Set("schema", s)
	named := newExamples()
	unsent := a.senders == 0 && a.in != "path" && len(a.values) > 0
	for i, v := range a.values {
		name := v.call.Name
		if v.example != nil {
			name = v.example.Name
		}
		if unsent && i == 0 {
			name = notSentLabel
		}
		named.add(name, samples[i])
	}
	if unsent {
		named.writeNamed(p)
		return p
	}
	named.write(p)
	return p
}

// samples are the values of an argument as JSON: numbers and booleans where
// every text is one.
func (a *argument) samples() []*tree.Value {
	for _, v := range a.values {
		if len(v.texts) > 1 && !a.list {
			return textSamples(a, str)
		}
		for _, text := range v.texts {
			if literal(text).Kind() == tree.String {
				return textSamples(a, str)
			}
		}
	}
	return textSamples(a, literal)
}

func textSamples(a *argument, of func(string) *tree.Value) []*tree.Value {
	var list []*tree.Value
	for _, v := range a.values {
		if !a.list { // a header that stands twice is one list (RFC 9110, section 5.3)
			list = append(list, of(strings.Join(v.texts, ", ")))
			continue
		}
		array := tree.NewArray()
		for _, text := range v.texts {
			array.Append(of(text))
		}
		list = append(list, array)
	}
	return list
}

// literal is the number or boolean that a text is, where it is written as one
// would write it; everything else is a string.
func literal(text string) *tree.Value {
	switch {
	case text == "true" || text == "false":
		return tree.NewBool(text == "true")
	case isDecimal(text):
		return tree.NewNumber(text)
	}
	return str(text)
}

// maxDecimal is how many characters a number in a text may have: longer ones
// are identifiers.
const maxDecimal = 15

// isDecimal reports whether a text is a plain decimal number: no exponent, no
// leading zero, no zero at the end of a fraction.
func isDecimal(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	whole, fraction, dot := strings.Cut(digits, ".")
	if text == "-0" || len(text) > maxDecimal || whole == "" || len(whole) > 1 && whole[0] == '0' {
		return false
	}
	if dot && (fraction == "" || fraction[len(fraction)-1] == '0') {
		return false
	}
	return strings.Trim(whole+fraction, "0123456789") == ""
}

// conflict tells that samples are of different types.
func (w *writer) conflict(s *tree.Value, values []sent) {
	if s.Has("oneOf") && len(values) > 0 {
		w.warnings.Add(warning.InferredSchemas, values[0].call.Place)
	}
}
