package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/muesli/mango"
	"github.com/muesli/roff"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/convertd/convertd/internal/cli"
)

// newVersion is convertd version.
func newVersion(p *commandLine) *cobra.Command {
	return p.command("version", "Print the version.", argument{}, func(context.Context, []string) error {
		_, err := p.std.out.Write([]byte(version + "\n"))
		return err
	})
}

// newMan is convertd man, which writes a page for the program and one for each
// command.
func newMan(p *commandLine) *cobra.Command {
	takes := argument{name: "DIR", help: "The folder, which is made if it is not there."}
	return p.command("man", "Write the manual's pages into a folder.", takes, func(_ context.Context, args []string) error {
		describe(p.root, p.contract)
		return writePages(p.root, args[0])
	})
}

func writePages(root *cobra.Command, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	var staged cli.Files
	defer staged.Discard()
	for name, text := range pages(root) {
		file, err := staged.Create(filepath.Join(folder, name), "")
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
}

// pages are the manual's pages by their files' names.
func pages(root *cobra.Command) map[string]string {
	list := map[string]string{}
	var walk func(command *cobra.Command)
	walk = func(command *cobra.Command) {
		if command.Hidden {
			return
		}
		name := strings.ReplaceAll(command.CommandPath(), " ", "-")
		list[name+".1"] = page(command, name)
		for _, child := range command.Commands() {
			walk(child)
		}
	}
	walk(root)
	return list
}

// page is one command's page: the words of its help.
func page(command *cobra.Command, name string) string {
	man := mango.NewManPage(1, name, command.Short)
	man.WithLongDescription("Usage: " + usageLine(command) + "\n\n" + strings.TrimSuffix(command.Long, exitCodes))
	flagsOf(command).VisitAll(func(flag *pflag.Flag) {
		shown := mango.Flag{Name: flag.Name, Short: flag.Shorthand, Usage: flag.Usage, PFlag: true}
		if kind := flag.Value.Type(); flag.NoOptDefVal == "" && kind != "bool" {
			shown.Name += "=" + kind
		}
		if flag.DefValue != "" && flag.NoOptDefVal == "" {
			shown.Usage += " (default " + flag.DefValue + ")"
		}
		_ = man.Root.AddFlag(shown) // pflag has no name twice
	})
	for _, child := range command.Commands() {
		if !child.Hidden {
			_ = man.Root.AddCommand(mango.NewCommand(child.CommandPath(), child.Short, "")) // neither has cobra
		}
	}
	if takes := command.Annotations[argumentSummary]; takes != "" {
		man.WithSection("Arguments", takes+": "+command.Annotations[argumentHelp])
	}
	man.WithSection("Exit status", strings.TrimPrefix(exitCodes, "Exit codes: "))
	if command.HasParent() {
		man.WithSection("See also", "convertd(1), which lists the commands")
	}
	return man.Build(&manual{Document: roff.NewDocument()})
}

// manual is a roff document of a program whose words are typed: its hyphens are
// those of the keyboard, and its date is none, so that the same program gives
// the same page.
type manual struct{ *roff.Document }

// hyphen stands for one until the document is complete.
const hyphen = "\x00"

func typed(text string) string {
	return strings.NewReplacer("-", hyphen, "%", "%%").Replace(text)
}

// Heading implements mango.Builder.
func (m *manual) Heading(section uint, title, _ string, _ time.Time) {
	m.Document.Heading(section, title, "convertd "+version, time.Time{})
}

// Text implements mango.Builder: the lines of a paragraph are one, indented ones
// stay as they are.
func (m *manual) Text(text string) {
	var lines []string
	join := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		prose := line != "" && line[0] != ' '
		if prose && join {
			lines[len(lines)-1] += " " + typed(line)
		} else if strings.TrimSpace(line) != "" {
			lines = append(lines, typed(line))
		}
		join = prose
	}
	m.Document.Text(strings.Join(lines, "\n"))
}

// TextBold implements mango.Builder.
func (m *manual) TextBold(text string) { m.Document.TextBold(typed(text)) }

// String implements mango.Builder.
func (m *manual) String() string {
	text := strings.ReplaceAll(m.Document.String(), hyphen, `\-`)
	return strings.Replace(text, `"`+time.Time{}.Format(time.DateOnly)+`"`, `""`, 1) + "\n"
}

var _ mango.Builder = (*manual)(nil)
