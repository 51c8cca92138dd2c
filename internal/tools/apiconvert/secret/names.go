package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/spans"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// sensitivity is what a name reveals about its value.
type sensitivity uint8

const (
	harmless     sensitivity = iota
	cardLike                 // secret if the value is a payment card number
	sessionLike              // secret if the value is long and random; otherwise the id of a resource
	listLike                 // one of several tokens, or of several words that a language model reads
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
		"userpass, smtppass, mailpass, sshpass, storepass, keypass, cvv, cvc, passwords, passphrases, dbpw, psk, mnemonic, "+
		"passwort, kennwort, passe, contrasena, senha",
	"secrets, secretkey, token, apikey, appid, hapikey, accesskey, privatekey, authkey, appkey, auth, authorization, sig, "+
		"signature, credential, credentials, session, sessionid, sessid, phpsessid, jsessionid, csrf, xsrf, jwt, bearer, "+
		"cookie, assertion",
)

// lastPairs classify a name by its last two words if the last word alone is not enough.
var lastPairs = sensitivities(
	"pass word, pass phrase, pass code, pass wd, recovery code, backup code, recovery codes, backup codes, access code, security code, card code, "+
		"mfa code, fa code, tfa code, otp code, totp code, sms code, login code",
	"api key, access key, private key, subscription key, functions key, authorization code, secret key, auth key, app key, application "+
		"key, master key, signing key, encryption key, account key, storage key, shared key, service key, session key, "+
		"license key, licence key, webhook key, server key, deploy key, admin key, ssh key, pgp key, "+
		"otp seed, verification code, auth code, api keys, access keys, secret keys, private keys",
)

// wholeNames classify whole names.
var wholeNames = sensitivities("", "connect sid, session sid, authorization, proxy authorization, x key, user key, client key, dev key, "+
	"scnt, x aos stk") // Apple's

// listsOf are words before tokens that are secrets, not counted or read by a language model.
var listsOf = setOf("access, refresh, api, auth, session, bearer, id, csrf, device, push, user, personal")

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
	for n > 1 && (trailing[parts[n-1]] || words.IsNumber(parts[n-1])) {
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
	if last == "tokens" && (n == 1 || listsOf[parts[n-2]]) {
		return listLike
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

// noCredentials are words in the names of headers with secrets that do not prove who sends a request: they belong to one
// form, one request or one device, or to a scheme of their own.
var noCredentials = setOf("csrf, xsrf, verification, nonce, idempotency, request, captcha, recaptcha, turnstile, signature, sig, " +
	"otp, totp, pin, code, device, amz, cookie")

// Credential returns a name in camel case for the credential in a header (edgeToken for X-Edge-Token), or "" if the header's
// name doesn't say that it holds one.
func Credential(header string) string {
	parts := words.Parts(header)
	isNone := func(word string) bool { return noCredentials[word] }
	if !sensitivityOf(header).isSecret() || slices.ContainsFunc(parts, isNone) || wholeNames[strings.Join(parts, " ")] != harmless {
		return ""
	}
	if parts[0] == "x" {
		parts = parts[1:]
	}
	return variableName(strings.Join(parts, " "))
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
	"number, integer, boolean, no-check, nocheck")

// accepts reports whether value may be a secret under a name of sensitivity s.
func (s sensitivity) accepts(value string) bool {
	switch s {
	case cardLike:
		return isCardNumber(value)
	case sessionLike:
		return looksLikeSession(value)
	case listLike:
		return len(value) >= minSecret && words.IsMixed(value) && !strings.Contains(value, " ") && !isPlaceholder(value)
	}
	if s == harmless || value == "" || isPlaceholder(value) || noSecrets[strings.ToLower(value)] {
		return false
	}
	if s == passwordLike {
		return true
	}
	if scheme, rest, ok := strings.Cut(value, " "); ok && (strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "basic")) {
		return len(rest) >= minSecret && !strings.HasPrefix(rest, "auth") && !strings.Contains(rest, " ") && !isPlaceholder(rest)
	}
	return len(value) >= 4 && !(words.IsNumber(value) && len(value) < 6) && !startsOption().MatchString(value)
}

// startsOption matches arguments of a command in a variable, AUTH="-u bob:hunter2", in which the secret is found by itself.
var startsOption = expression.Lazy(`^--?[A-Za-z][a-z-]*[ =]`)

// minPIN is the fewest digits of a secret number: those of a CVC.
const minPIN = 3

// acceptsNumber reports whether a JSON number may be a secret under a name of sensitivity s: a PIN or a payment
// card number.
func (s sensitivity) acceptsNumber(number string) bool {
	return s == passwordLike && len(number) >= minPIN && words.IsNumber(number) || s == cardLike && isCardNumber(number)
}

// isCardNumber reports whether value is a payment card number: 16 digits, or 15 for American Express, with a
// valid check digit (ISO/IEC 7812-1), grouped or not.
func isCardNumber(value string) bool {
	if len(value) > 24 {
		return false
	}
	number := strings.NewReplacer(" ", "", "-", "").Replace(value)
	express := len(number) == 15 && (strings.HasPrefix(number, "34") || strings.HasPrefix(number, "37"))
	if !words.IsNumber(number) || !express && (len(number) != 16 || number[0] < '2' || number[0] > '6') {
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

// isCode reports whether the value of a query parameter called code looks like an authorization code, or the key of an
// Azure function at a host of its own, rather than like the code of a country or of a promotion.
func isCode(value string) bool {
	value = spans.Percent.Decode(value)
	random := len(value) >= 8 && words.IsMixed(value) && strings.ToUpper(value) != value
	return (random || strings.ContainsAny(value, "{}[]<>!$&%*")) && !isPlaceholder(value) && !isExpansion(value)
}

// minSession is the length in bytes from which a session id may authenticate.
const minSession = 12

// looksLikeSession reports whether a session id is random and so authenticates its holder. Ids of resources
// have a prefix or are UUIDs.
func looksLikeSession(id string) bool {
	return len(id) >= minSession && words.IsMixed(id) && !strings.Contains(id, "_") && strings.Count(id, "-") != 4 && !isPlaceholder(id)
}
