package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/printable"
)

// overview follows the first line of the program's own help.
const overview = `The same binary converts in this process and serves the conversions over HTTP
and MCP. Every flag of serve can be set in the environment, too: --listen by
CONVERTD_LISTEN, and so on.

` + exitCodes

// help prints a command's help: the short form if args has -h, the complete form otherwise.
func (p *commandLine) help(command *cobra.Command, args []string) error {
	if command.HasSubCommands() && command.Flags().NArg() > 0 {
		return p.wrongCommand(command, command.Flags().Args())
	}
	_, err := fmt.Fprint(p.std.out, p.helpText(command, width(p.std.out), slices.Contains(args, "-h")))
	return err
}

// width returns the width of a terminal within reasonable bounds, and 80 for anything else.
func width(out any) int {
	if shown, ok := out.(printable.Writer); ok {
		out = shown.To
	}
	if file, ok := out.(interface{ Fd() uintptr }); ok && cli.Terminal(out) {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil && columns > 0 {
			return min(max(columns, 40), 100)
		}
	}
	return 80
}

// helpText returns a command's help, wrapped at this many columns. The short form has one
// example, and one sentence for each flag except the tool's own.
func (p *commandLine) helpText(command *cobra.Command, columns int, short bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n\n%s\n", usageLine(command), wrapped(command.Short, columns))
	if long := p.longHelp(command); long != "" && !short {
		b.WriteString("\n" + wrapped(long, columns) + "\n")
	}
	if list := p.examplesOf(command); len(list) > 0 {
		if short {
			list = list[:1]
		}
		b.WriteString("\nExamples:\n  " + strings.Join(list, "\n  ") + "\n")
	}
	if sentence := command.Annotations[argumentHelp]; sentence != "" {
		takes := "  " + command.Annotations[argumentSynopsis]
		fmt.Fprintf(&b, "\nArguments:\n%s%s\n", takes, hangingIndent(sentence, len(takes), columns))
	}
	if list := leaves(command); len(list) > 0 {
		b.WriteString("\nCommands:\n")
		for _, c := range list {
			fmt.Fprintf(&b, "  %-22s%s\n", pathBelow(command, c), hangingIndent(c.Short, 24, columns))
		}
	}
	for _, g := range groupsOf(command) {
		if short && g.heading != "Options" {
			g.flags.VisitAll(func(flag *pflag.Flag) {
				flag.Usage = firstSentence(flag.Usage) + "."
			})
		}
		fmt.Fprintf(&b, "\n%s:\n%s", g.heading, g.flags.FlagUsagesWrapped(columns))
	}
	switch {
	case command.HasSubCommands():
		fmt.Fprintf(&b, "\nRun \"%s %s --help\" for more about a %s.\n", command.CommandPath(), strings.ToUpper(subcommand(command)), subcommand(command))
	case short:
		fmt.Fprintf(&b, "\nRun \"%s --help\" for more.\n", command.CommandPath())
	}
	return b.String()
}

// longHelp returns what a command's help says after its first line: the OpenAPI document's description of a tool.
func (p *commandLine) longHelp(command *cobra.Command) string {
	if tool := p.contract.Tool(command.Name()); tool != nil {
		return strings.TrimSpace(forTerminal(tool.Description))
	}
	if command == p.root {
		return overview
	}
	return command.Long
}

// subcommand returns what the commands below a command are: tools below run.
func subcommand(command *cobra.Command) string {
	if command.HasParent() {
		return "tool"
	}
	return "command"
}

// usageLine returns how to call a command.
func usageLine(command *cobra.Command) string {
	line := command.CommandPath()
	if command.HasSubCommands() {
		line += " " + strings.ToUpper(subcommand(command))
		if command.HasParent() {
			line += " [FLAGS] [FILE ...]" // each tool takes them
		}
		return line
	}
	line += " [FLAGS]"
	if takes := command.Annotations[argumentSynopsis]; takes != "" {
		line += " " + takes
	}
	return line
}

// leaves returns the commands below a command that have no subcommands.
func leaves(command *cobra.Command) (list []*cobra.Command) {
	for _, c := range command.Commands() {
		switch {
		case c.Hidden:
		case c.HasSubCommands():
			list = append(list, leaves(c)...)
		default:
			list = append(list, c)
		}
	}
	return list
}

// pathBelow returns a command's words after those of one above it.
func pathBelow(above, command *cobra.Command) string {
	return strings.TrimPrefix(command.CommandPath(), above.CommandPath()+" ")
}

// flagsOf returns the flags that a command accepts: its own, then those of the commands above it.
func flagsOf(command *cobra.Command) *pflag.FlagSet {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.SortFlags = false
	all.AddFlagSet(command.Flags())
	for c := command; c != nil; c = c.Parent() {
		all.AddFlagSet(c.PersistentFlags())
	}
	return all
}

// flagGroup is the flags under one heading of the help.
type flagGroup struct {
	heading string
	flags   *pflag.FlagSet
}

// groupsOf returns copies of a command's flags in groups: its own options, input
// and output, a remote server, and the flags of every command.
func groupsOf(command *cobra.Command) (groups []flagGroup) {
	flagsOf(command).VisitAll(func(flag *pflag.Flag) {
		heading := "Flags"
		switch {
		case flag.Name == "help" || flag.Name == "version":
			heading = "General"
		case flag.Annotations[group] != nil:
			heading = flag.Annotations[group][0]
		}
		i := slices.IndexFunc(groups, func(g flagGroup) bool { return g.heading == heading })
		if i < 0 {
			i = len(groups)
			groups = append(groups, flagGroup{heading, pflag.NewFlagSet("", pflag.ContinueOnError)})
			groups[i].flags.SortFlags = false
		}
		shown := *flag
		groups[i].flags.AddFlag(&shown)
	})
	return groups
}

// hangingIndent returns text that follows a column of this many bytes and two spaces.
func hangingIndent(text string, column, columns int) string {
	margin := strings.Repeat(" ", column+2)
	return "  " + strings.ReplaceAll(wrapped(text, max(columns-len(margin), 20)), "\n", "\n"+margin)
}

// wrapped breaks text into lines of at most this many bytes, between words. It keeps
// empty lines and lines that begin with a space.
func wrapped(text string, columns int) string {
	var b strings.Builder
	column := 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" || line[0] == ' ' {
			if column > 0 {
				b.WriteByte('\n')
				column = 0
			}
			b.WriteString(line)
			continue
		}
		for word := range strings.FieldsSeq(line) {
			switch {
			case column == 0:
			case column+1+len(word) > columns:
				b.WriteByte('\n')
				column = 0
			default:
				b.WriteByte(' ')
				column++
			}
			b.WriteString(word)
			column += len(word)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}
