package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/convertd/convertd/internal/cli"
)

// overview follows the first line of the program's own help.
const overview = "The same binary converts in this process and serves the conversions over HTTP and MCP. " +
	"Every flag of serve can be set in the environment, too: --listen by CONVERTD_LISTEN, and so on.\n\n" + exitCodes

// help prints a command's help: the short form if args has -h, the complete form otherwise.
func (p *commandLine) help(command *cobra.Command, args []string) error {
	if command.HasSubCommands() && command.Flags().NArg() > 0 {
		return p.wrongCommand(command, command.Flags().Args())
	}
	_, err := fmt.Fprint(p.std.out, p.helpText(command, cli.Columns(p.std.out), slices.Contains(args, "-h")))
	return err
}

// helpText returns a command's help, wrapped at this many columns. The short form has one
// example, and one sentence for each flag except the tool's own.
func (p *commandLine) helpText(command *cobra.Command, columns int, short bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n\n%s\n", usageLine(command), wrapped(command.Short, columns))
	if command.Long != "" && !short {
		b.WriteString("\n" + wrapped(command.Long, columns) + "\n")
	}
	if list := p.examplesOf(command); len(list) > 0 {
		if short {
			list = list[:1]
		}
		b.WriteString("\nExamples:\n  " + strings.Join(list, "\n  ") + "\n")
	}
	if sentence := command.Annotations[argumentHelp]; sentence != "" {
		takes := "  " + arguments(command)
		fmt.Fprintf(&b, "\nArguments:\n%s%s\n", takes, hangingIndent(sentence, len(takes), columns))
	}
	if list := leaves(command); len(list) > 0 {
		b.WriteString("\nCommands:\n")
		for _, c := range list {
			path := strings.TrimPrefix(c.CommandPath(), command.CommandPath()+" ")
			fmt.Fprintf(&b, "  %-22s%s\n", path, hangingIndent(c.Short, 24, columns))
		}
	}
	isTool := p.contract.Tool(command.Name()) != nil
	b.WriteString(flagUsages("Flags", command.LocalFlags(), columns, short && !isTool))
	b.WriteString(flagUsages("Common flags", command.InheritedFlags(), columns, short))
	path := command.CommandPath()
	if command.HasSubCommands() {
		path += " " + strings.ToUpper(subcommand(command))
	}
	if short || command.HasSubCommands() {
		fmt.Fprintf(&b, "\nRun \"%s --help\" for more.\n", path)
	}
	return b.String()
}

// flagUsages returns the help of flags under a heading; the short form has one sentence for each.
func flagUsages(heading string, set *pflag.FlagSet, columns int, short bool) string {
	if !set.HasFlags() {
		return ""
	}
	shown := pflag.NewFlagSet("", pflag.ContinueOnError)
	shown.SortFlags = false
	set.VisitAll(func(flag *pflag.Flag) {
		flag = new(*flag)
		if short {
			flag.Usage = firstSentence(flag.Usage) + "."
		}
		shown.AddFlag(flag)
	})
	return "\n" + heading + ":\n" + shown.FlagUsagesWrapped(columns)
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
	takes := arguments(command)
	if !command.HasSubCommands() {
		takes = strings.TrimSpace("[FLAGS] " + takes)
	}
	return command.CommandPath() + " " + takes
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

// hangingIndent returns text that follows a column of this many bytes and two spaces.
func hangingIndent(text string, column, columns int) string {
	margin := strings.Repeat(" ", column+2)
	return "  " + strings.ReplaceAll(wrapped(text, max(columns-len(margin), 20)), "\n", "\n"+margin)
}

// wrapped breaks the lines of text into lines of at most this many bytes, at spaces.
func wrapped(text string, columns int) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		column := 0
		for i, word := range strings.Split(line, " ") {
			switch {
			case i == 0:
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
	return b.String()
}
