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

// folderNames is printed instead of words where only the name of a folder may follow. Other file names may follow if nothing
// is printed.
const folderNames = "/"

// scripts are the completion scripts. They run convertd complete to get the words that may follow, each with a tab and a
// description if it has one. Unlike those that cobra generates, they do not evaluate the line, which may contain
// $(command). bash shows no descriptions, splits --flag=value into three words and expects only the last of them. zsh
// loads the function from its file (fpath) or by sourcing it. PowerShell before 7.3 drops an empty argument, so --next
// replaces it.
var scripts = map[string]string{
	"bash": `_convertd() {
  local IFS=$'\n' last=${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=($(convertd complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [[ ${COMPREPLY[0]} == / ]]; then
    COMPREPLY=($(compgen -d -- "${last#=}"))
    compopt -o filenames +o default 2>/dev/null
    return
  fi
  COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
  [[ $COMP_WORDBREAKS != *=* ]] || COMPREPLY=("${COMPREPLY[@]#--*=}")
}
complete -o default -F _convertd convertd
`,
	"zsh": `#compdef convertd
_convertd() {
  local -a lines
  lines=(${(f)"$(convertd complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if [[ ${lines[1]} == / ]]; then
    compset -P '--*='
    _files -/
  elif (( ${#lines} )); then
    lines=(${lines//:/\\:})
    lines=(${lines/$'\t'/:})
    _describe -V convertd lines
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
  set -l lines (convertd complete -- (commandline -opc)[2..] $last 2>/dev/null)
  set -l flag (string match -r -- '^--[^=]*=' $last)
  set -l path (string replace -- "$flag" '' $last)
  if test "$lines" = /
    printf '%s\n' "$flag"(__fish_complete_directories $path '')
  else if test (count $lines) -gt 0
    printf '%s\n' $lines
  else
    printf '%s\n' "$flag"(__fish_complete_path $path)
  end
end
complete -c convertd -f -a '(__convertd_complete)'
`,
	"powershell": `Register-ArgumentCompleter -Native -CommandName @('convertd', 'convertd.exe') -ScriptBlock {
  param($word, $line, $cursor)
  $before = $line.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursor } | ForEach-Object { $_.Extent.Text }
  $start = if ($word) { '--' } else { '--next' }
  $command = $line.CommandElements[0].Extent.Text
  & $command complete $start @($before) 2>$null | ForEach-Object {
    if ($_ -eq '/') {
      [System.Management.Automation.CompletionCompleters]::CompleteFilename($word) | Where-Object ResultType -eq ProviderContainer
    } else {
      $next, $help = $_ -split [char]9, 2
      if (-not $help) { $help = $next }
      [System.Management.Automation.CompletionResult]::new($next, $next, 'ParameterValue', $help)
    }
  }
}
`,
}

// newCompletion returns convertd completion, which prints a shell's script.
func newCompletion(p *commandLine) *cobra.Command {
	takes := argument{name: "SHELL", help: "bash, zsh, fish or powershell.", words: []string{"bash", "zsh", "fish", "powershell"}}
	return p.command("completion", "Print the completion script for a shell.", takes, func(_ context.Context, args []string) error {
		_, err := fmt.Fprint(p.std.out, scripts[args[0]])
		return err
	})
}

// newComplete returns the hidden command that the scripts call. It prints the completions of the last word, one a line,
// or folderNames. --next completes a new word.
func newComplete(p *commandLine) *cobra.Command {
	takes := argument{name: "WORD", help: "The words so far.", optional: true, many: true}
	command := p.command("complete", "", takes, func(_ context.Context, given []string) error {
		if len(given) > 0 && given[0] == "--next" {
			given = append(given[1:len(given):len(given)], "")
		} else if len(given) > 0 && given[0] == "--" {
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

// complete returns the completions of the last word, with their descriptions. It returns folderNames where the name of a
// folder may follow, and nothing where a file name may follow, and after words that are not a command.
func complete(command *cobra.Command, c *contract.Contract, given []string) []string {
	given = joined(given)
	last, before := "", []string(nil)
	if len(given) > 0 {
		last, before = given[len(given)-1], given[:len(given)-1]
	}
	var open *pflag.Flag // the flag whose value comes next
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
	case open != nil && open.Name == "out-dir":
		return []string{folderNames}
	case open != nil:
		return startingWith(last, values(c.Tool(command.Name()), open))
	case isValue && strings.HasPrefix(last, "--"):
		var next []string
		if flag := needsValue(command, name); flag != nil {
			if flag.Name == "out-dir" {
				return []string{folderNames}
			}
			for _, v := range startingWith(value, values(c.Tool(command.Name()), flag)) {
				next = append(next, name+"="+v)
			}
		}
		return next
	case strings.HasPrefix(last, "-"):
		var next []string
		flagsOf(command).VisitAll(func(flag *pflag.Flag) { next = append(next, described("--"+flag.Name, flag.Usage)) })
		return startingWith(last, next)
	}
	return startingWith(last, nextWords(command, c))
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

// needsValue returns the flag that a word names, if a value has to follow it.
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

// nextWords returns the commands below a command, or the values of its argument.
func nextWords(command *cobra.Command, c *contract.Contract) (next []string) {
	for _, child := range command.Commands() {
		if !child.Hidden {
			next = append(next, described(child.Name(), child.Short))
		}
	}
	if command.Name() == contract.Pipeline || command.Name() == "tools" {
		for _, tool := range c.Tools() {
			next = append(next, described(tool.Name, tool.Title))
		}
	}
	return append(next, command.ValidArgs...)
}

// described returns a completion with the first sentence of its help.
func described(word, help string) string {
	sentence, _, _ := strings.Cut(strings.ReplaceAll(help, "`", ""), ". ")
	return word + "\t" + strings.TrimSuffix(sentence, ".")
}

// values returns the values that a flag may have, nil if they cannot be listed.
func values(tool *contract.Tool, flag *pflag.Flag) []string {
	if list := flag.Annotations[words]; list != nil {
		return slices.Clone(list)
	}
	if tool == nil {
		return nil
	}
	if flag.Name == "media-type" {
		return slices.Clone(tool.Accepts)
	}
	for _, o := range tool.Options {
		if flag.Name == o.Name {
			return optionValues(o)
		}
	}
	return nil
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

func startingWith(prefix string, words []string) []string {
	return slices.DeleteFunc(words, func(word string) bool { return !strings.HasPrefix(word, prefix) })
}
