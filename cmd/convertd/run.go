package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// callFlags are the flags of every call, of one tool or of a pipeline.
type callFlags struct {
	MediaType string        `env:"-" placeholder:"TYPE" help:"What the inputs are, such as application/json; otherwise the only type that the tool accepts, what the file's name says, or what the text looks like."`
	Output    string        `env:"-" short:"o" default:"-" placeholder:"FILE" help:"Write the output to FILE when all has gone well; - is standard output."`
	InPlace   bool          `env:"-" short:"i" help:"Replace each FILE by its output, when all have gone well. Modes, owners and symbolic links stay."`
	OutDir    string        `env:"-" placeholder:"DIR" help:"Write each FILE's output into DIR, when all have gone well, named as the FILE with the extension of what the output is: .json, .yaml, .sh or .txt."`
	Check     bool          `env:"-" help:"Write nothing: refuse what cannot be converted and, where a tool gives what it takes (json_format), name each FILE that its output would change. Exit code 3 for either."`
	Lines     bool          `env:"-" help:"Each line of the input is an input, each answer is one line; empty lines are left out. A refused line is told on standard error, and the exit code is 3 at the end."`
	KeepGoing bool          `env:"-" help:"Go on behind a refused FILE, and write what went well."`
	Exact     bool          `env:"-" help:"Write the output's exact bytes; otherwise text that does not end with a line feed gets one."`
	Color     string        `env:"-" enum:"auto,always,never" default:"auto" help:"Whether JSON is in colours: ${enum}. auto is on a terminal, unless NO_COLOR is set."`
	MaxInput  byteSize      `env:"-" default:"1GiB" placeholder:"SIZE" help:"The largest input, or line of one, in bytes, KiB, MiB or GiB; at most 1GiB. A --server has its own limit."`
	JSON      bool          `name:"json" env:"-" help:"Write the whole answer, or the problem document, as the service gives it."`
	Quiet     bool          `env:"-" short:"q" help:"Do not write warnings to standard error."`
	Server    string        `placeholder:"URL" help:"Run it on this service instead of in this process."`
	Timeout   time.Duration `default:"30s" help:"How long the --server's whole answer may take."`
	BaseURL   string        `name:"base-url" env:"-" default:"http://127.0.0.1:8080" placeholder:"URL" help:"The address that editorUrl begins with in the whole answer, when it runs in this process."`
}

// byteSize is a number of bytes, at least one and at most what an input may be.
type byteSize int64

// UnmarshalText reads digits and a unit, B, KiB, MiB or GiB; K, M and G are
// short for the latter.
func (b *byteSize) UnmarshalText(text []byte) error {
	parts := regexp.MustCompile(`^([0-9]{1,10})(?:([KMG])(?:iB)?|B)?$`).FindSubmatch(text)
	if parts == nil {
		return errors.New("must be a size such as 1048576, 64MiB or 1GiB")
	}
	size, err := strconv.ParseInt(string(parts[1]), 10, 64)
	size <<= map[string]int{"K": 10, "M": 20, "G": 30}[string(parts[2])]
	if err != nil || size < 1 || size > cli.Most {
		return errors.New("must be from 1 byte to 1GiB")
	}
	*b = byteSize(size)
	return nil
}

// runCommand is convertd run. Each tool of the description is a command below
// it, with the tool's options as flags.
type runCommand struct {
	callFlags
	kong.Plugins
}

// newRunCommand builds the commands of the tools.
func newRunCommand(described []contract.Tool) runCommand {
	var fields []reflect.StructField
	for i, tool := range described {
		fields = append(fields, reflect.StructField{
			Name: "Tool" + strconv.Itoa(i),
			Type: reflect.StructOf(toolFields(tool)),
			Tag:  tag("cmd", "", "name", tool.Name, "help", tool.Title+"."),
		})
	}
	return runCommand{Plugins: kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}}
}

// toolFields are a tool's flags and its FILEs.
func toolFields(tool contract.Tool) []reflect.StructField {
	fields := []reflect.StructField{{
		Name: "File",
		Type: reflect.TypeFor[[]string](),
		Tag:  tag("arg", "", "optional", "", "sep", "none", "help", "The inputs; - or none is standard input."),
	}}
	for i, o := range tool.Options {
		field := reflect.StructField{Name: "Option" + strconv.Itoa(i), Type: reflect.TypeFor[*string]()}
		words := []string{"name", o.Name, "env", "-", "help", forTerminal(o.Description)}
		switch {
		case o.Integer:
			field.Type = reflect.TypeFor[*wholeNumber]()
			words[5] += fmt.Sprintf(" %d to %d.", o.Minimum, o.Maximum)
			words = append(words, "placeholder", "N")
		case len(o.Enum) > 0:
			words[5] += " One of " + strings.Join(o.Enum, ", ") + "."
			words = append(words, "placeholder", strings.ToUpper(o.Name))
		}
		if o.Default != nil {
			words[5] += fmt.Sprintf(" Default %v.", o.Default)
		}
		if o.Required {
			words = append(words, "required", "")
		}
		field.Tag = tag(words...)
		fields = append(fields, field)
	}
	return fields
}

// wholeNumber is an integer option's value; its range is the contract's to
// check.
type wholeNumber int

// UnmarshalText reads digits, for kong, whose own words for an int are about
// its type.
func (n *wholeNumber) UnmarshalText(text []byte) error {
	value, err := strconv.Atoi(string(text))
	if err != nil {
		return fmt.Errorf("must be a whole number, not %q", text)
	}
	*n = wholeNumber(value)
	return nil
}

// inFront puts the flags of run and pipeline in front of their FILEs, wherever
// they stand: kong reads a list up to the first flag behind it.
func inFront(node *kong.Node, args []string) []string {
	if len(args) == 0 || args[0] != "run" && args[0] != "pipeline" {
		return args
	}
	var flags []*kong.Flag
	var first, files []string
	for i := 0; i < len(args); i++ {
		word := args[i]
		switch child := slices.IndexFunc(node.Children, func(child *kong.Node) bool { return child.Name == word }); {
		case word == "--":
			files = append(files, args[i+1:]...)
			i = len(args)
		case len(word) > 1 && word[0] == '-':
			first = append(first, word)
			if needsValue(flags, word) != nil && i+1 < len(args) {
				i++
				first = append(first, args[i])
			}
		case child >= 0:
			node = node.Children[child]
			flags = append(flags, node.Flags...)
			first = append(first, word)
		default:
			files = append(files, word)
		}
	}
	if len(node.Children) == 0 && len(files) > 0 {
		first = append(first, "--")
	}
	return append(first, files...)
}

// optionNames are options as the description writes them.
var optionNames = regexp.MustCompile("`options\\.([a-z]+)`")

// forTerminal is a text of the description for a person at a terminal: options
// are flags there, and nothing is Markdown.
func forTerminal(text string) string {
	return strings.ReplaceAll(optionNames.ReplaceAllString(text, "--$1"), "`", "")
}

// tag writes a struct tag of names and values. A dollar sign would begin a
// variable of kong's.
func tag(pairs ...string) reflect.StructTag {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, "%s:%q ", pairs[i], strings.ReplaceAll(pairs[i+1], "$", "$$"))
	}
	return reflect.StructTag(b.String())
}

// Run runs the tool whose command is selected.
func (r *runCommand) Run(ctx context.Context, k *kong.Context, c *contract.Contract, std streams) error {
	node := k.Selected()
	tool := c.Tool(node.Name)
	if tool == nil {
		return &usageError{errors.New("run: which tool?")}
	}
	options := map[string]any{}
	for _, flag := range node.Flags {
		switch value := flag.Target.Interface().(type) {
		case *string:
			if value != nil {
				options[flag.Name] = *value
			}
		case *wholeNumber:
			if value != nil {
				options[flag.Name] = cli.Scalar(int(*value))
			}
		}
	}
	call := &call{callFlags: r.callFlags, contract: c, std: std, tool: tool.Name, first: tool, last: tool, options: options}
	call.files, _ = node.Positional[0].Target.Interface().([]string)
	call.request = cli.Request{Operation: tool.Name, Path: tool.Path, Body: map[string]any{"options": options}}
	return call.run(ctx)
}

// pipelineCommand is convertd pipeline.
type pipelineCommand struct {
	callFlags
	Recipe []string `arg:"" sep:"none" help:"A recipe link, a file with a pipeline request in JSON, or steps such as json_format,indent:4; then the inputs' FILEs, - or none for standard input."`
}

// Run runs the recipe.
func (p *pipelineCommand) Run(ctx context.Context, c *contract.Contract, std streams) error {
	body, files, err := cli.Recipe(c, p.Recipe)
	if err != nil {
		return &usageError{err}
	}
	call := &call{callFlags: p.callFlags, contract: c, std: std, files: files}
	if mediaType, value, has := cli.Input(body); has && len(files) == 0 {
		call.given = &convert.Artifact{MediaType: mediaType, Value: value}
	}
	call.first, call.last, call.options = cli.Ends(c, body)
	if call.last != nil {
		call.options = asked(call.last, call.options)
	}
	if call.first == nil && call.given == nil && p.MediaType == "" {
		return &usageError{errors.New("the recipe's first step names no tool that this program knows")}
	}
	call.request = cli.Request{Operation: contract.Pipeline, Path: c.PathOf(contract.Pipeline), Body: body}
	return call.run(ctx)
}

// asked are a step's options without its tool's defaults, which a recipe of
// steps holds too.
func asked(tool *contract.Tool, options map[string]any) map[string]any {
	options = maps.Clone(options)
	for _, o := range tool.Options {
		if o.Default != nil && options[o.Name] == cli.Scalar(o.Default) {
			delete(options, o.Name)
		}
	}
	return options
}
