package shell

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// mode says what the text being expanded stands in, and so what ends it and
// what is special in it (XCU 2.2).
type mode uint8

const (
	bare         mode = iota // a word: ends at a blank or an operator
	quoted                   // "…"
	braced                   // ${name:-…}
	bracedQuoted             // "${name:-…}"
	hereDocument             // ends with the text
)

// byteSet is a set of bytes.
type byteSet [256]bool

func bytesOf(text string) (set byteSet) {
	for i := 0; i < len(text); i++ {
		set[text[i]] = true
	}
	return set
}

var (
	endsWord   = bytesOf(" \t\n;&|<>()")
	endsList   = bytesOf("\n;&|()<>#")
	blankBytes = bytesOf(" \t")

	// special holds, for each mode, the bytes that are not simply text.
	special = [...]byteSet{
		bare:         bytesOf(" \t\r\n;&|<>()'\"`$\\"),
		quoted:       bytesOf("\r\n\"`$\\"),
		braced:       bytesOf("\r\n'\"`$\\}"),
		bracedQuoted: bytesOf("\r\n\"`$\\}"),
		hereDocument: bytesOf("\r`$\\"),
	}
)

// wordFields reads the word at the cursor and returns the fields it makes;
// plain says that it is unquoted literal text.
func (r *reader) wordFields() (words []Word, plain bool) {
	f := fields{plain: true}
	start := r.pos
	r.expand(&f, bare)
	words = f.words()
	if r.parsed != nil && r.pos > start && len(words) == 1 {
		r.record(&Token{From: start, To: r.pos, Word: words[0], Misquoted: f.misquoted})
	}
	return words, f.plain
}

// wholeWord reads the word at the cursor without splitting it into fields.
func (r *reader) wholeWord() Word {
	f := fields{whole: true}
	start := r.pos
	r.expand(&f, bare)
	word := f.word()
	if r.pos > start {
		r.record(&Token{From: start, To: r.pos, Word: word, Misquoted: f.misquoted})
	}
	return word
}

// expand reads text of the mode into f. The cursor is left on the byte that
// ends it: nothing is consumed of what follows a word, and nothing of a
// closing quote or brace.
func (r *reader) expand(f *fields, m mode) {
	start := r.pos
	for r.pos < r.limit {
		run := r.pos
		for r.pos < r.limit && !special[m][r.text[r.pos]] {
			r.pos++
		}
		if r.pos > run {
			f.text(r.text[run:r.pos])
		}
		if r.pos >= r.limit {
			return
		}
		switch c := r.text[r.pos]; c {
		case '\\':
			r.backslash(f, m)
		case '$':
			from := r.pos
			r.dollar(f, m)
			r.locate(f, from)
		case '`':
			from := r.pos
			r.backquoted(f, m)
			r.locate(f, from)
		case '\n', '\r':
			n := r.newlineAt(r.pos)
			switch {
			case n == 0:
				r.textByte(f)
			case m == bare:
				return
			default:
				f.text("\n")
				r.pos = r.skipContinuationPrompt(r.pos + n)
			}
		case '"':
			if m == quoted {
				return
			}
			r.doubleQuoted(f)
		case '\'':
			r.singleQuoted(f)
		case '}':
			return
		default: // blanks and operators, in bare text only
			if !r.meantAsText(f, start) {
				return
			}
		}
	}
}

// textByte adds the byte at the cursor as text.
func (r *reader) textByte(f *fields) {
	f.text(r.text[r.pos : r.pos+1])
	r.pos++
}

// escapable are the characters that a backslash escapes; all where nothing is
// said.
var escapable = [...]string{quoted: "$`\\\"", bracedQuoted: "$`\\\"}", hereDocument: "$`\\"}

// backslash reads an escape (XCU 2.2.1) or a line continuation.
func (r *reader) backslash(f *fields, m mode) {
	if m == bare && r.continuation() {
		return
	}
	if n := r.newlineAt(r.pos + 1); n > 0 {
		r.pos = r.skipContinuationPrompt(r.pos + 1 + n)
		return
	}
	if escapable[m] == "" {
		f.quoted()
	}
	if r.pos+1 < r.limit && (escapable[m] == "" || strings.IndexByte(escapable[m], r.text[r.pos+1]) >= 0) {
		r.pos++
	}
	r.textByte(f) // the bytes behind the first of a longer character follow as text
}

// singleQuoted reads '…' (XCU 2.2.2).
func (r *reader) singleQuoted(f *fields) {
	open := r.pos
	f.quoted()
	for i := open + 1; i < r.limit; {
		n := strings.IndexAny(r.text[i:r.limit], "'\n")
		if n < 0 {
			break
		}
		stop := i + n
		if r.text[stop] == '\'' {
			f.text(r.text[i:stop])
			r.pos = stop + 1
			return
		}
		f.text(strings.TrimSuffix(r.text[i:stop], "\r"))
		f.text("\n")
		i = r.skipContinuationPrompt(stop + 1)
	}
	r.fail(open, convert.Refuse(convert.InvalidSource,
		"A single quote is not closed.",
		"Close the quote, or write a quote inside single quotes as '\\''."))
}

// doubleQuoted reads "…" (XCU 2.2.3).
func (r *reader) doubleQuoted(f *fields) {
	open := r.pos
	r.enter(open)
	started := f.started
	f.quoted()
	f.nothing = false
	r.pos++
	r.expand(f, quoted)
	r.depth--
	if f.nothing && f.literal.Len() == 0 && len(f.parts) == 0 {
		f.started = started // "$@" without arguments is no word
	}
	if r.byteAt(r.pos) != '"' {
		r.fail(open, convert.Refuse(convert.InvalidSource,
			"A double quote is not closed.",
			"Close the quote, or write \\\" for a quote inside double quotes."))
	}
	r.pos++
}

// What an operator inside a word begins that is text: a <name>, an & between two
// parameters of a query, the (…) of OData's Users(1).
var (
	placeholder = expression.Lazy(`^<[A-Za-z_](?:[\w.: -]{0,61}[\w.:-])?>`)
	parameter   = expression.Lazy(`^&[\w.%\[\]~-]+(?:=|&[\w.%\[\]~-])`)
	parentheses = expression.Lazy("^\\([^ \\t\\r\\n;&|<>()\"`\\\\]*\\)")
)

// meantAsText reads an operator inside a word as text where it cannot have
// been meant as one. start is where the word began.
func (r *reader) meantAsText(f *fields, start int) bool {
	end := r.pos
	var n Note
	switch c := r.text[r.pos]; {
	case (c == '<' || c == '>') && r.byteAt(r.pos+1) == '(':
		from := r.pos
		r.processSubstitution(f)
		r.locate(f, from)
		return true
	case c == '<':
		end, n = r.placeholderEnd(start), PlaceholderKept
	case c == '&':
		end, n = r.ampersandEnd(start), AmpersandKept
	case c == '(' && r.pos > start && r.cur != nil && len(r.cur.Words) > 0:
		end, n = r.pos+r.ahead(parentheses()), ParenthesisKept
	}
	if end == r.pos {
		return false
	}
	r.note(n)
	f.misquoted = true
	f.text(r.text[r.pos:end])
	r.pos = end
	return true
}

// placeholderEnd returns the offset behind the <name> at the cursor, or the
// cursor when it is a redirection: a placeholder goes on from, or goes over
// into, other text of the word, or stands alone.
func (r *reader) placeholderEnd(start int) int {
	end := r.pos + r.ahead(placeholder())
	next := r.byteAt(end)
	alone := next == 0 || endsWord[next] && next != '>' && next != '<' || strings.IndexByte("\r:/\"'?&=.,@-", next) >= 0
	if end == r.pos || r.pos == start && !alone || r.pos > start && next == '>' {
		return r.pos
	}
	return end
}

// ampersandEnd returns the offset behind the & at the cursor when it parts
// two parameters of an unquoted URL, else the cursor: the word so far has a
// query, and name= or name& follows at once. How far its ? is looked for is
// bounded, so that a word of ampersands takes linear time.
func (r *reader) ampersandEnd(start int) int {
	const looked = 4000
	word := r.text[max(start, r.pos-looked):r.pos]
	if strings.IndexByte(word, '?') < 0 || r.ahead(parameter()) == 0 {
		return r.pos
	}
	return r.pos + 1
}

const nameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

var (
	nameBytes        = bytesOf(nameLetters)
	commandNameBytes = bytesOf(nameLetters + "-.")
	numeralBytes     = bytesOf(nameLetters + "+-.")
	bareBytes        = except(" \t\r\n;|)}&<>'\"$(`,")
)

// except is the set of all bytes but some.
func except(text string) byteSet {
	set := bytesOf(text)
	for i := range set {
		set[i] = !set[i]
	}
	return set
}
