package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/convertd/convertd/internal/contract"
)

// scripts ask convertd complete for the words that may stand next, and offer
// files where there are none. bash divides --flag=value into three words and
// wants only the last of them; zsh finds the function in its file (fpath) or
// by sourcing it.
var scripts = map[string]string{
	"bash": `_convertd() {
  local IFS=$'\n'
  COMPREPLY=($(convertd complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  [[ $COMP_WORDBREAKS != *=* ]] || COMPREPLY=("${COMPREPLY[@]#--*=}")
}
complete -o default -F _convertd convertd
`,
	"zsh": `#compdef convertd
_convertd() {
  local -a words_next
  words_next=(${(f)"$(convertd complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( ${#words_next} )); then
    compadd -a words_next
  else
    compset -P '--*='
    _files
  fi
}
if [[ "${funcstack[1]}" == _convertd ]]; then
  _convertd "$@"
else
  (( ${+functions[compdef]} )) || { autoload -Uz compinit && compinit -i }
  compdef _convertd convertd
fi
`,
	"fish": `function __convertd_complete
  set -l last (commandline -ct)
  set -l words (convertd complete -- (commandline -opc)[2..] $last 2>/dev/null)
  if test (count $words) -gt 0
    printf '%s\n' $words
  else
    set -l flag (string match -r -- '^--[^=]*=' $last)
    printf '%s\n' "$flag"(__fish_complete_path (string replace -- "$flag" '' $last))
  end
end
complete -c convertd -f -a '(__convertd_complete)'
`,
}

// newCompletion is convertd completion, which writes the script that a shell
// reads.
func newCompletion(p *commandLine) *cobra.Command {
	takes := argument{name: "SHELL", help: "bash, zsh or fish.", words: []string{"bash", "zsh", "fish"}}
	return p.command("completion", "Print the completion script of a shell.", takes, func(_ context.Context, args []string) error {
		_, err := fmt.Fprint(p.std.out, scripts[args[0]])
		return err
	})
}

// newComplete is what the scripts call: it writes the words that may stand in
// the place of the last one, a line each.
func newComplete(p *commandLine) *cobra.Command {
	takes := argument{name: "WORD", help: "The words so far.", optional: true, many: true}
	command := p.command("complete", "", takes, func(_ context.Context, given []string) error {
		if len(given) > 0 && given[0] == "--" {
			given = given[1:]
		}
		for _, word := range complete(p.root, p.contract, given) {
			fmt.Fprintln(p.std.out, word)
		}
		return nil
	})
	command.Hidden, command.DisableFlagParsing = true, true
	return command
}

// complete returns the words that may stand in the place of the last word:
// none where a file may, and none behind words that are no command.
func complete(command *cobra.Command, c *contract.Contract, given []string) []string {
	given = joined(given)
	last, before := "", []string(nil)
	if len(given) > 0 {
		last, before = given[len(given)-1], given[:len(given)-1]
	}
	var open *pflag.Flag // the one whose value stands next
	for _, word := range before {
		switch {
		case open != nil:
			open = nil
		case len(word) > 1 && word[0] == '-':
			open = needsValue(command, word)
		case command.HasSubCommands():
			i := slices.IndexFunc(command.Commands(), func(child *cobra.Command) bool { return child.Name() == word })
			if i < 0 {
				return nil
			}
			if word == "help" {
				continue // the words of a command follow
			}
			command = command.Commands()[i]
		}
	}
	name, value, isValue := strings.Cut(last, "=")
	switch {
	case open != nil:
		return startingWith(last, values(c.Tool(command.Name()), open))
	case isValue && strings.HasPrefix(last, "--"):
		var next []string
		if flag := needsValue(command, name); flag != nil {
			for _, v := range startingWith(value, values(c.Tool(command.Name()), flag)) {
				next = append(next, name+"="+v)
			}
		}
		return next
	case strings.HasPrefix(last, "-"):
		var next []string
		flagsOf(command).VisitAll(func(flag *pflag.Flag) { next = append(next, "--"+flag.Name) })
		return startingWith(last, next)
	}
	return startingWith(last, nextWords(command, c))
}

// joined puts words together again that bash has divided before and behind a
// colon or an equals sign, such as --flag=value and http://host.
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

// needsValue returns the flag that a word names, when its value must follow.
func needsValue(command *cobra.Command, word string) *pflag.Flag {
	var flag *pflag.Flag
	if name, long := strings.CutPrefix(word, "--"); long {
		flag = flagsOf(command).Lookup(name)
	} else if len(word) == 2 {
		flag = flagsOf(command).ShorthandLookup(word[1:])
	}
	if flag == nil || flag.NoOptDefVal != "" {
		return nil
	}
	return flag
}

// nextWords are the commands below a command, or what its arguments may be.
func nextWords(command *cobra.Command, c *contract.Contract) (next []string) {
	for _, child := range command.Commands() {
		if !child.Hidden {
			next = append(next, child.Name())
		}
	}
	if command.Name() == contract.Pipeline {
		for _, tool := range c.Tools() {
			next = append(next, tool.Name)
		}
	}
	return append(next, command.ValidArgs...)
}

// values are those that a flag may have, as the description gives them for a
// tool's option; nil when they cannot be listed.
func values(tool *contract.Tool, flag *pflag.Flag) []string {
	if list := flag.Annotations[words]; list != nil {
		return slices.Clone(list)
	}
	if tool == nil {
		return nil
	}
	for _, o := range tool.Options {
		if flag.Name != o.Name {
			continue
		}
		if !o.Integer {
			return slices.Clone(o.Enum)
		}
		var list []string
		for n := o.Minimum; n <= o.Maximum && len(list) < 100; n++ {
			list = append(list, strconv.Itoa(n))
		}
		return list
	}
	return nil
}

func startingWith(prefix string, words []string) []string {
	return slices.DeleteFunc(words, func(word string) bool { return !strings.HasPrefix(word, prefix) })
}
