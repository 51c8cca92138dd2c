package posix

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// connect determines the standard input of the commands from index first on.
func (s *State) connect(first int) {
	for _, cmd := range s.script.Commands[first:] {
		s.Budget.Parts(len(cmd.Feeders) / 8)
		for _, feeder := range cmd.Feeders {
			if cmd.Stdin = printed(feeder); len(cmd.Feeders) > 1 || feeder.Within != cmd.Within {
				cmd.Stdin = script.Input{Kind: script.Unknown}
			}
			if feeder.PipesInto == "|" {
				feeder.PipesInto = pipeName(cmd)
			}
		}
		for _, red := range cmd.Redirects {
			if red.FD != 0 {
				continue
			}
			switch red.Op {
			case "<<", "<<-", "<<<":
				cmd.Stdin = script.Input{Kind: script.Text, Word: red.Target}
			case "<", "<>":
				cmd.Stdin = script.Input{Kind: script.File, Word: red.Target}
			case "<&":
				cmd.Stdin = script.Input{Kind: script.Unknown}
			}
		}
	}
}

// pipeName returns the value of PipesInto for a command that pipes into cmd.
func pipeName(cmd *script.Command) string {
	if name := cmd.CommandName(); name != "" && script.NameLength(name) == len(name) {
		return name
	}
	return "|"
}

// outputOf returns what the commands of a substitution print, if it is known: those at its level, not in substitutions
// inside it, must be one pipeline whose last command prints it.
func outputOf(commands []*script.Command, level int) script.Input {
	var last *script.Command
	for i := 0; i < len(commands); i++ {
		cmd := commands[i]
		if cmd.Level != level {
			continue
		}
		if (last == nil) != (cmd.Feeders == nil) || cmd.Within&(script.Conditional|script.Loop|script.Function) != 0 {
			return script.Input{Kind: script.Unknown}
		}
		last = cmd
		i += len(cmd.Runs)
	}
	if last == nil {
		return script.Input{Kind: script.Unknown}
	}
	if len(last.Words) == 0 && len(last.Assignments) == 0 && len(last.Redirects) == 1 { // bash: $(< file)
		return last.Stdin
	}
	return printed(last)
}

// printed returns what a command writes to standard output: Text for echo, printf and cat with known input, File for
// cat of a file.
func printed(cmd *script.Command) script.Input {
	unknown := script.Input{Kind: script.Unknown}
	if len(cmd.Words) == 0 || redirected(cmd) {
		return unknown
	}
	if len(cmd.Runs) > 0 {
		last := printing(cmd.Runs, cmd.Level)
		out := printed(last)
		if last.Within&^cmd.Within&(script.Conditional|script.Loop) != 0 {
			out.Kind = script.Unknown
		}
		return out
	}
	args := cmd.Words[1:]
	switch cmd.CommandName() {
	case "echo":
		if text, ok := echo(args); ok {
			return script.Input{Kind: script.Text, Word: text}
		}
	case "printf":
		if text, ok := printf(args); ok {
			return script.Input{Kind: script.Text, Word: text}
		}
	case "cat":
		return cat(args, cmd.Stdin)
	}
	if strings.HasSuffix(cmd.CommandName(), "curl") {
		unknown.Output = &script.Output{Command: cmd}
	} else if in := cmd.Stdin.From(); in != nil {
		unknown.Output = &script.Output{Command: cmd, Input: in}
	}
	return unknown
}

// silent are the commands that print nothing, in addition to assignments.
var silent = script.SetOf(`local export readonly declare typeset unset shift set cd read return exit true false : test [
	sleep trap`)

// printing returns the one command at a level whose output no other reads. If there are several, or none, it returns a
// command that prints nothing known.
func printing(commands []*script.Command, level int) *script.Command {
	var found *script.Command
	for i := 0; i < len(commands); i++ {
		cmd := commands[i]
		if cmd.Level == level && len(cmd.Words) > 0 && cmd.PipesInto == "" && !redirected(cmd) && !silent[cmd.CommandName()] {
			if found != nil {
				return &script.Command{}
			}
			found = cmd
		}
		i += len(cmd.Runs)
	}
	return cmp.Or(found, &script.Command{})
}

// redirected reports whether the output of a command is redirected.
func redirected(cmd *script.Command) bool {
	return slices.ContainsFunc(cmd.Redirects, func(red script.Redirect) bool { return red.FD == 1 })
}

// cat returns its input, or the one file that it reads.
func cat(args []script.Word, stdin script.Input) script.Input {
	if len(args) == 1 {
		name, literal := args[0].Literal()
		if literal && strings.HasPrefix(name, "-") && name != "-" {
			return script.Input{Kind: script.Unknown}
		}
		if name != "-" {
			return script.Input{Kind: script.File, Word: args[0]}
		}
	}
	if len(args) > 1 || stdin.Kind == script.Terminal {
		return script.Input{Kind: script.Unknown}
	}
	return stdin
}

// echo joins its arguments. ok is false with -e, which replaces escapes.
func echo(args []script.Word) (out script.Word, ok bool) {
	newline := true
	for len(args) > 0 {
		flags, ok := args[0].Literal()
		if !ok || len(flags) < 2 || flags[0] != '-' || strings.Trim(flags[1:], "neE") != "" {
			break
		}
		if strings.Contains(flags, "e") {
			return nil, false
		}
		newline = newline && !strings.Contains(flags, "n")
		args = args[1:]
	}
	out = script.Joined(args)
	if newline {
		out = append(out, script.Part{Kind: script.Literal, Text: "\n"})
	}
	return out, true
}

// printf evaluates formats whose only conversions are %s and %%. The format is reused while arguments remain.
func printf(args []script.Word) (script.Word, bool) {
	if len(args) > 0 && script.IsLiteral(args[0], "--") {
		args = args[1:]
	}
	if len(args) == 0 {
		return nil, false
	}
	format, ok := args[0].Literal()
	if !ok || strings.HasPrefix(format, "-v") {
		return nil, false
	}
	args = args[1:]
	var out script.Word
	print := func(text string) {
		if text = strings.ToValidUTF8(unescape(text), "\uFFFD"); text != "" {
			out = append(out, script.Part{Kind: script.Literal, Text: text})
		}
	}
	for again := true; again; again = again && len(args) > 0 {
		from := 0
		again = false
		for _, at := range conversions().FindAllStringIndex(format, -1) {
			print(format[from:at[0]])
			from = at[1]
			switch item := format[at[0]:from]; {
			case item == "%%":
				print("%")
				continue
			case item == "%":
				return nil, false
			case len(args) > 0:
				out, args = append(out, args[0]...), args[1:]
			}
			again = true
		}
		print(format[from:])
	}
	return out, true
}

var conversions = expression.Lazy(`%[s%]?`)

// generated matches commands that print a new value each time. Each group has a name of Postman's for it.
var generated = expression.Lazy(`^(?:(uuidgen(?: -r)?|cat /proc/sys/kernel/random/uuid)|date(?: -u| --utc)? (?:(\+%s)|` +
	`((?:-I|--iso-8601=)s(?:econds)?|\+(?:%F|%Y-%m-%d)T(?:%T|%H:%M:%S)(?:\.(?:0+|%[36]?N))?(?:Z|%:?z)))) $`)

var generatedNames = []string{"$guid", "$timestamp", "$isoTimestamp"}

// generator returns Postman's name for what commands print, which may pass through tr to lower case, or "".
func generator(commands []*script.Command) string {
	n := len(commands)
	if n == 2 && commands[1].CommandName() == "tr" && commands[1].Feeders != nil && len(commands[1].Words) == 3 {
		if to, _ := commands[1].Words[2].Literal(); to == "[:lower:]" || to == "a-z" || to == "[a-z]" {
			n = 1
		}
	}
	if n != 1 {
		return ""
	}
	text, ok := literals(commands[0].Words)
	if !ok || len(text) > script.MaxToken {
		return ""
	}
	for i, group := range generated().FindStringSubmatch(text) {
		if i > 0 && group != "" {
			return generatedNames[i-1]
		}
	}
	return ""
}

// literals returns words with a blank after each. ok is false if one is not a literal.
func literals(words []script.Word) (text string, ok bool) {
	var all strings.Builder
	for _, w := range words {
		literal, ok := w.Literal()
		if !ok {
			return "", false
		}
		all.WriteString(literal + " ")
	}
	return all.String(), true
}

// programs are the names of commands that variables may have, too.
var programs = expression.Lazy(`^[A-Za-z_][A-Za-z0-9_]{0,30}$`)

// filters are commands whose names say nothing about what they print.
var filters = script.SetOf("tr sed grep egrep cut awk head tail sort uniq xargs tee")

// program returns the name of the function or command that prints what a substitution consists of, or "command".
func (r *Reader) program(commands []*script.Command) string {
	name := ""
	for i := 0; i < len(commands) && r.functions[name] == nil; i++ {
		if next := commands[i].CommandName(); commands[i].Level == r.level+1 && (name == "" || !filters[next]) {
			name = next
		}
		i += len(commands[i].Runs)
	}
	return cmp.Or(programs().FindString(name[strings.LastIndexByte(name, '/')+1:]), "command")
}

// fileName returns a name for the content of a file: that of the file without what follows its first dot.
func fileName(path string) string {
	name := strings.TrimLeft(path[strings.LastIndexByte(path, '/')+1:], ".")
	name, _, _ = strings.Cut(name, ".")
	return programs().FindString(strings.ReplaceAll(name, "-", "_"))
}

// PrintsJSON reports whether a command is jq, which prints JSON unless an option says otherwise.
func PrintsJSON(cmd *script.Command) bool {
	return cmd.CommandName() == "jq" && !slices.ContainsFunc(cmd.Words[1:], func(w script.Word) bool {
		text, _ := w.Literal()
		return rawOutput().MatchString(text)
	})
}

var rawOutput = expression.Lazy(`^(?:-[a-zA-Z]*[rj][a-zA-Z]*|--raw-output0?|--join-output)$`)

// credentialCommand returns a name for the output of a command that prints a credential, made of its words:
// gcloud_auth_print_access_token. The name doesn't depend on where the command is. It is "" for other commands, whose
// words may be anything.
func credentialCommand(commands []*script.Command) string {
	if len(commands) != 1 {
		return ""
	}
	var name []string
	for i, w := range commands[0].Words {
		text, _ := w.Literal()
		parts := strings.Split(text, "-")
		if i == 0 && (len(text) > maxProgram || script.NameLength(text) != len(text)) ||
			i > 0 && slices.ContainsFunc(parts, func(part string) bool { return !credentialWords[part] }) {
			break
		}
		name = append(name, parts...)
	}
	if len(name) < 3 {
		return ""
	}
	return strings.Join(name, "_")
}

const maxProgram = 16

// credentialWords are the words of subcommands such as auth print-access-token.
var credentialWords = script.SetOf(`access account api application auth authtoken bearer create credential credentials default
	generate get id identity jwt key login password print secret session show token user whoami`)
