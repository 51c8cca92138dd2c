package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
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
	f := flags{command.PersistentFlags(), command}
	f.SortFlags = false
	f.StringVar(&c.MediaType, "media-type", "", "The input's media `TYPE`, such as application/json. Without it: the only type that the tool accepts, else that of the file's extension, else what the text looks like.")
	f.StringVarP(&c.Output, "output", "o", "-", "Write the output to `FILE` once everything has succeeded. - is standard output.")
	f.BoolVarP(&c.InPlace, "in-place", "i", false, "Replace each FILE with its output once all have succeeded. Modes, owners and symbolic links are kept.")
	f.StringVar(&c.OutDir, "out-dir", "", "Write each FILE's output to `DIR` once all have succeeded. It has FILE's name with the extension .json, .yaml, .sh or .txt. An existing file is replaced; a symbolic link is rejected.")
	f.BoolVar(&c.NoClobber, "no-clobber", false, "Do not replace an existing file by --output or --out-dir.")
	f.BoolVar(&c.Check, "check", false, "Check the inputs and write nothing. Exit with 3 if an input cannot be converted, else with 6 if a formatter would change a FILE.")
	f.BoolVar(&c.Lines, "lines", false, "Convert each line on its own, and write one line for each. Empty lines are skipped. A rejected line is reported, and the exit code is 3.")
	f.BoolVar(&c.KeepGoing, "keep-going", false, "Continue after a rejected FILE, and write what succeeded.")
	f.BoolVar(&c.Exact, "exact", false, "Write the output's exact bytes. Without it, an output that does not end with a line feed gets one.")
	f.choice(&c.Color, "color", "Color JSON: `WHEN` is auto, always or never. auto does so on a terminal, unless NO_COLOR is set. always also shows the line of an error if standard error is not a terminal.", "auto", "always", "never")
	c.MaxInput = cli.Most
	f.Func("max-input", "The largest input, or line with --lines: a `SIZE` in bytes, KiB, MiB or GiB. 1GiB is the default and the maximum. A --server has its own limit.",
		func(text string) (err error) { c.MaxInput, err = parseSize(text); return err })
	f.BoolVar(&c.JSON, "json", false, "Write the whole response as JSON: the result or the problem document. With several FILEs, each has its FILE as the property file.")
	f.BoolVarP(&c.Quiet, "quiet", "q", false, "Do not write warnings to standard error.")
	f.StringVar(&c.Server, "server", "", "Convert on the service at `URL` instead of in this process.")
	f.DurationVar(&c.Timeout, "timeout", 30*time.Second, "How long the server may take to send its whole response.")
	f.StringVar(&c.BaseURL, "base-url", "", "Base `URL` of the links in --json. Without it, a response from this process has no links.")
	f.fromEnvironment("server", "timeout")
	_ = command.MarkPersistentFlagDirname("out-dir") // fails only for an unknown flag
}

// newRun returns convertd run. Each tool of the OpenAPI document is a command
// below it, with the tool's options as flags.
func newRun(p *commandLine) *cobra.Command {
	given := &callFlags{}
	command := p.command("run TOOL [FLAGS] [FILE ...]", "Run one tool on files or on standard input.", "", nil) // each tool takes them
	command.RunE, command.Args = p.wrongCommand, nil
	given.addTo(command)
	_ = command.RegisterFlagCompletionFunc("media-type", func(command *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if tool := p.contract.Tool(command.Name()); tool != nil {
			return tool.Accepts, cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	})
	for i := range p.contract.Tools() {
		command.AddCommand(newTool(p, &p.contract.Tools()[i], given))
	}
	return command
}

func newTool(p *commandLine, tool *contract.Tool, given *callFlags) *cobra.Command {
	options := map[string]any{}
	command := p.command(tool.Name+" [FILE ...]", tool.Title+".", "The inputs. Without any, or for -, it reads standard input.", func(ctx context.Context, files []string) error {
		for _, o := range tool.Options {
			if o.Required && options[o.Name] == nil {
				return usage(fmt.Errorf("--%s is required; use one of %s", o.Name, strings.Join(optionValues(o), ", ")))
			}
		}
		call := &call{callFlags: *given, contract: p.contract, std: p.std, first: tool, last: tool, options: options, files: files}
		call.produces = tool.Output(tool.Complete(options))
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
	f := flags{command.Flags(), command}
	for _, o := range requiredFirst {
		addOption(f, o, options)
	}
	command.Long = toolHelp(tool)
	return command
}

// addOption adds the flag of a tool's option, which stores its value in options.
func addOption(f flags, o contract.Option, options map[string]any) {
	f.Func(o.Name, optionHelp(o), func(text string) error {
		options[o.Name] = text
		if n, err := strconv.Atoi(text); o.Integer && err == nil {
			options[o.Name] = cli.Scalar(n)
		}
		return cli.CheckValue(o, text)
	})
	f.complete(o.Name, optionValues(o))
}

// optionHelp returns an option's description with its values, for a terminal.
func optionHelp(o contract.Option) string {
	help := forTerminal.Replace(o.Description)
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

// toolHelp returns a tool's description for a terminal.
func toolHelp(tool *contract.Tool) string {
	return strings.Join(strings.Fields(forTerminal.Replace(tool.Description)), " ")
}

// forTerminal makes a text of the OpenAPI document one with flags in place of options, and without Markdown.
var forTerminal = strings.NewReplacer("`options.", "--", "`", "")

// newPipeline returns convertd pipeline.
func newPipeline(p *commandLine) *cobra.Command {
	given := &callFlags{}
	command := p.command("pipeline RECIPE [FILE ...]", "Run several tools, each on the output of the one before.",
		"RECIPE is a recipe link, a JSON file with a pipeline request, or steps such as json_format,indent:4. The FILEs are the inputs; without any, or for -, it reads standard input.",
		func(ctx context.Context, args []string) error { return runPipeline(ctx, p, *given, args) })
	command.ValidArgsFunction = p.toolNames
	given.addTo(command)
	return command
}

// runPipeline runs the recipe at the beginning of the arguments.
func runPipeline(ctx context.Context, p *commandLine, given callFlags, args []string) error {
	c := p.contract
	body, steps, files, err := cli.Recipe(c, args)
	if err != nil {
		return &usageError{err}
	}
	last := steps[len(steps)-1]
	call := &call{callFlags: given, contract: c, std: p.std, first: steps[0].Tool, last: last.Tool, produces: last.Tool.Output(last.Options), files: files}
	if mediaType, value, has := cli.Input(body); has && len(files) == 0 {
		call.given = &convert.Artifact{MediaType: mediaType, Value: value}
	}
	call.request = cli.Request{Operation: contract.Pipeline, Path: c.PathOf(contract.Pipeline), Body: body}
	return call.run(ctx)
}
