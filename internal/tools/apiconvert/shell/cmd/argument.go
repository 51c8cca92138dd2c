package cmd

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// quoting describe how a tool quoted a command for the command prompt. Developer tools escape more than cmd.exe and the
// C runtime unescape, so reading their output by the rules would not return what was copied.
type quoting struct {
	// carets: ^ also escapes inside double quotes (Chromium before 2024 writes "a^&b").
	carets bool
	// doubled: every backslash was doubled (Chromium and Firefox), not only those before a quote.
	doubled bool
}

// unescaped are the characters that Chromium writes without a ^ before them.
var unescaped = script.BytesOf(script.NameLetters + " \t\n-:=+~'/.',?;()*`&")

// detectQuoting detects how a block is quoted. Each is assumed until a character contradicts it: one that the tool would
// have written with a ^ before it, or an odd number of backslashes.
func detectQuoting(text string) quoting {
	h := quoting{carets: true, doubled: true}
	inside := false              // between double quotes
	slashes, byCaret := 0, false // the backslashes before i, and whether the last one has a ^
	for i := 0; i < len(text); i++ {
		c, caret := text[i], false
		if c == '^' && i+1 < len(text) {
			i++
			c, caret = text[i], true
		}
		if c == '\\' { // Chromium writes ^\ in quotes
			h.carets = h.carets && (caret || !inside)
			slashes, byCaret = slashes+1, caret
			continue
		}
		bracket := strings.IndexByte("[]{}", c) >= 0 // Chromium writes ^\[ for curl's patterns
		switch {
		case c == '"' && slashes%2 == 1: // an escaped quote: \" by hand, ^\^" by Chromium
			h.doubled = h.doubled && caret
			h.carets = h.carets && caret
		case c == '"': // a quote around an argument, or ^" by Chromium
			h.carets = h.carets && (caret || atEdge(text, i))
			inside = !inside
		case inside && slashes%2 == 1 && !bracket: // a single backslash
			h.doubled = false
		}
		switch {
		case !inside || c == '"' || c >= 0x80:
		case caret && script.NameBytes[c]: // Chromium writes ^ before these only to split %NAME%
			h.carets = h.carets && i >= 2 && text[i-2] == '%'
		case !caret && !unescaped[c] && !(bracket && byCaret && slashes > 0):
			h.carets = false // Chromium would have written ^ before c
		}
		slashes = 0
	}
	return h
}

// atEdge reports whether a blank or a line end is next to i.
func atEdge(text string, i int) bool {
	return i == 0 || i+1 == len(text) ||
		strings.IndexByte(" \t\n@", text[i-1]) >= 0 || strings.IndexByte(" \t\n^", text[i+1]) >= 0
}

// argument parses one argument as the C runtime does.
type argument struct {
	posix.Fields
	quoting
	raw     bool // an argument of echo, which cmd.exe prints as it is
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
	a.flush()
	unescaped, _ := a.Fields.Word().Literal()
	return unescaped
}
