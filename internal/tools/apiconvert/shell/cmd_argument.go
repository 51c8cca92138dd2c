package shell

import "strings"

// habits are how the command prompt's text was quoted. What developer tools
// copy escapes more than cmd.exe and the C runtime take away again, so that
// reading it by their rules would not give what was copied.
type habits struct {
	// carets: a ^ escapes in double quotes, too (Chromium before 2024 writes
	// "a^&b").
	carets bool
	// doubled: every backslash was doubled (Chromium and Firefox), not only
	// those in front of a quote.
	doubled bool
}

// unescaped are the characters that Chromium writes without a ^ in front,
// beside letters and digits.
var unescaped = bytesOf(" \t\r\n_-:=+~'/.',?;()*`&")

// habitsOf finds the habits of a block. Each is given up by the first place
// that contradicts it.
func habitsOf(text string) habits {
	h := habits{carets: true, doubled: true}
	inside := false
	slashes, byCaret := 0, false // of the run of backslashes before i
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
			if !caret && !atEdge(text, i) {
				h.carets = false
			}
			inside = !inside
		case inside && slashes%2 == 1 && !bracket:
			h.doubled = false
		}
		plain := c >= 0x80 || isNameStart(c) || c >= '0' && c <= '9' || unescaped[c]
		if inside && c != '"' && !caret && !plain && !(bracket && byCaret && slashes > 0) {
			h.carets = false
		}
		slashes = 0
	}
	return h
}

// atEdge reports whether a blank or the end of a line stands on one side of i.
func atEdge(text string, i int) bool {
	return i == 0 || i+1 == len(text) ||
		strings.IndexByte(" \t\r\n@", text[i-1]) >= 0 || strings.IndexByte(" \t\r\n^", text[i+1]) >= 0
}

// argument makes one argument as the C runtime does.
type argument struct {
	fields
	habits
	slashes int  // backslashes that may belong to a quote behind them
	open    bool // in double quotes
	closed  bool // the last character closed them
}

// take adds a character.
func (a *argument) take(c byte) {
	switch {
	case c == '\\':
		a.slashes++
		a.closed = false
		return
	case c != '"':
		a.settle()
		a.fields.text(string([]byte{c}))
		return
	}
	escaped := a.slashes%2 == 1
	a.backslashes(a.slashes / 2)
	switch {
	case escaped:
		a.fields.text(`"`)
		a.closed = false
	case a.closed: // "" in quotes is one quote
		a.fields.text(`"`)
		a.open, a.closed = true, false
	default:
		a.fields.quoted()
		a.closed, a.open = a.open, !a.open
	}
}

// settle adds the backslashes that no quote follows.
func (a *argument) settle() {
	n := a.slashes
	if a.doubled {
		n = (n + 1) / 2
	}
	a.backslashes(n)
	a.closed = false
}

func (a *argument) backslashes(n int) {
	if n > 0 {
		a.fields.text(strings.Repeat(`\`, n))
	}
	a.slashes = 0
}

// word reads the word at the cursor.
func (w *cmdReader) word() Word {
	start, at := w.pos, w.pos
	a := argument{fields: fields{whole: true}, habits: w.habits}
	quoted := false // cmd.exe takes the quotes for open
	for w.pos < w.limit && !w.endsWord(&a, start) {
		switch c := w.text[w.pos]; {
		case c == '^' && (!quoted || w.carets):
			w.caretEscape(&a)
		case w.newlineAt(w.pos) > 0:
			w.pos += w.newlineAt(w.pos)
			a.take('\n')
		case c == '%' && w.percent(&a):
		case c == '"':
			quoted = !quoted
			if !a.open {
				at = w.pos
			}
			a.take(c)
			w.pos++
		default:
			a.take(c)
			w.pos++
		}
	}
	a.settle()
	if a.open {
		w.unclosed(at)
	}
	return a.fields.word()
}

// endsWord reports whether the byte at the cursor ends the word. In the C
// runtime's quotes nothing does: what cmd.exe would end there was not meant to
// end.
func (w *cmdReader) endsWord(a *argument, start int) bool {
	if a.open {
		return false
	}
	var end int
	var n Note
	switch c := w.text[w.pos]; {
	case isBlank(c), w.newlineAt(w.pos) > 0, c == '|', c == '>', c == ')' && w.parentheses > 0:
		return true
	case c == '^' && w.newlineAt(w.pos+1) > 0:
		behind := w.pos + 1 + w.newlineAt(w.pos+1)
		return w.newlineAt(behind) > 0 && !w.newlinesInWord(w.pos+1)
	case c == '<':
		end, n = w.placeholderEnd(start), PlaceholderKept
	case c == '&':
		end, n = w.ampersandEnd(start), AmpersandKept
	default:
		return false
	}
	if end == w.pos {
		return true
	}
	w.note(n)
	for ; w.pos < end; w.pos++ {
		a.take(w.text[w.pos])
	}
	return w.pos == w.limit || w.endsWord(a, start)
}

// newlinesInWord reports whether the line ends at i stand between two quoted
// stretches of one word, as the oldest developer tools wrote them.
func (w *cmdReader) newlinesInWord(i int) bool {
	if i < 2 || w.text[i-2] != '"' {
		return false
	}
	return w.byteAt(w.behindNewlines(i)) == '"'
}

func (w *cmdReader) behindNewlines(i int) int {
	for w.byteAt(i) == '\n' || w.byteAt(i) == '\r' {
		i++
	}
	return i
}

// caretEscape reads a ^ and what it escapes: a line end that it takes away,
// with the one behind it, which is text, or a character.
func (w *cmdReader) caretEscape(a *argument) {
	w.pos++
	n := w.newlineAt(w.pos)
	switch {
	case w.pos == w.limit:
	case n == 0:
		a.take(w.text[w.pos])
		w.pos++
	case !a.open && w.newlinesInWord(w.pos):
		for end := w.behindNewlines(w.pos); w.pos < end; w.pos++ {
			if w.text[w.pos] != '\r' {
				a.take('\n')
			}
		}
	default:
		w.pos = w.skipMore(w.pos + n)
		if a.open {
			a.take('\n')
			w.pos += w.newlineAt(w.pos)
		}
	}
}

// percent reads %NAME% at the cursor and reports whether there is one. What
// could be a percent-encoded byte is none.
func (w *cmdReader) percent(a *argument) bool {
	const longest = 64
	name := w.text[w.pos+1 : w.pos+1+nameLength(w.text[w.pos+1:min(w.limit, w.pos+1+longest)])]
	behind := w.pos + 1 + len(name)
	if name == "" || w.byteAt(behind) != '%' {
		return false
	}
	encoded := len(name) > 1 && hexValue(name[0]) < 16 && hexValue(name[1]) < 16
	if encoded && (len(name) == 2 || hexValue(w.byteAt(behind+1)) < 16 && hexValue(w.byteAt(behind+2)) < 16) {
		return false
	}
	a.settle()
	if value, known := w.vars[strings.ToUpper(name)]; known {
		w.spend(weight(value))
		w.expanded(strings.ToUpper(name), value)
		a.fields.value(value, true)
	} else {
		a.fields.part(Part{Kind: Variable, Text: name, Quoted: true})
	}
	w.pos = behind + 1
	return true
}
