package curl

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/invocation"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// plainName matches command names that are certainly not secrets.
var plainName = expression.Lazy(`^[A-Za-z][A-Za-z_.-]{0,30}[0-9]{0,2}$`)

// others finds the commands other than curl that no other warning includes.
type others struct {
	*reader
	filters   map[*script.Command]bool            // commands that read the output of curl
	consumers map[*script.Command]*script.Command // the commands that read the output of others
	included  map[*script.Command]bool            // commands that are reported, or that belong to one that is
	entered   map[*script.Command]bool            // those whose inner commands are included
}

// reportOthers reports the commands other than curl that do something. A command that reads curl's output is reported
// with curl, one whose output another command reads with that, and one in a substitution with the variable or the command
// that its output is for. Each command is reported once, although it may be in a function with several calls.
func (r *reader) reportOthers() {
	o := others{r, map[*script.Command]bool{}, map[*script.Command]*script.Command{}, map[*script.Command]bool{}, map[*script.Command]bool{}}
	for _, cmd := range r.rest {
		r.budget.Parts(len(cmd.Feeders) / 8)
		for _, feeder := range cmd.Feeders {
			o.consumers[feeder] = cmd
			if o.hasResponse(feeder) || slices.ContainsFunc(feeder.Runs, o.hasResponse) {
				o.filters[cmd] = true
			}
		}
	}
	for _, s := range r.settings {
		o.include(s.By)
	}
	for cmd := range r.sentBy {
		o.include(cmd)
		for _, feeder := range cmd.Feeders {
			o.included[feeder] = true
		}
	}
	var found []warning.Named
	for _, cmd := range slices.Backward(r.rest) { // the words of a command, and its output, before those that they are from
		if name := o.name(cmd); name != "" {
			o.included[cmd] = true
			found = append(found, warning.Named{Name: name, Line: r.lines.Of(cmd.Written)})
		}
		if o.included[cmd] {
			o.include(cmd)
		}
	}
	slices.Reverse(found)
	r.warnings.AddLines(warning.LostOtherCommands, found)
}

// hasResponse reports whether a command prints a response: curl, or a command that reads its output.
func (o *others) hasResponse(cmd *script.Command) bool {
	_, isCurl := o.sentBy[cmd]
	return isCurl || o.filters[cmd]
}

// include includes the commands in the words of a command, but not those of the functions that they call.
func (o *others) include(cmd *script.Command) {
	if o.entered[cmd] {
		return
	}
	o.entered[cmd] = true
	o.budget.Parts(len(cmd.Inner) / 8)
	for i := 0; i < len(cmd.Inner); i++ {
		o.included[cmd.Inner[i]] = true
		i += len(cmd.Inner[i].Runs)
	}
}

// name returns the name under which a command is reported, or "".
func (o *others) name(cmd *script.Command) string {
	words, _ := invocation.Program(cmd.Words)
	consumer := o.consumers[cmd]
	if o.included[cmd] = o.included[cmd] || o.filters[cmd]; o.included[cmd] || len(words) == 0 || len(words[0]) == 0 {
		return "" // assignments, or a variable
	}
	name := invocation.BaseName(words[0])
	switch {
	case writesRequest(cmd):
		return unreadRequest
	case consumer != nil && o.included[consumer]:
		o.included[cmd] = true
		return ""
	case invocation.IsQuiet(strings.ToLower(name)) && !setsVariable(cmd), isPrinted(words[0]):
		return ""
	}
	return cmp.Or(plainName().FindString(name), "a command")
}

// isPrinted reports whether the first word of a command begins a status line or a header: documents show a response below
// its request, without a prompt before either.
func isPrinted(w script.Word) bool {
	text, _ := w.Literal()
	name, isHeader := strings.CutSuffix(text, ":")
	return strings.HasPrefix(text, "HTTP/") || isHeader && request.IsToken(name)
}

// unreadRequest is the name of text that seems to call curl, but that nothing is known to run.
const unreadRequest = "a request in text that is not read"

// requestText matches a request in text.
var requestText = expression.Lazy(`\bcurl [^\n]*://`)

// writesRequest reports whether a command writes text with a request to a file or a crontab.
func writesRequest(cmd *script.Command) bool {
	if _, written := outputFile(cmd); !written && cmd.PipesInto != "crontab" && cmd.CommandName() != "tee" {
		return false
	}
	return slices.ContainsFunc(append(slices.Clip(cmd.Words), cmd.Stdin.Word), func(w script.Word) bool {
		return slices.ContainsFunc(w, func(p script.Part) bool { return requestText().MatchString(p.Text) })
	})
}

// setsVariable reports whether a command is set NAME VALUE or set -x NAME VALUE, as fish sets a variable.
func setsVariable(cmd *script.Command) bool {
	n := len(cmd.Words)
	if cmd.CommandName() != "set" || n < 3 || script.IsLiteral(cmd.Words[1], "--") {
		return false
	}
	name, _ := cmd.Words[n-2].Literal()
	return script.IsName(name)
}

// ReportUnread reports the lines of a source that seem to call curl but that nothing is known to run.
func ReportUnread(lines []int, warnings *warning.List) {
	for _, line := range lines {
		warnings.AddNamed(warning.LostOtherCommands, warning.Line(line), unreadRequest)
	}
}
