package yamlnode

import (
	"strings"
	"unicode/utf8"
)

// Classes of bytes in common YAML.
const (
	unusual uint8 = 1 << iota // may begin a character that common documents don't have
	noStart                   // can't begin a plain scalar
	stops                     // may end a plain scalar
	inFlow                    // ends a plain scalar in a flow collection
)

var yamlBytes = func() (table [256]uint8) {
	for c := range 0x20 {
		table[c] |= unusual | noStart | stops
	}
	table['\n'] &^= unusual
	table['\t'] &^= unusual
	table[0x7F] |= unusual
	for _, c := range []byte{0xC2, 0xEF} {
		table[c] |= unusual
	}
	for _, c := range []byte(" ,[]{}#&*!|>'\"%@`?:") {
		table[c] |= noStart
	}
	for _, c := range []byte(" :") {
		table[c] |= stops
	}
	for _, c := range []byte(",[]{}") {
		table[c] |= inFlow
	}
	return table
}()

// isCommon reports whether text has only characters that YAML allows, no line breaks other than LF and CR LF,
// and no byte order mark.
func isCommon(text string) bool {
	ascii := byte(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		ascii |= c
		if yamlBytes[c]&unusual == 0 {
			continue
		}
		switch rest := text[i:]; {
		case c == '\r' && strings.HasPrefix(rest, "\r\n"):
		case c == 0xC2 && len(rest) > 1 && rest[1] >= 0xA0, strings.HasPrefix(rest, "\u0085"):
		case c == 0xEF && !strings.HasPrefix(rest, byteOrderMark) && !strings.HasPrefix(rest, "\uFFFE") && !strings.HasPrefix(rest, "\uFFFF"):
		default:
			return false
		}
	}
	return ascii < utf8.RuneSelf || utf8.ValidString(text)
}

// beginsPlain reports whether a plain scalar begins here.
func (p *parser) beginsPlain() bool {
	return p.at < len(p.text) && yamlBytes[p.text[p.at]]&noStart == 0 && (p.text[p.at] != '-' || !ends(p.peek(1)))
}

// segment returns the end of the part of a plain scalar on this line, and the offset of what ends it: a line
// end, a comment, a colon or, in flow, an indicator. A tab also ends it, where nothing can follow it.
func (p *parser) segment(flow bool) (end, stop int) {
	mask := stops
	if flow {
		mask |= inFlow
	}
	text := p.text
	for i := p.at; ; i++ {
		for i < len(text) && yamlBytes[text[i]]&mask == 0 {
			i++
		}
		if i == len(text) {
			return i, i
		}
		switch text[i] {
		case ' ':
			blank := i
			for i+1 < len(text) && text[i+1] == ' ' {
				i++
			}
			if i+1 == len(text) || text[i+1] == '#' || yamlBytes[text[i+1]]&mask != 0 && p.isEnd(i+1) {
				return blank, i + 1
			}
		default:
			if p.isEnd(i) {
				return i, i
			}
		}
	}
}

// isEnd reports whether the byte at i, which may end a plain scalar, does.
func (p *parser) isEnd(i int) bool {
	return p.text[i] != ':' || i+1 == len(p.text) || ends(p.text[i+1])
}

// plain parses a plain scalar. Its continuation lines are indented by more than indent.
func (p *parser) plain(indent int, flow bool) string {
	end, stop := p.segment(flow)
	first := p.text[p.at:end]
	p.at = stop
	p.buffer = append(p.buffer[:0], first...)
	for more := false; ; more = true {
		at, line, breaks := p.at, p.line, 0
		for c := p.peek(0); c == ' ' || c == '\n' || c == '\r'; c = p.peek(0) {
			if c == '\n' {
				p.newline()
				breaks++
			} else {
				p.at++
			}
		}
		begin := p.at
		if breaks > 0 && p.at < len(p.text) && (flow || p.column() > indent) && p.text[p.at] != '#' && !p.isMarker() {
			end, stop = p.segment(flow)
		} else {
			end = begin
		}
		if end == begin {
			p.at, p.line = at, line
			if !more {
				return first
			}
			return string(p.buffer)
		}
		p.fold(breaks)
		p.buffer = append(p.buffer, p.text[begin:end]...)
		p.at = stop
	}
}

// fold joins two lines of a scalar: with a space, or with the empty lines between them.
func (p *parser) fold(breaks int) {
	if breaks == 1 {
		p.buffer = append(p.buffer, ' ')
	}
	for ; breaks > 1; breaks-- {
		p.buffer = append(p.buffer, '\n')
	}
}

// quotedEnd returns the index after a quoted scalar that ends on this line, or -1 if it doesn't.
func (p *parser) quotedEnd() int {
	quote := p.text[p.at]
	for i := p.at + 1; i < len(p.text) && p.text[i] != '\n'; i++ {
		switch c := p.text[i]; {
		case c == '\\' && quote == '"':
			i++
		case c != quote:
		case quote == '\'' && i+1 < len(p.text) && p.text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return -1
}

// quoted parses a quoted scalar.
func (p *parser) quoted() string {
	quote := p.text[p.at]
	p.at++
	rest := p.text[p.at:]
	special := "\"\\\n"
	if quote == '\'' {
		special = "'\n"
	}
	n := strings.IndexAny(rest, special)
	if n >= 0 && rest[n] == quote && (quote == '"' || n+1 == len(rest) || rest[n+1] != quote) {
		p.at += n + 1
		return rest[:n]
	}
	p.buffer = p.buffer[:0]
	for !p.declined {
		if p.at == len(p.text) || p.isMarker() {
			p.decline()
			break
		}
		if p.quotedText(quote) {
			break
		}
	}
	return string(p.buffer)
}

// quotedText parses the next piece of a quoted scalar: a character or escape, or a run of blanks and line ends.
// It reports whether it read the closing quote.
func (p *parser) quotedText(quote byte) (closed bool) {
	c := p.text[p.at]
	switch {
	case c == quote && quote == '\'' && p.peek(1) == quote:
		p.buffer = append(p.buffer, quote)
		p.at += 2
	case c == quote:
		p.at++
		return true
	case c == '\\' && quote == '"' && (p.peek(1) == '\n' || p.peek(1) == '\r'):
		p.at++
		p.blanks(true)
	case c == '\\' && quote == '"':
		p.escape()
	case ends(c):
		p.blanks(false)
	default:
		p.buffer = append(p.buffer, c)
		p.at++
	}
	return false
}

// blanks parses blanks and line ends in a quoted scalar. After an escaped line end the line continues; blanks
// at the ends of lines are dropped.
func (p *parser) blanks(escaped bool) {
	from, breaks := p.at, 0
	for p.at < len(p.text) && ends(p.text[p.at]) {
		if p.text[p.at] == '\n' {
			breaks++
			p.newline()
			if p.isMarker() {
				p.decline()
			}
			continue
		}
		p.at++
	}
	switch {
	case breaks == 0:
		p.buffer = append(p.buffer, p.text[from:p.at]...)
	case !escaped || breaks > 1:
		p.fold(breaks)
	}
}

// escaped holds the characters that the one-letter escapes represent, in their order.
var escaped = []rune("\x00\a\b\t\n\v\f\r\x1b \"'\\\t\u0085\u00a0\u2028\u2029")

// escape parses an escape sequence (YAML 1.2.2, section 5.7, except \/, which the library doesn't support).
func (p *parser) escape() {
	digits := 0
	switch c := p.peek(1); c {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	default:
		i := strings.IndexByte("0abtnvfre \"'\\\tN_LP", c)
		if i < 0 {
			p.decline()
			return
		}
		p.buffer = utf8.AppendRune(p.buffer, escaped[i])
		p.at += 2
		return
	}
	char := rune(0)
	for i := 2; i < 2+digits; i++ {
		digit := strings.IndexByte("0123456789abcdef", p.peek(i)|0x20)
		if digit < 0 || char > utf8.MaxRune {
			p.decline()
			return
		}
		char = char<<4 | rune(digit)
	}
	if !utf8.ValidRune(char) {
		p.decline()
		return
	}
	p.buffer = utf8.AppendRune(p.buffer, char)
	p.at += 2 + digits
}

// blockScalar parses a literal or folded scalar inside a collection of the given indentation.
func (p *parser) blockScalar(indent int) string {
	literal := p.text[p.at] == '|'
	p.at++
	chomp := p.blockHeader()
	p.buffer = p.buffer[:0]
	empty, within := p.emptyLines(0, indent)
	pending, wasBlank := false, false // a line end is not written yet; the line was indented further
	for p.at < len(p.text) && p.at-p.line == within {
		isBlank := p.text[p.at] == ' ' || p.text[p.at] == '\t'
		if pending && (literal || wasBlank || isBlank) {
			p.buffer = append(p.buffer, '\n')
		} else if pending && empty == 0 {
			p.buffer = append(p.buffer, ' ')
		}
		p.newlines(empty)
		wasBlank = isBlank
		from := p.at
		p.fresh = false
		p.toLineEnd()
		p.buffer = append(p.buffer, strings.TrimSuffix(p.text[from:p.at], "\r")...)
		if pending = p.at < len(p.text); pending {
			p.newline()
		}
		empty, within = p.emptyLines(within, indent)
	}
	if chomp != '-' && pending {
		p.newlines(1)
	}
	if chomp == '+' {
		p.newlines(empty)
	}
	if p.fresh { // the next token has its own indentation
		p.at = p.line
	}
	return string(p.buffer)
}

func (p *parser) newlines(n int) {
	for range n {
		p.buffer = append(p.buffer, '\n')
	}
}

// blockHeader parses the rest of a block scalar's first line, the chomping indicator: + or -, 0 for none.
func (p *parser) blockHeader() (chomp byte) {
	if c := p.peek(0); c == '+' || c == '-' {
		chomp = c
		p.at++
	}
	if p.peek(0) == '\r' {
		p.at++
	}
	if p.peek(0) != '\n' {
		p.decline()
		return 0
	}
	p.newline()
	return chomp
}

// emptyLines skips the empty lines before a line of a block scalar, and the indentation of that line, up to
// within. It returns how many lines it skipped and the indentation, which it takes from the first line when
// within is 0.
func (p *parser) emptyLines(within, indent int) (empty, indentation int) {
	widest := 0
	for {
		for p.peek(0) == ' ' && (within == 0 || p.at-p.line < within) {
			p.at++
		}
		widest = max(widest, p.at-p.line)
		if p.peek(0) == '\t' && (within == 0 || p.at-p.line < within) {
			p.decline()
		}
		if p.peek(0) == '\r' {
			p.at++
		}
		if p.peek(0) != '\n' {
			break
		}
		p.newline()
		empty++
	}
	if within == 0 {
		within = max(widest, indent+1, 1)
	}
	return empty, within
}
