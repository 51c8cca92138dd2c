package writer

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// redacted stands where a secret was.
const redacted = "<redacted>"

// Bounds of putting values in the place of variables.
const (
	maxNesting  = 8       // variables in the value of a variable
	maxExpanded = 1 << 16 // bytes of a text that variables made longer
)

// variables are what the API's variables stand for.
type variables struct {
	byName map[string]*request.Variable
	known  map[string]expansion
	budget *budget.Budget
	room   int // bytes by which texts may still become longer
}

// expansion is a text with the known variables in it replaced.
type expansion struct {
	text string
	// open says that a variable is left that has no known value.
	open bool
}

func newVariables(list []*request.Variable, b *budget.Budget) *variables {
	v := &variables{byName: map[string]*request.Variable{}, known: map[string]expansion{}, budget: b, room: openapi.ExampleBytes(b)}
	for _, variable := range list {
		if _, twice := v.byName[variable.Name]; !twice && !variable.Disabled {
			v.byName[variable.Name] = variable
		}
	}
	return v
}

func (v *variables) get(name string) *request.Variable { return v.byName[name] }

// expand replaces the variables of a text by their values.
func (v *variables) expand(text string) expansion { return v.expandTo(text, maxNesting) }

func (v *variables) expandTo(text string, nesting int) expansion {
	if !strings.Contains(text, "{{") {
		return expansion{text: text}
	}
	var b strings.Builder
	open := false
	for _, part := range request.Split(text) {
		v.budget.Parts(1)
		if part.Kind == request.LiteralPart {
			b.WriteString(part.Text)
			continue
		}
		e := v.value(part.Text, nesting)
		if v.room -= len(e.text); v.room < 0 || b.Len()+len(e.text) > len(text)+maxExpanded {
			v.room = max(v.room, 0)
			e = expansion{text: "{{" + part.Text + "}}", open: true}
		}
		b.WriteString(e.text)
		open = open || e.open
	}
	v.budget.Bytes(b.Len())
	return expansion{b.String(), open}
}

// value is what a variable stands for; its placeholder when that is unknown.
func (v *variables) value(name string, nesting int) expansion {
	if known, ok := v.known[name]; ok {
		return known
	}
	unknown := expansion{text: "{{" + name + "}}", open: true}
	variable := v.byName[name]
	switch {
	case variable == nil:
		return unknown
	case variable.Secret:
		return expansion{text: redacted}
	case variable.Value == "" || nesting == 0:
		return unknown
	}
	v.known[name] = unknown // while its value is looked at, for circles
	e := v.expandTo(variable.Value, nesting-1)
	if len(e.text) > maxExpanded {
		e = unknown
	}
	v.known[name] = e
	return e
}
