package apiconvert

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/invocation"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// namesInScript reports whether a warning names a variable or a command that a part of a script belongs to.
func (j judge) namesInScript(code, text string, p part) bool {
	return slices.Contains(j.variables, code) && namesOnLine(text, p.variables, p.line) ||
		slices.Contains(j.commands, code) && namesOnLine(text, p.commands, p.line) ||
		code == "lost.standard_input" && slices.Contains(p.commands, "curl")
}

// counted matches the lines of what a warning only counts, in addition to its names.
var counted = regexp.MustCompile(` and \d+ more \(lines (\d+) to (\d+)\)$`)

// namesOnLine reports whether a warning, without its code and sentence, has one of the names, or only counts what is on the
// line.
func namesOnLine(text string, names []string, line int) bool {
	if len(names) == 0 {
		return false
	}
	if m := counted.FindStringSubmatch(text); m != nil {
		first, _ := strconv.Atoi(m[1])
		last, _ := strconv.Atoi(m[2])
		if first <= line && line <= last {
			return true
		}
	}
	for name := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune(" ,;|()", c) }) {
		if slices.Contains(names, name) {
			return true
		}
	}
	return false
}

// partsOfScript returns the commands, assignments, comments and options of a script, without the commands that only print or
// prepare something.
func partsOfScript(t *testing.T, text string) (list []part) {
	text = shell.Normalize(text)
	parsed, ok, err := shell.Parse(text, nil)
	if err != nil || !ok {
		return nil
	}
	values := valuesIn(parsed)
	at, commands, inFunction := "", []string(nil), false
	add := func(from, to int) {
		if from >= to || to > len(text) {
			return
		}
		p := part{at: at, shown: text[from:to] + at, line: 1 + strings.Count(text[:from], "\n"), commands: commands}
		p.without = func(...string) string { return text[:from] + text[to:] }
		for name, at := range values {
			if slices.ContainsFunc(at, func(v [2]int) bool { return v[0] <= from && to <= v[1] }) {
				p.variables = append(p.variables, name)
			} else if inFunction && slices.ContainsFunc(at, func(v [2]int) bool { return callsFunction(text[v[0]:v[1]], parsed) }) {
				p.variables = append(p.variables, name)
			}
		}
		list = append(list, p)
	}
	for _, token := range parsed.Tokens {
		if token.Name == "" && token.Kind != script.CommentToken {
			continue
		}
		commands = nil
		for _, c := range parsed.Commands {
			if n := len(c.Tokens); n > 0 && c.Offset <= token.From && token.To <= c.Tokens[n-1].To && c.CommandName() != "curl" {
				commands = append(commands, aroundCommand(parsed.Commands, c)...)
			}
		}
		add(token.From, token.To)
	}
	for _, c := range parsed.Commands {
		at, commands, inFunction = "", nil, false
		if words, _ := invocation.Program(c.Words); parsed.Functions[c.CommandName()] ||
			len(words) > 0 && (len(words[0]) == 0 || invocation.IsQuiet(invocation.BaseName(words[0]))) ||
			strings.HasPrefix(c.CommandName(), "HTTP/") || strings.HasSuffix(c.CommandName(), ":") {
			continue // runs what is in the function, or prints or prepares, or is a response
		}
		if _, _, isCurl := invocation.Call(c.Words); !isCurl {
			at = "/command/" + c.CommandName()
			commands = aroundCommand(parsed.Commands, c)
			inFunction = c.Within&script.Function != 0 && slices.Contains(commands, "curl")
		}
		if n := len(c.Tokens); n > 0 {
			add(c.Tokens[0].From, c.Tokens[n-1].To)
		}
		for i := 1; i < len(c.Tokens); i++ {
			first := c.Tokens[i]
			if takesArgument(text[first.From:first.To]) && i+1 < len(c.Tokens) {
				i++
			}
			add(first.From, c.Tokens[i].To)
		}
	}
	return list
}

// valuesIn returns the positions of the values that variables are set to, by name.
func valuesIn(parsed *script.Source) map[string][][2]int {
	values := map[string][][2]int{}
	for _, token := range parsed.Tokens {
		if token.Name != "" {
			values[token.Name] = append(values[token.Name], [2]int{token.From, token.To})
		}
	}
	for _, c := range parsed.Commands {
		for _, token := range c.Tokens {
			if m := element.FindStringSubmatch(parsed.Text[token.From:token.To]); m != nil {
				values[m[1]] = append(values[m[1]], [2]int{token.From, token.To})
			}
			if name, _, is := strings.Cut(parsed.Text[token.From:token.To], "="); is && script.Declares[c.CommandName()] {
				values[name] = append(values[name], [2]int{c.Tokens[0].From, c.Tokens[len(c.Tokens)-1].To})
			}
		}
	}
	return values
}

// callsFunction reports whether the value of a variable is what a function of the script prints.
func callsFunction(value string, parsed *script.Source) bool {
	for name := range parsed.Functions {
		if strings.Contains(value, "$("+name) {
			return true
		}
	}
	return false
}

// element matches the value of an element of an array, which is read as a command.
var element = regexp.MustCompile(`(?s)^(\w+)\[.*\]=.`)

// aroundCommand returns the names of a command, of those in whose words it is, and of those in its pipeline.
func aroundCommand(all []*script.Command, c *script.Command) (names []string) {
	within := []*script.Command{c}
	for i := 0; i < len(within); i++ {
		c := within[i]
		for _, other := range all {
			around := slices.Contains(c.Feeders, other) || slices.Contains(other.Feeders, c)
			if n, m := len(other.Tokens), len(c.Tokens); n > 0 && m > 0 {
				around = around || other.Tokens[0].From <= c.Tokens[0].From && c.Tokens[m-1].To <= other.Tokens[n-1].To
			}
			if around && !slices.Contains(within, other) {
				within = append(within, other)
			}
		}
		words, _ := invocation.Program(c.Words)
		for _, w := range slices.Concat(c.Words[:min(1, len(c.Words))], words[:min(1, len(words))]) {
			names = append(names, cmp.Or(invocation.BaseName(w), "command")) // without a name that is known
		}
	}
	return names
}

// takesArgument reports whether the argument after an option of curl belongs to it.
func takesArgument(option string) bool {
	if name, isLong := strings.CutPrefix(option, "--"); isLong {
		o := syntax.Long(name)
		return o != nil && o.HasArgument
	}
	if len(option) < 2 || option[0] != '-' {
		return false
	}
	for i, c := range option[1:] {
		if o := syntax.Letter(c); o == nil || o.HasArgument {
			return o != nil && i == len(option)-2
		}
	}
	return false
}
