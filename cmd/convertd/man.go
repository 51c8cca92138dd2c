package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/internal/cli"
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

// heading matches a heading of a command's help, and the empty line before it.
var heading = regexp.MustCompile(`(?m)\n?^([A-Z][A-Za-z ]*):$`)

// manPage returns a command's man page in man(7) format: the text of --help, whose headings become sections.
func (p *commandLine) manPage(command *cobra.Command, date string) string {
	var b strings.Builder
	name := manName(command)
	fmt.Fprintf(&b, ".TH %s 1 %q %q %q\n", strings.ToUpper(name), date, "convertd "+version, "convertd manual")
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(strings.TrimSuffix(command.Short, ".")))
	text := strings.Replace(p.helpText(command, manColumns, false), "Usage: ", "Synopsis:\n", 1)
	text = strings.Replace(text, "\n\n", "\n\nDescription:\n", 1)
	sections := heading.ReplaceAllStringFunc(roff(text), func(line string) string {
		return ".EE\n.SH " + strings.ToUpper(strings.Trim(line, "\n:")) + "\n.EX"
	})
	b.WriteString(strings.TrimPrefix(sections, ".EE\n") + ".EE\n")
	if command != p.root {
		b.WriteString(".SH EXIT STATUS\n" + roff(strings.TrimPrefix(exitCodes, "Exit codes: ")) + "\n")
	}
	b.WriteString(".SH SEE ALSO\n")
	var others []string
	for _, other := range append(slices.Clone(command.Commands()), command.Parent()) {
		if other != nil && !other.Hidden {
			others = append(others, `\fB`+roff(manName(other))+`\fR(1)`)
		}
	}
	b.WriteString(strings.Join(others, ", ") + "\n")
	return b.String()
}

// manColumns is the width of a help text in a man page: 80 columns without man's indentation.
const manColumns = 72

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
