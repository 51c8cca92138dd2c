package posix

import (
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// unsets are the commands that set the variables in their arguments to unknown values.
var unsets = script.SetOf("unset read getopts mapfile readarray")

// builtin evaluates the built-in commands that change variables.
func (r *Reader) builtin(cmd *script.Command) {
	words := cmd.Words
	switch name := cmd.CommandName(); {
	case script.Declares[name]:
		for _, w := range words[1:] {
			if a, ok := AssignmentIn(w); ok {
				r.Assign(a)
			}
		}
	case name == "shift":
		n := 1
		if len(words) > 1 {
			text, _ := words[1].Literal()
			n, _ = strconv.Atoi(text)
		}
		r.arguments = r.arguments[max(0, min(n, len(r.arguments))):]
	case name == "printf":
		if len(words) > 3 && script.IsLiteral(words[1], "-v") {
			variable, _ := words[2].Literal()
			r.set(variable, unknown)
			if value, ok := printf(words[3:]); ok && script.NameLength(variable) == len(variable) {
				r.Assign(script.Assignment{Name: variable, Value: value})
			}
		}
	case unsets[name]:
		operands := words[1:]
		if name == "getopts" && len(operands) > 0 {
			operands = operands[1:] // the options
		}
		for _, w := range operands {
			if text, ok := w.Literal(); ok {
				r.set(text, unknown)
				if name != "unset" && script.IsName(text) {
					r.recordSetting(text, true)
				}
			}
		}
		if i := slices.IndexFunc(cmd.Redirects, func(d script.Redirect) bool { return d.Op == "<<<" }); i >= 0 && name == "read" {
			r.reads(cmd, cmd.Redirects[i].Target)
		}
	}
}

// readHead matches read with one variable, and the options for a raw line and for an empty delimiter.
var readHead = expression.Lazy(`^read ((?:-r )*(?:-(?:r?)d  )?(?:-r )*)([A-Za-z_]\w*) $`)

// reads sets the variable of read to the first line of a text, or to all of it if the delimiter is empty. It trims blanks
// unless IFS is empty (XCU, read). The value stays unknown if there are several variables, or backslashes without -r.
func (r *Reader) reads(cmd *script.Command, text script.Word) {
	head, _ := literals(cmd.Words)
	m := readHead().FindStringSubmatch(head)
	if m == nil {
		return
	}
	text = slices.Clone(text)
	literal, ok := text.Literal()
	whole, raw := strings.Contains(m[1], "d"), strings.Contains(m[1], "r")
	if !whole && !ok || !raw && strings.Contains(literal, `\`) {
		return
	}
	if !whole {
		literal, _, _ = strings.Cut(literal, "\n")
		text = script.LiteralWord(literal)
	}
	keeps := slices.ContainsFunc(cmd.Assignments, func(a script.Assignment) bool { return a.Name == "IFS" && len(a.Value) == 0 })
	if n := len(text) - 1; n >= 0 && !keeps {
		if first := &text[0]; first.Kind == script.Literal {
			first.Text = strings.TrimLeft(first.Text, " \t\n")
		}
		if last := &text[n]; last.Kind == script.Literal {
			last.Text = strings.TrimRight(last.Text, " \t\n")
		}
	}
	r.Assign(script.Assignment{Name: m[2], Value: text})
}
