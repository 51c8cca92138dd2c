package writer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// input collects what requests send under one name: a parameter in one location, or a form field.
type input struct {
	in, name    string // in is "form" for a field
	description string
	required    bool // according to the source
	bare        bool
	empty       bool   // sent without a value: ?name=
	list        bool   // sent several times in a request
	sent        []sent // one for each request that sends it
	unsent      []sent // values that the source has but doesn't send
	contentType string // of a form field
	file        bool   // of a form field
}

// sent is what one request sends for an input.
type sent struct {
	from  int // index of the request or form
	label string
	place warning.Place
	texts []string
}

// isUnknown reports whether the value isn't known.
func (s sent) isUnknown() bool { return slices.ContainsFunc(s.texts, isUnknown) }

// inputs holds the inputs of an operation or media type.
type inputs struct {
	w     *writer
	known ordered[[2]string, input]
}

// take adds a parameter or field of a request. Header names are case-insensitive.
func (s *inputs) take(in, name string, p *request.Parameter, value sent) *input {
	s.w.budget.Parts(openapi.ParameterParts)
	a := s.known.get(inputKey(in, name), input{in: in, name: name})
	a.description = cmp.Or(a.description, p.Description)
	if p.Description != "" && p.Description != a.description {
		s.w.warnings.AddNamed(warning.LostParameterDescriptions, value.place, name)
	}
	a.required = a.required || describesRequired(p.Description)
	a.bare = a.bare || p.Bare
	a.empty = a.empty || in == "query" && p.Value == "" && p.Sent() && !p.Bare
	text := value.texts[0]
	switch last := len(a.sent) - 1; {
	case text == "" && (in == "path" || !p.Sent()):
	case !p.Sent():
		a.unsent = append(a.unsent, value)
	case last >= 0 && a.sent[last].from == value.from:
		s.again(a, &a.sent[last], value)
	default:
		a.sent = append(a.sent, value)
	}
	return a
}

// has reports whether there is an input with a name.
func (s *inputs) has(in, name string) bool { return s.known.byKey[inputKey(in, name)] != nil }

func inputKey(in, name string) [2]string {
	if in == "header" {
		name = strings.ToLower(name)
	}
	return [2]string{in, name}
}

// describesRequired reports whether a description marks its parameter as required. Authors of collections write this, and
// so does Postman when it imports an OpenAPI document.
func describesRequired(description string) bool {
	description = strings.ToLower(description)
	return strings.Contains(description, "[required]") || strings.Contains(description, "(required)")
}

// again adds a value for a name that occurs again in a request: to a list in queries and forms, otherwise to the
// single value.
func (s *inputs) again(a *input, first *sent, value sent) {
	if a.in == "query" || a.in == "form" {
		a.list = true
	} else {
		s.w.warnings.Add(warning.ChangedDuplicates, value.place)
	}
	if a.list || a.in == "header" {
		first.texts = append(first.texts, value.texts...)
	}
}

// values returns what requests send as JSON: as numbers and booleans if all values are, otherwise as strings.
// Repeated values of an input that isn't a list are joined into one string (RFC 9110, section 5.3).
func (in *input) values(list []sent) []*tree.Value {
	texts := make([][]string, len(list))
	read := literal
	for i, s := range list {
		if texts[i] = s.texts; !in.list {
			texts[i] = []string{strings.Join(s.texts, ", ")}
		}
		if slices.ContainsFunc(texts[i], in.isText) {
			read = str
		}
	}
	values := make([]*tree.Value, len(list))
	for i, texts := range texts {
		if !in.list {
			values[i] = read(texts[0])
			continue
		}
		values[i] = tree.NewArray()
		for _, text := range texts {
			values[i].Append(read(text))
		}
	}
	return values
}

// isText reports whether a value is neither a number or boolean, nor a placeholder that names a type. Codes are text,
// and so are versions with a dot: 1.10 isn't 1.1.
func (in *input) isText(text string) bool {
	return literal(text).Kind() == tree.String && !infer.IsStandIn(text) || words.IsCode(in.name) ||
		strings.Contains(text, ".") && slices.ContainsFunc(words.Parts(in.name), func(word string) bool { return dotted[word] })
}

var dotted = words.Set(`version ver v release protocol sdk`)

// literal returns the number or boolean that text is in its usual notation; anything else is a string.
func literal(text string) *tree.Value {
	switch {
	case text == "true" || text == "false":
		return tree.NewBool(text == "true")
	case text != "" && len(text) <= maxDecimal && text[0] <= '9' && text != "-0" && decimal().MatchString(text):
		return tree.NewNumber(text)
	}
	return str(text)
}

// maxDecimal is the maximum length of a number in a string. Longer ones are identifiers.
const maxDecimal = 15

// decimal matches a number without an exponent or leading zeros.
var decimal = expression.Lazy(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$`)

// ordered is a map that keeps insertion order.
type ordered[K comparable, V any] struct {
	list  []*V
	byKey map[K]*V
}

// get returns the value for a key; it inserts made if the key is new.
func (o *ordered[K, V]) get(key K, initial V) *V {
	if known := o.byKey[key]; known != nil {
		return known
	}
	if o.byKey == nil {
		o.byKey = map[K]*V{}
	}
	o.byKey[key] = &initial
	o.list = append(o.list, &initial)
	return &initial
}

// parameters returns the parameters of an operation, collected from all of its requests.
func (w *writer) parameters(g *group) *tree.Value {
	all := inputs{w: w}
	for i, c := range g.calls {
		take := func(in, name string, p *request.Parameter, text string) {
			if c.rejected && all.has(in, name) {
				return
			}
			value := sent{from: i, label: c.Name, place: c.Place, texts: []string{text}}
			others := w.variables.others(p.Value)
			if others != nil {
				value.label = text
			}
			a := all.take(in, name, p, value)
			for _, other := range others {
				value.label, value.texts = other, []string{other}
				a.unsent = append(a.unsent, value)
			}
		}
		for position, p := range c.values {
			take("path", g.names[position], p, w.expand(p.Value))
		}
		for _, p := range c.Query {
			name := percent.DecodeQuery(w.named(p.Name, c.Place))
			if w.hasName(name, p, c.Place) && w.key(request.InQuery, p, c.Place) == nil {
				take("query", name, p, percent.DecodeQuery(w.expand(p.Value)))
			}
		}
		for _, p := range c.Headers {
			name := w.expand(p.Name)
			switch {
			case w.restricted(c, p), w.key(request.InHeader, p, c.Place) != nil:
			case !request.IsToken(name):
				w.warnings.Add(warning.LostMalformed, c.Place)
			default:
				take("header", name, p, w.expand(p.Value))
			}
		}
		for _, p := range c.Cookies {
			name := w.named(p.Name, c.Place)
			if w.hasName(name, p, c.Place) && w.key(request.InCookie, p, c.Place) == nil {
				take("cookie", name, p, w.expand(p.Value))
			}
		}
	}
	out := tree.NewArray()
	for _, in := range all.known.list {
		out.Append(w.parameter(in, g.accepted))
	}
	return out
}

// hasName reports whether a parameter or field has a name, and warns if one that is sent has none.
func (w *writer) hasName(name string, p *request.Parameter, at warning.Place) bool {
	if name == "" && p.Value != "" && p.Sent() {
		w.warnings.Add(warning.LostMalformed, at)
	}
	return name != ""
}

// restricted reports whether another part of the document describes a header. Accept and Authorization are handled
// where that part is written.
func (w *writer) restricted(c *call, p *request.Parameter) bool {
	name := strings.ToLower(p.Name)
	if p.Description != "" && slices.Contains([]string{"accept", "authorization", "content-type"}, name) {
		w.warnings.AddNamed(warning.LostParameterDescriptions, c.Place, p.Name)
	}
	switch name {
	case "accept", "authorization":
		if !p.Sent() {
			w.warnings.AddNamed(warning.LostDisabled, c.Place, p.Name)
		}
		return true
	case "content-type":
		if p.Sent() && len(c.Bodies) == 0 {
			w.warnings.AddNamed(warning.ChangedHeader, c.Place, "Content-Type")
		}
		return true
	}
	return false
}

func (w *writer) parameter(a *input, requests int) *tree.Value {
	p := tree.NewObject().Set("name", str(a.name)).Set("in", str(a.in))
	p.SetText("description", a.description)
	required := a.in == "path" || a.required
	if !required && alwaysSent(a, requests) && !a.empty {
		required = true
		w.warnRequired(a.sent[0].place, []string{a.name})
	}
	p.Set("required", tree.NewBool(required))
	setTrue(p, "allowEmptyValue", a.empty || a.bare && a.in == "query")
	all := slices.DeleteFunc(slices.Concat(a.sent, a.unsent), sent.isUnknown)
	values := a.values(all)
	p.Set("schema", w.scalar(values))
	if p.Get("schema").Has("oneOf") {
		w.warnings.Add(warning.ChangedSchemaConflict, all[0].place)
	}
	unsent := len(a.sent) == 0 && a.in != "path" && len(all) > 0
	if unsent {
		all[0].label = openapi.NotSentLabel
	}
	named := examples{w: w}
	for i, v := range values {
		named.add(all[i].label, v)
	}
	if unsent {
		named.writeNamed(p)
	} else {
		named.write(p)
	}
	return p
}

// alwaysSent reports whether there are several requests and all of them send the input. An input of a single request
// may be optional.
func alwaysSent(a *input, requests int) bool { return requests > 1 && len(a.sent) == requests }

// scalar returns the schema of an input's values, or that of a string if none is known.
func (w *writer) scalar(values []*tree.Value) *tree.Value {
	isNull := func(v *tree.Value) bool { return v.Kind() == tree.Null } // in a part that is JSON
	if s := infer.Schema(values, nil, w.values); s.Len() > 0 || s != nil && slices.ContainsFunc(values, isNull) {
		return s
	}
	return tree.NewObject().Set("type", str("string"))
}
