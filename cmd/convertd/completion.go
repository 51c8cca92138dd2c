package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
)

// folderNames is printed instead of words where only the name of a folder may follow. Other file names may follow if nothing
// is printed.
const folderNames = "/"

// scripts are the completion scripts, by shell. They run convertd complete to get the words that may follow, each with a tab
// and a description if it has one. Unlike those that cobra generates, they do not evaluate the line, which may contain
// $(command). bash shows no descriptions, splits --flag=value into three words and expects only the last of them. zsh
// loads the function from its file (fpath) or by sourcing it. PowerShell before 7.3 drops an empty argument, so --next
// replaces it.
//
//go:embed completion
var scripts embed.FS

// newCompletion returns convertd completion, which prints a shell's script.
func newCompletion(p *commandLine) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	command := p.command("completion SHELL", "Print the completion script for a shell.", "bash, zsh, fish or powershell.", func(_ context.Context, args []string) error {
		if err := cli.OneOf(args[0], shells); err != nil {
			return usage(fmt.Errorf("SHELL %w", err))
		}
		script, err := scripts.ReadFile("completion/convertd." + args[0])
		if err == nil {
			_, err = p.std.out.Write(script)
		}
		return err
	})
	command.ValidArgs = shells
	return command
}

// newComplete returns the hidden command that the scripts call. It prints the completions of the last word, one a line,
// or folderNames. --next completes a new word.
func newComplete(p *commandLine) *cobra.Command {
	command := p.command("complete WORD ...", "", "-- or --next, and the words so far.", func(_ context.Context, given []string) error {
		if len(given) > 0 && given[0] == "--next" {
			given = append(given[1:len(given):len(given)], "")
		} else if len(given) > 1 {
			given = given[1:]
		}
		for _, word := range complete(p.contract, joined(given)) {
			fmt.Fprintln(p.std.out, word)
		}
		return nil
	})
	command.Hidden, command.DisableFlagParsing = true, true
	return command
}

// complete returns cobra's completions of the last word, with the first sentence of their descriptions. It returns folderNames
// where the name of a folder may follow, and nothing where a file name may follow, and after words that are not a command.
func complete(c *contract.Contract, given []string) (next []string) {
	var out strings.Builder
	root := newCommandLine(c, streams{out: &out, err: io.Discard}).root
	root.SetArgs(append([]string{cobra.ShellCompRequestCmd}, given...))
	if root.Execute() != nil {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if lines[len(lines)-1] == fmt.Sprintf(":%d", cobra.ShellCompDirectiveFilterDirs) {
		return []string{folderNames}
	}
	value := given[len(given)-1]
	flag := regexp.MustCompile(`^--[^=]*=`).FindString(value) // which cobra leaves out
	for _, line := range lines[:len(lines)-1] {
		if word, help, has := strings.Cut(line, "\t"); strings.HasPrefix(flag+word, value) {
			if has {
				word += "\t" + strings.ReplaceAll(firstSentence(help), "`", "")
			}
			next = append(next, flag+word)
		}
	}
	return next
}

// joined joins words that bash has split at a colon or an equals sign, such as --flag=value and http://host.
func joined(words []string) []string {
	var whole []string
	for i := 0; i < len(words); i++ {
		if n := len(whole); n > 0 && words[i] != "" && strings.Trim(words[i], ":=") == "" {
			whole[n-1] += words[i]
			if i++; i < len(words) {
				whole[n-1] += words[i]
			}
			continue
		}
		whole = append(whole, words[i])
	}
	return whole
}

// toolNames completes the names of tools.
func (p *commandLine) toolNames(*cobra.Command, []string, string) (next []cobra.Completion, _ cobra.ShellCompDirective) {
	for _, tool := range p.contract.Tools() {
		next = append(next, cobra.CompletionWithDesc(tool.Name, tool.Title))
	}
	return next, cobra.ShellCompDirectiveDefault
}

// firstSentence returns the first sentence of a help text, without its full stop.
func firstSentence(help string) string {
	sentence, _, _ := strings.Cut(help, ". ")
	return strings.TrimSuffix(sentence, ".")
}

// optionValues returns the values of a tool's option, or the first hundred.
func optionValues(o contract.Option) (list []string) {
	if !o.Integer {
		return slices.Clone(o.Enum)
	}
	for n := o.Minimum; n <= o.Maximum && len(list) < 100; n++ {
		list = append(list, strconv.Itoa(n))
	}
	return list
}
