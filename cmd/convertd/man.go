package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/convertd/convertd/internal/cli"
)

// newVersion returns convertd version.
func newVersion(p *commandLine) *cobra.Command {
	return p.command("version", "Print the version.", argument{}, func(context.Context, []string) error {
		_, err := fmt.Fprintln(p.std.out, version)
		return err
	})
}

// newMan returns convertd man, which writes one man page for the program and one for each command.
func newMan(p *commandLine) *cobra.Command {
	takes := argument{name: "DIR", help: "The folder, which is created if it does not exist."}
	return p.command("man", "Write the man pages to a folder.", takes, func(_ context.Context, args []string) error {
		if err := os.MkdirAll(args[0], 0o777); err != nil {
			return err
		}
		var staged cli.Files
		defer staged.Discard()
		for name, text := range p.manPages() {
			file, err := staged.Create(filepath.Join(args[0], name), "", true)
			if err != nil {
				return err
			}
			if _, err := file.Write([]byte(text)); err != nil {
				return err
			}
			if err := file.Complete(); err != nil {
				return err
			}
		}
		return staged.Commit()
	})
}

// manPages returns the man pages by file name.
func (p *commandLine) manPages() map[string]string {
	build, _ := debug.ReadBuildInfo()
	list := map[string]string{}
	var add func(command *cobra.Command)
	add = func(command *cobra.Command) {
		if command.Hidden {
			return
		}
		list[manName(command)+".1"] = p.manPage(command, commitDate(build))
		for _, child := range command.Commands() {
			add(child)
		}
	}
	add(p.root)
	return list
}

func manName(command *cobra.Command) string {
	return strings.ReplaceAll(command.CommandPath(), " ", "-")
}

// commitDate returns the date of the commit that the program was built from, "" if the build does not record it.
// Building the same commit again gives the same pages.
func commitDate(build *debug.BuildInfo) string {
	if build != nil {
		for _, setting := range build.Settings {
			if setting.Key == "vcs.time" {
				date, _, _ := strings.Cut(setting.Value, "T")
				return date
			}
		}
	}
	return ""
}

// manPage returns a command's man page in man(7) format.
func (p *commandLine) manPage(command *cobra.Command, date string) string {
	var b strings.Builder
	name := manName(command)
	fmt.Fprintf(&b, ".TH %s 1 %q %q %q\n", strings.ToUpper(name), date, "convertd "+version, "convertd manual")
	section := func(title string) { b.WriteString(".SH " + title + "\n") }
	section("NAME")
	b.WriteString(roff(name) + ` \- ` + roff(strings.TrimSuffix(command.Short, ".")) + "\n")
	section("SYNOPSIS")
	words, rest, _ := strings.Cut(usageLine(command), " [")
	b.WriteString(`\fB` + roff(words) + `\fR`)
	if rest != "" {
		b.WriteString(" [" + roff(rest))
	}
	b.WriteByte('\n')
	section("DESCRIPTION")
	long, _, _ := strings.Cut(p.longHelp(command), exitCodes)
	b.WriteString(roff(command.Short) + "\n")
	for paragraph := range strings.SplitSeq(strings.TrimSpace(long), "\n\n") {
		if paragraph != "" {
			b.WriteString(".PP\n" + roff(paragraph) + "\n")
		}
	}
	if sentence := command.Annotations[argumentHelp]; sentence != "" {
		section("ARGUMENTS")
		b.WriteString(".TP\n" + roff(command.Annotations[argumentSynopsis]) + "\n" + roff(sentence) + "\n")
	}
	for _, g := range groupsOf(command) {
		section(strings.ToUpper(g.heading))
		g.flags.VisitAll(func(flag *pflag.Flag) { b.WriteString(manFlag(flag)) })
	}
	if command.HasSubCommands() {
		section("COMMANDS")
		for _, child := range leaves(command) {
			b.WriteString(".TP\n\\fB" + roff(pathBelow(command, child)) + "\\fR\n" + roff(child.Short) + "\n")
		}
	}
	section("EXAMPLES")
	b.WriteString(".EX\n" + roff(strings.Join(p.examplesOf(command), "\n")) + "\n.EE\n")
	section("EXIT STATUS")
	b.WriteString(roff(strings.TrimPrefix(exitCodes, "Exit codes: ")) + "\n")
	section("SEE ALSO")
	var others []string
	for _, other := range append(slices.Clone(command.Commands()), command.Parent()) {
		if other != nil && !other.Hidden {
			others = append(others, `\fB`+roff(manName(other))+`\fR(1)`)
		}
	}
	b.WriteString(strings.Join(others, ", ") + "\n")
	return b.String()
}

func manFlag(flag *pflag.Flag) string {
	names := `\fB\-\-` + roff(flag.Name) + `\fR`
	if flag.Shorthand != "" {
		names = `\fB\-` + flag.Shorthand + `\fR, ` + names
	}
	help := flag.Usage
	if flag.NoOptDefVal == "" && flag.Value.Type() != "bool" {
		names += ` \fI` + roff(flag.Value.Type()) + `\fR`
		if flag.DefValue != "" {
			help += " (default " + flag.DefValue + ")"
		}
	}
	return ".TP\n" + names + "\n" + roff(help) + "\n"
}

// roff escapes text for a man page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			line = `\&` + line
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
