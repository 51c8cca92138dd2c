package posix

import (
	"regexp"
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// A redirection's descriptor and operator, from XCU 2.7 and bash. Longer operators precede their prefixes.
var (
	posixRedirects = expression.Lazy(`^(?:([0-9]{0,4})(<<<|<<-|<<|<&|<>|<|>>|>&|>\||>)|()(&>>?))`)
	redirectStarts = script.BytesOf("<>&*0123456789")
)

// Redirection reads one redirection at the cursor and reports whether there was one. target reads the target after an
// operator at an offset.
func (r *Reader) Redirection(
	cmd *script.Command, operators *regexp.Regexp, target func(op string, at int) script.Word,
) bool {
	at := r.Pos
	if c := r.Text[at]; !redirectStarts[c] || c == '<' && r.PlaceholderEnd(at) > at {
		return false
	}
	m := r.Match(operators)
	if m == nil {
		return false
	}
	red := script.Redirect{Op: m[2] + m[len(m)-1], FD: 1}
	if r.ByteAt(r.Pos) == '(' && len(red.Op) == 1 { // a process substitution
		r.Pos = at
		return false
	}
	if red.Op[0] == '<' {
		red.FD = 0
	}
	if m[1] != "" {
		red.FD, _ = strconv.Atoi(m[1])
	}
	red.Target = target(red.Op, at)
	if red.Op == "<<<" && cmd.CommandName() == "read" {
		name, _ := cmd.Words[len(cmd.Words)-1].Literal()
		r.nameToken(name, "")
	}
	cmd.Redirects = append(cmd.Redirects, red)
	return true
}

// redirectTarget reads the target of a POSIX operator.
func (r *Reader) redirectTarget(op string, at int) script.Word {
	r.blanks()
	switch op {
	case "<<", "<<-":
		r.announce(at, op == "<<-")
		return nil
	case "<<<":
		return append(r.unsplitWord(), script.Part{Kind: script.Literal, Text: "\n"})
	}
	return r.unsplitWord()
}
