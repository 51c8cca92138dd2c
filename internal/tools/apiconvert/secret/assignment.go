package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// The limits in bytes of a name and of a value in an assignment.
const (
	maxAssignedName = 64
	maxAssigned     = 4096
)

// assignment finds a secret after a name and the separator at i: a query's name=value, "name": "value", name = 'value',
// <name>value<, and the value of {key: 'name', value: 'value'}.
func (f *finder) assignment(i int) {
	name, in := f.nameBefore(i)
	if name == "" {
		return
	}
	if (name == "user" || name == "proxy-user") && f.text[i] == '=' {
		f.config(i)
		return
	}
	s := f.r.sensitivity(name, in)
	pair := name == "value"
	code := in == site.Query && name == "code"
	if s == harmless && !pair && !code {
		return
	}
	from, to, loose := f.valueAfter(i, in)
	if s == passwordLike && f.text[i] != '>' && !loose {
		if at, end := f.line(i); end > 0 {
			from, to, loose = at, end, true
		}
	}
	if to <= from || from < f.done {
		return
	}
	if code {
		before := f.text[max(f.done, i-maxAssigned/8):i]
		before = before[strings.LastIndexAny(before, " \t\r\n\"'")+1:]
		if f.scanned += len(before); !isCode(f.text[from:to]) && site.QueryName(before, name) == name {
			return
		}
		name, s = "authorization code", tokenLike
	}
	if pair {
		if name = f.pairedName(i, to); name == "" {
			return
		}
		s = f.r.sensitivity(name, in)
	}
	f.named(match{from, to, name, false}, s, loose)
}

// line returns the bounds of the value of a line that consists of a name, the separator at i and a word: YAML, which has no
// semicolons and parentheses as programs do, or "# Password: c0rrect" in prose. Without one, to is 0.
func (f *finder) line(i int) (from, to int) {
	start := max(f.done, i-maxAssignedName)
	start += strings.LastIndexByte(f.text[start:i], '\n') + 1
	f.scanned += i - start
	if strings.Trim(f.text[start:i], " \t#*>-_"+letters) != "" {
		return 0, 0
	}
	line := f.text[i+1 : min(len(f.text), i+maxAssigned)]
	line = line[:untilAny(line, "\r\n")]
	f.scanned += len(line)
	value := strings.TrimPrefix(line, " ")
	if f.strict == asProse {
		value = strings.Trim(line, " \t`'\"")
		if len(value) < minSwept || strings.ContainsAny(value, " \t(") || isWords(value) || isExpansion(value) {
			return 0, 0
		}
	} else if !strings.HasPrefix(f.text[i:], ": ") || strings.ContainsAny(value, " \t,\"'{[|>&*") || f.isProgram() {
		return 0, 0
	}
	from = i + 1 + strings.Index(line, value)
	return from, from + len(value)
}

func (f *finder) isProgram() bool {
	if !f.scannedAll {
		f.scannedAll, f.program = true, strings.ContainsAny(f.text, ";(")
		f.scanned += len(f.text)
	}
	return f.program
}

// config finds the password in user = "name:password", a line of curl's configuration, with the separator at i.
func (f *finder) config(i int) {
	from, to, ok := f.quoted(i+1, " \t")
	if !ok && f.strict == asData && f.beginsLine(i) {
		from = i + 1 + len(f.text[i+1:]) - len(strings.TrimLeft(f.text[i+1:], " \t"))
		to, ok = from+untilAny(f.text[from:min(len(f.text), from+maxAssigned)], " \t\r\n"), true
		f.scanned += to - from
	}
	if name, password, pair := strings.Cut(f.text[from:to], ":"); ok && pair && (len(password) >= minSwept || !words.IsNumber(password)) && from >= f.done {
		f.add(from+len(name)+1, to, "password")
	}
}

// maxIndent is how many blanks may be before the name that begins a line.
const maxIndent = 32

// beginsLine reports whether only blanks are before the name of the separator at i in its line.
func (f *finder) beginsLine(i int) bool {
	start, _ := f.nameBounds(i)
	f.scanned += maxIndent
	blanks := strings.TrimRight(f.text[max(0, start-maxIndent):start], " \t")
	return blanks == "" && start <= maxIndent || strings.HasSuffix(blanks, "\n")
}

// argument finds a secret that is passed to a function after its name, the
// comma at i between them: pm.environment.set("token", "value").
func (f *finder) argument(i int) {
	start, end := f.nameBounds(i)
	if start == end || strings.IndexByte("\\\"'`", f.text[end]) < 0 {
		return
	}
	before := strings.TrimRight(f.text[max(f.done, start-8):start], "\"'`\\ \t\r\n")
	name := f.text[start:end]
	s := f.r.sensitivity(name, site.Field)
	if s == harmless || !strings.HasSuffix(before, "(") {
		return
	}
	if from, to, ok := f.quoted(i+1, " \t\r\n"); ok && from >= f.done {
		f.named(match{from, to, name, false}, s, f.strict == asData)
	}
}

// named records a match if its value may be a secret under its name.
func (f *finder) named(m match, s sensitivity, loose bool) {
	value := f.text[m.from:m.to]
	if s.accepts(value) && (loose || len(value) >= 8 && words.IsMixed(value)) {
		m.certain = s.isCertain(value)
		f.match(m)
	}
}

// pairWindow is how many bytes around a value are searched for its name.
const pairWindow = 128

// pairName is the name of {key: "name", value: …}, as a member.
var pairName = expression.Lazy("\\b(?:key|name)[\\\\\"'`]*\\s*:\\s*\\\\?[\"'`]([\\w.\\[\\] -]{1,64})\\\\?[\"'`]")

// pairedName returns the name in the key or name member next to a member called value: the separator after
// value is at i, and its value ends at to.
func (f *finder) pairedName(i, to int) string {
	start := max(f.done, i-pairWindow)
	f.scanned += 2 * pairWindow
	open := strings.LastIndexByte(f.text[start:i], '{')
	if open < 0 {
		return ""
	}
	if m := pairName().FindStringSubmatch(f.text[start+open : i]); m != nil {
		return m[1]
	}
	after := f.text[to:min(len(f.text), to+pairWindow)]
	if m := pairName().FindStringSubmatch(after[:untilAny(after, "}{")]); m != nil {
		return m[1]
	}
	return ""
}

// nameBefore returns the name that ends before the separator at i, and whether
// it is in a query or another field.
func (f *finder) nameBefore(i int) (string, site.Role) {
	text := f.text
	if text[i] == '>' { // <name>value
		start := max(i-maxAssignedName, f.done)
		open := strings.LastIndexByte(text[start:i], '<')
		if open < 0 {
			return "", site.Field
		}
		name, _, _ := strings.Cut(text[start+open+1:i], " ")
		return name, site.Field
	}
	start, end := f.nameBounds(i)
	if start > 0 && (text[start-1] == '?' || text[start-1] == '&') && text[i] == '=' && end == i {
		return text[start:end], site.Query
	}
	return text[start:end], site.Field
}

// nameBounds returns where the name before the separator at i begins and ends,
// without quotes and, in headers["name"], without the bracket.
func (f *finder) nameBounds(i int) (start, end int) {
	text := f.text
	near := max(f.done, i-6)
	end = near + len(strings.TrimRight(text[near:i], " \"'\\`"))
	bracket := false
	if end > near && text[end-1] == ']' {
		if inner := strings.TrimRight(text[near:end-1], "\"'\\`"); near+len(inner) < end-1 {
			end, bracket = near+len(inner), true
		}
	}
	start = end
	for start > f.done && end-start < maxAssignedName && assigned[text[start-1]] {
		start--
	}
	if bracket && (start == 0 || !isQuote(text[start-1])) {
		return end, end // the end of a title: tests["has a token"]
	}
	return start, end
}

// valueAfter returns the bounds of the value after the separator at i. The
// value is loose, which means that any text may be a secret, if it is in a
// query or an element, or quoted in data.
func (f *finder) valueAfter(i int, in site.Role) (from, to int, loose bool) {
	text := f.text
	limit := min(len(text), i+maxAssigned)
	from = i + 1
	if text[i] == '>' {
		n := untilAny(text[from:limit], "<")
		if f.scanned += n; from+n == limit || from+n+1 >= len(text) || text[from+n+1] != '/' {
			return 0, 0, false
		}
		return from, from + n, true
	}
	if in == site.Query {
		to = from + untilAny(text[from:limit], "&#; \t\r\n\"'<>`\\)|")
		f.scanned += to - from
		return from, to, true
	}
	near := min(limit, i+6)
	from = near - len(strings.TrimLeft(text[from:near], " \t=>["))
	if quote := limit - len(strings.TrimLeft(text[from:limit], `\`)); quote < limit && isQuote(text[quote]) {
		from, to, ok := f.quoted(from, "")
		return from, to, ok && f.strict == asData
	}
	return f.unquoted(i, from)
}

// quoted returns the bounds of the quoted string at i, after space. Its quotes may be escaped.
func (f *finder) quoted(i int, space string) (from, to int, ok bool) {
	text := f.text
	limit := min(len(text), i+maxAssigned)
	near := min(limit, i+32)
	i = near - len(strings.TrimLeft(text[i:near], space))
	quote := limit - len(strings.TrimLeft(text[i:limit], `\`))
	f.scanned += quote - i
	if quote >= limit || !isQuote(text[quote]) {
		return 0, 0, false
	}
	value, _, closed := strings.Cut(text[quote+1:limit], text[i:quote+1])
	if n := closing(text[quote+1:limit], text[quote]); i == quote && n > 0 {
		value = text[quote+1 : quote+1+n]
	}
	f.scanned += len(value)
	return quote + 1, quote + 1 + len(value), closed
}

// closing returns the offset of the first quote in a line that isn't escaped, or -1.
func closing(text string, quote byte) int {
	for i := 0; i < len(text) && text[i] != '\n'; i++ {
		switch text[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// unquoted returns the bounds of the word at from, the value of the separator
// at i.
func (f *finder) unquoted(i, from int) (int, int, bool) {
	const ends = " \t\r\n\"'`,;&<>(){}[]|\\"
	if !f.digitNear(i) {
		return 0, 0, false
	}
	text := f.text
	limit := min(len(text), i+maxAssigned)
	to := from + untilAny(text[from:min(limit, from+maxLook)], ends)
	if to == from+maxLook && words.IsMixed(text[from:to]) {
		to = from + untilAny(text[from:], ends)
	}
	f.scanned += to - from
	if to < len(text) && text[to] == '(' { // a function call
		return 0, 0, false
	}
	if word := text[from:to]; strings.EqualFold(word, "bearer") || strings.EqualFold(word, "basic") || strings.EqualFold(word, "token") {
		return 0, 0, false // found by its scheme
	}
	return from, len(strings.TrimRight(text[:to], ".")), false
}

// untilAny returns how many bytes of text come before the first byte of set.
func untilAny(text, set string) int {
	if n := strings.IndexAny(text, set); n >= 0 {
		return n
	}
	return len(text)
}

// The limits in bytes of a function's name and of its arguments up to a key.
const (
	maxFunction  = 32
	maxArguments = 512
)

// keyArguments has the positions of the keys among the arguments of functions. A name has the object before it where the
// function's own is too common.
var keyArguments = func() map[string]int {
	positions := map[string]int{"PBKDF2": 0, "pbkdf2": 0, "pbkdf2Sync": 0, "scryptSync": 0, "JWS.sign": 3}
	for name := range strings.FieldsSeq("HmacSHA1 HmacSHA224 HmacSHA256 HmacSHA384 HmacSHA512 HmacSHA3 HmacMD5 HmacRIPEMD160 " +
		"createHmac createCipheriv createDecipheriv JWS.verify SetBasicAuth HTTPBasicAuth auth= login authenticate") {
		positions[name] = 1
	}
	for object := range strings.FieldsSeq("AES DES TripleDES Rabbit RabbitLegacy RC4 RC4Drop") {
		positions[object+".encrypt"], positions[object+".decrypt"] = 1, 1
	}
	for object := range strings.FieldsSeq("jwt JWT Jwt jsonwebtoken jsonWebToken JsonWebToken") {
		positions[object+".sign"], positions[object+".verify"] = 1, 1
	}
	return positions
}()

// keyArgument returns the position of the key among the arguments of the function whose name a text ends with.
func keyArgument(text string) (position int, ok bool) {
	at := len(strings.TrimSuffix(text, "="))
	for range 2 {
		for at > 0 && inWord[text[at-1]] {
			at--
		}
		position, ok = keyArguments[text[at:]]
		if ok || at == 0 || text[at-1] != '.' {
			break
		}
		at--
	}
	return position, ok
}

// literal matches the beginning of an argument that is a string, or bytes made from one.
var literal = expression.Lazy(`^[ \t\r\n]*(?:(?:[\w.]*\.parse|Buffer\.from)\()?`)

// call looks for the key among the arguments of a function whose opening parenthesis is at i, and remembers it until the
// search arrives there: what comes before may have secrets of its own.
func (f *finder) call(i int) {
	f.scanned += maxFunction
	position, ok := keyArgument(f.text[max(f.done, i-maxFunction):i])
	if !ok {
		return
	}
	from := f.skipArguments(i+1, position)
	if from < 0 {
		return
	}
	from += len(literal().FindString(f.text[from:min(len(f.text), from+maxFunction)]))
	if from, to, ok := f.quoted(from, ""); ok {
		key := match{from, to, "secret", true}
		n, _ := slices.BinarySearchFunc(f.ahead, key, lastFirst)
		f.ahead = slices.Insert(f.ahead, n, key)
	}
}

// skipArguments returns where the argument of a position begins, in the arguments that begin at i, or -1.
func (f *finder) skipArguments(i, position int) int {
	depth, quote := 0, byte(0)
	limit := min(len(f.text), i+maxArguments)
	for ; i < limit && position > 0; i++ {
		f.scanned++
		switch c := f.text[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case isQuote(c):
			quote = c
		case c == '(' || c == '[' || c == '{':
			depth++
		case c == ')' || c == ']' || c == '}':
			if depth--; depth < 0 {
				return -1
			}
		case c == ',' && depth == 0:
			position--
		}
	}
	if position > 0 {
		return -1
	}
	return i
}

// lastFirst compares matches, to sort them from the end of the text to its beginning.
func lastFirst(a, b match) int { return b.from - a.from }

// pending adds the matches ahead that begin at or before i.
func (f *finder) pending(i int) {
	for n := len(f.ahead) - 1; n >= 0 && f.ahead[n].from <= i; n-- {
		f.match(f.ahead[n])
		f.ahead = f.ahead[:n]
	}
}
