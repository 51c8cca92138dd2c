package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// sensitivity says what a name promises about its value.
type sensitivity uint8

const (
	harmless     sensitivity = iota
	tokenLike                // a token, a key, a signature: short words and numbers are none
	passwordLike             // any text is one, numbers too
)

// setOf returns the members of a list that commas part.
func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for member := range strings.SplitSeq(list, ", ") {
		set[member] = true
	}
	return set
}

// promising returns what names promise: two lists that commas part.
func promising(passwords, tokens string) map[string]sensitivity {
	names := map[string]sensitivity{}
	for name := range setOf(passwords) {
		names[name] = passwordLike
	}
	for name := range setOf(tokens) {
		names[name] = tokenLike
	}
	return names
}

// The last word of a name decides. Words that are written without a break
// between them stand here as one.
var lastWords = promising(
	"password, passwd, pwd, passphrase, passcode, pswd, pin, otp, totp, secret, clientsecret",
	"secrets, secretkey, token, apikey, hapikey, accesskey, privatekey, authkey, appkey, auth, authorization, sig, "+
		"signature, credential, credentials, session, sessionid, sessid, phpsessid, jsessionid, csrf, xsrf, jwt, bearer, "+
		"cookie, assertion",
)

// lastPairs are the last two words of names whose last word alone says nothing.
var lastPairs = promising(
	"recovery code",
	"api key, access key, private key, subscription key, functions key, secret key, auth key, app key, application "+
		"key, master key, signing key, encryption key, account key, storage key, shared key, service key, session key, "+
		"session id, sess id, license key, webhook key, server key, deploy key, admin key, verification code, auth code",
)

// wholeNames say it only when they are the whole name.
var wholeNames = promising("pass, pw", "sid, connect sid, session sid, authorization, proxy authorization")

// harmlessEnds are names that end like those of secrets and are none: places
// in a list, prose, flags.
var harmlessEnds = setOf("page token, next token, continuation token, cursor token, sync token, cancellation token, stop token, eos token, " +
	"bos token, pad token, unk token, per token, mask token, sep token, cls token, method signature, function " +
	"signature, email signature, use session, forgot password, require auth, requires auth, no auth, o auth")

// trailing words say which secret of several it is and are passed over.
var trailing = setOf("value, confirmation, confirm, again, repeat, repeated, verify, plain, plaintext, text, raw, hash, hashed, " +
	"encoded, encrypted, string, new, old, current, base, sha, live, prod, production, staging, sandbox")

// sensitivityOf judges a name by its words: X-Api-Key, apiKey, api_key and
// user[api.key] are the same.
func sensitivityOf(name string) sensitivity {
	if len(name) > 200 {
		return harmless
	}
	parts := words.Parts(name)
	if s := wholeNames[strings.Join(parts, " ")]; s != harmless {
		return s
	}
	n := len(parts)
	for n > 1 && (trailing[parts[n-1]] || isDigits(parts[n-1])) {
		n--
	}
	if n == 0 {
		return harmless
	}
	last := parts[n-1]
	if n > 1 {
		pair := parts[n-2] + " " + last
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
var fusedEnds = strings.Fields("token password passwd passphrase secret apikey secretkey accesskey")

func fused(word string) sensitivity {
	for _, end := range fusedEnds {
		if strings.HasSuffix(word, end) {
			return lastWords[end]
		}
	}
	return harmless
}

// sessionNames are in the names of cookies, in small letters, that tell who
// somebody is: what is in them is a secret, whatever it looks like.
var sessionNames = strings.Fields("sid sess tok auth jwt csrf xsrf sso oidc saml login logged pass pwd secret key " +
	"ticket cred remember identity user account member sig hash nonce otp pin code")

// maxWords is how many words a setting has at most.
const maxWords = 3

// isSetting reports whether a cookie can be nothing but a choice somebody made:
// theme=dark, locale=en-US, sort=by_name, tz=Europe/Berlin. Its value is a word
// or some that read like words, its name says something, and nothing about who
// somebody is. Whatever is in doubt is none.
func isSetting(name, value string) bool {
	name = strings.ToLower(name)
	if alnum.run(name) < 2 || slices.ContainsFunc(sessionNames, func(part string) bool { return strings.Contains(name, part) }) {
		return false
	}
	all := strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune("-_/.", c) })
	return len(all) > 0 && len(all) <= maxWords && !slices.ContainsFunc(all, func(word string) bool { return !words.Speakable(word) })
}

// noSecrets are values that say how, whether or which, not what.
var noSecrets = setOf("true, false, null, none, undefined, nil, yes, no, basic, bearer, digest, ntlm, hawk, oauth, oauth1, oauth2, " +
	"noauth, apikey, api_key, jwt, aws, awsv4, header, query, cookie, body, string, include, omit, same-origin, " +
	"required, optional, enabled, disabled, hmac-sha1, hmac-sha256, oauth2.0, oauth 2.0, oauth1.0, api key, redacted, " +
	"number, integer, boolean")

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
	if v == "" || isSample(v) || v == inName {
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

// isSample reports whether a text is the word string, repeated up to some length:
// what is made up where a schema asks for text.
func isSample(v string) bool {
	const word = "string"
	return strings.HasPrefix(v, word) && v == strings.Repeat(word, len(v)/len(word)+1)[:len(v)]
}

// isVariable reports whether what follows a $ is a shell variable's name.
func isVariable(name string) bool {
	if strings.HasPrefix(name, "(") && strings.HasSuffix(name, ")") {
		return true
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}")
	if name == "" || isDigit(name[0]) || inVariable.run(name) < len(name) {
		return false
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
var dummyWords = setOf("your, my, the, a, an, some, insert, replace, enter, put, here, this, with, example, sample, dummy, fake, " +
	"placeholder, token, api, key, access, secret, password, user, username, client, id, bearer, auth, jwt, value, " +
	"me, goes, session, refresh, private, cookie, personal, change, code, app, account, redacted, todo, login, admin, " +
	"pass, service, authorization")

// isDummy reports whether a value tells the reader to write a secret here:
// YOUR_TOKEN, your-api-key-here, ACCESS_TOKEN.
func isDummy(value string) bool {
	if len(value) > 60 {
		return false
	}
	parts := words.Parts(value)
	if len(parts) == 0 || len(parts) < 2 && strings.ToUpper(value) != value {
		return false
	}
	for _, word := range parts {
		if !dummyWords[word] {
			return len(parts) > 1 && parts[0] == "your" && !isStrong(value)
		}
	}
	switch parts[0] {
	case "your", "my", "insert", "replace", "enter", "put", "some", "example", "placeholder", "the", "dummy", "fake":
		return true
	}
	return strings.ToUpper(value) == value || parts[len(parts)-1] == "here"
}

// isStrong reports whether a text mixes letters with digits, as made-up
// secrets do and words do not.
func isStrong(text string) bool {
	letter, digit := false, false
	for i := 0; i < len(text); i++ {
		digit = digit || isDigit(text[i])
		letter = letter || isAlnum(text[i]) && !isDigit(text[i])
	}
	return letter && digit
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, digits) == "" }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isAlnum(c byte) bool { return isDigit(c) || isUpper(c) || isLower(c) }
