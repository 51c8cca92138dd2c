package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// The limits in bytes of a command in prose, before and after an option.
const (
	maxBeforeOption = 96
	maxAfterOption  = 160
)

// option finds the passwords in the arguments of a command in prose, one of whose options begins at i.
func (f *finder) option(i int) {
	option := f.text[i : i+word.run(f.text[i:min(len(f.text), i+maxAssignedName)])]
	f.scanned += len(option)
	if !f.r.sensitivity(strings.TrimLeft(option, "-"), site.Field).isSecret() && !strings.Contains(passwordOptions, option[:2]) {
		return
	}
	line, end := max(f.done, i-maxBeforeOption), min(len(f.text), i+maxAfterOption)
	if n := strings.LastIndexAny(f.text[line:i], commandEnds); n >= 0 {
		line += n + 1
	}
	end = i + untilAny(f.text[i:end], commandEnds)
	f.scanned += end - line
	at := shellWord().FindAllStringIndex(f.text[line:end], -1)
	list := make([]string, len(at))
	for i, bounds := range at {
		list[i] = f.text[line+bounds[0] : line+bounds[1]]
	}
	arguments, _ := Arguments(list, nil)
	for _, a := range arguments {
		from := line + at[a.Word][0] + a.From
		value := f.text[from : line+at[a.Word][1]]
		trimmed := strings.TrimRight(strings.Trim(value, `'"\`), ".,")
		if trimmed != "" && trimmed[0] != '<' && !dummyWords[strings.ToLower(trimmed)] && (!a.named || words.IsMixed(trimmed)) {
			from += strings.Index(value, trimmed)
			f.add(from, from+len(trimmed), a.Name)
		}
	}
}

const commandEnds = "\n;|`&()"

// passwordOptions are the beginnings of the options of the commands in commandRules.
const passwordOptions = "-p -a -P -w -k -U -b"

// shellWord matches a word of a command.
var shellWord = expression.Lazy(`(?:"[^"]*"|'[^']*'|[^\s"'])+|["']`)

// maxStatement is how many bytes before a value are searched for what says that it is a password.
const maxStatement = 64

// statement finds a password that a sentence states, in the word at i: the password is hunter2, log in with bob / hunter2.
func (f *finder) statement(i int) {
	text := f.text
	near := max(f.done, i-maxStatement)
	from := i
	for from > near && !beforeValue[text[from-1]] {
		from--
	}
	f.scanned += i - near
	if !announces(text[near:from]) || f.digit >= i+inWord.run(text[i:min(len(text), i+maxLook)]) {
		return
	}
	value := text[from : from+untilAny(text[from:min(len(text), i+maxLook)], endOfStated)]
	if len(value) == i+maxLook-from && words.IsMixed(value) {
		value = text[from : from+untilAny(text[from:min(len(text), from+maxAssigned)], endOfStated)]
	}
	value = strings.TrimRight(value, ".:)*")
	f.scanned += maxLook + maxStatement
	if len(value) < minSwept || !words.IsMixed(value) || technical().MatchString(value) {
		return
	}
	before := text[max(f.done, from-maxStatement):from]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	if m := introduction().FindStringSubmatch(before); m != nil && (m[1] != "" || isCredible(value)) {
		f.add(from, from+len(value), "password")
	}
}

const endOfStated = " \t\r\n\"'`<>|,;"

// announces reports whether a text may end with an introduction, which is costly to match.
func announces(text string) bool {
	trimmed := strings.TrimRight(text, " =:\"'`*(")
	if strings.HasSuffix(trimmed, "/") || strings.HasSuffix(text, ":") {
		return slices.ContainsFunc(logsIn, func(part string) bool { return strings.Contains(text, part) })
	}
	word := trimmed
	for len(word) > 0 && words.IsLetter(word[len(word)-1]) {
		word = word[:len(word)-1]
	}
	return len(trimmed) > 0 && lastOfIntroduction[strings.ToLower(trimmed[len(word):])]
}

var (
	beforeValue = newAlphabet(" \t\r\n\"'`(,|/:=")
	logsIn      = []string{"og", "OG", "ign", "IGN", "red", "RED", "ccount", "CCOUNT", "ser", "SER"} // log in, sign in, credentials, account, user
)

var lastOfIntroduction = words.Set("password passwd passphrase passcode pwd pw is was to")

// netrc finds the password after the word at i in a line of .netrc: machine h.test login bob password hunter.
func (f *finder) netrc(i int) {
	if !strings.HasPrefix(f.text[i:], "password ") {
		return
	}
	before := f.text[max(f.done, i-maxStatement):i]
	f.scanned += len(before) + maxStatement
	fields := strings.Fields(before)
	if n := len(fields); n < 2 || fields[n-2] != "login" {
		return
	}
	from := i + len("password ")
	f.add(from, from+untilAny(f.text[from:min(len(f.text), from+maxAssigned)], " \t\r\n"), "password")
}

// introduction matches the end of what comes before a password in a sentence. The group is a verb.
var introduction = expression.Lazy("(?i)\\b(?:" +
	"(?:password|passwd|passphrase|passcode|pwd|pw)[\"'`*]*(?: (is|was|to)\\b)?[ :=]{0,3}|" +
	"(?:pass|pin|token|secret|api[ -]?key|access key)[\"'`*]* (is|was)[ :]{0,2}|" +
	"(?:log ?in|log(?:ged|ging) in|sign(?:ed)? ?in|credentials?|creds)\\b[^.;/:]{0,24}[ :\"'`(][\\w.@+-]{1,40}[\"'`]*(?::| ?/ ?)|" +
	"(?:account|user)s?[\"'`*]*[:=][\"'`*]* ?[\"'`(]?[\\w.@+-]{1,40}[\"'`]* / " +
	")[\"'`*(]{0,3}$")

// isCredible reports whether a word mixes letters with digits as passwords do, and names do not.
func isCredible(value string) bool {
	return strings.ToUpper(value) != value && strings.ToLower(value) != value || strings.ContainsAny(value, "!#$%&*?~^+@") ||
		mixed().MatchString(value)
}

var mixed = expression.Lazy(`[A-Za-z][0-9]+[A-Za-z]`)

// technical matches the names of algorithms, encodings, protocols and versions, lengths and parts of URLs.
var technical = expression.Lazy(`(?i)[/{}<>()[\]]|^[0-9]+[a-z]+$|^(?:base|sha|md|rsa|hs|rs|es|ps|aes|oauth|utf|x|ed|rfc|http|ipv|v|pkcs|argon|pbkdf|bcrypt|level|step|page|[23](?:fa|des))-?[0-9]`)

// statedLine matches a line of prose that consists of a label and a password, or of a user's name and one. The first group
// is the label, the second the password.
var statedLine = expression.Lazy("(?im)^[ \\t#*>/-]*(?:(?:(?:the|my|our|old|new|current|test|admin|prod|production|staging) )*" +
	"(password|passwort|passwd|pwd|pass|secret|token|api[ _-]?key|key|mot de passe|contraseña|пароль|密码)(?: for \\w+)?(?: is)?(?: ?\\([^)\\n]*\\))?[ \\t]*[:=：–-][ \\t]*" +
	"|(?:test )?(?:user |account |login:? )?[A-Za-z][\\w.@+-]{1,40}(?: / |:))[`'\"]?([^\\s`'\"/]{8,})[`'\"]?\\.?[ \\t]*$")

// statedLines returns the passwords in lines that say nothing else.
func (r *Redactor) statedLines(text string) (found []match) {
	r.budget.Pass(len(text))
	for _, m := range statedLine().FindAllStringSubmatchIndex(text, -1) {
		value := text[m[4]:m[5]]
		if !words.IsMixed(value) || !isCredible(value) || technical().MatchString(value) || isPlaceholder(value) || isExpansion(value) {
			continue
		}
		name := "password"
		if m[2] >= 0 {
			name = text[m[2]:m[3]]
		}
		found = append(found, match{m[4], m[5], name, true})
	}
	return found
}
