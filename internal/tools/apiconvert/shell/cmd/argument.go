package cmd

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
)

// argument parses one argument as the C runtime does.
type argument struct {
	posix.Fields
	raw     bool // an argument of echo, which cmd.exe prints as it is
	copied  bool // a browser copied it, so every backslash is doubled, not only those before a quote
	slashes int  // backslashes that may precede a quote
	open    bool // in double quotes
	closed  bool // the last character closed the quotes
}

func (a *argument) take(c byte) {
	if a.raw {
		a.open = a.open != (c == '"')
		a.Fields.Text(string([]byte{c}))
		return
	}
	if c == '\\' {
		a.slashes++
		a.closed = false
		return
	}
	if c != '"' {
		a.flush()
		a.Literal.WriteByte(c)
		a.Started = true
		return
	}
	escaped, again := a.slashes%2 == 1, a.closed
	a.backslashes(a.slashes / 2)
	if escaped || again { // "" in quotes is one quote
		a.Fields.Text(`"`)
		a.open, a.closed = a.open || again, false
		return
	}
	a.Fields.Quoted()
	a.closed, a.open = a.open, !a.open
}

// flush adds the pending backslashes, which no quote follows.
func (a *argument) flush() {
	n := a.slashes
	if a.copied {
		n = (n + 1) / 2
	}
	a.backslashes(n)
	a.closed = false
}

func (a *argument) backslashes(n int) {
	a.Literal.WriteString(strings.Repeat(`\`, n))
	a.slashes = 0
}

// Unescape returns text as the C runtime unescapes it.
func Unescape(text string) string {
	var a argument
	for _, c := range []byte(text) {
		a.take(c)
	}
	a.flush()
	unescaped, _ := a.Fields.Word().Literal()
	return unescaped
}
