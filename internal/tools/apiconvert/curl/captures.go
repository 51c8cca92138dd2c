package curl

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// set is a variable that a script sets to what commands print.
type set struct {
	name   string
	output *script.Output // nil if it doesn't derive from a response
}

// sets records the variables that a command sets to what others print.
func (r *reader) sets(cmd *script.Command) {
	assignments := cmd.Assignments
	switch name := cmd.CommandName(); name {
	case "export", "readonly", "local", "declare", "typeset":
		for _, w := range cmd.Words[1:] {
			if a, ok := posix.AssignmentIn(w); ok {
				assignments = append(assignments, a)
			}
		}
	case "read":
		output := cmd.Stdin.From()
		names := slices.DeleteFunc(slices.Clone(cmd.Words[1:]), func(w script.Word) bool {
			text, literal := w.Literal()
			return !literal || script.NameLength(text) != len(text)
		})
		if output != nil && len(names) == 1 {
			r.setBy(names[0][0].Text, output)
		}
	}
	for _, a := range assignments {
		if i := slices.IndexFunc(a.Value, func(p script.Part) bool { return p.Kind == script.CommandSubstitution }); i >= 0 {
			output := a.Value[i].Output
			if len(a.Value) > 1 {
				output = nil
			}
			if a.Value[i].Text[0] != '$' {
				r.setBy(strings.TrimSuffix(a.Name, "+"), output)
			}
		}
	}
}

// setBy records that the command that is being read sets a variable.
func (r *reader) setBy(name string, output *script.Output) {
	s := set{name, output}
	if _, known := r.setAt[s]; !known {
		put(&r.setAt, s, r.at)
		r.set = append(r.set, s)
	}
}

// captures adds the variables that are set to a request whose response has their values. A variable that is set to a
// whole response, or by other commands, only counts if a request uses it.
func (r *reader) captures() {
	for _, s := range r.set {
		r.budget.Parts(smallParts)
		c, from, ok := captureOf(s)
		requests := r.sentBy[from]
		switch {
		case c.Text && r.variables[s.name] <= 0:
		case ok && len(requests) == 1 && printsResponse(requests[0]):
			requests[0].Captures = append(requests[0].Captures, c)
		default:
			r.api.Uncaptured = append(r.api.Uncaptured, request.Uncaptured{Variable: s.name, Line: r.lines.Of(r.setAt[s])})
		}
	}
}

// printing are the options with which curl prints something else than the response.
var printing = []string{
	"include", "show-headers", "write-out", "output", "remote-name", "remote-name-all", "dump-header", "out-null",
}

func printsResponse(q *request.Request) bool {
	return q.Method != "HEAD" && !slices.ContainsFunc(q.Transport, func(o request.Option) bool {
		return slices.Contains(printing, o.Name)
	})
}

// maxFilters limits the commands that a response passes through.
const maxFilters = 4

// captureOf returns the capture that sets a variable and the command that sends its request. ok is false if a command
// other than jq changes the response.
func captureOf(s set) (c request.Capture, from *script.Command, ok bool) {
	c = request.Capture{Variable: s.name, Text: true}
	if s.output == nil {
		return c, nil, false
	}
	output := s.output
	for n := 0; output.Input != nil; n++ {
		path, raw, isPath := selected(output.Command)
		if !isPath || n == maxFilters {
			return request.Capture{Variable: s.name}, nil, false
		}
		c.Path, c.JSON, c.Text = path+c.Path, c.JSON || n == 0 && !raw, false
		output = output.Input
	}
	return c, output.Command, true
}

var jqOptions = expression.Lazy(`^(?:-[rejcMC]+|--raw-output|--exit-status|--join-output|--compact-output|--monochrome-output)$`)

// selected returns the path that jq selects in its input, and whether it prints a string without quotes.
func selected(cmd *script.Command) (path string, raw, ok bool) {
	if cmd.CommandName() != "jq" {
		return "", false, false
	}
	filter, given := "", false
	for _, w := range cmd.Words[1:] {
		text, literal := w.Literal()
		switch {
		case !literal || given && !strings.HasPrefix(text, "-"):
			return "", false, false
		case !strings.HasPrefix(text, "-"):
			filter, given = text, true
		case !jqOptions().MatchString(text):
			return "", false, false
		default:
			raw = raw || strings.ContainsAny(text, "rj") && text[1] != '-' || text == "--raw-output" || text == "--join-output"
		}
	}
	path, ok = request.ParseJQ(filter)
	return path, raw, ok
}
