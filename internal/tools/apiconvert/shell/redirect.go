package shell

import (
	"regexp"
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// A redirection's descriptor and its operator: of XCU 2.7 and bash, longer
// operators before those they begin with; of the command prompt.
var (
	posixRedirects = expression.Lazy(`^(?:([0-9]{0,4})(<<<|<<-|<<|<&|<>|<|>>|>&|>\||>)|()(&>>?))`)
	cmdRedirects   = expression.Lazy(`^([0-9]?)([<>][>&]?)()`)
	redirectStarts = bytesOf("<>&*0123456789")
)

// redirection reads one redirection at the cursor and reports whether there was
// one. target reads what is behind the operator at an offset.
func (r *reader) redirection(cmd *Command, operators *regexp.Regexp, target func(op string, at int) Word) bool {
	at := r.pos
	if c := r.text[at]; !redirectStarts[c] || c == '<' && r.placeholderEnd(at) > at {
		return false
	}
	m := r.match(operators)
	if m == nil {
		return false
	}
	red := Redirect{Op: m[2] + m[len(m)-1], FD: 1}
	if operators == posixRedirects() && r.byteAt(r.pos) == '(' && len(red.Op) == 1 { // a process substitution
		r.pos = at
		return false
	}
	if red.Op[0] == '<' {
		red.FD = 0
	}
	if m[1] != "" {
		red.FD, _ = strconv.Atoi(m[1])
	}
	red.Target = target(red.Op, at)
	cmd.Redirects = append(cmd.Redirects, red)
	return true
}

// redirectTarget reads what is behind an operator of POSIX.
func (r *reader) redirectTarget(op string, at int) Word {
	r.blanks()
	switch op {
	case "<<", "<<-":
		r.announce(at, op == "<<-")
		return nil
	case "<<<":
		return append(r.wholeWord(), Part{Kind: Literal, Text: "\n"})
	}
	return r.wholeWord()
}
