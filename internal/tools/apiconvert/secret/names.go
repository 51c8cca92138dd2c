package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// sensitivity is what a name reveals about its value.
type sensitivity uint8

const (
	harmless     sensitivity = iota
	cardLike                 // secret if the value is a payment card number
	sessionLike              // secret if the value is long and random; otherwise the id of a resource
	tokenLike                // a token, a key, a signature: secret unless the value is a short word or number
	passwordLike             // always secret, including numbers
)

// isSecret reports whether the name alone indicates that the value is a secret.
func (s sensitivity) isSecret() bool { return s >= tokenLike }

// setOf returns the members of a comma-separated list.
func setOf(list string) map[string]bool {
	set := map[string]bool{}
	for member := range strings.SplitSeq(list, ", ") {
		set[member] = true
	}
	delete(set, "")
	return set
}

// sensitivities returns the sensitivities of names in two comma-separated lists.
func sensitivities(passwords, tokens string) map[string]sensitivity {
	names := map[string]sensitivity{}
	for name := range setOf(passwords) {
		names[name] = passwordLike
	}
	for name := range setOf(tokens) {
		names[name] = tokenLike
	}
	return names
}

// lastWords classify a name by its last word. Compounds often written without a separator are listed as one word.
var lastWords = sensitivities(
	"password, passwd, pwd, pw, pass, passphrase, passcode, pswd, pin, otp, totp, secret, clientsecret, dbpass, "+
		"userpass, smtppass, mailpass, sshpass, cvv, cvc",
	"secrets, secretkey, token, apikey, hapikey, accesskey, privatekey, authkey, appkey, auth, authorization, sig, "+
		"signature, credential, credentials, session, sessionid, sessid, phpsessid, jsessionid, csrf, xsrf, jwt, bearer, "+
		"cookie, assertion",
)

// lastPairs classify a name by its last two words if the last word alone is not enough.
var lastPairs = sensitivities(
	"pass word, pass phrase, pass code, pass wd, recovery code, backup code, access code, security code, card code, "+
		"mfa code, fa code, tfa code, otp code, totp code, sms code, login code",
	"api key, access key, private key, subscription key, functions key, secret key, auth key, app key, application "+
		"key, master key, signing key, encryption key, account key, storage key, shared key, service key, session key, "+
		"license key, webhook key, server key, deploy key, admin key, verification code, auth code",
)

// wholeNames classify whole names.
var wholeNames = sensitivities("", "connect sid, session sid, authorization, proxy authorization")

// cardWords end the names of fields that may hold a payment card number.
var cardWords = setOf("number, num, no, pan, cc, card, cardnumber, ccnumber, ccnum, creditcard")

// harmlessEnds are the last two words of names that end like those of secrets but hold a position in a list,
// prose, a flag, a ticket or any text.
var harmlessEnds = setOf("page token, next token, continuation token, cursor token, sync token, cancellation token, stop token, eos token, " +
	"bos token, pad token, unk token, per token, mask token, sep token, cls token, method signature, function " +
	"signature, email signature, use session, forgot password, require auth, requires auth, no auth, o auth, " +
	"boarding pass, season pass, day pass, bus pass, ski pass, travel pass, gate pass, guest pass, hall pass, " +
	"first pass, second pass, next pass, last pass, per pass, single pass, multi pass, low pass, high pass, " +
	"band pass, all pass, render pass, test pass, tests pass, check pass, by pass, is pass, did pass, must pass, postal pin, " +
	"kbn xsrf, osd xsrf")

// trailing words distinguish several secrets and are ignored.
var trailing = setOf("value, confirmation, confirm, again, repeat, repeated, verify, plain, plaintext, text, raw, hash, hashed, " +
	"encoded, encrypted, string, new, old, current, base, sha, live, prod, production, staging, sandbox")

// sensitivityOf judges a name by its words: X-Api-Key, apiKey, api_key and user[api.key] are equivalent.
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
	if n > 1 && last == "id" && strings.HasPrefix(parts[n-2], "sess") {
		return sessionLike
	}
	if cardWords[last] {
		return cardLike
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

// sessionNames are parts, in lower case, of the names of cookies that identify a user: their values are
// secrets, whatever they look like.
var sessionNames = strings.Fields("sid sess tok auth jwt csrf xsrf sso oidc saml login logged pass pwd secret key " +
	"ticket cred remember identity user account member sig hash nonce otp pin code")

// maxWords is the most words that a setting has.
const maxWords = 3

// isSetting reports whether a cookie can only be a user's choice: theme=dark, locale=en-US, sort=by_name,
// tz=Europe/Berlin. Its value consists of words, its name is meaningful, and the name doesn't identify a user.
// In doubt isSetting returns false.
func isSetting(name, value string) bool {
	name = strings.ToLower(name)
	if alnum.run(name) < 2 || slices.ContainsFunc(sessionNames, func(part string) bool { return strings.Contains(name, part) }) {
		return false
	}
	all := strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune("-_/.", c) })
	return len(all) > 0 && len(all) <= maxWords && !slices.ContainsFunc(all, func(word string) bool { return !words.Speakable(word) })
}

// noSecrets are values that are modes, flags or types rather than secrets.
var noSecrets = setOf("true, false, null, none, undefined, nil, yes, no, basic, bearer, digest, ntlm, hawk, oauth, oauth1, oauth2, " +
	"noauth, apikey, api_key, jwt, aws, awsv4, header, query, cookie, body, string, include, omit, same-origin, " +
	"required, optional, enabled, disabled, hmac-sha1, hmac-sha256, oauth2.0, oauth 2.0, oauth1.0, api key, redacted, " +
	"number, integer, boolean")

// accepts reports whether value may be a secret under a name of sensitivity s.
func (s sensitivity) accepts(value string) bool {
	switch s {
	case cardLike:
		return isCardNumber(value)
	case sessionLike:
		return looksLikeSession(value)
	}
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

// minPIN is the fewest digits of a secret number: those of a CVC.
const minPIN = 3

// acceptsNumber reports whether a JSON number may be a secret under a name of sensitivity s: a PIN or a payment
// card number.
func (s sensitivity) acceptsNumber(number string) bool {
	return s == passwordLike && len(number) >= minPIN && isDigits(number) || s == cardLike && isCardNumber(number)
}

// isCardNumber reports whether value is a payment card number: 16 digits, or 15 for American Express, with a
// valid check digit (ISO/IEC 7812-1), grouped or not.
func isCardNumber(value string) bool {
	if len(value) > 24 {
		return false
	}
	number := strings.NewReplacer(" ", "", "-", "").Replace(value)
	express := len(number) == 15 && (strings.HasPrefix(number, "34") || strings.HasPrefix(number, "37"))
	if !isDigits(number) || !express && (len(number) != 16 || number[0] < '2' || number[0] > '6') {
		return false
	}
	sum := 0
	for i := range len(number) {
		digit := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			digit = digit*2/10 + digit*2%10
		}
		sum += digit
	}
	return sum%10 == 0
}

// minSession is the length in bytes from which a session id may authenticate.
const minSession = 12

// looksLikeSession reports whether a session id is random and so authenticates its holder. Ids of resources
// have a prefix or are UUIDs.
func looksLikeSession(id string) bool {
	return len(id) >= minSession && isStrong(id) && !strings.Contains(id, "_") && strings.Count(id, "-") != 4 && !isPlaceholder(id)
}

// isPlaceholder reports whether an author has written a placeholder instead of a secret.
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
	case strings.Trim(v, "*.•-_ xX#?") == "", isPattern().MatchString(v):
		return true
	}
	if request.HasVariable(v) {
		return mostlyVariable(v)
	}
	return isDummy(v)
}

// isPattern matches the beginning of regular expressions with which sed and grep extract a token from a response.
var isPattern = expression.Lazy(`^(?:\\K|\\?\()?(?:\[\^|\[(?:A-Z|a-z|0-9)|\.[*+]|\\w)`)

// isSample reports whether a text is the word string, repeated up to some length, as tools generate it for a
// string schema.
func isSample(v string) bool {
	const word = "string"
	return strings.HasPrefix(v, word) && v == strings.Repeat(word, len(v)/len(word)+1)[:len(v)]
}

// isVariable reports whether the text after a $ is a shell variable's name.
func isVariable(name string) bool {
	if strings.HasPrefix(name, "(") && strings.HasSuffix(name, ")") {
		return true
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}")
	if name == "" || words.IsDigit(name[0]) || inVariable.run(name) < len(name) {
		return false
	}
	return strings.ToUpper(name) == name || strings.ContainsAny(name, "_") || len(name) < 12
}

// mostlyVariable reports whether a value has too little text around its variables to be a secret.
func mostlyVariable(value string) bool {
	return !slices.ContainsFunc(request.Split(value), func(p request.Part) bool {
		return p.Kind == request.LiteralPart && len(p.Text) >= 8 && isStrong(p.Text)
	})
}

// dummyWords are the words in placeholders like YOUR_API_KEY.
var dummyWords = setOf("your, my, the, a, an, some, insert, replace, enter, put, here, this, with, example, sample, dummy, fake, " +
	"placeholder, token, api, key, access, secret, password, user, username, client, id, bearer, auth, jwt, value, " +
	"me, goes, session, refresh, private, cookie, personal, change, code, app, account, redacted, todo, login, admin, " +
	"pass, service, authorization")

// isDummy reports whether a value is an instruction to insert a secret (YOUR_TOKEN, your-api-key-here), the
// name of one (MAILGUN_API_KEY), or one repeated character.
func isDummy(value string) bool {
	if isRepeated(value) {
		return true
	}
	if len(value) > 60 {
		return false
	}
	parts := words.Parts(value)
	if len(parts) == 0 || len(parts) < 2 && strings.ToUpper(value) != value {
		return false
	}
	if addressesReader(value) || isConstantName(value, parts) {
		return true
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

// addressesReader reports whether a value begins with the word your.
func addressesReader(value string) bool {
	return len(value) > len("your") && strings.EqualFold(value[:len("your")], "your") &&
		(strings.IndexByte("_- ", value[len("your")]) >= 0 || isUpper(value[len("your")]) && isLower(value[len("you")]))
}

// isConstantName reports whether a value is the name of a constant that holds a secret: STRIPE_SECRET_KEY.
func isConstantName(value string, parts []string) bool {
	switch parts[len(parts)-1] {
	case "key", "token", "secret", "password":
		return len(parts) > 1 && strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
	}
	return false
}

// minRepeated is the fewest repetitions of a character in a dummy value.
const minRepeated = 6

// isRepeated reports whether a value is mostly one letter, or all zeros.
func isRepeated(value string) bool {
	if value == "" {
		return false
	}
	last := value[len(value)-1]
	run := len(value) - len(strings.TrimRight(value, string(rune(last))))
	if last == '0' {
		return run == len(value) && run >= minRepeated
	}
	return run*2 > len(value) && run >= minRepeated && words.IsAlnum(last) && !words.IsDigit(last)
}

// isStrong reports whether a text mixes letters with digits, as random secrets do and words do not.
func isStrong(text string) bool {
	letter, digit := false, false
	for i := 0; i < len(text); i++ {
		digit = digit || words.IsDigit(text[i])
		letter = letter || words.IsLetter(text[i])
	}
	return letter && digit
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, digits) == "" }

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
