package tree

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Classes of bytes in YAML.
const (
	noStart uint8 = 1 << iota // can't begin a plain scalar
	stops                     // may end a plain scalar
	inFlow                    // ends a plain scalar in a flow collection
)

var yamlBytes = func() (table [256]uint8) {
	for c := range ' ' {
		table[c] |= noStart | stops
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

// invalid returns the offset of the first character that YAML doesn't allow, or of a byte order mark. It returns -1 if text
// has none.
func invalid(text string) int {
	for i, c := range text {
		switch {
		case c >= ' ' && c < 0x7F, c == '\n', c == '\r', c == '\t', c == 0x85:
		case c >= 0xA0 && c != 0xFEFF && c != 0xFFFE && c != 0xFFFF && (c != utf8.RuneError || text[i] == 0xEF):
		default:
			return i
		}
	}
	return -1
}

// beginsPlain reports whether a plain scalar begins here.
func (p *parser) beginsPlain() bool {
	switch c := p.peek(0); c {
	case '-':
		return !ends(p.peek(1))
	case '?', ':':
		return !ends(p.peek(1)) && p.flows == 0
	default:
		return p.at < len(p.text) && yamlBytes[c]&noStart == 0
	}
}

// segment returns the end of the part of a plain scalar on this line, and the offset of what ends it: a line
// end, a comment, a colon or, in flow, an indicator.
func (p *parser) segment() (end, stop int) {
	mask := p.stops()
	text := p.text
	for i := p.at; ; i++ {
		for i < len(text) && yamlBytes[text[i]]&mask == 0 {
			i++
		}
		if i == len(text) {
			return i, i
		}
		switch text[i] {
		case ' ', '\t':
			blank := i
			for i+1 < len(text) && isBlank(text[i+1]) {
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

// stops returns the classes of bytes that may end a plain scalar here.
func (p *parser) stops() uint8 {
	if p.flows > 0 {
		return stops | inFlow
	}
	return stops
}

// isEnd reports whether the byte at i, which may end a plain scalar, does.
func (p *parser) isEnd(i int) bool {
	return p.text[i] != ':' || i+1 == len(p.text) || ends(p.text[i+1]) || p.flows > 0 && yamlBytes[p.text[i+1]]&inFlow != 0
}

// plain parses a plain scalar. Its continuation lines are indented by more than indent.
func (p *parser) plain(indent int) string {
	end, stop := p.segment()
	first := p.text[p.at:end]
	p.at = stop
	p.buffer = append(p.buffer[:0], first...)
	for more := false; ; more = true {
		at, line, breaks := p.at, p.line, 0
		for c := p.peek(0); c == ' ' || c == '\n' || c == '\r' || c == '\t' && (breaks == 0 || p.flows > 0 || p.column() > indent); c = p.peek(0) {
			if c == '\n' {
				p.newline()
				breaks++
			} else {
				p.at++
			}
		}
		begin := p.at
		if breaks > 0 && p.at < len(p.text) && (p.flows > 0 || p.column() > indent) && p.text[p.at] != '#' && !p.atMarker() {
			end, stop = p.segment()
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
	p.newlines(breaks - 1)
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
	from, quote := p.at, p.text[p.at]
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
	for p.failure == nil {
		if p.at == len(p.text) || p.atMarker() {
			p.at = from
			p.reject()
		} else if p.quotedText(quote) {
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
			if p.newline(); p.atMarker() {
				p.reject()
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

// The one-letter escapes and the characters that they represent, in the same order.
const escapes = "0abtnvfre \"'/\\\tN_LP"

var escaped = []rune("\x00\a\b\t\n\v\f\r\x1b \"'/\\\t\u0085\u00a0\u2028\u2029")

// digits are the numbers of hexadecimal digits after the other escapes.
var digits = map[byte]int{'x': 2, 'u': 4, 'U': 8}

// escape parses an escape sequence (YAML 1.2.2, section 5.7).
func (p *parser) escape() {
	if i := strings.IndexByte(escapes, p.peek(1)); i >= 0 {
		p.buffer = utf8.AppendRune(p.buffer, escaped[i])
		p.at += 2
		return
	}
	size := 2 + digits[p.peek(1)]
	code, err := strconv.ParseUint(p.text[min(p.at+2, len(p.text)):min(p.at+size, len(p.text))], 16, 32)
	if err != nil || p.at+size > len(p.text) || !utf8.ValidRune(rune(code)) {
		p.reject()
		return
	}
	p.buffer = utf8.AppendRune(p.buffer, rune(code))
	p.at += size
}

// blockScalar parses a literal or folded scalar inside a collection of the given indentation.
func (p *parser) blockScalar(indent int) string {
	literal := p.text[p.at] == '|'
	p.at++
	chomp, within := p.blockHeader(indent)
	p.buffer = p.buffer[:0]
	empty, within := p.emptyLines(within, indent)
	pending, wasIndented := false, false // a line end is not written yet; the line was indented further
	for p.at < len(p.text) && p.at-p.line == within {
		indented := isBlank(p.text[p.at])
		if pending && (literal || wasIndented || indented) {
			p.buffer = append(p.buffer, '\n')
		} else if pending && empty == 0 {
			p.buffer = append(p.buffer, ' ')
		}
		p.newlines(empty)
		wasIndented = indented
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

// blockHeader parses the rest of a block scalar's first line: the chomping indicator, + or -, 0 for none; and the
// indentation, which is 0 if the next line determines it.
func (p *parser) blockHeader(indent int) (chomp byte, within int) {
	for c := p.peek(0); !ends(c); c = p.peek(0) {
		switch {
		case chomp == 0 && (c == '+' || c == '-'):
			chomp = c
		case within == 0 && c >= '1' && c <= '9':
			within = max(indent, 0) + int(c-'0')
		default:
			p.reject()
			return 0, 0
		}
		p.at++
	}
	p.blank()
	if p.peek(0) == '#' && isBlank(p.text[p.at-1]) {
		p.skipComment()
	}
	if p.peek(0) == '\r' {
		p.at++
	}
	if p.at < len(p.text) && p.text[p.at] != '\n' {
		p.reject()
		return 0, 0
	}
	if p.at < len(p.text) {
		p.newline()
	}
	return chomp, within
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
			p.reject()
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

// plainScalar resolves a plain YAML scalar by the core schema (YAML 1.2.2, section 10.3.2).
func plainScalar(text string) (Kind, string) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return Null, ""
	case "true", "True", "TRUE":
		return True, ""
	case "false", "False", "FALSE":
		return False, ""
	}
	if lexeme, ok := number(text); ok {
		return Number, lexeme
	}
	return String, text
}

// decimal matches a decimal number.
var decimal = expression.Lazy(`^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$`)

// number returns the JSON number (RFC 8259, section 6) with the value of a plain scalar. It keeps the digits
// and rewrites what JSON doesn't allow: a plus sign, leading zeros, a dot without digits on one side. It
// rejects infinity, NaN, and hexadecimal or octal numbers of more than 64 bits.
func number(text string) (string, bool) {
	if c := text[0]; c > '9' || c < '0' && c != '-' && c != '+' && c != '.' {
		return "", false
	}
	if rest, ok := strings.CutPrefix(text, "0x"); ok {
		return positional(rest, 16)
	}
	if rest, ok := strings.CutPrefix(text, "0o"); ok {
		return positional(rest, 8)
	}
	if !decimal().MatchString(text) {
		return "", false
	}
	sign, exponent := "", ""
	if text = strings.TrimPrefix(text, "+"); text[0] == '-' {
		sign, text = "-", text[1:]
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		text, exponent = text[:i], text[i:]
	}
	integer, fraction, dot := strings.Cut(text, ".")
	if dot {
		fraction = "." + cmp.Or(fraction, "0")
	}
	return sign + cmp.Or(strings.TrimLeft(integer, "0"), "0") + fraction + exponent, true
}

// positional returns the decimal digits of an unsigned number in another base.
func positional(text string, base int) (string, bool) {
	n, err := strconv.ParseUint(text, base, 64)
	return strconv.FormatUint(n, 10), err == nil
}
