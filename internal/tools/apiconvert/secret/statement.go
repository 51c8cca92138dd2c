package secret

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// maxStatement is how many bytes before a value are searched for what says that it is a secret.
const maxStatement = 64

// statement finds a secret that prose states, in the word at i: the password is hunter2; "- API key: x"; "| Token | x |";
// log in with bob / hunter2.
func (f *finder) statement(i int) {
	text := f.text
	if f.digit >= i+inWord.run(text[i:min(len(text), i+maxLook)]) {
		return
	}
	near := max(f.done, i-maxStatement)
	from := i
	for from > near && !beforeValue[text[from-1]] {
		from--
	}
	f.scanned += i - near
	if from == near { // nothing states the value
		return
	}
	end := from + inStated.run(text[from:min(len(text), i+maxLook)])
	value := strings.TrimRight(text[from:end], ".:)*")
	f.scanned += maxLook + maxStatement
	if len(value) < minSwept || !words.IsMixed(value) {
		return
	}
	before := text[near:from]
	l := labelOf(before)
	loggedIn := mayLogIn(before) && isCredible(value)
	if l.name == "" && !loggedIn || isTechnical(value) {
		return
	}
	if end == i+maxLook {
		end += inStated.run(text[end:min(len(text), from+maxAssigned)])
		value = strings.TrimRight(text[from:end], ".:)*")
		f.scanned += len(value)
	}
	after := strings.TrimLeft(text[from+len(value):min(len(text), end+maxClosing)], afterStated)
	alone := f.strict == asProse && (after == "" || strings.IndexByte("\r\n|<", after[0]) >= 0)
	if l.states(value, alone) || loggedIn && f.logsIn(from, alone && len(value) >= minSecret) {
		f.add(from, from+len(value), cmp.Or(l.name, "password"))
	}
}

const (
	afterStated = " \t\"'`*_.)" // before the end of a line or a cell
	maxClosing  = 8
)

// inStated are the bytes of a stated value.
var inStated = newAlphabet(" \t\r\n\"'`<>|,;").complement()

var beforeValue = newAlphabet(" \t\r\n\"'`*(,|/:=>")

// stated is the name of a value in prose, in lower case, and what separates them.
type stated struct {
	name string
	verb string // the password is hunter2
	sign bool   // a colon, a border of a cell, the end of a heading
}

// inLabel are the characters between a name and its value, with the markup of both, wideInLabel those that aren't ASCII.
const (
	inLabel     = " \t\r\n\"'`*_:=|>#()-" + wideInLabel
	wideInLabel = "：–—"
)

var bytesInLabel = newAlphabet(inLabel[:len(inLabel)-len(wideInLabel)])

// trimLabel returns a text without the characters in inLabel at its end.
func trimLabel(text string) string {
	for text != "" && bytesInLabel[text[len(text)-1]] {
		text = text[:len(text)-1]
	}
	if text != "" && text[len(text)-1] >= utf8.RuneSelf {
		return strings.TrimRight(text, inLabel)
	}
	return text
}

// maxTags limits the HTML tags between a name and its value, and maxTag the bytes of each.
const maxTags, maxTag = 4, 8

// labelOf returns the label with the name of a secret that a text ends with, or none.
func labelOf(text string) (l stated) {
	rest := trimLabel(text)
	for range maxTags {
		open := strings.LastIndexByte(rest, '<')
		if open < 0 || len(rest)-open > maxTag || strings.TrimLeft(rest[open+1:], "/"+letters) != "" {
			break
		}
		rest = trimLabel(rest[:open])
	}
	if rest == "" || rest[len(rest)-1] < utf8.RuneSelf && !words.IsLetter(rest[len(rest)-1]) {
		return l // such as the segment of a URL
	}
	between := text[len(rest):]
	l.sign = strings.ContainsAny(between, ":：=|>\n")
	if open := strings.LastIndexByte(rest, '('); open >= 0 && strings.Contains(between, ")") {
		rest = trimLabel(rest[:open]) // Password (staging):
	}
	last := lowerLast(rest)
	if verbs[last] {
		l.verb = last
		rest = trimLabel(rest[:len(rest)-len(last)])
		last = lowerLast(rest)
	}
	if described[last] {
		rest = trimLabel(rest[:len(rest)-len(last)])
	}
	rest = rest[strings.LastIndexAny(rest, "\n.,;:!?|<>(=")+1:]
	for _, name := range []string{rest, rest[:max(0, strings.LastIndex(rest, " for "))]} {
		if name = strings.TrimLeft(trimLabel(name), inLabel); name == "" {
			continue
		}
		if slices.ContainsFunc(foreign, func(phrase string) bool {
			n := len(name) - len(phrase)
			return n >= 0 && strings.EqualFold(name[n:], phrase)
		}) {
			name = "password"
		}
		if last = lowerLast(name); lastWords[last].isSecret() || endsPair[last] || fused(last) != harmless {
			if name = strings.ToLower(lastOf(name)); name == "key" || sensitivityOf(name).isSecret() {
				l.name = name
				break
			}
		}
	}
	return l
}

// lowerLast returns the last word of a text in lower case.
func lowerLast(text string) string {
	n := len(text)
	for n > 0 && words.IsLetter(text[n-1]) {
		n--
	}
	return strings.ToLower(text[n:])
}

// lastOf returns the last words of a text: the adjectives of a name, and the name.
func lastOf(text string) string {
	list := strings.Fields(text)
	return strings.Join(list[max(0, len(list)-3):], " ")
}

var (
	verbs     = words.Set("is was are to ist lautet")
	described = words.Set("header field parameter variable")
	endsPair  = words.Set("key keys code codes word phrase seed")
	foreign   = []string{"mot de passe", "contraseña", "пароль", "密码", "パスワード", "identified by"}
)

// minStated is the length in bytes from which what follows the word token is one rather than its name.
const minStated = 16

// states reports whether a label states that a value is a secret: the less it says, the more the value must look like one.
// alone means that nothing else is in the value's line or cell.
func (l *stated) states(value string, alone bool) bool {
	s := sensitivityOf(l.name)
	switch {
	case l.name == "":
		return false
	case l.verb != "" && s == passwordLike:
		return true
	case l.verb == "to":
		return len(value) >= minSecret && isCredible(value)
	case l.verb != "":
		return isCredible(value) || strings.HasSuffix(l.name, "token") || strings.HasSuffix(l.name, " key")
	case alone && l.sign:
		return s == passwordLike || len(value) >= minSecret && (isCredible(value) || manyDigits().MatchString(value))
	case s == passwordLike:
		return passwords[lowerLast(l.name)] && isCredible(value)
	}
	return s == tokenLike && len(value) >= minStated && isCredible(value) && strings.Count(value, "-") < 4
}

var manyDigits = expression.Lazy(`[0-9]{4}`)

// passwords are the names that a password may follow without a verb or a colon. Other names also precede a number of steps
// or the name of a variable.
var passwords = words.Set("password passwd passphrase passcode pwd pw passwort kennwort")

// mayLogIn reports whether a text may end with what login matches, which is costly. A slash without a blank before it is
// common in URLs, where login requires one of some words.
func mayLogIn(before string) bool {
	if strings.HasSuffix(before, ":") {
		return true
	}
	rest, slash := strings.CutSuffix(strings.TrimRight(before, " \"'`*("), "/")
	lower := strings.ToLower(before)
	return slash && (strings.HasSuffix(rest, " ") || slices.ContainsFunc(loginWords, func(word string) bool { return strings.Contains(lower, word) }))
}

// loginWords are what login matches before a slash without a blank.
var loginWords = []string{"log", "sign", "cred"}

// logsIn reports whether a user name precedes the password at an offset. alone means that nothing follows the password, so
// that the line may consist of the two.
func (f *finder) logsIn(at int, alone bool) bool {
	near := max(f.done, at-maxStatement)
	line := f.text[near:at]
	lower := strings.ToLower(line)
	if !alone && !slices.ContainsFunc(accountWords, func(word string) bool { return strings.Contains(lower, word) }) {
		return false
	}
	start := strings.LastIndexByte(line, '\n') + 1
	m := login().FindStringSubmatch(line[start:])
	return m != nil && (m[1] == "" || alone && (start > 0 || near == 0))
}

// accountWords are what login matches if a line has more than a name and a password.
var accountWords = append([]string{"account", "user"}, loginWords...)

// login matches the end of what precedes a password in a sentence about an account. The group matches a line that has only
// a user name before the password.
var login = expression.Lazy("(?i)(?:\\b(?:log ?in|log(?:ged|ging) in|sign(?:ed)? ?in|credentials?|creds)\\b[^.;/:]{0,24}[ :\"'`(] ?[\\w.@+-]{1,40}[\"'`]*(?::| ?/ ?)|" +
	"\\b(?:account|user)s?[\"'`*]*[:=][\"'`*]* ?[\"'`(]?[\\w.@+-]{1,40}[\"'`]* / |" +
	"^([ \\t#*>/-]*(?:test )?(?:user |account |login:? )?[A-Za-z][\\w.@+-]{1,40}(?: / |:)))[\"'`*(]{0,3}$")

// isCredible reports whether a word mixes letters with digits as passwords do, and names do not.
func isCredible(value string) bool {
	return strings.ToUpper(value) != value && strings.ToLower(value) != value || strings.ContainsAny(value, "!#$%&*?~^+@") ||
		mixed().MatchString(value)
}

var mixed = expression.Lazy(`[A-Za-z][0-9]+[A-Za-z]`)

// isTechnical reports whether a word is a part of a URL, a length, or the name of an algorithm, encoding, protocol or version.
func isTechnical(value string) bool {
	return strings.ContainsAny(value, "/{}<>()[]") || technical().MatchString(value)
}

var technical = expression.Lazy(`(?i)^(?:[0-9]+[a-z]+$|(?:base|sha|md|rsa|hs|rs|es|ps|aes|oauth|utf|x|ed|rfc|http|ipv|v|pkcs|argon|pbkdf|bcrypt|level|step|page|[23](?:fa|des))-?[0-9])`)

// tables finds the secrets in the columns of tables whose header names one: a table of Markdown, whose header is above a
// line of dashes, or data whose first line consists of names.
func (f *finder) tables() {
	if !strings.Contains(f.text, "\n") || f.strict == asProse && !strings.Contains(f.text, "|") {
		return
	}
	separator := "|"
	if f.strict == asData {
		if separator = separatorOf(f.text); separator == "" {
			return
		}
	}
	f.scanned += len(f.text)
	var header []column
	at, before := 0, ""
	for line := range strings.Lines(f.text) {
		switch {
		case separator == "|" && strings.Trim(line, " \t\r\n#|:-") == "" && strings.Contains(line, "-"):
			header = columns(before, separator)
		case !strings.Contains(line, separator):
			header = nil
		case header != nil:
			f.row(line, at, header, separator)
		case separator != "|" && at == 0:
			header = columns(line, separator)
		}
		at, before = at+len(line), line
	}
}

// encodedPair matches a name and a value in a query or in JSON within a URL, percent-encoded as a value of its query.
var encodedPair = expression.Lazy(`(?i)(?:%[0-9A-F]{2}|[&?=/])([\w.-]{1,64}?)(?:%5D)?(?:%3D|%22%3A(?:%20|\+)?%22)((?:[^\s&"'<>%\\)|#]|%(?:[013-9A-F][0-9A-F]|2[^26]))+)`)

// encoded finds the secrets in URLs that are encoded within another: ?next=https%3A%2F%2Fh.test%2F%3Ftoken%3Dx.
func (f *finder) encoded() {
	if strings.IndexByte(f.text, '%') < 0 || !strings.Contains(f.text, "%3") && !strings.Contains(f.text, "%22") {
		return
	}
	f.scanned += len(f.text)
	for _, m := range encodedPair().FindAllStringSubmatchIndex(f.text, -1) {
		name, value := f.text[m[2]:m[3]], f.text[m[4]:m[5]]
		if s := f.r.sensitivity(name, site.Query); s.accepts(percent.DecodeQuery(value)) {
			f.ahead = append(f.ahead, match{m[4], m[5], name, s.isCertain(value)})
		}
	}
}

// separatorOf returns what separates the names in the first line of a text, "" if it has anything else.
func separatorOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimLeft(strings.TrimSuffix(line, "\r"), " \"'")
	n := inColumn.run(line)
	if n == 0 || n > maxColumn || !words.IsLetter(line[0]) || n+1 >= len(line) || len(line) > maxColumns ||
		strings.IndexByte(separators, line[n]) < 0 || inHeader.run(line) < len(line) {
		return ""
	}
	return line[n : n+1]
}

// The bytes of a first line of names.
const (
	separators = ",;\t"
	maxColumn  = 41  // of its first name
	maxColumns = 442 // of all
)

var (
	inColumn = newAlphabet(letters + "_ .\"'-")
	inHeader = newAlphabet(letters + "_ .\"'-" + separators)
)

// column is a column of a table, by its header.
type column struct {
	name string
	sensitivity
}

func columns(line, separator string) (all []column) {
	for cell := range strings.SplitSeq(strings.TrimSpace(line), separator) {
		name := strings.Trim(cell, " `*\"'")
		all = append(all, column{name, sensitivityOf(name)})
	}
	return all
}

// row finds the secrets in a row of a table, which begins at an offset.
func (f *finder) row(line string, at int, header []column, separator string) {
	for _, c := range header {
		cell, rest, more := strings.Cut(line, separator)
		value := strings.Trim(cell, " \t\r\n`*\"'")
		credible := f.strict == asData || len(value) >= minSwept && words.IsMixed(value) && !strings.Contains(value, " ") &&
			!technical().MatchString(value)
		if c.isSecret() && credible && c.accepts(value) {
			from := at + strings.Index(cell, value)
			f.ahead = append(f.ahead, match{from, from + len(value), c.name, true})
		}
		if line, at = rest, at+len(cell)+len(separator); !more {
			return
		}
	}
}
