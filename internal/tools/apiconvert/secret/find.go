package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// strictness controls how a text is searched: in prose, a value assigned to a name must look random to be a
// secret; in code and data, any quoted value may be one.
type strictness bool

const (
	asProse strictness = true
	asData  strictness = false
)

// match is a secret in a text.
type match struct {
	from, to int
	hint     string
	certain  bool // by its shape or position; otherwise by the name before it
}

// finder searches one text from left to right.
type finder struct {
	r       *Redactor
	text    string
	strict  strictness
	done    int // nothing before it is searched again
	barren  int // no JSON web token begins before it
	digit   int // there is no digit between the offset of the last search and this one
	scanned int // bytes read ahead of the position or before it
	charged int // of these, the ones that the budget knows
	found   []match
	ahead   []match // not reached yet: keys of calls, secrets in tables and in encoded URLs; the last comes first

	scannedAll, program bool // the text has been searched for what only a program has, and has it
}

// findShapes returns the secrets in a text: tokens of known issuers, passwords in URLs, and values whose names
// indicate a secret. They do not overlap.
func (r *Redactor) findShapes(text string, strict strictness) []match {
	if len(text) < 4 || isPlain(text) {
		return nil
	}
	f := finder{r: r, text: text, strict: strict}
	f.tables()
	f.encoded()
	slices.SortFunc(f.ahead, lastFirst)
	f.search()
	f.charge()
	return f.found
}

// chargeEvery is how many bytes are read between two charges: the deadline may pass during a search.
const chargeEvery = 1 << 16

func (f *finder) charge() {
	f.r.budget.Pass(f.scanned - f.charged)
	f.charged = f.scanned
}

func (f *finder) search() {
	text := f.text
	boundary := true // no part of a word precedes i
	for i := 0; i < len(text); {
		if f.scanned-f.charged >= chargeEvery {
			f.charge()
		}
		f.pending(i)
		if i < f.done {
			i, boundary = f.done, true
			continue
		}
		c := text[i]
		switch {
		case inWord[c]:
			if boundary && len(text)-i >= minToken && beginsToken.has(c, text[i+1]) {
				f.token(i)
			}
			if boundary && i >= f.done && f.digitNear(i) && f.digit < i+maxLook {
				f.statement(i)
			}
			switch {
			case boundary && c == 'p':
				f.netrc(i)
			case boundary && c == 'B':
				f.privateKey(i)
			}
			// Nothing begins within a word, except after a match.
			for i >= f.done && i+1 < len(text) && inWord[text[i+1]] {
				i++
			}
		case c == ':':
			if strings.HasPrefix(text[i:], "://") {
				f.userinfo(i + 3)
			} else {
				f.assignment(i)
			}
		case c == '=', c == '>':
			f.assignment(i)
		case c == ',':
			f.argument(i)
		case c == '(':
			f.call(i)
		case c == '-':
			if f.privateKey(i); i >= f.done && boundary && i+1 < len(text) && (words.IsLetter(text[i+1]) || text[i+1] == '-') {
				f.userOption(i)
				if i >= f.done {
					f.option(i)
				}
			}
		}
		boundary = !inWord[c]
		i++
	}
	f.pending(len(text))
}

// minToken is a lower bound for the length of a token in bytes, including a scheme before it.
const minToken = 10

// minLetters is a lower bound for the length of a token that has only letters.
const minLetters = 20

// isPlain reports whether a text is too short for a token and has no character that an assignment, an option, a
// URL or encoded text needs.
func isPlain(text string) bool {
	return len(text) < minToken && inPlain.run(text) == len(text) || len(text) < minLetters && letter.run(text) == len(text)
}

// starts are the first two bytes of JSON web tokens, Telegram bots, and authentication schemes in any case.
const starts = "ey bo be bE Be BE ba bA Ba BA to tO To TO"

// inWord are the bytes of words; beginsToken are the pairs of bytes with which a token can begin.
var (
	inWord      = newAlphabet(letters + "_")
	beginsToken = func() *pairs {
		begins := pairs{}
		for i := 0; i < len(bankAccounts); i += 4 {
			begins.add(bankAccounts[i], bankAccounts[i+1])
		}
		for _, start := range strings.Fields(starts) {
			begins.add(start[0], start[1])
		}
		for _, all := range shapesBy {
			for _, s := range all {
				begins.add(s.prefix[0], s.prefix[1])
			}
		}
		return &begins
	}()
)

func (f *finder) add(from, to int, hint string) { f.match(match{from, to, hint, true}) }

func (f *finder) match(m match) {
	if m.from >= f.done && m.from < m.to {
		f.found = append(f.found, m)
		f.done = m.to
	}
}

func (f *finder) token(i int) {
	if f.text[i] == 'e' && i >= f.barren {
		n, barren := jsonWebToken(f.text[i:])
		f.scanned += max(n, barren)
		f.add(i, i+n, "jwt")
		f.barren = i + barren
		return
	}
	bounds, name := issued(f.text[i:], f.digitNear(i))
	f.scanned += maxLook
	for _, b := range bounds {
		f.scanned += b[1]
		f.add(i+b[0], i+b[1], name)
	}
}

// digitNear reports whether there is a digit within maxLook bytes after i. i must not decrease between calls,
// so all calls together scan the text once.
func (f *finder) digitNear(i int) bool {
	for f.digit = max(f.digit, i); f.digit < len(f.text) && !words.IsDigit(f.text[f.digit]); f.digit++ {
		if f.digit-i > maxLook {
			return false
		}
	}
	return f.digit < len(f.text)
}

// maxUserinfo is how many bytes of a URL are searched for the end of its userinfo.
const maxUserinfo = 512

// userinfo finds the password in a URL whose authority begins at i.
func (f *finder) userinfo(i int) {
	rest := f.text[i:min(len(f.text), i+maxUserinfo)]
	f.scanned += len(rest)
	end := strings.IndexAny(rest, "/?# \t\r\n\"'<>\\`|")
	// The last @ ends the userinfo: passwords may contain unescaped ones.
	if end >= 0 {
		rest = rest[:end]
	}
	at := strings.LastIndexByte(rest, '@')
	if at < 0 {
		return
	}
	colon := strings.IndexByte(rest[:at], ':')
	if strings.HasPrefix(rest, "{{") { // {{user}}:password@
		if closing := strings.Index(rest[:at], "}}"); closing >= 0 && strings.IndexByte(rest[closing:at], ':') >= 0 {
			colon = closing + strings.IndexByte(rest[closing:at], ':')
		}
	}
	if colon < 0 {
		if !isPlaceholder(rest[:at]) && at >= 16 && words.IsMixed(rest[:at]) {
			f.add(i, i+at, "token")
		}
		return
	}
	password := rest[colon+1 : at]
	if request.IsKey(rest[:colon], password) {
		f.add(i, i+colon, "apiKey")
	}
	if !isPlaceholder(password) {
		f.add(i+colon+1, i+at, "password")
	}
}

// userOption finds the password in curl's -u name:password at i.
func (f *finder) userOption(i int) {
	rest := f.text[i:min(len(f.text), i+maxUserinfo)]
	f.scanned += len(rest)
	value, ok := strings.CutPrefix(rest, "-u ")
	if !ok {
		if value, ok = strings.CutPrefix(rest, "--user "); !ok {
			return
		}
	}
	value = strings.TrimLeft(value, " '\"")
	from := i + len(rest) - len(value)
	value = strings.TrimRight(value[:untilAny(value, " \t\r\n'\"\\`<>|;")], ".,)")
	name, password, ok := strings.Cut(value, ":")
	if ok && !isPlaceholder(password) && !dummyWords[strings.ToLower(password)] {
		f.add(from+len(name)+1, from+len(value), "password")
	}
}
