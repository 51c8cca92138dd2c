package curl

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/invocation"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/extract"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Limits on what the commands of one script send. Anything beyond them is rejected as too complex.
const (
	maxRequests = 50_000
	maxSent     = 16 << 20 // bytes of all requests, each fully expanded
)

// Read reads a shell script. It runs no command and reads no file. It fails with unrecognized_source if no command is
// curl; with invalid_source and the position if the script is malformed, as with an unterminated quote; and with
// too_complex if it is nested or repeated too much.
//
// toShell reports that the target is also a shell script, which can express more than other formats: a URL with curl's
// {a,b} or [1-3] remains one request. Request.Transport holds the options that control how curl sends, including those
// for its output. For a target in another format, call Portable with the model.
func Read(src *extract.Script, toShell bool, b *budget.Budget, warnings *warning.List) (*request.API, error) {
	text := shell.Normalize(src.Text)
	r := &reader{
		toShell: toShell, budget: b, warnings: warnings, source: text, api: &request.API{}, lines: Lines{Script: src, Text: text},
		servers: map[string]*request.Server{}, keys: map[string]bool{}, variables: map[string]int{},
	}
	r.readKeys()
	if err := r.text(text, -1, 0); err != nil {
		return nil, src.Relocate(err)
	}
	if len(r.api.Requests) == 0 {
		return nil, src.Reject(convert.Reject(convert.UnrecognizedSource,
			"The script has no curl command with an HTTP URL.",
			"Send a script with at least one curl command that has a URL."))
	}
	r.captures()
	r.unused()
	r.fills()
	r.api.Variables = slices.DeleteFunc(r.api.Variables, func(v *request.Variable) bool { return r.variables[v.Name] == 0 })
	r.reportOthers()
	ReportUnread(src.Unread, warnings)
	r.dropped()
	for _, p := range r.pending {
		for _, n := range *p.notes {
			n.report(warnings, p.at)
		}
	}
	return r.api, nil
}

// reader builds the model of one script.
type reader struct {
	toShell   bool
	budget    *budget.Budget
	source    string
	api       *request.API
	servers   map[string]*request.Server
	keys      map[string]bool            // the values that are API keys
	variables map[string]int             // how many words use each variable of the model
	json      map[string]bool            // the {{name}} of values that are JSON
	printed   map[string]bool            // the {{name}} of what commands print
	written   map[string]*script.Command // the commands whose here-documents are the contents of files
	settings  []*script.Setting
	taken     map[*script.Command]bool // the commands whose words requests have …
	kept      map[setting]bool         // … and the settings whose values they have
	set       []set                    // the variables that it sets to what commands print …
	setAt     map[set]*script.Command  // … and the command that does
	sentBy    map[*script.Command][]*request.Request
	rest      []*script.Command // those that are not curl
	filled    []script.Filled
	loops     map[string][]string       // the values that a loop sets, by its variable
	fillers   map[int]map[string]string // Request.Filled for each command, by its offset
	lines     Lines
	warnings  *warning.List
	pending   []pendingWarning // about the requests; reported last

	cur       *script.Command // that is being read
	calls     int             // curl commands so far
	files     int             // {{file_1}} … so far
	bodies    int             // {{body_1}} … so far
	requested int             // counts towards maxRequests
	sent      int             // counts towards maxSent
	inserted  int             // counts towards maxInserted

	comments  []script.Comment
	described map[string]bool // the lines of comments that requests have
}

// pendingWarning holds notes about a request, which are reported once the script has been read.
type pendingWarning struct {
	at    warning.Place
	notes *[]note
}

// Lines maps offsets in Text, the text of a script, to lines of the source.
type Lines struct {
	Script *extract.Script
	Text   string
	ends   []int // the offsets of the line ends
}

// Of returns the line of an offset, counting from 1.
func (l *Lines) Of(offset int) int {
	if l.ends == nil {
		l.ends = []int{}
		for i := range len(l.Text) {
			if l.Text[i] == '\n' {
				l.ends = append(l.ends, i)
			}
		}
	}
	before, _ := slices.BinarySearch(l.ends, offset)
	return l.Script.Line(before + 1)
}

// maxShells limits the nesting of sh -c.
const maxShells = 3

// text reads a script: the source, or what a command passes to another shell, with the offset of that command.
func (r *reader) text(text string, at, level int) error {
	script, err := shell.Read(text, r.budget)
	if err != nil {
		return err
	}
	if level == 0 {
		for _, n := range shellNotes(script.Notes, true) {
			n.report(r.warnings, nil)
		}
	}
	for _, e := range script.Expanded {
		r.api.Resolved = append(r.api.Resolved, &request.Variable{Name: e.Name, Value: e.Value})
	}
	for name, values := range script.Loops {
		put(&r.loops, name, values)
	}
	for _, f := range script.Filled {
		if level > 0 {
			f.Offset = at
		}
		r.filled = append(r.filled, f)
	}
	for _, c := range script.Comments {
		if level > 0 {
			c.Offset = at
		}
		r.comments = append(r.comments, c)
	}
	for _, s := range script.Settings {
		if level > 0 {
			s.By.Written = at
		}
		r.settings = append(r.settings, s)
	}
	for _, cmd := range script.Commands {
		if level > 0 {
			cmd.Offset, cmd.Written = at, at
		}
		r.cur = cmd
		if err := r.command(cmd, level); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) command(cmd *script.Command, level int) error {
	if words, _, ok := invocation.Call(cmd.Words); ok {
		return r.curl(cmd, words)
	}
	text := ""
	if inner, ok := invocation.ShellText(cmd); ok && level < maxShells {
		text = r.textOf(inner)
	}
	if !strings.Contains(text, "curl") && !shell.Mentions(text) {
		r.write(cmd)
		r.sets(cmd)
		r.rest = append(r.rest, cmd)
		return nil
	}
	r.takes(cmd)
	// Positions in the inner script mean nothing to the user, so the failure gets the command's position.
	err := r.text(text, cmd.Offset, level+1)
	if failure, ok := err.(*convert.Failure); ok && failure.Code == convert.InvalidSource {
		return convert.Reject(convert.InvalidSource,
			"A script that is passed to a shell, as in sh -c, has a quote or substitution that is not closed.",
			"Close it, or write the commands on separate lines without sh -c.").At(r.source, cmd.Offset)
	}
	return err
}

// fills gives each request the variables that its command has after a slash, and the API those of other commands.
func (r *reader) fills() {
	r.api.Filled = map[string]string{}
	for _, f := range r.filled {
		names, sends := r.fillers[f.Offset]
		if !sends {
			names = r.api.Filled
		}
		names[f.Value] = cmp.Or(names[f.Value], f.Name)
	}
}

// write records the file that cat > NAME writes if its content is a here-document, and forgets a file that another
// command writes.
func (r *reader) write(cmd *script.Command) {
	for _, red := range cmd.Redirects {
		name, literal := red.Target.Literal()
		name = strings.TrimPrefix(name, "./")
		if red.FD != 1 || !literal || name == "" {
			continue
		}
		delete(r.written, name)
		if red.Op == ">" && len(cmd.Words) == 1 && cmd.CommandName() == "cat" && cmd.Stdin.Kind == script.Text && cmd.Within == 0 {
			put(&r.written, name, cmd)
		}
	}
}

// curl adds the requests of one curl command.
func (r *reader) curl(cmd *script.Command, words []script.Word) error {
	r.calls++
	place := warning.Command(r.calls, r.lines.Of(cmd.Offset))
	texts := make([]syntax.Word, len(words))
	for i, w := range words {
		texts[i] = syntax.NewWord(r.textOf(w), w)
	}
	args := syntax.NewScanner(texts)
	stdin := r.input(cmd)
	common := commandNotes(cmd)
	operations, before := 0, len(r.api.Requests)
	for more := true; more; {
		r.budget.Parts(budget.Entry)
		op := &operation{reader: r, stdin: stdin, args: args}
		more = op.read()
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
			r.warnings.Add(warning.LostURL, at)
			continue
		}
		if op.unusable {
			op.note(warning.LostURL, "")
		}
		for _, n := range common {
			op.note(n.feature, n.about)
		}
		if err := op.requests(cmd, at); err != nil {
			return err
		}
	}
	r.takes(cmd)
	if len(r.api.Requests) > before {
		for line := range strings.SplitSeq(cmd.Comment, "\n") {
			put(&r.described, line, true)
		}
	}
	put(&r.sentBy, cmd, r.api.Requests[before:])
	return nil
}

// count rejects requests beyond the limits.
func (r *reader) count(sent, at int) error {
	r.budget.Parts(budget.Request)
	r.budget.Bytes(sent)
	r.requested++
	r.sent += sent
	if r.sent <= maxSent && r.requested <= maxRequests {
		return nil
	}
	return convert.Reject(convert.TooComplex,
		"The commands send more than %d requests, or requests of more than %d bytes in total.",
		"Send fewer commands or URLs at a time.", maxRequests, maxSent).At(r.source, at)
}

// textOf returns a word as a string with {{name}} for its variables, and declares them.
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
			if isOutput(part) {
				r.setBy(part.Text, part.Output)
				if part.Kind == script.CommandSubstitution {
					put(&r.printed, "{{"+part.Text+"}}", true)
				}
			}
			if part.JSON {
				put(&r.json, "{{"+part.Text+"}}", true)
			}
		}
	}
	return text.String()
}

// variable declares a variable, unless it is one that Postman generates, and returns its {{name}}.
func (r *reader) variable(name, value string) string {
	if r.variables[name]++; r.variables[name] == 1 && request.VariableName(name) && name[0] != '$' {
		r.api.Variables = append(r.api.Variables, &request.Variable{Name: name, Value: value, Enum: slices.Clone(r.loops[name]), Shell: true})
	}
	return "{{" + name + "}}"
}

// fileName returns a new {{name}} for the content of a file.
func (r *reader) fileName() string {
	r.files++
	return r.variable("file_"+strconv.Itoa(r.files), "")
}

func (r *reader) input(cmd *script.Command) *input {
	switch in := cmd.Stdin; in.Kind {
	case script.Text:
		return &input{text: r.textOf(in.Word)}
	case script.File:
		return &input{file: r.textOf(in.Word)}
	}
	in := &input{unknown: true}
	if n := len(cmd.Feeders); n > 0 {
		in.from = plainName().FindString(cmd.Feeders[n-1].CommandName())
		in.json = posix.PrintsJSON(cmd.Feeders[n-1])
	}
	return in
}
