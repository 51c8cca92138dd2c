package writer

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// response names the variable that holds a response from which several values are taken. It is no name of the source.
const response = " response"

// call returns the begin of the command for a request, which keeps the response if values are taken from it.
func (w *writer) call(r *request.Request) string {
	if len(r.Captures) == 0 {
		return "curl "
	}
	name := response
	if len(r.Captures) == 1 {
		name = r.Captures[0].Variable
	}
	silent := "--silent "
	if slices.ContainsFunc(r.Transport, func(o request.Option) bool { return o.Name == "silent" }) {
		silent = ""
	}
	return w.vars.assigned(name) + "=$(curl " + silent
}

// captured appends what follows the command: for one value a pipe, for several an assignment each.
func (w *writer) captured(dst []byte, r *request.Request) []byte {
	for i, c := range r.Captures {
		filter := w.filter(c)
		w.vars.unset(c.Variable)
		if len(r.Captures) == 1 {
			return append(append(dst, filter...), ')')
		}
		if i == 0 {
			dst = append(dst, ')')
		}
		dst = append(append(dst, '\n'), w.vars.assigned(c.Variable)...)
		dst = append(append(dst, "=$(printf %s \"$"...), w.vars.assigned(response)...)
		dst = append(append(append(dst, '"'), filter...), ')')
	}
	return dst
}

// plainFilter matches a filter that needs no quotes.
var plainFilter = expression.Lazy(`^[\w.]+$`)

// filter returns the pipe to jq that selects a value in a response.
func (w *writer) filter(c request.Capture) string {
	if c.Text {
		return ""
	}
	w.jq = true
	filter := c.Path
	if !strings.HasPrefix(filter, ".") {
		filter = "." + filter
	}
	if c.Prefix != "" {
		filter = `"` + c.Prefix + `\(` + filter + `)"`
	}
	if !plainFilter().MatchString(filter) {
		filter = string(syntax.SingleQuoted(nil, filter))
	}
	if c.JSON {
		return " | jq -c " + filter
	}
	return " | jq -r " + filter
}

// assigned returns the shell name of a variable that the script sets itself.
func (v *variables) assigned(name string) string {
	isNew := v.Given(name) == ""
	shell := v.Of(name, v.known[scope{nil, name}])
	if isNew {
		v.Used = slices.DeleteFunc(v.Used, func(used string) bool { return used == shell })
	}
	return shell
}

// unset forgets the value that the source has for a variable.
func (v *variables) unset(name string) {
	key := scope{nil, name}
	if known := v.known[key]; known != nil {
		variable := *known
		variable.Value = ""
		v.known[key] = &variable
	}
}
