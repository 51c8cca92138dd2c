package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// newVersion returns convertd version.
func newVersion(p *commandLine) *cobra.Command {
	return p.command("version", "Print the version.", "", func(context.Context, []string) error {
		_, err := fmt.Fprintln(p.std.out, version)
		return err
	})
}

// newMan returns convertd man, which writes one man page for the program and one for each command.
func newMan(p *commandLine) *cobra.Command {
	return p.command("man DIR", "Write the man pages to a folder.", "The folder, which is created if it does not exist.", func(_ context.Context, args []string) error {
		if err := os.MkdirAll(args[0], 0o777); err != nil {
			return err
		}
		return p.writeMan(args[0], p.root)
	})
}

// writeMan writes the man pages of a command and those below it.
func (p *commandLine) writeMan(folder string, command *cobra.Command) error {
	if command.Hidden {
		return nil
	}
	name := strings.ReplaceAll(command.CommandPath(), " ", "-")
	err := os.WriteFile(filepath.Join(folder, name+".1"), []byte(p.manPage(command, name)), 0o666)
	for _, child := range command.Commands() {
		err = errors.Join(err, p.writeMan(folder, child))
	}
	return err
}

// manColumns is the width of a help text in a man page: 80 columns without man's indentation.
const manColumns = 72

// manPage returns a command's man page in man(7) format: the text of --help, whose headings become sections.
func (p *commandLine) manPage(command *cobra.Command, name string) string {
	text := strings.Replace(p.helpText(command, manColumns, false), "Usage: ", "Synopsis:\n", 1)
	text = strings.Replace(text, "\n\n", "\n\nDescription:\n", 1)
	heading := regexp.MustCompile(`(?m)\n?^([A-Z][A-Za-z ]*):$`) // and the empty line before it
	sections := heading.ReplaceAllStringFunc(roff(text), func(line string) string {
		return ".EE\n.SH " + strings.ToUpper(strings.Trim(line, "\n:")) + "\n.EX"
	})
	page := fmt.Sprintf(".TH %s 1 \"\" %q %q\n.SH NAME\n%s \\- %s\n%s.EE\n", strings.ToUpper(name), "convertd "+version, "convertd manual",
		roff(name), roff(strings.TrimSuffix(command.Short, ".")), strings.TrimPrefix(sections, ".EE\n"))
	if command != p.root {
		page += ".SH SEE ALSO\n\\fBconvertd\\fR(1), with the other commands and the exit codes\n"
	}
	return page
}

// roff escapes text for a man page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	return regexp.MustCompile(`(?m)^[.']`).ReplaceAllString(text, `\&$0`) // not a request
}
