package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/convertd/convertd/internal/contract"
)

// completionCommand is convertd completion: the script that a shell reads.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

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

// Run writes the script.
func (c *completionCommand) Run(std streams) error {
	_, err := fmt.Fprint(std.out, scripts[c.Shell])
	return err
}

// completeCommand is what the scripts call: it writes the words that may
// stand in the place of the last one, a line each.
type completeCommand struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

// Run writes the words.
func (c *completeCommand) Run(k *kong.Context, described *contract.Contract, std streams) error {
	words := c.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	for _, word := range complete(k.Model.Node, described, words) {
		fmt.Fprintln(std.out, word)
	}
	return nil
}

// complete returns the words that may stand in the place of the last word:
// none where a file may, and none behind words that are no command.
func complete(node *kong.Node, c *contract.Contract, words []string) []string {
	words = joined(words)
	last, before := "", []string(nil)
	if len(words) > 0 {
		last, before = words[len(words)-1], words[:len(words)-1]
	}
	flags := slices.Clone(node.Flags)
	var open *kong.Flag // the one whose value stands next
	for _, word := range before {
		switch {
		case open != nil:
			open = nil
		case len(word) > 1 && word[0] == '-':
			open = needsValue(flags, word)
		case len(node.Children) > 0:
			i := slices.IndexFunc(node.Children, func(child *kong.Node) bool { return child.Name == word })
			if i < 0 {
				return nil
			}
			if node.Children[i].Name == "help" {
				continue // the words of a command follow
			}
			node = node.Children[i]
			flags = append(flags, node.Flags...)
		}
	}
	name, value, isValue := strings.Cut(last, "=")
	switch {
	case open != nil:
		return startingWith(last, values(c.Tool(node.Name), open))
	case isValue && strings.HasPrefix(last, "--"):
		var next []string
		if flag := needsValue(flags, name); flag != nil {
			for _, v := range startingWith(value, values(c.Tool(node.Name), flag)) {
				next = append(next, name+"="+v)
			}
		}
		return next
	case strings.HasPrefix(last, "-"):
		var next []string
		for _, flag := range flags {
			next = append(next, "--"+flag.Name)
		}
		return startingWith(last, next)
	}
	return startingWith(last, nextWords(node, c))
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
func needsValue(flags []*kong.Flag, word string) *kong.Flag {
	for _, flag := range flags {
		if word == "--"+flag.Name || flag.Short != 0 && word == "-"+string(flag.Short) {
			if flag.IsBool() {
				return nil
			}
			return flag
		}
	}
	return nil
}

// nextWords are the commands below a command, or what its arguments may be.
func nextWords(node *kong.Node, c *contract.Contract) (next []string) {
	for _, child := range node.Children {
		if !child.Hidden {
			next = append(next, child.Name)
		}
	}
	if node.Name == contract.Pipeline {
		for _, tool := range c.Tools() {
			next = append(next, tool.Name)
		}
	}
	if len(node.Positional) == 1 && node.Positional[0].Enum != "" {
		next = strings.Split(node.Positional[0].Enum, ",")
	}
	return next
}

// values are those that a flag may have, as the description gives them for a
// tool's option; nil when they cannot be listed.
func values(tool *contract.Tool, flag *kong.Flag) []string {
	if flag.Enum != "" {
		return strings.Split(flag.Enum, ",")
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
