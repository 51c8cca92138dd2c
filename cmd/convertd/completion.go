package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/convertd/convertd/internal/contract"
)

// completionCommand is convertd completion: the script that a shell reads.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// scripts ask convertd complete for the words that may stand next, and offer
// files where there are none.
var scripts = map[string]string{
	"bash": `_convertd() {
  local IFS=$'\n'
  COMPREPLY=($(convertd complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _convertd convertd
`,
	"zsh": `#compdef convertd
_convertd() {
  local -a words_next
  words_next=(${(f)"$(convertd complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( ${#words_next} )); then compadd -a words_next; else _files; fi
}
compdef _convertd convertd
`,
	"fish": `complete -c convertd -a '(convertd complete -- (commandline -opc)[2..] (commandline -ct))'
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

// complete returns the words that may stand in the place of the last word.
func complete(node *kong.Node, c *contract.Contract, words []string) []string {
	last, before := "", []string(nil)
	if len(words) > 0 {
		last, before = words[len(words)-1], words[:len(words)-1]
	}
	flags := slices.Clone(node.Flags)
	for _, word := range before {
		for _, child := range node.Children {
			if child.Name == word {
				node = child
				flags = append(flags, child.Flags...)
				break
			}
		}
	}
	if len(before) > 0 {
		if values := flagValues(c.Tool(node.Name), before[len(before)-1]); values != nil {
			return startingWith(last, values)
		}
	}
	var next []string
	if strings.HasPrefix(last, "-") {
		for _, flag := range flags {
			next = append(next, "--"+flag.Name)
		}
		return startingWith(last, next)
	}
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
	return startingWith(last, next)
}

// flagValues are the values that the description gives for an option's flag.
func flagValues(tool *contract.Tool, flag string) []string {
	if tool == nil {
		return nil
	}
	for _, o := range tool.Options {
		if flag != "--"+o.Name {
			continue
		}
		if !o.Integer {
			return o.Enum
		}
		var values []string
		for n := o.Minimum; n <= o.Maximum && len(values) < 100; n++ {
			values = append(values, fmt.Sprint(n))
		}
		return values
	}
	return nil
}

func startingWith(prefix string, words []string) []string {
	return slices.DeleteFunc(words, func(word string) bool { return !strings.HasPrefix(word, prefix) })
}
