package cmd

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// habits describe how a tool quoted a command for the command prompt. Developer tools escape more than cmd.exe and the
// C runtime unescape, so reading their output by the rules would not return what was copied.
type habits struct {
	// carets: ^ also escapes inside double quotes (Chromium before 2024 writes "a^&b").
	carets bool
	// doubled: every backslash was doubled (Chromium and Firefox), not only those before a quote.
	doubled bool
}

// unescaped are the characters that Chromium writes without a ^ before them.
var unescaped = script.BytesOf(script.NameLetters + " \t\r\n-:=+~'/.',?;()*`&")

// habitsOf detects the habits of a block. Each is assumed until something in the block contradicts it.
func habitsOf(text string) habits {
	h := habits{carets: true, doubled: true}
	inside := false
	slashes, byCaret := 0, false // describe the run of backslashes before i
	for i := 0; i < len(text); i++ {
		c, caret := text[i], false
		if c == '^' && i+1 < len(text) {
			i++
			c, caret = text[i], true
		}
		if c == '\\' {
			h.carets = h.carets && (caret || !inside)
			slashes, byCaret = slashes+1, caret
			continue
		}
		bracket := strings.IndexByte("[]{}", c) >= 0
		switch {
		case c == '"' && slashes%2 == 1:
			h.doubled = h.doubled && caret
			h.carets = h.carets && caret
		case c == '"':
			h.carets = h.carets && (caret || atEdge(text, i))
			inside = !inside
		case inside && slashes%2 == 1 && !bracket:
			h.doubled = false
		}
		if inside && c != '"' && !caret && c < 0x80 && !unescaped[c] && !(bracket && byCaret && slashes > 0) {
			h.carets = false
		}
		slashes = 0
	}
	return h
}

// atEdge reports whether a blank or a line end is next to i.
func atEdge(text string, i int) bool {
	return i == 0 || i+1 == len(text) ||
		strings.IndexByte(" \t\r\n@", text[i-1]) >= 0 || strings.IndexByte(" \t\r\n^", text[i+1]) >= 0
}

// argument parses one argument as the C runtime does.
type argument struct {
	posix.Fields
	habits
	slashes int  // backslashes that may precede a quote
	open    bool // in double quotes
	closed  bool // the last character closed the quotes
}

// take adds a character.
func (a *argument) take(c byte) {
	if c == '\\' {
		a.slashes++
		a.closed = false
		return
	}
	if c != '"' {
		a.settle()
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

// settle adds the pending backslashes, which no quote follows.
func (a *argument) settle() {
	n := a.slashes
	if a.doubled {
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
	a.settle()
	unescaped, _ := a.Fields.Word().Literal()
	return unescaped
}
