package posix

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// mode is the context of the text being expanded, which determines what ends it and which characters are special (XCU
// 2.2).
type mode uint8

const (
	bare         mode = iota // a word: ends at a blank or an operator
	quoted                   // "…"
	braced                   // ${name:-…}
	bracedQuoted             // "${name:-…}"
	hereDocument             // ends with the document
)

// inQuotes reports whether expansions are not split into fields.
func (m mode) inQuotes() bool { return m == quoted || m == bracedQuoted || m == hereDocument }

var (
	endsWord = script.BytesOf(" \t\n;&|<>()")
	endsList = script.BytesOf("\n;&|()<>#")

	// plain holds, for each mode, the bytes that are literal.
	plain = [...]script.ByteSet{
		bare:         script.Except(" \t\n;&|<>()'\"`$\\" + string([]byte{typographic})),
		quoted:       script.Except("\n\"`$\\"),
		braced:       script.Except("\n'\"`$\\}"),
		bracedQuoted: script.Except("\n\"`$\\}"),
		hereDocument: script.Except("`$\\"),
	}
)

// wordFields reads the word at the cursor and returns its fields. plain reports that it is unquoted literal text.
func (r *Reader) wordFields() (words []script.Word, plain bool) {
	f := Fields{plain: true}
	start := r.Pos
	r.expand(&f, bare)
	words = f.words()
	if r.token = nil; r.Pos > start && len(words) == 1 {
		r.token = r.record(&script.Token{From: start, To: r.Pos, Word: words[0]})
	}
	return words, f.plain
}

// unsplitWord reads the word at the cursor without splitting it into fields.
func (r *Reader) unsplitWord() script.Word {
	f := Fields{unsplit: true}
	start := r.Pos
	r.expand(&f, bare)
	word := f.Word()
	r.token = r.record(&script.Token{From: start, To: r.Pos, Word: word})
	return word
}

// expand reads text in the given mode into f. It leaves the cursor on the byte that ends the text and does not consume
// a closing quote or brace.
func (r *Reader) expand(f *Fields, m mode) {
	start := r.Pos
	for r.Pos < r.Limit {
		run := r.Pos
		if r.Pos = r.Span(run, &plain[m]); r.Pos > run {
			if m == braced && !f.unsplit {
				f.unquotedText(r.Text[run:r.Pos])
			} else {
				f.Text(r.Text[run:r.Pos])
			}
			if f.operand && m != quoted {
				r.recordOperand(run, m == bracedQuoted, script.LiteralWord(r.Text[run:r.Pos]))
			}
		}
		if r.Pos >= r.Limit {
			return
		}
		switch c := r.Text[r.Pos]; c {
		case '\\':
			r.backslash(f, m)
		case '$', '`':
			from := r.Pos
			if c == '$' {
				r.dollar(f, m)
			} else {
				r.backquoted(f, m)
			}
			r.locate(f, from)
		case '\n':
			if m == bare {
				return
			}
			r.textByte(f)
			r.Pos = r.skipContinuationPrompt(r.Pos)
		case '"':
			if m == quoted {
				return
			}
			r.quotes(f, m, r.doubleQuoted)
		case '\'':
			r.quotes(f, m, r.singleQuoted)
		case '}':
			return
		case typographic:
			r.typographic(f, start)
		default: // blanks and operators, in bare text only
			if !r.literalOperator(f, start) {
				return
			}
		}
	}
}

// quotes reads a quoted string. Parse records it on its own if it is in an operand that is not quoted.
func (r *Reader) quotes(f *Fields, m mode, read func(*Fields)) {
	if !f.operand || m != braced {
		read(f)
		return
	}
	from, inner := r.Pos, Fields{unsplit: true}
	read(&inner)
	word := inner.Word()
	r.recordOperand(from, false, word)
	f.Value(word, true)
	f.Quoted()
}

// textByte adds the byte at the cursor literally.
func (r *Reader) textByte(f *Fields) {
	f.Text(r.Text[r.Pos : r.Pos+1])
	r.Pos++
}

// escapable are the characters that a backslash escapes; in modes without an entry, all of them.
var escapable = [...]string{quoted: "$`\\\"", bracedQuoted: "$`\\\"}", hereDocument: "$`\\"}

// backslash reads an escape (XCU 2.2.1) or a line continuation.
func (r *Reader) backslash(f *Fields, m mode) {
	if m == bare && r.continuation() {
		return
	}
	if r.ByteAt(r.Pos+1) == '\n' {
		r.Pos = r.skipContinuationPrompt(r.Pos + 2)
		return
	}
	if escapable[m] == "" {
		f.Quoted()
	}
	if r.Pos+1 < r.Limit && (escapable[m] == "" || strings.IndexByte(escapable[m], r.Text[r.Pos+1]) >= 0) {
		r.Pos++
	}
	r.textByte(f) // the remaining bytes of a multi-byte character follow literally
}

// singleQuoted reads '…' (XCU 2.2.2).
func (r *Reader) singleQuoted(f *Fields) {
	open := r.Pos
	f.Quoted()
	for i := open + 1; i < r.Limit; {
		n := strings.IndexAny(r.Text[i:r.Limit], "'\n")
		if n < 0 {
			break
		}
		r.Pos = i + n + 1
		if r.Text[i+n] == '\'' {
			f.Text(r.Text[i : i+n])
			return
		}
		f.Text(r.Text[i:r.Pos])
		i = r.skipContinuationPrompt(r.Pos)
	}
	r.Fail(open, convert.Reject(convert.InvalidSource,
		"A single quote is not closed.", "Close the quote, or write a quote inside single quotes as '\\''."))
}

// doubleQuoted reads "…" (XCU 2.2.3).
func (r *Reader) doubleQuoted(f *Fields) {
	open := r.Pos
	r.Enter(open)
	started := f.Started
	f.Quoted()
	f.nothing = false
	r.Pos++
	r.expand(f, quoted)
	r.Depth--
	if f.nothing && f.Literal.Len() == 0 && len(f.parts) == 0 {
		f.Started = started // "$@" without arguments is not a word
	}
	if r.ByteAt(r.Pos) != '"' {
		r.Fail(open, convert.Reject(convert.InvalidSource,
			"A double quote is not closed.", "Close the quote, or write \\\" for a quote inside double quotes."))
	}
	r.Pos++
}

// Operators inside a word that are read literally begin one of these: a <name>, an & between two query parameters, the
// (…) of OData's Users(1).
var (
	placeholder = expression.Lazy(`^<[A-Za-z_](?:[\w.: -]{0,61}[\w.:-])?>`)
	parameter   = expression.Lazy(`^&[\w.%\[\]~-]+(?:=|&[\w.%\[\]~-])`)
	Parentheses = expression.Lazy("^\\([^ \\t\\n;&|<>()\"`\\\\]*\\)")
)

// literalOperator reads an operator inside a word literally where it cannot be meant as an operator. start is the offset
// of the word.
func (r *Reader) literalOperator(f *Fields, start int) bool {
	end := r.Pos
	var n script.Note
	switch c := r.Text[r.Pos]; {
	case (c == '<' || c == '>') && r.ByteAt(r.Pos+1) == '(':
		from := r.Pos
		r.processSubstitution(f)
		r.locate(f, from)
		return true
	case c == '<':
		end, n = r.PlaceholderEnd(start), script.PlaceholderKept
	case c == '&':
		end, n = r.AmpersandEnd(start), script.AmpersandKept
	case c == '(' && r.Pos > start && r.Cur != nil && len(r.Cur.Words) > 0:
		end, n = r.Pos+r.Ahead(Parentheses()), script.ParenthesisKept
	}
	if end == r.Pos {
		return false
	}
	r.Note(n)
	f.Text(r.Text[r.Pos:end])
	r.Pos = end
	return true
}

// PlaceholderEnd returns the offset after the <name> at the cursor, or the cursor if it is a redirection. A placeholder
// is adjacent to other text of the word, or is the whole word.
func (r *Reader) PlaceholderEnd(start int) int {
	end := r.Pos + r.Ahead(placeholder())
	next := r.ByteAt(end)
	alone := next == 0 || endsWord[next] && next != '>' && next != '<' || strings.IndexByte(":/\"'?&=.,@-", next) >= 0
	if end == r.Pos || r.Pos == start && !alone || r.Pos > start && next == '>' {
		return r.Pos
	}
	return end
}

// AmpersandEnd returns the offset after the & at the cursor if it separates two parameters of an unquoted URL: the word
// so far has a query, and name= or name& follows. Otherwise it returns the cursor. The search for the ? is limited, so
// that a word of ampersands takes linear time.
func (r *Reader) AmpersandEnd(start int) int {
	const looked = 4000
	word := r.Text[max(start, r.Pos-looked):r.Pos]
	if strings.IndexByte(word, '?') < 0 || r.Ahead(parameter()) == 0 {
		return r.Pos
	}
	return r.Pos + 1
}

// ansiQuoted reads $'…', whose backslash escapes are those of C and of POSIX.1-2024, XCU 2.2.4.
func (r *Reader) ansiQuoted(f *Fields) {
	open := r.Pos
	f.Quoted()
	i, ok := r.afterEscaped(open+2, '\'')
	if !ok {
		r.Fail(open, convert.Reject(convert.InvalidSource,
			"A $' quote is not closed.", "Close the quote, or write \\' for a quote inside it."))
	}
	text := unescape(r.Text[open+2 : i])
	if !utf8.ValidString(text) {
		r.Note(script.NotUnicode)
	}
	f.Text(strings.ToValidUTF8(text, "\uFFFD"))
	r.Pos = i + 1
}

// afterEscaped returns the offset after the first unescaped end at or after i.
func (r *Reader) afterEscaped(i int, end byte) (int, bool) {
	for i < r.Limit && r.Text[i] != end {
		if r.Text[i] == '\\' {
			i++
		}
		i++
	}
	return i, i < r.Limit
}

// escapes are those of $'…' and printf: a control character, octal and hexadecimal bytes, two UTF-16 code units as browsers
// write them, a code point, a control key. Other backslashes are kept.
var escapes = expression.Lazy(`(?s)\\(?:[abeEfnrtv\\'"?]|[0-7]{1,3}|x[0-9A-Fa-f]{1,2}` +
	`|u[dD][89aAbB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|c.)`)

// controls maps the letters of escapes to bytes.
var controls = map[string]string{
	"a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v",
}

// unescape replaces backslash escapes. As in a shell, NUL ends the string.
func unescape(text string) string {
	before, _, _ := strings.Cut(escapes().ReplaceAllStringFunc(text, unescaped), "\x00")
	return before
}

// unescaped returns what an escape represents.
func unescaped(escape string) string {
	number := func(digits string, base int) int {
		n, _ := strconv.ParseInt(digits, base, 64)
		return int(n)
	}
	switch letter, rest := escape[1:2], escape[2:]; letter {
	case "x":
		return string([]byte{byte(number(rest, 16))})
	case "u", "U":
		if high, low, isPair := strings.Cut(rest, `\u`); isPair {
			return string(utf16.DecodeRune(rune(number(high, 16)), rune(number(low, 16))))
		}
		return string(rune(number(rest, 16)))
	case "c":
		return string([]byte{rest[0] & 0x1f})
	case "0", "1", "2", "3", "4", "5", "6", "7":
		return string([]byte{byte(number(letter+rest, 8))})
	default:
		return cmp.Or(controls[letter], letter)
	}
}

// Fields collects the parts of a word and splits it where an unquoted expansion contains blanks (XCU 2.6.5, default
// IFS).
type Fields struct {
	done    []script.Word
	parts   script.Word
	Literal strings.Builder
	Started bool // the current field exists, even if it is only empty quotes
	unsplit bool // no splitting: an assignment's value, a here-document
	plain   bool // only unquoted literal text so far
	nothing bool // the quotes contain an empty list of words
	operand bool // of ${NAME:-operand}: Parse records its literals
}

// Text adds literal text.
func (f *Fields) Text(s string) {
	f.Literal.WriteString(s)
	f.Started = true
}

// Quoted records that the field has quotes: it exists even if it is empty.
func (f *Fields) Quoted() { f.Started, f.plain = true, false }

// AfterSlash reports whether the text so far ends with a slash.
func (f *Fields) AfterSlash() bool {
	text := f.Literal.String()
	first := script.Part{Kind: script.Literal, Text: text}
	if len(f.parts) > 0 {
		first = f.parts[0]
	}
	return strings.HasSuffix(text, "/") && beginsURL(first)
}

// beginsURL reports whether a word may be a URL rather than the name of a file by its first part: a variable, a scheme
// or a host.
func beginsURL(first script.Part) bool {
	host, _, _ := strings.Cut(first.Text, "/")
	return first.Kind == script.Variable || strings.Contains(first.Text, "://") || strings.ContainsAny(strings.TrimLeft(host, ".~"), ".:")
}

// Word ends the current literal and returns the parts.
func (f *Fields) Word() script.Word {
	if f.Literal.Len() > 0 {
		f.parts = append(f.parts, script.Part{Kind: script.Literal, Text: f.Literal.String()})
		f.Literal.Reset()
	}
	return f.parts
}

// Part adds any part but a literal.
func (f *Fields) Part(p script.Part) {
	f.parts = append(f.Word(), p)
	f.Quoted()
}

func (f *Fields) split() {
	if w := f.Word(); f.Started {
		f.done = append(f.done, w)
	}
	f.parts, f.Started = nil, false
}

// Value adds the value of a variable or a substitution.
func (f *Fields) Value(w script.Word, quoted bool) {
	f.plain = false
	f.Started = f.Started || quoted
	for _, p := range w {
		switch {
		case p.Kind != script.Literal:
			p.Quoted = quoted
			f.Part(p)
		case quoted || f.unsplit:
			f.Text(p.Text)
		default:
			f.unquotedText(p.Text)
		}
	}
}

func (f *Fields) unquotedText(text string) {
	const blanks = " \t\n"
	for text != "" {
		n := strings.IndexAny(text, blanks)
		if n < 0 {
			f.Text(text)
			return
		}
		if n > 0 {
			f.Text(text[:n])
		}
		f.split()
		text = strings.TrimLeft(text[n:], blanks)
	}
}

// words ends the word and returns its fields.
func (f *Fields) words() []script.Word {
	f.split()
	return f.done
}
