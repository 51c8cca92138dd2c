package secret

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// isPlaceholder reports whether all of a value is what authors write instead of a secret: a variable in double braces,
// <name>, YOUR_NAME, the name of a credential in capitals or in brackets, or a mask. Readers turn what a shell expands
// into variables, so that $NAME is literal here.
func isPlaceholder(value string) bool {
	v := strings.Trim(value, " \t\r\n\"'")
	switch {
	case isMask(v), v == inName, request.NoPassword(v), directive().MatchString(v):
		return true
	case len(v) >= len("string") && strings.HasPrefix(samples, v):
		return true
	case strings.Contains(v, "{{"), strings.Contains(v, redacted), strings.Contains(v, redactedInURL):
		return isTemplate(v)
	case len(v) > maxPhrase:
		return false
	}
	if inner, ok := enclosed(v, "<", ">"); ok {
		return isName(strings.Trim(inner, "<>"))
	}
	for _, brackets := range []string{"[]", "{}", "%%"} {
		if inner, ok := enclosed(v, brackets[:1], brackets[1:]); ok {
			return isName(inner) && (isDummy(strings.ToUpper(inner)) || sensitivityOf(inner).isSecret())
		}
	}
	return phrase().MatchString(v) && isDummy(v)
}

// maxPhrase is the length in bytes of the longest placeholder without variables.
const maxPhrase = 100

const redactedInURL = "%3Credacted%3E"

// samples begins with each sample of a string that tools generate: the word string, repeated up to some length.
var samples = strings.Repeat("string", 16)

// directive matches what a format replaces by a value: %s, %(name)s, {}, {0}.
var directive = expression.Lazy(`^(?:%(?:\([a-z_]+\))?[sdv@]|\{[0-9]?\})$`)

// enclosed returns the text between an opening and a closing bracket, which are all that is around it.
func enclosed(text, open, closing string) (inner string, ok bool) {
	inner, opened := strings.CutPrefix(text, open)
	inner, closed := strings.CutSuffix(inner, closing)
	return inner, opened && closed
}

// phrase matches words in one case, in camel case or with capitals, which may end in a number. Random text has digits
// between letters.
var phrase = expression.Lazy(`^(?:(?:(?:[A-Z]+s?|[A-Z]?[a-z]+(?:[A-Z]+[a-z]*)*)(?:[0-9]{1,4}(?:[A-Z][a-z]{2,})*)?|[0-9]{1,4})(?:[][ _.,:/|()-]+|$))+$`)

// isName reports whether a text in brackets reads as a name rather than as a password in them: its digits are words of
// their own, unless the name of a technology ends in them.
func isName(text string) bool {
	return phrase().MatchString(text) && !numbered().MatchString(technology().ReplaceAllString(text, ""))
}

var (
	numbered   = expression.Lazy(`[A-Za-z][0-9]`)
	technology = expression.Lazy(`\b(?i:oauth[12]|[srd][23]|ec2|v[0-9]|x509|p12|sha(?:1|256|512)|[her]s256|base64|md5)|[a-z](?:OAuth[12]|S3|V[0-9]|Base64)|_(?i:oauth[12]|s3|v[0-9]|base64)`)
)

// isExpansion reports whether a value in code or in prose is an expansion of a shell, or a regular expression with which
// sed and grep extract a token from a response.
func isExpansion(value string) bool {
	v := strings.Trim(value, " \t\r\n\"'")
	if name, ok := strings.CutPrefix(v, "$"); ok {
		if strings.HasPrefix(name, "(") {
			return true
		}
		name = strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}")
		return name != "" && !words.IsDigit(name[0]) && inVariable.run(name) == len(name) && (strings.ToUpper(name) == name || !words.IsMixed(name))
	}
	return extraction().MatchString(v)
}

var extraction = expression.Lazy(`^(?:\\K|\\?\()?(?:\[\^.{0,3}\]?|\[(?:A-Z|a-z|0-9|[._+/=-])+\]|\.|\\w)(?:[*+?]|\{\d*,?\d*\})*(?:\\?\))?$`)

// isTemplate reports whether a value consists of variables, and of words that can only be a scheme or a name before
// one: Bearer {{token}}, key="{{key}}".
func isTemplate(value string) bool {
	value = strings.NewReplacer(redacted, "{{}}", redactedInURL, "{{}}").Replace(value)
	return request.HasVariable(value) && !slices.ContainsFunc(request.Split(value), func(p request.Part) bool {
		return p.Kind == request.LiteralPart && !glue().MatchString(p.Text)
	})
}

var glue = expression.Lazy(`^(?:[ ="',;:./_|&?-]|[A-Za-z_-]+[=:]|(?i:bearer|basic|token|apikey|api-key|key|oauth)\b)*$`)

// isMask reports whether a value is nothing but a mask, perhaps after the prefix of an issuer: ***, sk_test_xxxx.
func isMask(v string) bool {
	if scheme, rest, ok := strings.Cut(v, " "); ok && (strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "basic")) {
		v = rest
	}
	if v != "" {
		for _, s := range shapesBy[v[0]] {
			if rest, ok := strings.CutPrefix(v, s.prefix); ok {
				v = rest
				break
			}
		}
	}
	return strings.Trim(v, "*.•…-_ xX#?") == "" || len(v) >= minRepeated && isMaskLetter(v[0]) && strings.Trim(v, v[:1]) == ""
}

// minRepeated is the fewest repetitions of a letter or zero in a mask.
const minRepeated = 6

func isMaskLetter(c byte) bool { return words.IsLetter(c) || c == '0' }

// dummyWords are the words in placeholders like YOUR_API_KEY.
var dummyWords = setOf("your, my, the, a, an, some, insert, replace, enter, put, here, this, with, example, sample, dummy, fake, " +
	"placeholder, token, api, key, access, secret, password, user, username, client, id, bearer, auth, jwt, value, " +
	"me, goes, session, refresh, private, cookie, personal, change, code, app, account, redacted, todo, login, admin, " +
	"pass, service, authorization")

// isDummy reports whether a phrase is an instruction to insert a secret (YOUR_TOKEN, your-api-key-here) or the name of
// one (MAILGUN_API_KEY).
func isDummy(value string) bool {
	parts := words.Parts(value)
	if len(value) > 60 || len(parts) == 0 || len(parts) < 2 && strings.ToUpper(value) != value {
		return false
	}
	if parts[0] == "your" && isJumbled(parts[1:]) {
		return false
	}
	if addressesReader(value) || isConstantName(value, parts) {
		return true
	}
	if slices.ContainsFunc(parts, func(word string) bool { return !dummyWords[word] }) {
		return len(parts) > 1 && parts[0] == "your" && !words.IsMixed(value)
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
		(strings.IndexByte("_- ", value[len("your")]) >= 0 || words.IsUpper(value[len("your")]) && value[len("you")] == 'r')
}

// isJumbled reports whether the letters of a value change their case too often to be words in camel case: on average,
// those have more than two letters.
func isJumbled(parts []string) bool {
	letters, all := 0, 0
	for _, part := range parts {
		if !words.IsNumber(part) {
			letters, all = letters+len(part), all+1
		}
	}
	return 2*letters < 5*all
}

// isConstantName reports whether a value is the name of a constant that holds a secret: STRIPE_SECRET_KEY.
func isConstantName(value string, parts []string) bool {
	switch parts[len(parts)-1] {
	case "key", "token", "secret", "password":
		return len(parts) > 1 && strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
	}
	return false
}
