package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/mango"
	"github.com/muesli/roff"

	"github.com/convertd/convertd/internal/cli"
)

// versionCommand is convertd version.
type versionCommand struct{}

// Run writes the version.
func (*versionCommand) Run(std streams) error {
	_, err := std.out.Write([]byte(version + "\n"))
	return err
}

// helpCommand is convertd help. It is read as the --help of the command (see
// run) and is here to be listed.
type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command's words, such as run json_format."`
}

// manCommand is convertd man.
type manCommand struct {
	Dir string `arg:"" help:"The folder, which is made if it is not there."`
}

// Run writes a page for the program and one for each command.
func (m *manCommand) Run(k *kong.Context) error {
	if err := os.MkdirAll(m.Dir, 0o777); err != nil {
		return err
	}
	var staged cli.Files
	defer staged.Discard()
	for name, text := range pages(k.Model) {
		file, err := staged.Create(filepath.Join(m.Dir, name), "")
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
func pages(app *kong.Application) map[string]string {
	list := map[string]string{}
	var walk func(node *kong.Node)
	walk = func(node *kong.Node) {
		if node.Hidden {
			return
		}
		name := strings.ReplaceAll(node.FullPath(), " ", "-")
		list[name+".1"] = page(app, node, name)
		for _, child := range node.Children {
			walk(child)
		}
	}
	walk(app.Node)
	return list
}

// page is one command's page: the words of its help.
func page(app *kong.Application, node *kong.Node, name string) string {
	own := *node
	own.Name, own.Flags = name, nil
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			shown, value := *flag, *flag.Value
			value.Help = kong.DefaultHelpValueFormatter(flag.Value)
			shown.Value = &value
			own.Flags = append(own.Flags, &shown)
		}
	}
	own.Detail = "Usage: " + strings.TrimSpace(app.Name+" "+strings.TrimPrefix(node.Summary(), app.Name)) + "\n\n" + node.Detail
	if node.Type == kong.ApplicationNode {
		own.Help, own.Detail, _ = strings.Cut(strings.TrimSuffix(node.Help, exitCodes), "\n")
		own.Name = app.Name
	}
	own.Children = slices.Clone(node.Children)
	for i, child := range own.Children {
		short := *child
		short.Flags, short.Children, short.Detail = nil, nil, ""
		own.Children[i] = &short
	}
	man := mangokong.NewManPage(1, &kong.Application{Node: &own, HelpFlag: app.HelpFlag})
	for _, argument := range node.Positional {
		man.WithSection("Arguments", argument.Summary()+": "+argument.Help)
	}
	man.WithSection("Exit status", strings.TrimPrefix(exitCodes, "Exit codes: "))
	if node.Type != kong.ApplicationNode {
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
