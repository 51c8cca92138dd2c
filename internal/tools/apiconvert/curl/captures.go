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
	switch name := cmd.CommandName(); {
	case script.Declares[name]:
		for _, w := range cmd.Words[1:] {
			if a, ok := posix.AssignmentIn(w); ok {
				assignments = append(assignments, a)
			}
		}
	case name == "read":
		r.reads(cmd)
	case name == ":":
		for _, w := range cmd.Words[1:] {
			assignments = append(assignments, script.Assignment{Value: w})
		}
	}
	for _, a := range assignments {
		i := slices.IndexFunc(a.Value, isOutput)
		if i < 0 {
			continue
		}
		p, name := a.Value[i], strings.TrimSuffix(a.Name, "+")
		if _, isCopy := r.setAt[set{p.Text, p.Output}]; isCopy && len(a.Value) == 1 {
			continue
		}
		if len(a.Value) > 1 {
			p.Output = nil
		}
		if p.Kind == script.Variable { // ${NAME:=$(…)}
			name = p.Text
		}
		if name != "" {
			r.setBy(name, p.Output)
		}
	}
}

// isOutput reports whether a part is what commands print, other than a file. Postman has $guid and the like itself.
func isOutput(p script.Part) bool {
	return p.Kind == script.CommandSubstitution && p.Text[0] != '$' && p.File == "" || p.Output != nil
}

// reads records the variables that read sets to a response.
func (r *reader) reads(cmd *script.Command) {
	output := cmd.Stdin.From()
	var names []string
	for _, w := range cmd.Words[1:] {
		if text, _ := w.Literal(); text != "" && script.NameLength(text) == len(text) {
			names = append(names, text)
		}
	}
	if len(names) > 1 && output != nil {
		output = &script.Output{Command: cmd, Input: output} // each is a part of it
	}
	for _, name := range names {
		if output != nil {
			r.setBy(name, output)
		}
	}
}

// setBy records that the command that is being read sets a variable.
func (r *reader) setBy(name string, output *script.Output) {
	s := set{name, output}
	if _, known := r.setAt[s]; !known {
		put(&r.setAt, s, r.cur)
		r.set = append(r.set, s)
	}
}

// captures adds the variables that are set to a request whose response has their values. A variable that is set to a
// whole response, or by other commands, only counts if a request uses it.
func (r *reader) captures() {
	for _, s := range r.set {
		c, from, ok := captureOf(s)
		requests, by := r.sentBy[from], r.setAt[s]
		if c.Text && r.variables[s.name] <= 0 {
			continue
		}
		put(&r.kept, setting{s.name, by.Written}, true)
		if ok && len(requests) == 1 && printsResponse(requests[0]) {
			requests[0].Captures = append(requests[0].Captures, c)
		} else {
			r.api.Uncaptured = append(r.api.Uncaptured, request.Uncaptured{Variable: s.name, Line: r.lines.Of(by.Written)})
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
// other than jq and tr changes the response.
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
	return c, output.Command, c.Path != "" || c.JSON || c.Text
}

var jqOptions = expression.Lazy(`^(?:-[rejcMC]+|--raw-output|--exit-status|--join-output|--compact-output|--monochrome-output)$`)

// quotes matches what tr -d removes from a string as jq prints it: its quotes and line ends.
var quotes = expression.Lazy(`^(?:"|\\[nr]|[\n\r])+$`)

// selected returns the path that jq or tr selects in its input, and whether it prints a string without quotes.
func selected(cmd *script.Command) (path string, raw, ok bool) {
	if text := cmd.Words; len(text) == 3 && script.IsLiteral(text[0], "tr") && script.IsLiteral(text[1], "-d") {
		removed, _ := text[2].Literal()
		return "", true, quotes().MatchString(removed)
	}
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
