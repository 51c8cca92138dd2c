package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is how many columns a help has: what a terminal has at least.
const helpWidth = 80

// help is what --help writes.
func help(command *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage: %s\n\n%s\n", usageLine(command), command.Short)
	if command.Long != "" {
		b.WriteString("\n" + wrapped(command.Long, helpWidth) + "\n")
	}
	if sentence := command.Annotations[argumentHelp]; sentence != "" {
		takes := "  " + command.Annotations[argumentSummary]
		fmt.Fprintf(&b, "\nArguments:\n%s%s\n", takes, hanging(sentence, len(takes)))
	}
	fmt.Fprintf(&b, "\nFlags:\n%s", flagsOf(command).FlagUsagesWrapped(helpWidth))
	if list := listed(command); len(list) > 0 {
		b.WriteString("\nCommands:\n")
		for _, c := range list {
			fmt.Fprintf(&b, "  %-22s%s\n", below(command, c), hanging(c.Short, 24))
		}
		fmt.Fprintf(&b, "\nRun \"%s COMMAND --help\" for more about a command.\n", command.CommandPath())
	}
	return b.String()
}

// usageLine is how a command is called.
func usageLine(command *cobra.Command) string {
	line := command.CommandPath()
	if command.HasSubCommands() {
		line += " COMMAND"
	} else if takes := command.Annotations[argumentSummary]; takes != "" {
		line += " " + takes
	}
	return line + " [FLAGS]"
}

// listed are the commands below a command that have none below themselves.
func listed(command *cobra.Command) (list []*cobra.Command) {
	for _, c := range command.Commands() {
		switch {
		case c.Hidden:
		case c.HasSubCommands():
			list = append(list, listed(c)...)
		default:
			list = append(list, c)
		}
	}
	return list
}

// below is a command's words behind those of one above it.
func below(above, command *cobra.Command) string {
	return strings.TrimPrefix(command.CommandPath(), above.CommandPath()+" ")
}

// flagsOf are the flags that may stand with a command, in the order in which
// they were added: everybody's, then its own.
func flagsOf(command *cobra.Command) *pflag.FlagSet {
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.SortFlags = false
	var line []*cobra.Command
	for c := command; c != nil; c = c.Parent() {
		line = append([]*cobra.Command{c}, line...)
	}
	for _, c := range line {
		all.AddFlagSet(c.PersistentFlags())
	}
	all.AddFlagSet(command.Flags())
	return all
}

// hanging is a text behind a column of so many bytes, and two spaces.
func hanging(text string, column int) string {
	margin := strings.Repeat(" ", column+2)
	return "  " + strings.ReplaceAll(wrapped(text, helpWidth-len(margin)), "\n", "\n"+margin)
}

// wrapped breaks a text into lines of at most so many bytes, where its words
// allow it; indented and empty lines stay as they are.
func wrapped(text string, width int) string {
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
			case column+1+len(word) > width:
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
