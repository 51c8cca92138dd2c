package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/convertd/convertd/internal/contract"
)

// commandLine is what the commands have in common, below root.
type commandLine struct {
	std      streams
	contract *contract.Contract
	root     *cobra.Command
}

// argument is what a command takes behind its flags; the zero value is nothing.
type argument struct {
	name     string   // as the help shows it
	help     string   // a sentence
	optional bool     // there may be none
	many     bool     // there may be several
	words    []string // the values that it may have, nil is any
}

// summary is the argument in a line of usage.
func (a argument) summary() string {
	text := a.name
	if a.many {
		text += " ..."
	}
	if a.optional {
		return "[" + text + "]"
	}
	return text
}

// Annotations of a command: its argument's summary and sentence.
const (
	argumentSummary = "argument"
	argumentHelp    = "argument help"
)

// errVersion is how the flag --version ends reading the arguments.
var errVersion = errors.New("the version is asked for")

// cobra has these for the whole process.
func init() {
	cobra.EnableCommandSorting = false
	cobra.MousetrapHelpText = "" // a double click on Windows runs it as well
}

// newCommandLine builds the commands.
func newCommandLine(c *contract.Contract, std streams) *commandLine {
	p := &commandLine{std: std, contract: c, root: &cobra.Command{
		Use:               "convertd",
		Short:             "Small, deterministic text conversions, over HTTP and here.",
		Long:              overview,
		SilenceErrors:     true,
		SilenceUsage:      true,
		Args:              cobra.ArbitraryArgs,
		RunE:              func(command *cobra.Command, args []string) error { return wrongCommand(command, args) },
		PersistentPreRunE: func(command *cobra.Command, _ []string) error { return usage(readEnvironment(command.Flags())) },
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}}
	p.root.SetOut(std.out)
	p.root.SetErr(std.err)
	p.root.SetFlagErrorFunc(p.wrongFlag)
	p.root.PersistentFlags().SortFlags = false
	p.root.PersistentFlags().BoolP("help", "h", false, "Show this help.")
	p.root.PersistentFlags().BoolFunc("version", "Print the version and exit.", func(string) error { return errVersion })
	help := p.command("help", "Say how a command is used.", argument{name: "COMMAND", help: "The command's words, such as run json_format.", optional: true, many: true},
		func(context.Context, []string) error { return nil }) // run makes it --help
	for _, command := range []*cobra.Command{
		newServe(p), newMCP(p), newRun(p), newPipeline(p), newTools(p), newOpenAPI(p), newVerify(p), newCompletion(p), newMan(p),
		help, newVersion(p), newComplete(p),
	} {
		p.root.AddCommand(command)
	}
	p.root.SetHelpCommand(help)
	return p
}

// command is a command that takes one kind of argument and runs this.
func (p *commandLine) command(name, short string, takes argument, run func(ctx context.Context, args []string) error) *cobra.Command {
	command := &cobra.Command{
		Use:   strings.TrimSpace(name + " " + takes.summary()),
		Short: short,
		Args:  takes.check,
		RunE:  func(command *cobra.Command, args []string) error { return run(command.Context(), args) },
	}
	if takes.name == "" {
		command.Use = name
	} else {
		command.Annotations = map[string]string{argumentSummary: takes.summary(), argumentHelp: takes.help}
	}
	command.ValidArgs = takes.words
	command.Flags().SortFlags = false
	return command
}

// check holds the arguments to what the command takes; it is a
// cobra.PositionalArgs.
func (a argument) check(_ *cobra.Command, args []string) error {
	most := 1
	if a.name == "" {
		most = 0
	}
	switch {
	case len(args) == 0 && !a.optional && a.name != "":
		return usage(fmt.Errorf("%s is missing", a.summary()))
	case len(args) > most && !a.many:
		return usage(fmt.Errorf("unexpected argument %s", args[most]))
	case len(a.words) > 0 && !slices.Contains(a.words, args[0]):
		return usage(fmt.Errorf("%s must be one of %s, not %q", a.name, strings.Join(a.words, ", "), args[0]))
	}
	return nil
}

// similar is how many letters a word may be wrong in to be taken for another.
const similar = 2

// wrongCommand is the error of a command that needs one more word: there is
// none, or it is no command.
func wrongCommand(command *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usage(errors.New("which command?"))
	}
	command.SuggestionsMinimumDistance = similar
	return usage(errors.New("unexpected argument " + args[0] + didYouMean(command.SuggestionsFor(args[0]))))
}

// wrongFlag is the error of a flag that is none or has a wrong value; it is
// also where --version answers.
func (p *commandLine) wrongFlag(command *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var bad *pflag.InvalidValueError
	switch {
	case errors.Is(err, errVersion):
		fmt.Fprintln(p.std.out, version)
		return nil
	case command.HasSubCommands() && command.Flags().NArg() > 0:
		return wrongCommand(command, command.Flags().Args())
	case errors.As(err, &bad):
		err = fmt.Errorf("--%s: %w", bad.GetFlag().Name, reason(err))
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		err = errors.New("unknown flag -" + unknown.GetSpecifiedName())
	case errors.As(err, &unknown):
		err = errors.New("unknown flag --" + unknown.GetSpecifiedName() + didYouMean(similarFlags(command, unknown.GetSpecifiedName())))
	}
	return usage(err)
}

// similarFlags are the flags of a command whose names are like this one, as
// cobra finds similar commands.
func similarFlags(command *cobra.Command, name string) (list []string) {
	names := &cobra.Command{SuggestionsMinimumDistance: similar}
	command.Flags().VisitAll(func(flag *pflag.Flag) {
		names.AddCommand(&cobra.Command{Use: flag.Name, Run: func(*cobra.Command, []string) {}})
	})
	for _, flag := range names.SuggestionsFor(name) {
		list = append(list, "--"+flag)
	}
	return list
}

func didYouMean(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return ", did you mean " + strings.Join(list, " or ") + "?"
}

// usage makes an error one of the arguments, nil stays nil.
func usage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}
