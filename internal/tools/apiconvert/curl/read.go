package curl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/invocation"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/extract"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// The bounds of what the commands of one text send. What lies beyond is
// refused as too complex.
const (
	maxRequests = 50_000
	maxSent     = 16 << 20 // bytes of all requests, each written out in full
)

// What an operation, a request and a part of one cost, in parts of the budget.
const (
	operationParts = 4
	requestParts   = 12
	smallParts     = 4
)

// Read reads shell text. Nothing is run, no file is read. It fails with
// unrecognized_source when no command is curl, with invalid_source and the
// place when the text is no shell text (an open quote), with too_complex when
// it is nested or repeated too much.
//
// whole says that the target is shell text, too, and can say what others cannot:
// an address with curl's {a,b} or [1-3] stays one request, a here-document stays
// one, and comments that belong to no request are kept. Options of how curl sends
// are in Request.Transport, those that concern its output included: call Portable
// when the model is for another format.
func Read(text string, whole bool, b *budget.Budget, warnings *warning.List) (*request.API, error) {
	if script, ok := extract.Commands(text); ok {
		text = script
	}
	r := &reader{
		whole: whole, budget: b, source: text, api: &request.API{}, lines: Lines{Text: text},
		servers: map[string]*request.Server{}, keys: map[string]bool{}, variables: map[string]int{},
	}
	if err := r.text(text, -1, 0); err != nil {
		return nil, err
	}
	if len(r.api.Requests) == 0 {
		return nil, NoRequests()
	}
	r.api.Variables = slices.DeleteFunc(r.api.Variables, func(v *request.Variable) bool { return r.variables[v.Name] == 0 })
	report(warnings, r.apart)
	r.others.report(warnings)
	report(warnings, r.pending)
	return r.api, nil
}

// NoRequests is the failure of a text without a curl command that sends a request.
func NoRequests() *convert.Failure {
	return convert.Refuse(convert.UnrecognizedSource,
		"The text holds no curl command with an address.",
		"Send shell text with at least one curl command; send a collection or description as application/json or application/yaml.")
}

func report(warnings *warning.List, all []pendingWarning) {
	for _, p := range all {
		for _, n := range p.notes {
			n.report(warnings, p.at)
		}
	}
}

// reader makes the model of one text.
type reader struct {
	whole     bool
	budget    *budget.Budget
	source    string
	api       *request.API
	servers   map[string]*request.Server
	keys      map[string]bool // the values that are API keys
	variables map[string]int  // how often the words name those of the model
	lines     Lines
	apart     []pendingWarning // about no request; they come first
	pending   []pendingWarning // about the requests

	calls     int    // curl commands so far
	files     int    // {{file_1}} … so far
	others    others // commands other than curl
	requested int    // of maxRequests
	sent      int    // of maxSent
	remarks   string // comments since the last curl command
}

// pendingWarning is what is reported of a place once the text has been read.
type pendingWarning struct {
	at    *warning.Place
	notes []note
}

// Lines returns the lines of places in Text that follow each other.
type Lines struct {
	Text   string
	offset int
	before int // lines that end in front of the offset
}

// Of returns the line of an offset, 1 for the first.
func (l *Lines) Of(offset int) int {
	if offset < l.offset {
		l.offset, l.before = 0, 0
	}
	offset = min(offset, len(l.Text))
	l.before += strings.Count(l.Text[l.offset:offset], "\n")
	l.offset = offset
	return l.before + 1
}

// maxShells is how many sh -c may stand inside one another.
const maxShells = 3

// text reads a shell text: the source, or, with the offset of its command,
// what it gives a shell to run.
func (r *reader) text(text string, at, level int) error {
	script, err := shell.Read(text, r.budget)
	if err != nil {
		return err
	}
	if level == 0 {
		r.apart = append(r.apart, pendingWarning{nil, shellNotes(script.Notes, true)})
	}
	for _, e := range script.Expanded {
		r.api.Resolved = append(r.api.Resolved, &request.Variable{Name: e.Name, Value: e.Value})
	}
	for _, cmd := range script.Commands {
		r.budget.Parts(1 + len(cmd.Words))
		if level > 0 {
			cmd.Offset = at
		}
		if err := r.command(cmd, level); err != nil {
			return err
		}
	}
	if level == 0 && r.whole {
		r.api.Remarks = remarks(script.Trailing)
	}
	return nil
}

func (r *reader) command(cmd *script.Command, level int) error {
	const most = 4000 // bytes of remarks
	if cmd.Apart != "" && len(r.remarks)+len(cmd.Apart) <= most {
		r.remarks = strings.TrimPrefix(r.remarks+"\n\n"+cmd.Apart, "\n\n")
	}
	if words, ok := invocation.Call(cmd.Words); ok {
		return r.curl(cmd, words)
	}
	text := ""
	if inner, ok := invocation.ShellText(cmd); ok && level < maxShells {
		text = r.textOf(inner)
	}
	if !strings.Contains(text, "curl") && !shell.Mentions(text) {
		r.other(cmd)
		return nil
	}
	// The text is another shell's: when it cannot be read, the script can.
	err := r.text(text, cmd.Offset, level+1)
	if failure, ok := err.(*convert.Failure); ok && failure.Code == convert.InvalidSource {
		return convert.Refuse(convert.InvalidSource,
			"The text that a shell is given to run cannot be read.",
			"Close its quotes, or write its commands on lines of their own.").At(r.source, cmd.Offset)
	}
	return err
}

// curl adds the requests of one curl command.
func (r *reader) curl(cmd *script.Command, words []script.Word) error {
	r.calls++
	place := warning.Command(r.calls, r.lines.Of(cmd.Offset))
	args := &arguments{words: make([]argument, 0, len(words))}
	for _, w := range words {
		a := argument{text: r.textOf(w)}
		if len(w) == 1 {
			a.open = w[0].Kind != script.Literal && !w[0].Quoted
			a.unknown = w[0].Kind == script.Arguments
		}
		args.words = append(args.words, a)
	}
	stdin := r.input(cmd.Stdin)
	common := commandNotes(cmd)
	operations := 0
	for more := true; more; {
		r.budget.Parts(operationParts)
		op := &operation{reader: r, stdin: stdin, args: args}
		more = op.read(args)
		if op.informs {
			continue
		}
		at := place
		if len(op.urls) > 0 {
			operations++
		}
		if operations > 1 {
			at = place.Nth("operation", operations)
		}
		if len(op.urls) == 0 {
			r.apart = append(r.apart, pendingWarning{at, []note{{warning.UnknownURL, ""}}})
			continue
		}
		if op.unusable {
			op.note(warning.UnknownURL, "")
		}
		for _, n := range common {
			op.note(n.feature, n.about)
		}
		if err := op.requests(cmd, at); err != nil {
			return err
		}
	}
	return nil
}

// count refuses what would be sent beyond the bounds.
func (r *reader) count(sent, at int) error {
	r.budget.Parts(operationParts + requestParts)
	r.budget.Bytes(sent)
	r.requested++
	r.sent += sent
	if r.sent <= maxSent && r.requested <= maxRequests {
		return nil
	}
	return convert.Refuse(convert.TooComplex,
		"The commands send more than %d requests, or more than %d bytes when each request is written out.",
		"Send fewer commands or URLs at a time.", maxRequests, maxSent).At(r.source, at)
}

// textOf writes a word with {{name}} for its variables and remembers them.
func (r *reader) textOf(w script.Word) string {
	if text, literal := w.Literal(); literal {
		return text
	}
	var text strings.Builder
	for _, part := range w {
		if part.Kind == script.Literal {
			text.WriteString(part.Text)
		} else {
			text.WriteString(r.variable(part.Text, part.Default))
		}
	}
	return text.String()
}

// variable declares a variable and returns its {{name}}.
func (r *reader) variable(name, value string) string {
	if r.variables[name]++; r.variables[name] == 1 && request.VariableName(name) {
		r.api.Variables = append(r.api.Variables, &request.Variable{Name: name, Value: value, Shell: true})
	}
	return "{{" + name + "}}"
}

// fileName makes the {{name}} that stands for what a file holds.
func (r *reader) fileName() string {
	r.files++
	return r.variable("file_"+strconv.Itoa(r.files), "")
}

func (r *reader) input(in script.Input) *input {
	switch in.Kind {
	case script.Text:
		return &input{text: r.textOf(in.Word), known: true, document: in.Document}
	case script.File:
		return &input{file: r.textOf(in.Word)}
	}
	return &input{file: "-"}
}
