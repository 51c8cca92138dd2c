package writer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/schema"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// input is what requests send under one name: a parameter of one place, or a
// field of forms.
type input struct {
	in, name    string // in is "form" of a field
	description string
	required    bool // the source says so
	deprecated  bool
	bare        bool
	empty       bool   // sent without a value: ?name=
	list        bool   // a request sends it several times
	sent        []sent // one of each request that sends it
	unsent      []sent // values that the source writes beside those
	contentType string // of a field
	file        bool   // of a field
}

// sent is what one request sends in an input.
type sent struct {
	from  int // the number of the request or form
	label string
	place *warning.Place
	texts []string
}

// inputs are those of an operation or of a media type.
type inputs struct {
	w     *writer
	known ordered[[2]string, input]
}

// take notes what a request sends as a parameter or field. Names of headers are
// the same in small letters.
func (s *inputs) take(in, name string, p *request.Parameter, value sent) *input {
	s.w.budget.Parts(openapi.ParameterParts)
	key := name
	if in == "header" {
		key = strings.ToLower(name)
	}
	a := s.known.get([2]string{in, key}, input{in: in, name: name})
	a.description = cmp.Or(a.description, p.Description)
	a.required = a.required || p.Required || saysRequired(p.Description)
	a.deprecated = a.deprecated || p.Deprecated
	a.bare = a.bare || p.Bare
	a.empty = a.empty || in == "query" && p.Value == "" && p.Sent() && !p.Bare
	text := value.texts[0]
	switch again := a.again(value.from); {
	case text == "" && (in == "path" || !p.Sent()):
	case !p.Sent():
		a.unsent = append(a.unsent, value)
	case again != nil:
		s.again(a, again, value)
	default:
		a.sent = append(a.sent, value)
	}
	for _, e := range p.Examples {
		value.label, value.texts = e.Name, []string{e.Text + openapi.ScalarText(e.Value, s.w.budget)}
		a.unsent = append(a.unsent, value)
	}
	return a
}

// saysRequired reports whether a description marks its parameter as required, as
// authors of collections do and Postman itself when it imports an OpenAPI document.
func saysRequired(description string) bool {
	description = strings.ToLower(description)
	return strings.Contains(description, "[required]") || strings.Contains(description, "(required)")
}

// again takes a name that stands twice in one request: a list in queries and
// forms, one value elsewhere.
func (s *inputs) again(a *input, first *sent, value sent) {
	if a.in == "query" || a.in == "form" {
		a.list = true
	} else {
		s.w.warnings.Add(warning.Duplicates, value.place)
	}
	if a.list || a.in == "header" {
		first.texts = append(first.texts, value.texts...)
	}
}

// again returns what a request has sent under the name already, nil when it
// has not.
func (in *input) again(from int) *sent {
	if n := len(in.sent); n > 0 && in.sent[n-1].from == from {
		return &in.sent[n-1]
	}
	return nil
}

// values are what requests send as JSON: numbers and booleans where every text
// is one. What stands several times in a request and is no list is one text
// (RFC 9110, section 5.3).
func (in *input) values(list []sent) []*tree.Value {
	texts := make([][]string, len(list))
	read := literal
	for i, s := range list {
		if texts[i] = s.texts; !in.list {
			texts[i] = []string{strings.Join(s.texts, ", ")}
		}
		if slices.ContainsFunc(texts[i], isText) {
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

// isText reports whether a text is neither a number nor a boolean, nor stands in
// for one.
func isText(text string) bool { return literal(text).Kind() == tree.String && !schema.IsStandIn(text) }

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

// decimal is a number without an exponent, a leading zero, or a zero at the end
// of a fraction.
var decimal = expression.Lazy(`^-?(?:0|[1-9][0-9]*)(?:\.[0-9]*[1-9])?$`)

// isDecimal reports whether a text is a plain decimal number.
func isDecimal(text string) bool {
	return text != "" && len(text) <= maxDecimal && text[0] <= '9' && text != "-0" && decimal().MatchString(text)
}

// ordered are things by a key, in the order in which they were first asked for.
type ordered[K comparable, V any] struct {
	list  []*V
	byKey map[K]*V
}

// get returns the thing of a key: made where there is none yet.
func (o *ordered[K, V]) get(key K, made V) *V {
	if known := o.byKey[key]; known != nil {
		return known
	}
	if o.byKey == nil {
		o.byKey = map[K]*V{}
	}
	o.byKey[key] = &made
	o.list = append(o.list, &made)
	return &made
}
