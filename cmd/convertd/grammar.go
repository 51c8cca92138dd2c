package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/printable"
)

// commandLine is what the commands share.
type commandLine struct {
	std      streams
	contract *contract.Contract
	root     *cobra.Command
}

// argumentHelp is the annotation of a command with a sentence about its arguments.
const argumentHelp = "argument help"

// errVersion ends the parsing of arguments at --version.
var errVersion = errors.New("--version")

// These settings of cobra are global.
func init() {
	cobra.EnableCommandSorting = false
	cobra.MousetrapHelpText = "" // run when started by a double click on Windows
}

// newCommandLine returns the commands.
func newCommandLine(c *contract.Contract, std streams) *commandLine {
	p := &commandLine{std: std, contract: c, root: &cobra.Command{
		Use:               "convertd COMMAND",
		Short:             "Small, deterministic text conversions, over HTTP and on the command line.",
		Long:              overview,
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              cobra.ArbitraryArgs,
		PersistentPreRunE: func(command *cobra.Command, _ []string) error { return usage(readEnvironment(command.Flags())) },
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}}
	p.root.RunE = func(command *cobra.Command, args []string) error {
		if len(args) == 0 {
			return p.help(command, []string{"-h"})
		}
		return p.wrongCommand(command, args)
	}
	p.root.SetOut(std.out)
	p.root.SetErr(std.err)
	p.root.SetFlagErrorFunc(p.wrongFlag)
	p.root.PersistentFlags().SortFlags = false
	p.root.PersistentFlags().BoolP("help", "h", false, "Show help; -h is short, --help complete.")
	p.root.PersistentFlags().BoolFuncP("version", "V", "Print the version.", func(string) error { return errVersion })
	for _, command := range []*cobra.Command{
		newRun(p), newPipeline(p), newServe(p), newMCP(p), newTools(p), newOpenAPI(p), newVerify(p), newCompletion(p), newMan(p),
		newVersion(p), newComplete(p),
	} {
		p.root.AddCommand(command)
	}
	p.root.InitDefaultHelpCmd() // run turns it into --help
	return p
}

// command returns a command that calls run. use is its name and its arguments, such as "tools [TOOL]"; help is a sentence
// about them.
func (p *commandLine) command(use, short, help string, run func(ctx context.Context, args []string) error) *cobra.Command {
	command := &cobra.Command{
		Use:         use,
		Short:       short,
		Args:        checkArguments,
		RunE:        func(command *cobra.Command, args []string) error { return run(command.Context(), args) },
		Annotations: map[string]string{argumentHelp: help},
	}
	command.Flags().SortFlags = false
	return command
}

// arguments returns a command's arguments as the usage line shows them.
func arguments(command *cobra.Command) string {
	_, takes, _ := strings.Cut(command.Use, " ")
	return takes
}

// checkArguments checks the number of arguments; it is a cobra.PositionalArgs.
func checkArguments(command *cobra.Command, args []string) error {
	takes := arguments(command)
	name, _, _ := strings.Cut(takes, " ")
	switch {
	case len(args) == 0 && name != "" && name[0] != '[':
		return usage(fmt.Errorf("%s is missing", name))
	case len(args) > 0 && name == "", len(args) > 1 && !strings.Contains(takes, "..."):
		return usage(fmt.Errorf("unexpected argument %s", printable.Line(args[len(args)-1])))
	}
	return nil
}

// wrongCommand returns the error of a missing or unknown command.
func (p *commandLine) wrongCommand(command *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage(errors.New("a " + subcommand(command) + " is missing"))
	}
	suggestion := cli.DidYouMean("", args[0], childNames(command))
	if suggestion == "" && command == p.root {
		suggestion = cli.DidYouMean("convertd run ", args[0], p.contract.ToolNames())
	}
	return usage(errors.New("unknown " + subcommand(command) + " " + printable.Line(args[0]) + suggestion))
}

// wrongFlag returns the error of an unknown flag or a wrong value. It also prints the version for --version.
func (p *commandLine) wrongFlag(command *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var bad *pflag.InvalidValueError
	switch {
	case errors.Is(err, errVersion):
		_, err := fmt.Fprintln(p.std.out, version)
		return err
	case command.HasSubCommands() && command.Flags().NArg() > 0:
		return p.wrongCommand(command, command.Flags().Args())
	case errors.As(err, &bad):
		err = fmt.Errorf("--%s: %w", bad.GetFlag().Name, reason(err))
	case errors.As(err, &unknown):
		name, dashes := unknown.GetSpecifiedName(), "--"
		if unknown.GetSpecifiedShortnames() != "" {
			dashes = "-"
		}
		var names []string
		command.Flags().VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
		suggestion := cli.DidYouMean("--", name, names)
		if tool := p.toolWith(name); command.Name() == contract.Pipeline && tool != "" {
			suggestion = "; a step contains its options: " + tool + "," + name + ":VALUE"
		}
		err = errors.New("unknown flag " + dashes + name + suggestion)
	}
	return usage(err)
}

// toolWith returns the first tool that has an option, "" if none has it.
func (p *commandLine) toolWith(option string) string {
	for _, tool := range p.contract.Tools() {
		if slices.ContainsFunc(tool.Options, func(o contract.Option) bool { return o.Name == option }) {
			return tool.Name
		}
	}
	return ""
}

// usage wraps an error as a usage error; nil stays nil.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}
