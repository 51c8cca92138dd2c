package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// callFlags are the flags of run and pipeline.
type callFlags struct {
	MediaType string
	Output    string
	InPlace   bool
	OutDir    string
	NoClobber bool
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
	f.text(&c.MediaType, "media-type", "TYPE", "", "The input's media type, such as application/json. Without it: the only type that the tool accepts, else that of the file's extension, else what the text looks like.")
	f.text(&c.Output, "output,o", "FILE", "-", "Write the output to FILE once everything has succeeded. - is standard output.")
	f.on(&c.InPlace, "in-place,i", "Replace each FILE with its output once all have succeeded. Modes, owners and symbolic links are kept.")
	f.text(&c.OutDir, "out-dir", "DIR", "", "Write each FILE's output to DIR once all have succeeded. It has FILE's name with the extension .json, .yaml, .sh or .txt. An existing file is replaced; a symbolic link is rejected.")
	f.on(&c.NoClobber, "no-clobber", "Do not replace an existing file by --output or --out-dir.")
	f.on(&c.Check, "check", "Check the inputs and write nothing. Exit with 3 if an input cannot be converted, else with 6 if a formatter would change a FILE.")
	f.on(&c.Lines, "lines", "Convert each line on its own, and write one line for each. Empty lines are skipped. A rejected line is reported, and the exit code is 3.")
	f.on(&c.KeepGoing, "keep-going", "Continue after a rejected FILE, and write what succeeded.")
	f.on(&c.Exact, "exact", "Write the output's exact bytes. Without it, an output that does not end with a line feed gets one.")
	f.choice(&c.Color, "color", "WHEN", "Color JSON: auto, always or never. auto does so on a terminal, unless NO_COLOR is set. always also shows the line of an error if standard error is not a terminal.", "auto", "always", "never")
	f.size(&c.MaxInput, "max-input", "1GiB", "The largest input, or line with --lines, in bytes, KiB, MiB or GiB. 1GiB is the maximum. A --server has its own limit.")
	f.on(&c.JSON, "json", "Write the whole response as JSON: the result or the problem document. With several FILEs, each has its FILE as the property file.")
	f.on(&c.Quiet, "quiet,q", "Do not write warnings to standard error.")
	f.inGroup("Input and output")
	f.text(&c.Server, "server", "URL", "", "Convert on this service instead of in this process.")
	f.duration(&c.Timeout, "timeout", "30s", "How long the server may take to send its whole response.")
	f.text(&c.BaseURL, "base-url", "URL", "", "Base URL of the links in --json. Without it, a response from this process has no links.")
	f.inGroup("Remote")
	f.fromEnvironment("server", "timeout")
}

// newRun returns convertd run. Each tool of the OpenAPI document is a command
// below it, with the tool's options as flags.
func newRun(p *commandLine) *cobra.Command {
	given := &callFlags{}
	command := p.command("run", "Run one tool on files or on standard input.", argument{name: "TOOL", optional: true, many: true}, nil)
	command.RunE = p.wrongCommand
	given.addTo(command)
	for i := range p.contract.Tools() {
		command.AddCommand(newTool(p, &p.contract.Tools()[i], given))
	}
	return command
}

func newTool(p *commandLine, tool *contract.Tool, given *callFlags) *cobra.Command {
	options := map[string]any{}
	takes := argument{name: "FILE", help: "The inputs. Without any, or for -, it reads standard input.", optional: true, many: true}
	command := p.command(tool.Name, tool.Title+".", takes, func(ctx context.Context, files []string) error {
		for _, o := range tool.Options {
			value, has := options[o.Name]
			if o.Required && !has {
				return usage(fmt.Errorf("--%s is required; use one of %s", o.Name, strings.Join(optionValues(o), ", ")))
			}
			// A server may be newer than this program and know more values.
			if err := cli.CheckValue(o, fmt.Sprint(value)); has && err != nil && given.Server == "" {
				return usage(fmt.Errorf("--%s: %w", o.Name, err))
			}
		}
		call := &call{callFlags: *given, contract: p.contract, std: p.std, tool: tool.Name, first: tool, last: tool, options: options, files: files}
		call.request = cli.Request{Operation: tool.Name, Path: tool.Path, Body: map[string]any{"options": options}}
		return call.run(ctx)
	})
	requiredFirst := slices.SortedStableFunc(slices.Values(tool.Options), func(a, b contract.Option) int {
		switch {
		case a.Required == b.Required:
			return 0
		case a.Required:
			return -1
		}
		return 1
	})
	f := flags{command.Flags()}
	for _, o := range requiredFirst {
		addOption(f, o, options)
	}
	f.inGroup("Options")
	return command
}

// addOption adds the flag of a tool's option, which stores its value in options.
func addOption(f flags, o contract.Option, options map[string]any) {
	kind := strings.ToUpper(o.Name)
	if o.Integer {
		kind = "N"
	}
	var value any
	add(f, &value, o.Name, kind, "", optionHelp(o), func(text string) (any, error) {
		if o.Integer {
			n, err := parseInteger(text)
			options[o.Name] = cli.Scalar(n)
			return nil, err
		}
		options[o.Name] = text
		return nil, nil
	})
}

// optionHelp returns an option's description with its values, for a terminal.
func optionHelp(o contract.Option) string {
	help := forTerminal(o.Description)
	switch {
	case o.Integer:
		help += fmt.Sprintf(" %d to %d.", o.Minimum, o.Maximum)
	case len(o.Enum) > 0:
		help += " One of " + strings.Join(o.Enum, ", ") + "."
	}
	switch {
	case o.Required:
		help += " Required."
	case o.Default != nil:
		help += fmt.Sprintf(" Default %v.", o.Default)
	}
	return help
}

// forTerminal returns a text of the OpenAPI document with flags in place of options, and without Markdown.
func forTerminal(text string) string {
	return strings.NewReplacer("`options.", "--", "`", "").Replace(text)
}

// newPipeline returns convertd pipeline.
func newPipeline(p *commandLine) *cobra.Command {
	given := &callFlags{}
	takes := argument{name: "RECIPE [FILE ...]", help: "RECIPE is a recipe link, a JSON file with a pipeline request, or steps such as " +
		"json_format,indent:4. The FILEs are the inputs; without any, or for -, it reads standard input."}
	command := p.command("pipeline", "Run several tools, each on the output of the one before.", takes, func(ctx context.Context, args []string) error {
		return runPipeline(ctx, p, *given, args)
	})
	command.Args = func(command *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usage(errors.New("RECIPE is missing"))
		}
		return nil
	}
	given.addTo(command)
	return command
}

// runPipeline runs the recipe at the beginning of the arguments.
func runPipeline(ctx context.Context, p *commandLine, given callFlags, args []string) error {
	c := p.contract
	body, files, err := cli.Recipe(c, args, given.Server == "")
	if err != nil {
		return &usageError{err}
	}
	call := &call{callFlags: given, contract: c, std: p.std, files: files}
	if mediaType, value, has := cli.Input(body); has && len(files) == 0 {
		call.given = &convert.Artifact{MediaType: mediaType, Value: value}
	}
	call.first, call.last, call.options = cli.Ends(c, body)
	if call.first == nil && call.given == nil && given.MediaType == "" {
		return &usageError{errors.New("the first step of the recipe has no known tool")}
	}
	call.request = cli.Request{Operation: contract.Pipeline, Path: c.PathOf(contract.Pipeline), Body: body}
	return call.run(ctx)
}
