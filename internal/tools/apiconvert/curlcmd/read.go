package curlcmd

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell"
)

// The bounds of what the commands of one text send. What lies beyond is
// refused as too complex.
const (
	MaxRequests = 50_000
	MaxSent     = 16 << 20 // bytes of all requests, each written out in full
)

// Read returns the requests that the curl commands of text send. text must be
// valid UTF-8. patterns says that an address with {a,b} or [1-3] stays one
// request, whatever it stands for. A text without a curl command gives a Result without requests.
// The error is a *convert.Failure of shell.Read, or TooComplex. What
// is read and sent is paid from b.
func Read(text string, patterns bool, b *budget.Budget) (*Result, error) {
	p := &parser{budget: b, patterns: patterns, source: text, result: &Result{}, variables: map[string]bool{}}
	if err := p.text(text, -1, 0); err != nil {
		return nil, err
	}
	return p.result, nil
}

// parser collects the requests of one text.
type parser struct {
	budget    *budget.Budget
	patterns  bool // an address with patterns stays one request
	source    string
	result    *Result
	variables map[string]bool // those in the result
	calls     int             // curl commands so far
	files     int             // {{file_1}} … so far
	apart     string          // comments since the last curl command
	others    int             // commands other than curl that have been noted
	requested int             // of MaxRequests
	sent      int             // of MaxSent
}

// operationParts is what an operation and a request of one cost, in parts of
// the budget.
const operationParts = 4

// maxShells is how many sh -c may stand inside one another.
const maxShells = 3

// text reads a shell text: the source, or, with the offset of its command,
// what sh -c runs.
func (p *parser) text(text string, at, level int) error {
	script, err := shell.Read(text, p.budget)
	if err != nil {
		return err
	}
	if level == 0 {
		for _, n := range script.Notes {
			p.note(Note{Kind: Changed, Feature: string(n)})
		}
		p.result.Trailing = script.Trailing
	}
	p.result.Expanded = append(p.result.Expanded, script.Expanded...)
	for _, cmd := range script.Commands {
		p.budget.Parts(1 + len(cmd.Words))
		if level > 0 {
			cmd.Offset = at
		}
		if err := p.command(cmd, level); err != nil {
			return err
		}
	}
	return nil
}

func (p *parser) command(cmd *shell.Command, level int) error {
	if words, ok := call(cmd.Words); ok {
		return p.curl(cmd, words)
	}
	p.part(cmd.Apart)
	text := ""
	if inner, ok := shellText(cmd.Words); ok && level < maxShells {
		text = p.textOf(inner)
	}
	if !strings.Contains(text, "curl") {
		p.other(cmd)
		return nil
	}
	// The text is another shell's: when it cannot be read, the script can.
	err := p.text(text, cmd.Offset, level+1)
	if failure, ok := err.(*convert.Failure); ok && failure.Code == convert.InvalidSource {
		return convert.Refuse(convert.InvalidSource,
			"The text that a shell is given with -c cannot be read.",
			"Close its quotes, or write its commands on lines of their own.").At(p.source, cmd.Offset)
	}
	return err
}

// part keeps a comment that does not stand right above a curl command.
func (p *parser) part(comment string) {
	if comment != "" && len(p.apart)+len(comment) <= maxApart {
		p.apart = strings.TrimPrefix(p.apart+"\n\n"+comment, "\n\n")
	}
}

const maxApart = 4000

// setting are the commands that only prepare or print, or feed a pipe.
const setting = " set export readonly local declare typeset unset echo printf cat cd true false : test [ [[ (( exit " +
	"return shift break continue trap sleep wait read clear pwd type which shopt alias source . let umask tee command " +
	"hash builtin ulimit time "

// bare reports whether words are prefixes that run nothing.
func bare(words []shell.Word) bool {
	for len(words) > 0 {
		p, ok := prefixes[baseName(words[0])]
		if !ok {
			return false
		}
		words = p.skip(words[1:])
	}
	return true
}

// plainName is what a command may be called so that its name is no secret.
var plainName = expression.Lazy(`^[A-Za-z][A-Za-z_.-]{0,30}[0-9]{0,2}$`)

// other notes that a command other than curl does something.
func (p *parser) other(cmd *shell.Command) {
	const most = 100
	if p.others == most || len(cmd.Words) == 0 || cmd.Within&shell.Substitution != 0 || cmd.Stdin.Kind != shell.Terminal ||
		cmd.PipesInto != "" || strings.Contains(setting, " "+baseName(cmd.Words[0])+" ") || bare(cmd.Words) {
		return // what reads curl's output is told with curl
	}
	p.others++
	p.result.Notes = append(p.result.Notes, Note{
		Kind: Lost, Feature: "other_commands", About: cmp.Or(plainName().FindString(baseName(cmd.Words[0])), "a command"), Place: Place{Offset: cmd.Offset},
	})
}

// curl adds the requests of one curl command.
func (p *parser) curl(cmd *shell.Command, words []shell.Word) error {
	p.calls++
	p.part(cmd.Apart)
	first := len(p.result.Requests)
	defer func() {
		if first < len(p.result.Requests) {
			p.result.Requests[first].Apart, p.apart = p.apart, ""
		}
	}()
	place := Place{Command: p.calls, Offset: cmd.Offset}
	args := &arguments{words: make([]argument, 0, len(words))}
	for _, w := range words {
		args.words = append(args.words, p.argument(w))
	}
	common := commandNotes(cmd)
	stdin := p.input(cmd.Stdin)
	for more := true; more; {
		p.budget.Parts(operationParts)
		op := &operation{stdin: stdin, fileName: p.fileName, budget: p.budget, patterns: p.patterns}
		more = op.read(args)
		if op.informs {
			continue
		}
		if len(op.urls) == 0 {
			p.note(Note{Kind: Lost, Feature: "no_url", Place: place})
			continue
		}
		place.Operation++
		for _, n := range common {
			op.note(n)
		}
		sent, err := op.requests(func(size int) error { return p.count(size, place.Offset) })
		if err != nil {
			return err
		}
		for i := range sent {
			place.URL = i + 1
			sent[i].Place, sent[i].Comment = place, cmd.Comment
		}
		p.result.Requests = append(p.result.Requests, sent...)
	}
	return nil
}

// note adds a note about the text that is not there yet.
func (p *parser) note(n Note) {
	if !slices.Contains(p.result.Notes, n) {
		p.result.Notes = append(p.result.Notes, n)
	}
}

// count refuses what would be sent beyond the bounds.
func (p *parser) count(sent, at int) error {
	p.budget.Parts(operationParts)
	p.budget.Bytes(sent)
	p.requested++
	p.sent += sent
	if p.sent <= MaxSent && p.requested <= MaxRequests {
		return nil
	}
	return convert.Refuse(convert.TooComplex,
		"The commands send more than %d requests, or more than %d bytes when each request is written out.",
		"Send fewer commands or URLs at a time.", MaxRequests, MaxSent).At(p.source, at)
}

// commandNotes tells what the shell reader noted about a command.
func commandNotes(cmd *shell.Command) []Note {
	var notes []Note
	for _, n := range cmd.Notes {
		note := Note{Kind: Changed, Feature: string(n)}
		switch n {
		case shell.SubstitutionUsed, shell.ArithmeticUsed, shell.ProcessSubstituted, shell.ArgumentsUnknown,
			shell.ExpansionUnknown:
			note.Kind = Lost // the value is not known
		}
		notes = append(notes, note)
	}
	if cmd.Within&shell.Substitution == 0 && (cmd.PipesInto != "" || writesFile(cmd)) {
		notes = append(notes, Note{Kind: Lost, Feature: "output", About: outputOf(cmd)})
	}
	if cmd.Within&shell.Loop != 0 {
		notes = append(notes, Note{Kind: Lost, Feature: "loop"})
	}
	if cmd.Within&shell.Conditional != 0 {
		notes = append(notes, Note{Kind: Lost, Feature: "condition"})
	}
	return notes
}

// outputOf says what a command's output goes to.
func outputOf(cmd *shell.Command) string {
	if cmd.PipesInto != "" {
		return strings.TrimPrefix("| "+cmd.PipesInto, "| |")
	}
	for _, r := range cmd.Redirects {
		if text, literal := r.Target.Literal(); r.FD == 1 && literal && text != "" {
			return "> " + text
		}
	}
	return ""
}

// writesFile reports whether a command's output goes to a file.
func writesFile(cmd *shell.Command) bool {
	for _, r := range cmd.Redirects {
		if text, _ := r.Target.Literal(); r.FD == 1 && strings.HasPrefix(r.Op, ">") && r.Op != ">&" && text != "/dev/null" {
			return true
		}
	}
	return false
}

// argument is a word of curl's as a text.
type argument struct {
	text string
	// open says that the word is one unquoted variable: it may stand for any
	// number of arguments, or for none.
	open bool
	// unknown says that the word is "$@" or the like.
	unknown bool
}

func (p *parser) argument(w shell.Word) argument {
	a := argument{text: p.textOf(w)}
	if len(w) == 1 {
		a.open = w[0].Kind != shell.Literal && !w[0].Quoted
		a.unknown = w[0].Kind == shell.Arguments
	}
	return a
}

// textOf writes a word with {{name}} for its variables and remembers them.
func (p *parser) textOf(w shell.Word) string {
	if len(w) == 1 && w[0].Kind == shell.Literal {
		return w[0].Text
	}
	var text strings.Builder
	for _, part := range w {
		if part.Kind == shell.Literal {
			text.WriteString(part.Text)
			continue
		}
		text.WriteString("{{" + part.Text + "}}")
		p.variable(part)
	}
	return text.String()
}

func (p *parser) variable(part shell.Part) {
	if p.variables[part.Text] {
		return
	}
	p.variables[part.Text] = true
	p.result.Variables = append(p.result.Variables, Variable{
		Name: part.Text, Default: part.Default, HasDefault: part.HasDefault, Kind: part.Kind,
	})
}

// fileName makes the {{name}} that stands for what a file holds.
func (p *parser) fileName() string {
	p.files++
	name := "file_" + strconv.Itoa(p.files)
	p.variable(shell.Part{Kind: shell.CommandSubstitution, Text: name})
	return "{{" + name + "}}"
}

// input is what @- reads: a text, or a file by name ("-" when it is not
// known).
type input struct {
	text     string
	file     string
	known    bool // it is the text; what is read once is gone
	document bool // the text stands in a here-document
}

func (p *parser) input(in shell.Input) *input {
	switch in.Kind {
	case shell.Text:
		return &input{text: p.textOf(in.Word), known: true, document: in.Document}
	case shell.File:
		return &input{file: p.textOf(in.Word)}
	}
	return &input{file: "-"}
}
