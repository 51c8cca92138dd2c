package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/printable"
	"github.com/convertd/convertd/internal/tools"
)

// callFlags are the flags of every call, of one tool or of a pipeline.
type callFlags struct {
	MediaType string        `env:"-" placeholder:"TYPE" help:"What the input is, such as application/json; otherwise the only type that the tool accepts, or what the file's name says."`
	Output    string        `env:"-" short:"o" default:"-" placeholder:"FILE" help:"Write the output to FILE when all has gone well; - is standard output."`
	JSON      bool          `name:"json" env:"-" help:"Write the whole answer, or the problem document, as the service gives it."`
	Quiet     bool          `env:"-" short:"q" help:"Do not write warnings to standard error."`
	Server    string        `placeholder:"URL" help:"Run it on this service instead of in this process."`
	Timeout   time.Duration `default:"30s" help:"How long the --server's whole answer may take."`
	BaseURL   string        `name:"base-url" env:"-" default:"http://127.0.0.1:8080" placeholder:"URL" help:"The address that editorUrl begins with in the whole answer, when it runs in this process."`
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

// toolFields are a tool's flags and its FILE.
func toolFields(tool contract.Tool) []reflect.StructField {
	fields := []reflect.StructField{{
		Name: "File",
		Type: reflect.TypeFor[string](),
		Tag:  tag("arg", "", "optional", "", "default", cli.Stdin, "help", "The input; - or none is standard input."),
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
	call := call{callFlags: r.callFlags, contract: c, std: std, file: node.Positional[0].Target.String(), tool: tool.Name}
	mediaType, err := cli.MediaType(tool, r.MediaType, call.file)
	if err != nil {
		return &usageError{err}
	}
	input, err := call.read()
	if err != nil {
		return err
	}
	return call.run(ctx, input, cli.Request{
		Operation: tool.Name,
		Path:      tool.Path,
		Body: map[string]any{
			"input":   map[string]any{"mediaType": mediaType, "value": input},
			"options": options,
		},
	})
}

// pipelineCommand is convertd pipeline.
type pipelineCommand struct {
	callFlags
	Recipe []string `arg:"" help:"A recipe link, a file with a pipeline request in JSON, or steps such as json_format,indent:4; then the input's FILE, - or none for standard input."`
}

// Run runs the recipe.
func (p *pipelineCommand) Run(ctx context.Context, c *contract.Contract, std streams) error {
	body, file, err := cli.Recipe(c, p.Recipe)
	if err != nil {
		return &usageError{err}
	}
	call := call{callFlags: p.callFlags, contract: c, std: std, file: file}
	_, input, has := cli.Input(body)
	if !has || file != "" {
		if file == "" {
			call.file = cli.Stdin
		}
		first := cli.FirstTool(c, body)
		if first == nil && p.MediaType == "" {
			return &usageError{errors.New("the recipe's first step names no tool that this program knows")}
		}
		mediaType, err := cli.MediaType(first, p.MediaType, call.file)
		if err != nil {
			return &usageError{err}
		}
		if input, err = call.read(); err != nil {
			return err
		}
		body["input"] = map[string]any{"mediaType": mediaType, "value": input}
	}
	return call.run(ctx, input, cli.Request{Operation: contract.Pipeline, Path: c.PathOf(contract.Pipeline), Body: body})
}

// call is what run and pipeline have in common.
type call struct {
	callFlags
	contract *contract.Contract
	std      streams
	file     string // the input's file, "-" is standard input
	tool     string // its name, "" for a pipeline
}

func (c *call) read() (string, error) {
	if c.file == cli.Stdin && cli.Terminal(c.std.in) {
		fmt.Fprintln(c.std.err, "Reading the input from the terminal; end it with Ctrl-D.")
	}
	text, err := cli.Read(c.contract, c.file, c.std.in)
	var problem *cli.Problem
	if errors.As(err, &problem) {
		return "", c.refused(problem, text)
	}
	return text, err
}

// run runs the request and writes the answer, or explains the refusal.
func (c *call) run(ctx context.Context, input string, request cli.Request) error {
	converter, err := c.converter()
	if err != nil {
		return &usageError{err}
	}
	stop := cli.Wait(c.std.err, "converting")
	answer, err := converter.Convert(ctx, request)
	stop()
	var problem *cli.Problem
	if errors.As(err, &problem) {
		return c.refused(problem, input)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return c.write(string(answer.JSON()))
	}
	for _, warning := range answer.Warnings {
		if !c.Quiet {
			fmt.Fprintf(c.std.err, "warning: %s\n", printable.Line(warning))
		}
	}
	return c.write(answer.Output.Value)
}

func (c *call) converter() (cli.Converter, error) {
	if c.Server != "" {
		return cli.NewRemote(c.Server, version, c.Timeout)
	}
	return cli.NewLocal(c.contract, tools.All(), strings.TrimSuffix(c.BaseURL, "/"), version)
}

// write writes exactly these bytes, but to a terminal: it is shown what would
// act on it (see run), and gets the line feed that its prompt wants.
func (c *call) write(output string) error {
	if c.Output != "-" {
		return os.WriteFile(c.Output, []byte(output), 0o644)
	}
	if _, err := io.WriteString(c.std.out, output); err != nil {
		return err
	}
	if cli.Terminal(c.std.out) && len(output) > 0 && output[len(output)-1] != '\n' {
		_, err := io.WriteString(c.std.out, "\n")
		return err
	}
	return nil
}

// refused explains a problem and returns it, for the exit code. A bad option
// is bad usage of its flag.
func (c *call) refused(problem *cli.Problem, input string) error {
	name := c.file
	if name == cli.Stdin {
		name = "standard input"
	}
	switch option := problem.Option(); {
	case c.JSON:
		if err := c.write(string(problem.JSON)); err != nil {
			return err
		}
	case option != "":
		fmt.Fprintf(c.std.err, "convertd: --%s: %s\nTry convertd run %s --help.\n", printable.Line(option), printable.Line(problem.Detail), c.tool)
	default:
		problem.Explain(c.std.err, name, input)
	}
	return &explained{problem}
}

// explained is a problem that the user has been told of.
type explained struct{ *cli.Problem }

// usageError is an error of the arguments that kong cannot see.
type usageError struct{ error }

// toolsCommand is convertd tools.
type toolsCommand struct {
	JSON bool `name:"json" env:"-" help:"As JSON, for programs."`
}

// listedTool is one tool as convertd tools --json gives it.
type listedTool struct {
	Name     string         `json:"name"`
	Path     string         `json:"path"`
	Title    string         `json:"title"`
	Accepts  []string       `json:"accepts"`
	Produces []string       `json:"produces"`
	Options  []listedOption `json:"options"`
}

type listedOption struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Minimum     *int     `json:"minimum,omitempty"`
	Maximum     *int     `json:"maximum,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Default     any      `json:"default,omitempty"`
	Required    bool     `json:"required"`
}

// Run lists the tools of the description.
func (t *toolsCommand) Run(c *contract.Contract, std streams) error {
	if !t.JSON {
		for _, tool := range c.Tools() {
			fmt.Fprintf(std.out, "%s\n    %s: %s -> %s\n", tool.Name, tool.Title, strings.Join(tool.Accepts, ", "), strings.Join(tool.Produces, ", "))
			for _, o := range tool.Options {
				fmt.Fprintf(std.out, "    --%s  %s\n", o.Name, o.Description)
			}
		}
		return nil
	}
	list := []listedTool{}
	for _, tool := range c.Tools() {
		listed := listedTool{tool.Name, tool.Path, tool.Title, tool.Accepts, tool.Produces, []listedOption{}}
		for _, o := range tool.Options {
			option := listedOption{Name: o.Name, Description: o.Description, Enum: o.Enum, Default: o.Default, Required: o.Required}
			if o.Integer {
				option.Minimum, option.Maximum = &o.Minimum, &o.Maximum
			}
			listed.Options = append(listed.Options, option)
		}
		list = append(list, listed)
	}
	encoder := json.NewEncoder(std.out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(list)
}
