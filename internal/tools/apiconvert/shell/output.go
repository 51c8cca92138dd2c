package shell

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// connect works out the standard input of the commands from first on.
func (s *state) connect(first int) {
	commands := s.script.Commands
	for i := first; i < len(commands); i++ {
		cmd := commands[i]
		cmd.Stdin = Input{}
		switch {
		case cmd.feeder == fedByCompound:
			cmd.Stdin.Kind = Unknown
			s.budget.Parts(len(cmd.piped) / 8)
			for _, feeder := range cmd.piped {
				if feeder.PipesInto == "|" {
					feeder.PipesInto = pipeName(cmd)
				}
			}
			cmd.piped = nil
		case cmd.feeder >= 0:
			feeder := commands[cmd.feeder]
			cmd.Stdin = printed(feeder)
			feeder.PipesInto = pipeName(cmd)
		}
		for _, red := range cmd.Redirects {
			if red.FD != 0 {
				continue
			}
			switch red.Op {
			case "<<", "<<-", "<<<":
				cmd.Stdin = Input{Kind: Text, Word: red.Target, Document: red.Op != "<<<"}
			case "<", "<>":
				cmd.Stdin = Input{Kind: File, Word: red.Target}
			case "<&":
				cmd.Stdin = Input{Kind: Unknown}
			}
		}
	}
}

// pipeName is what PipesInto says of a reader.
func pipeName(cmd *Command) string {
	if name := cmd.name(); name != "" && nameLength(name) == len(name) {
		return name
	}
	return "|"
}

// outputOf returns what the commands of a substitution print, if that stands
// in the text: they are one pipeline whose last command prints it.
func outputOf(commands []*Command) (Word, bool) {
	for i, cmd := range commands {
		if (i == 0) != (cmd.feeder == fedByNothing) || cmd.Within&(Conditional|Loop|Function) != 0 {
			return nil, false
		}
	}
	if len(commands) == 0 {
		return nil, false
	}
	out := printed(commands[len(commands)-1])
	return out.Word, out.Kind == Text
}

// printed tells what a command writes to its standard output: a Text for
// echo, printf and cat of what is known, a File for cat file.
func printed(cmd *Command) Input {
	unknown := Input{Kind: Unknown}
	for _, red := range cmd.Redirects {
		if red.FD == 1 {
			return unknown
		}
	}
	if len(cmd.Words) == 0 {
		return unknown
	}
	args := cmd.Words[1:]
	switch cmd.name() {
	case "echo":
		return Input{Kind: Text, Word: echo(args)}
	case "printf":
		if text, ok := printf(args); ok {
			return Input{Kind: Text, Word: text}
		}
	case "cat":
		return cat(args, cmd.Stdin)
	}
	return unknown
}

// cat prints its input, or one file.
func cat(args []Word, stdin Input) Input {
	if len(args) == 1 {
		name, literal := args[0].Literal()
		if literal && strings.HasPrefix(name, "-") && name != "-" {
			return Input{Kind: Unknown}
		}
		if name != "-" {
			return Input{Kind: File, Word: args[0]}
		}
	}
	if len(args) > 1 || stdin.Kind == Terminal {
		return Input{Kind: Unknown}
	}
	return stdin
}

// echo joins its arguments. Escapes are replaced with -e only: shells differ
// about echo without it.
func echo(args []Word) Word {
	newline, escapes := true, false
	for len(args) > 0 {
		flags, ok := args[0].Literal()
		if !ok || len(flags) < 2 || flags[0] != '-' || strings.Trim(flags[1:], "neE") != "" {
			break
		}
		newline = newline && strings.IndexByte(flags, 'n') < 0
		escapes = escapes || strings.IndexByte(flags, 'e') >= 0
		args = args[1:]
	}
	var out Word
	for i, w := range args {
		if i > 0 {
			out = append(out, Part{Kind: Literal, Text: " "})
		}
		for _, p := range w {
			if escapes && p.Kind == Literal {
				p.Text, _ = valid(unescape(p.Text, echoEscapes()))
			}
			out = append(out, p)
		}
	}
	if newline {
		out = append(out, Part{Kind: Literal, Text: "\n"})
	}
	return out
}

// printf works out the formats that hold no other conversions than %s, %b, %d
// and %%; the format is used again while arguments are left.
func printf(args []Word) (Word, bool) {
	if len(args) > 0 && isLiteral(args[0], "--") {
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
	var out Word
	print := func(text string) {
		if text, _ = valid(unescape(text, quoteEscapes())); text != "" {
			out = append(out, Part{Kind: Literal, Text: text})
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
			case item == "%", item == "%d" && len(args) > 0 && !decimal(args[0]):
				return nil, false
			case len(args) > 0:
				out, args = append(out, args[0]...), args[1:]
			case item == "%d":
				print("0")
			}
			again = true
		}
		print(format[from:])
	}
	return out, true
}

var conversions = expression.Lazy(`%[sbd%]?`)

var decimalNumber = expression.Lazy(`^(?:0|-?[1-9][0-9]{0,17})$`)

// decimal reports whether %d prints a word as it stands.
func decimal(w Word) bool {
	text, ok := w.Literal()
	return ok && decimalNumber().MatchString(text)
}

// credentialCommand names the output of a command that prints a credential after
// its words: gcloud_auth_print_access_token. It is the same wherever the command
// stands. "" for others: their words may be anything.
func credentialCommand(commands []*Command) string {
	if len(commands) != 1 {
		return ""
	}
	var name []string
	for i, w := range commands[0].Words {
		text, _ := w.Literal()
		parts := strings.Split(text, "-")
		if i == 0 && (len(text) > maxProgram || nameLength(text) != len(text)) ||
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
var credentialWords = setOf(`access account api application auth authtoken bearer create credential credentials default
	generate get id identity jwt key login password print secret session show token user whoami`)
