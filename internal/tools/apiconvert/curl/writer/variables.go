package writer

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// scope is where a variable is defined: a server or, if nil, the whole API.
type scope struct {
	server *request.Server
	name   string
}

// variables substitutes the values of the model's variables, and assigns shell names to those without a value.
type variables struct {
	known  map[scope]*request.Variable
	budget *budget.Budget
	syntax.Names
	open     map[scope]bool  // being expanded: a recursive variable is kept
	expanded int             // bytes that values expanded to
	keys     map[string]bool // variables that hold an API key but aren't marked as one
	dynamic  []string        // the first dynamic variables of Postman that the request uses
}

// maxExpanded limits the bytes that values expand to, maxDynamic the dynamic variables that are reported for one
// request.
const (
	maxExpanded = 4 << 20
	maxDynamic  = 20
)

func newVariables(api *request.API, b *budget.Budget) *variables {
	v := &variables{
		budget: b, known: map[scope]*request.Variable{}, open: map[scope]bool{}, keys: map[string]bool{},
	}
	add := func(server *request.Server, list []*request.Variable) {
		for _, x := range list {
			if key := (scope{server, x.Name}); v.known[key] == nil && !x.Disabled {
				v.known[key] = x
			}
		}
	}
	add(nil, api.Variables)
	for _, s := range api.Servers {
		add(s, s.Variables)
	}
	return v
}

// find returns the variable with a name in a string of a server (nil: any other string), or nil if it is unknown.
func (v *variables) find(server *request.Server, name string) (scope, *request.Variable) {
	key := scope{server, name}
	if server == nil || v.known[key] == nil {
		key.server = nil
	}
	return key, v.known[key]
}

// expand substitutes known values for the variables in a string of a server (nil: any other string). It keeps secrets
// and variables without a value.
func (v *variables) expand(server *request.Server, text string) string {
	return request.Substitute(text, func(name string) string {
		v.budget.Parts(1)
		key, x := v.find(server, name)
		if x == nil || x.Value == "" || x.Secret || v.open[key] || v.expanded > maxExpanded || len(v.open) > 50 {
			return "{{" + name + "}}"
		}
		v.open[key] = true
		value := v.expand(key.server, x.Value)
		delete(v.open, key)
		v.expanded += len(value)
		x.Replaced = true
		return value
	})
}

// name returns the shell name of a variable.
func (v *variables) name(name string) string {
	if strings.HasPrefix(name, "$") && len(v.dynamic) < maxDynamic && !slices.Contains(v.dynamic, name) {
		v.dynamic = append(v.dynamic, name)
	}
	known := v.known[scope{nil, name}]
	if known != nil {
		known.Written = true
	}
	return v.Of(name, known)
}

// unknownServer returns the variable for a server that the source doesn't name.
func (v *variables) unknownServer() string {
	if v.known[scope{nil, "baseUrl"}] != nil || v.known[scope{nil, "BASE_URL"}] != nil {
		return "{{SERVER_URL}}" // the others have another meaning
	}
	return "{{BASE_URL}}"
}

// word appends text as one shell word.
func (v *variables) word(dst []byte, text string) []byte {
	parts := request.Split(strings.ReplaceAll(v.expand(nil, text), "\x00", "")) // no argument can contain NUL
	segments := make([]syntax.Segment, len(parts))
	for i, p := range parts {
		segments[i].Text = p.Text
		if p.Kind == request.VariablePart {
			segments[i] = syntax.Segment{Text: "$" + v.name(p.Text), Expansion: true, Braced: i == 0 && len(parts) > 1}
		}
	}
	return syntax.AppendWord(dst, segments, syntax.SingleQuoted)
}
