package secret

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// sensitivity says what a name promises about its value.
type sensitivity uint8

const (
	harmless     sensitivity = iota
	tokenLike                // a token, a key, a signature: short words and numbers are none
	passwordLike             // any text is one, numbers too
)

// The last word of a name decides. Words that are written without a break
// between them stand here as one.
var lastWords = map[string]sensitivity{
	"password": passwordLike, "passwd": passwordLike, "pwd": passwordLike, "passphrase": passwordLike,
	"passcode": passwordLike, "pswd": passwordLike, "pin": passwordLike, "otp": passwordLike, "totp": passwordLike,
	"secret": passwordLike, "secrets": tokenLike, "secretkey": tokenLike, "clientsecret": passwordLike,
	"token": tokenLike, "apikey": tokenLike, "hapikey": tokenLike, "accesskey": tokenLike, "privatekey": tokenLike,
	"authkey": tokenLike, "appkey": tokenLike, "auth": tokenLike, "authorization": tokenLike,
	"sig": tokenLike, "signature": tokenLike,
	"credential": tokenLike, "credentials": tokenLike, "session": tokenLike, "sessionid": tokenLike, "sessid": tokenLike,
	"phpsessid": tokenLike, "jsessionid": tokenLike, "csrf": tokenLike, "xsrf": tokenLike, "jwt": tokenLike,
	"bearer": tokenLike, "cookie": tokenLike, "assertion": tokenLike,
}

// lastPairs are the last two words of names whose last word alone says nothing.
var lastPairs = map[string]sensitivity{
	"api key": tokenLike, "access key": tokenLike, "private key": tokenLike, "subscription key": tokenLike,
	"functions key": tokenLike, "secret key": tokenLike, "auth key": tokenLike, "app key": tokenLike,
	"application key": tokenLike, "master key": tokenLike, "signing key": tokenLike, "encryption key": tokenLike,
	"account key": tokenLike, "storage key": tokenLike, "shared key": tokenLike, "service key": tokenLike,
	"session key": tokenLike, "session id": tokenLike, "sess id": tokenLike, "license key": tokenLike,
	"webhook key": tokenLike, "server key": tokenLike, "deploy key": tokenLike, "admin key": tokenLike,
	"recovery code": passwordLike, "verification code": tokenLike, "auth code": tokenLike,
}

// wholeNames say it only when they are the whole name.
var wholeNames = map[string]sensitivity{
	"pass": passwordLike, "pw": passwordLike, "sid": tokenLike, "connect sid": tokenLike,
	"session sid": tokenLike, "authorization": tokenLike, "proxy authorization": tokenLike,
}

// harmlessEnds are names that end like those of secrets and are none: places
// in a list, prose, flags.
var harmlessEnds = map[string]bool{
	"page token": true, "next token": true, "continuation token": true, "cursor token": true, "sync token": true,
	"cancellation token": true, "stop token": true, "eos token": true, "bos token": true, "pad token": true,
	"unk token": true, "per token": true, "mask token": true, "sep token": true, "cls token": true,
	"method signature": true, "function signature": true, "email signature": true, "use session": true,
	"forgot password": true, "require auth": true, "requires auth": true, "no auth": true, "o auth": true,
}

// trailing words say which secret of several it is and are passed over.
var trailing = map[string]bool{
	"value": true, "confirmation": true, "confirm": true, "again": true, "repeat": true, "repeated": true,
	"verify": true, "plain": true, "plaintext": true, "text": true, "raw": true, "hash": true, "hashed": true,
	"encoded": true, "encrypted": true, "string": true, "new": true, "old": true, "current": true, "base": true,
	"sha": true, "live": true, "prod": true, "production": true, "staging": true, "sandbox": true,
}

// sensitivityOf judges a name by its words: X-Api-Key, apiKey, api_key and
// user[api.key] are the same.
func sensitivityOf(name string) sensitivity {
	if len(name) > 200 {
		return harmless
	}
	words := splitWords(name)
	if s := wholeNames[strings.Join(words, " ")]; s != harmless {
		return s
	}
	n := len(words)
	for n > 1 && (trailing[words[n-1]] || isDigits(words[n-1])) {
		n--
	}
	if n == 0 {
		return harmless
	}
	last := words[n-1]
	if n > 1 {
		pair := words[n-2] + " " + last
		if harmlessEnds[pair] {
			return harmless
		}
		if s := lastPairs[pair]; s != harmless {
			return s
		}
	}
	if s := lastWords[last]; s != harmless {
		return s
	}
	return fused(last)
}

// fusedEnds are the ends of words like accesstoken and csrfmiddlewaretoken.
var fusedEnds = []struct {
	end string
	is  sensitivity
}{
	{"token", tokenLike}, {"password", passwordLike}, {"passwd", passwordLike}, {"passphrase", passwordLike},
	{"secret", passwordLike}, {"apikey", tokenLike}, {"secretkey", tokenLike}, {"accesskey", tokenLike},
}

func fused(word string) sensitivity {
	for _, e := range fusedEnds {
		if strings.HasSuffix(word, e.end) {
			return e.is
		}
	}
	return harmless
}

// splitWords parts a name at what is no letter or digit, between digits and
// letters and where camel case begins a word (APIKey: api, key), in lower
// case. Letters beyond ASCII part words, too.
func splitWords(name string) []string {
	var words []string
	start := 0
	cut := func(i int) {
		if start < i {
			words = append(words, strings.ToLower(name[start:i]))
		}
		start = i
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case !isAlnum(c):
			cut(i)
			start = i + 1
		case i == start:
		case isDigit(c) != isDigit(name[i-1]):
			cut(i)
		case isUpper(c) && (!isUpper(name[i-1]) || i+1 < len(name) && isLower(name[i+1])):
			cut(i)
		}
	}
	cut(len(name))
	return words
}

// noSecrets are values that say how, whether or which, not what.
var noSecrets = map[string]bool{
	"true": true, "false": true, "null": true, "none": true, "undefined": true, "nil": true, "yes": true, "no": true,
	"basic": true, "bearer": true, "digest": true, "ntlm": true, "hawk": true, "oauth": true, "oauth1": true,
	"oauth2": true, "noauth": true, "apikey": true, "api_key": true, "jwt": true, "aws": true, "awsv4": true,
	"header": true, "query": true, "cookie": true, "body": true, "string": true, "include": true, "omit": true,
	"same-origin": true, "required": true, "optional": true, "enabled": true, "disabled": true, "hmac-sha1": true,
	"hmac-sha256": true, "oauth2.0": true, "oauth 2.0": true, "oauth1.0": true, "api key": true, "redacted": true, "number": true, "integer": true, "boolean": true,
}

// accepts reports whether a text can be a secret of the kind.
func (s sensitivity) accepts(value string) bool {
	if s == harmless || value == "" || isPlaceholder(value) || noSecrets[strings.ToLower(value)] {
		return false
	}
	if s == passwordLike {
		return true
	}
	if strings.Contains(value, " ") && (!isStrong(value) || strings.Count(value, " ") > 2) {
		return false // prose
	}
	return len(value) >= 4 && !(isDigits(value) && len(value) < 6)
}

// acceptsNumber reports whether a number can be a secret of the kind: a PIN.
func (s sensitivity) acceptsNumber(digits string) bool {
	return s == passwordLike && len(digits) >= 4 && isDigits(digits)
}

// isPlaceholder reports whether an author has written something else in the
// place of a secret.
func isPlaceholder(value string) bool {
	v := strings.Trim(value, " \t\r\n\"'")
	if v == "" || v == "string" || v == inName {
		return true
	}
	first, last := v[0], v[len(v)-1]
	switch {
	case first == '<' && last == '>', first == '[' && last == ']', first == '%' && last == '%' && len(v) > 2,
		first == '{' && last == '}' && !strings.ContainsAny(v, "\":"),
		first == '$' && isVariable(v[1:]):
		return true
	case strings.Contains(v, "***"), strings.Contains(v, "•••"), strings.Contains(v, "…"),
		strings.HasSuffix(v, "..."), strings.Contains(strings.ToLower(v), "xxxx"),
		strings.Contains(v, redacted), strings.Contains(v, "%3Credacted%3E"):
		return true
	case strings.Trim(v, "*.•-_ xX#?") == "":
		return true
	}
	if request.HasVariable(v) {
		return mostlyVariable(v)
	}
	return isDummy(v)
}

// isVariable reports whether what follows a $ is a shell variable's name.
func isVariable(name string) bool {
	if strings.HasPrefix(name, "(") && strings.HasSuffix(name, ")") {
		return true
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}")
	if name == "" || isDigit(name[0]) {
		return false
	}
	for i := 0; i < len(name); i++ {
		if c := name[i]; !isAlnum(c) && c != '_' && c != '.' && c != '-' && c != ':' {
			return false
		}
	}
	return strings.ToUpper(name) == name || strings.ContainsAny(name, "_") || len(name) < 12
}

// mostlyVariable reports whether the text around a value's variables is too
// little to be a secret.
func mostlyVariable(value string) bool {
	for _, part := range request.Split(value) {
		if part.Kind == request.LiteralPart && len(part.Text) >= 8 && isStrong(part.Text) {
			return false
		}
	}
	return true
}

// dummyWords are the words of YOUR_API_KEY and the like.
var dummyWords = map[string]bool{
	"your": true, "my": true, "the": true, "a": true, "an": true, "some": true, "insert": true, "replace": true,
	"enter": true, "put": true, "here": true, "this": true, "with": true, "example": true, "sample": true,
	"dummy": true, "fake": true, "placeholder": true, "token": true, "api": true, "key": true, "access": true,
	"secret": true, "password": true, "user": true, "username": true, "client": true, "id": true, "bearer": true,
	"auth": true, "jwt": true, "value": true, "me": true, "goes": true, "session": true, "refresh": true,
	"private": true, "cookie": true, "personal": true, "change": true, "code": true, "app": true, "account": true,
	"redacted": true, "todo": true, "login": true, "admin": true, "pass": true, "service": true, "authorization": true,
}

// isDummy reports whether a value tells the reader to write a secret here:
// YOUR_TOKEN, your-api-key-here, ACCESS_TOKEN.
func isDummy(value string) bool {
	if len(value) > 60 {
		return false
	}
	words := splitWords(value)
	if len(words) == 0 || len(words) < 2 && strings.ToUpper(value) != value {
		return false
	}
	for _, word := range words {
		if !dummyWords[word] {
			return len(words) > 1 && words[0] == "your" && !isStrong(value)
		}
	}
	switch words[0] {
	case "your", "my", "insert", "replace", "enter", "put", "some", "example", "placeholder", "the", "dummy", "fake":
		return true
	}
	return strings.ToUpper(value) == value || words[len(words)-1] == "here"
}

// isStrong reports whether a text mixes letters with digits, as made-up
// secrets do and words do not.
func isStrong(text string) bool {
	letter, digit := false, false
	for i := 0; i < len(text); i++ {
		letter = letter || isUpper(text[i]) || isLower(text[i])
		digit = digit || isDigit(text[i])
	}
	return letter && digit
}

func isDigits(text string) bool {
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) {
			return false
		}
	}
	return text != ""
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isAlnum(c byte) bool { return isDigit(c) || isUpper(c) || isLower(c) }
