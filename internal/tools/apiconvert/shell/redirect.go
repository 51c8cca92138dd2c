package shell

import "strings"

// redirectOps are the redirection operators of XCU 2.7 and bash, longer ones
// before those they begin with.
var redirectOps = []string{"<<<", "<<-", "<<", "<&", "<>", "<", "&>>", "&>", ">>", ">&", ">|", ">"}

// redirection reads one redirection at the cursor and reports whether there
// was one.
func (r *reader) redirection(cmd *Command) bool {
	i := r.pos
	for c := r.byteAt(i); c >= '0' && c <= '9' && i-r.pos < 4; c = r.byteAt(i) {
		i++
	}
	op := redirectOp(r.text[i:r.limit])
	if op == "" || r.byteAt(i+1) == '(' || i > r.pos && op[0] == '&' {
		return false
	}
	if i == r.pos && op == "<" && r.placeholderEnd(r.pos) > r.pos {
		return false
	}
	red := Redirect{Op: op, FD: 1}
	if op[0] == '<' {
		red.FD = 0
	}
	if i > r.pos {
		red.FD = 0
		for _, d := range []byte(r.text[r.pos:i]) {
			red.FD = red.FD*10 + int(d-'0')
		}
	}
	at := r.pos
	r.pos = i + len(op)
	r.blanks()
	switch op {
	case "<<", "<<-":
		r.announce(cmd, at, op == "<<-")
	case "<<<":
		red.Target = append(r.wholeWord(), Part{Kind: Literal, Text: "\n"})
	default:
		red.Target = r.wholeWord()
	}
	cmd.Redirects = append(cmd.Redirects, red)
	return true
}

func redirectOp(text string) string {
	if text == "" || strings.IndexByte("<>&", text[0]) < 0 {
		return ""
	}
	for _, op := range redirectOps {
		if strings.HasPrefix(text, op) {
			return op
		}
	}
	return ""
}
