package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// callFlags are the flags of every call, of one tool or of a pipeline.
type callFlags struct {
	MediaType string
	Output    string
	InPlace   bool
	OutDir    string
	Check     bool
	Lines     bool
	KeepGoing bool
	Exact     bool
	Color     string
	MaxInput  int64
	JSON      bool
	Quiet     bool
	Server    string
	Timeout   time.Duration
	BaseURL   string
}

// addTo adds the flags to a command and those below it.
func (c *callFlags) addTo(command *cobra.Command) {
	f := flags{command.PersistentFlags()}
	f.SortFlags = false
	f.text(&c.MediaType, "media-type", "TYPE", "", "What the inputs are, such as application/json; otherwise the only type that the tool accepts, what the file's name says, or what the text looks like.")
	f.text(&c.Output, "output,o", "FILE", "-", "Write the output to FILE when all has gone well; - is standard output.")
	f.on(&c.InPlace, "in-place,i", "Replace each FILE by its output, when all have gone well. Modes, owners and symbolic links stay.")
	f.text(&c.OutDir, "out-dir", "DIR", "", "Write each FILE's output into DIR, when all have gone well, named as the FILE with the extension of what the output is: .json, .yaml, .sh or .txt.")
	f.on(&c.Check, "check", "Write nothing: refuse what cannot be converted and, where a tool gives what it takes (json_format), name each FILE that its output would change. Exit code 3 for either.")
	f.on(&c.Lines, "lines", "Each line of the input is an input, each answer is one line; empty lines are left out. A refused line is told on standard error, and the exit code is 3 at the end.")
	f.on(&c.KeepGoing, "keep-going", "Go on behind a refused FILE, and write what went well.")
	f.on(&c.Exact, "exact", "Write the output's exact bytes; otherwise text that does not end with a line feed gets one.")
	f.choice(&c.Color, "color", "Whether JSON is in colours: auto, always or never. auto is on a terminal, unless NO_COLOR is set.", "auto", "always", "never")
	f.size(&c.MaxInput, "max-input", "1GiB", "The largest input, or line of one, in bytes, KiB, MiB or GiB; at most 1GiB. A --server has its own limit.")
	f.on(&c.JSON, "json", "Write the whole answer, or the problem document, as the service gives it.")
	f.on(&c.Quiet, "quiet,q", "Do not write warnings to standard error.")
	f.text(&c.Server, "server", "URL", "", "Run it on this service instead of in this process.")
	f.duration(&c.Timeout, "timeout", "30s", "How long the --server's whole answer may take.")
	f.text(&c.BaseURL, "base-url", "URL", "http://127.0.0.1:8080", "The address that editorUrl begins with in the whole answer, when it runs in this process.")
	f.fromEnvironment("server", "timeout")
}

// newRun is convertd run. Each tool of the description is a command below it,
// with the tool's options as flags.
func newRun(p *commandLine) *cobra.Command {
	given := &callFlags{}
	command := p.command("run", "Run one tool on files or on standard input.", argument{name: "TOOL", optional: true, many: true}, nil)
	command.RunE = func(command *cobra.Command, args []string) error { return wrongCommand(command, args) }
	given.addTo(command)
	for i := range p.contract.Tools() {
		command.AddCommand(newTool(p, &p.contract.Tools()[i], given))
	}
	return command
}

// newTool is the command of one tool.
func newTool(p *commandLine, tool *contract.Tool, given *callFlags) *cobra.Command {
	options := map[string]any{}
	takes := argument{name: "FILE", help: "The inputs; - or none is standard input.", optional: true, many: true}
	command := p.command(tool.Name, tool.Title+".", takes, func(ctx context.Context, files []string) error {
		for _, o := range tool.Options {
			if _, has := options[o.Name]; o.Required && !has {
				return usage(errors.New("--" + o.Name + " is missing"))
			}
		}
		call := &call{callFlags: *given, contract: p.contract, std: p.std, tool: tool.Name, first: tool, last: tool, options: options, files: files}
		call.request = cli.Request{Operation: tool.Name, Path: tool.Path, Body: map[string]any{"options": options}}
		return call.run(ctx)
	})
	for _, o := range tool.Options {
		addOption(flags{command.Flags()}, o, options)
	}
	return command
}

// addOption adds the flag of a tool's option, whose value goes into options; the
// contract checks its range.
func addOption(f flags, o contract.Option, options map[string]any) {
	help, kind := forTerminal(o.Description), strings.ToUpper(o.Name)
	switch {
	case o.Integer:
		help, kind = fmt.Sprintf("%s %d to %d.", help, o.Minimum, o.Maximum), "N"
	case len(o.Enum) > 0:
		help += " One of " + strings.Join(o.Enum, ", ") + "."
	}
	if o.Default != nil {
		help += fmt.Sprintf(" Default %v.", o.Default)
	}
	var value any
	add(f, &value, o.Name, kind, "", help, func(text string) (any, error) {
		if o.Integer {
			n, err := wholeNumber(text)
			options[o.Name] = cli.Scalar(n)
			return nil, err
		}
		options[o.Name] = text
		return nil, nil
	})
}

// forTerminal is a text of the description for a person at a terminal: options
// are flags there, and nothing is Markdown.
func forTerminal(text string) string {
	return strings.NewReplacer("`options.", "--", "`", "").Replace(text)
}

// newPipeline is convertd pipeline.
func newPipeline(p *commandLine) *cobra.Command {
	given := &callFlags{}
	takes := argument{name: "RECIPE", many: true,
		help: "A recipe link, a file with a pipeline request in JSON, or steps such as json_format,indent:4; then the inputs' FILEs, - or none for standard input."}
	command := p.command("pipeline", "Run a chain of tools.", takes, func(ctx context.Context, args []string) error {
		return runPipeline(ctx, p, *given, args)
	})
	given.addTo(command)
	return command
}

// runPipeline runs the recipe that the arguments begin with.
func runPipeline(ctx context.Context, p *commandLine, given callFlags, recipe []string) error {
	c := p.contract
	body, files, err := cli.Recipe(c, recipe)
	if err != nil {
		return &usageError{err}
	}
	call := &call{callFlags: given, contract: c, std: p.std, files: files}
	if mediaType, value, has := cli.Input(body); has && len(files) == 0 {
		call.given = &convert.Artifact{MediaType: mediaType, Value: value}
	}
	call.first, call.last, call.options = cli.Ends(c, body)
	if call.last != nil {
		call.options = asked(call.last, call.options)
	}
	if call.first == nil && call.given == nil && given.MediaType == "" {
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
