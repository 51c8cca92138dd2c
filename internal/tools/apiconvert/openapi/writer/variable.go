package writer

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// redacted replaces a secret.
const redacted = "<redacted>"

// Limits for replacing variables with their values.
const (
	maxNesting  = 8       // nesting depth of variables in values
	maxExpanded = 1 << 16 // bytes that variables may add to a text
)

// variables holds the values of an API's variables.
type variables struct {
	byName map[string]*request.Variable
	known  map[string]string // expanded values
	room   int               // bytes that variables may still add
}

func newVariables(list []*request.Variable, b *budget.Budget) *variables {
	v := &variables{
		byName: map[string]*request.Variable{}, known: map[string]string{}, room: openapi.ExampleBytes(b),
	}
	for _, variable := range list {
		if _, twice := v.byName[variable.Name]; !twice && !variable.Disabled {
			v.byName[variable.Name] = variable
		}
	}
	return v
}

// get returns a variable, or nil if it is unknown. A dynamic variable of Postman has a sample of its type as value.
func (v *variables) get(name string) *request.Variable {
	if value := dynamic[name]; value != "" && v.byName[name] == nil {
		return &request.Variable{Name: name, Value: value}
	}
	return v.byName[name]
}

// dynamic has samples of the dynamic variables that have a type other than string or a format.
var dynamic = map[string]string{
	"$guid": sample.OfFormat("uuid"), "$randomUUID": sample.OfFormat("uuid"),
	"$timestamp": "1704067200", "$isoTimestamp": sample.OfFormat("date-time"),
	"$randomInt": "1", "$randomBoolean": "true", "$randomPrice": "9.95",
	"$randomLatitude": "52.5163", "$randomLongitude": "13.3777",
	"$randomEmail": sample.OfFormat("email"), "$randomExampleEmail": sample.OfFormat("email"),
	"$randomUrl": sample.OfFormat("uri"), "$randomImageUrl": sample.OfFormat("uri"), "$randomAvatarImage": sample.OfFormat("uri"),
	"$randomIP": sample.OfFormat("ipv4"), "$randomIPV6": sample.OfFormat("ipv6"),
}

// others returns the other values of the variable that text consists of, which a loop sends.
func (v *variables) others(text string) []string {
	if request.VariableLength(text) == len(text) && text != "" {
		if variable := v.byName[text[2:len(text)-2]]; variable != nil && !variable.Secret && len(variable.Enum) > 1 && v.value(variable.Name, maxNesting) == variable.Enum[0] {
			return variable.Enum[1:]
		}
	}
	return nil
}

// expand returns text with its known variables replaced by their values.
func (w *writer) expand(text string) string { return w.variables.expand(text, maxNesting) }

// named is expand for a name, which says what a value is. It warns about the variables that it keeps.
func (w *writer) named(name string, at warning.Place) string {
	name = w.expand(name)
	for _, part := range request.Split(name) {
		if part.Kind == request.VariablePart {
			w.warnings.AddNamed(warning.LostVariables, at, part.Text)
		}
	}
	return name
}

func (v *variables) expand(text string, nesting int) string {
	added := 0
	return request.Substitute(text, func(name string) string {
		value := v.value(name, nesting)
		if v.room -= len(value); v.room < 0 || added+len(value) > maxExpanded {
			v.room = max(v.room, 0)
			value = "{{" + name + "}}"
		}
		added += len(value)
		return value
	})
}

// value returns the value of a variable, or its placeholder if that is unknown.
func (v *variables) value(name string, nesting int) string {
	if known, ok := v.known[name]; ok {
		return known
	}
	unknown := "{{" + name + "}}"
	variable := v.get(name)
	switch {
	case variable == nil:
		return unknown
	case variable.Secret:
		variable.Written = true
		return redacted
	case variable.Value == "" || nesting == 0:
		return unknown
	}
	v.known[name] = unknown // detects cycles while the value is expanded
	value := v.expand(variable.Value, nesting-1)
	if len(value) > maxExpanded {
		value = unknown
	}
	v.known[name] = value
	variable.Replaced = value != unknown
	return value
}
