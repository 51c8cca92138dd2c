// Package invocation determines which words of a command invoke curl: by a path, through sudo, env, timeout, xargs, find
// and the like, in a container, or in a script that another shell runs.
package invocation

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// prefix is a command that runs the command in its arguments.
type prefix struct {
	short    string // letters of the options that take an argument
	operands int    // its own arguments before the command
	assigns  bool   // NAME=value may precede the command
}

// prefixes are the commands that may run curl.
var prefixes = map[string]prefix{
	"sudo":     {short: "CDghpRrTtUu", assigns: true},
	"env":      {short: "CSu", assigns: true},
	"time":     {short: "fo"},
	"command":  {},
	"exec":     {short: "a"},
	"nohup":    {},
	"nice":     {short: "n"},
	"timeout":  {short: "ks", operands: 1},
	"parallel": {short: "jNnLaCSI"},
	"xargs":    {short: "ILnPsaEd"},
}

// containers are the commands that run another command elsewhere, after their exec or run.
var containers = []string{"docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc", "k"}

// shells run the script after their -c, or the one they read. Those with the value true may have operands before the -c:
// a user, a time, a folder, the argument of an option.
var shells = map[string]bool{
	"sh": false, "bash": false, "dash": false, "zsh": false, "ash": false, "ksh": false, "su": true, "at": true,
	"batch": true, "chroot": true, "powershell": true, "powershell.exe": true, "pwsh": true, "pwsh.exe": true,
}

// joiners run their arguments, joined with blanks, as a shell script. trap runs only the first one.
var joiners = map[string]prefix{
	"eval":    {},
	"trap":    {},
	"ssh":     {short: "BbcDEeFIiJLlmOopQRSWw", operands: 1},
	"cmd":     {operands: 1},
	"cmd.exe": {operands: 1},
}

// BaseName returns the name of the program that a word invokes, without its path, an image's tag or .exe.
func BaseName(w script.Word) string {
	text, literal := w.Literal()
	if !literal {
		// "$CURL" is assumed to be what its name suggests.
		if len(w) == 1 && w[0].Kind <= script.CommandSubstitution && strings.Contains(strings.ToLower(w[0].Text), "curl") {
			return "curl"
		}
		// A path that begins with a variable: $BIN/curl.
		text = w[len(w)-1].Text
		if w[len(w)-1].Kind != script.Literal || !strings.Contains(text, "/") {
			return ""
		}
	}
	text = text[strings.LastIndexAny(text, `/\`)+1:]
	if strings.HasSuffix(strings.ToLower(text), "curl.exe") {
		return "curl"
	}
	if i := strings.IndexByte(text, ':'); i > 0 {
		text = text[:i]
	}
	return strings.TrimPrefix(text, "@") // of cmd: do not print the command
}

// Program returns the words of a command after its prefixes and the index of the first one. It returns no words if
// there are only prefixes.
func Program(words []script.Word) (program []script.Word, from int) {
	for len(words) > 0 {
		name := BaseName(words[0])
		p, ok := prefixes[name]
		var after []script.Word
		switch {
		case name == "find":
			after = executed(words)
		case ok:
			after = p.skip(words[1:])
		}
		if !ok && len(after) == 0 {
			return words, from
		}
		skipped := len(words) - len(after)
		from += skipped
		switch name {
		case "xargs":
			after = filled(after, inputMark(words[1:skipped]))
		case "parallel":
			after = filled(after, "{}")
		case "find":
			after = filled(after[:slices.IndexFunc(after, endsExecuted)], "{}")
		}
		words = after
	}
	return nil, from
}

// executed returns the words after the -exec of find, or none if no command ends after it.
func executed(words []script.Word) []script.Word {
	i := slices.IndexFunc(words, func(w script.Word) bool {
		text, _ := w.Literal()
		return text == "-exec" || text == "-execdir" || text == "-ok" || text == "-okdir"
	})
	if i < 0 || slices.IndexFunc(words[i+1:], endsExecuted) < 1 {
		return nil
	}
	return words[i+1:]
}

// endsExecuted reports whether a word ends the command that find runs.
func endsExecuted(w script.Word) bool { return script.IsLiteral(w, ";") || script.IsLiteral(w, "+") }

// inputMark returns the string after the option -I of xargs, which represents its input.
func inputMark(options []script.Word) (mark string) {
	for i, w := range options {
		text, _ := w.Literal()
		if after, ok := strings.CutPrefix(text, "-I"); ok {
			if mark = after; mark == "" && i+1 < len(options) {
				mark, _ = options[i+1].Literal()
			}
		}
	}
	return mark
}

// filled inserts a variable in the words that contain mark.
func filled(words []script.Word, mark string) []script.Word {
	if mark == "" {
		return words
	}
	all := make([]script.Word, len(words))
	for i, w := range words {
		for _, part := range w {
			before, after, found := strings.Cut(part.Text, mark)
			for ; found && part.Kind == script.Literal; before, after, found = strings.Cut(part.Text, mark) {
				all[i] = append(all[i], script.Part{Kind: script.Literal, Text: before},
					script.Part{Kind: script.Variable, Text: "item", Quoted: true})
				part.Text = after
			}
			all[i] = append(all[i], part)
		}
	}
	return all
}

// Call returns the arguments that the words pass to curl, if they invoke it, and the index of the first one.
func Call(words []script.Word) (args []script.Word, from int, ok bool) {
	words, from = Program(words)
	if len(words) == 0 {
		return nil, 0, false
	}
	name := BaseName(words[0])
	if name == "curl" {
		return words[1:], from + 1, true
	}
	if _, joins := joiners[name]; joins || isShell(words[0]) || name == "find" || IsQuiet(name) {
		return nil, 0, false
	}
	args, ok = afterCommand(words)
	return args, from + len(words) - len(args), ok
}

// afterCommand finds curl among the arguments of another command, with a URL after it unless the command runs a
// container: retry 3 curl -f http://…, aws-vault exec dev -- curl http://…, docker exec app curl "$URL".
func afterCommand(words []script.Word) ([]script.Word, bool) {
	i := slices.IndexFunc(words, func(w script.Word) bool { return BaseName(w) == "curl" })
	if i < 0 {
		return nil, false
	}
	contained := slices.Contains(containers, BaseName(words[0])) && slices.ContainsFunc(words[:i], func(w script.Word) bool {
		return script.IsLiteral(w, "exec") || script.IsLiteral(w, "run")
	})
	return words[i+1:], contained || slices.ContainsFunc(words[i+1:], func(w script.Word) bool {
		return slices.ContainsFunc(w, func(p script.Part) bool {
			return strings.Contains(p.Text, "://") || strings.Contains(p.Text, "localhost")
		})
	})
}

// skip returns the words after the prefix's own arguments. For "command -v", which runs nothing, it returns an empty
// word.
func (p prefix) skip(words []script.Word) []script.Word {
	operands := p.operands
	for len(words) > 0 {
		text, _ := words[0].Literal()
		_, isAssignment := posix.AssignmentIn(words[0])
		switch {
		case text == "--":
			return words[1:]
		case strings.HasPrefix(text, "-") && text != "-":
			if p.short == "" && strings.ContainsAny(text, "vV") {
				return []script.Word{nil}
			}
			if letter := text[len(text)-1]; text[1] != '-' && strings.IndexByte(p.short, letter) >= 0 && len(words) > 1 {
				words = words[1:]
			}
		case p.assigns && isAssignment:
		case operands > 0:
			operands--
		default:
			return words
		}
		words = words[1:]
	}
	return nil
}

// ShellText returns the script that a command passes to a shell, possibly in a container: after sh -c, or as its standard
// input.
func ShellText(cmd *script.Command) (script.Word, bool) {
	words, from := Program(cmd.Words)
	read, reads := cmd.Stdin.Word, cmd.Stdin.Kind == script.Text
	if len(words) == 0 { // sudo -i, or parallel with commands as input
		return read, reads && from > 0 && slices.Contains([]string{"sudo", "parallel"}, BaseName(cmd.Words[0]))
	}
	name := BaseName(words[0])
	if p, ok := joiners[name]; ok {
		words = p.skip(words[1:])
		if name == "trap" {
			words = words[:min(1, len(words))]
		}
		if name != "ssh" || len(words) > 0 && !isShell(words[0]) {
			return script.Joined(words), len(words) > 0
		}
		if len(words) == 0 {
			return read, reads
		}
	} else if slices.Contains(containers, name) {
		words = words[max(0, slices.IndexFunc(words, isShell)):]
	}
	if !isShell(words[0]) {
		return nil, false
	}
	operands := shells[BaseName(words[0])]
	for i, w := range words[1:] {
		text, _ := w.Literal()
		switch lower := strings.ToLower(text); {
		case !strings.HasPrefix(text, "-") && !operands:
			return nil, false
		case !strings.HasPrefix(text, "-") || i+2 == len(words):
		case strings.HasSuffix(lower, "c"), strings.TrimLeft(lower, "-") == "command":
			return words[i+2], true
		}
	}
	return read, reads
}

func isShell(w script.Word) bool {
	_, is := shells[BaseName(w)]
	return is
}

// quiet are the commands that only prepare or print, or feed a pipe.
const quiet = " set export readonly local declare typeset unset echo printf cat cd true false : test [ [[ (( exit " +
	"return shift break continue trap sleep wait read clear pwd type which shopt alias source . let umask command " +
	"hash builtin ulimit time if else goto setlocal endlocal "

// IsQuiet reports whether a command only prepares or prints, or feeds a pipe.
func IsQuiet(name string) bool { return strings.Contains(quiet, " "+name+" ") }
