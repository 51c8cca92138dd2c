// Package words splits the names of an API, such as path segments, properties and variables, into English words.
package words

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// Split splits text at every character that isn't an ASCII letter or digit, and before an upper-case letter that
// doesn't follow another one: lineItems and line_items are line and items. The words are in lower case.
func Split(text string) []string {
	return split(text, func(before, c, _ byte) bool { return IsUpper(c) && !IsUpper(before) })
}

// Parts splits text like Split, and also between digits and letters, and before the last of several upper-case letters
// that begins a camel-case word: APIKey2 is api, key and 2.
func Parts(text string) []string {
	return split(text, func(before, c, after byte) bool {
		return IsDigit(c) != IsDigit(before) ||
			IsUpper(c) && (!IsUpper(before) || IsLetter(after) && !IsUpper(after))
	})
}

// split also splits text before each character for which begins returns true; it gets the characters around it.
func split(text string, begins func(before, c, after byte) bool) []string {
	var list []string
	start := -1
	for i := 0; i <= len(text); i++ {
		var c, after byte
		if i < len(text) {
			c = text[i]
		}
		if i+1 < len(text) {
			after = text[i+1]
		}
		inWord := IsAlnum(c)
		if start >= 0 && (!inWord || begins(text[i-1], c, after)) {
			list = append(list, strings.ToLower(text[start:i]))
			start = -1
		}
		if start < 0 && inWord {
			start = i
		}
	}
	return list
}

// Set returns the set of the words in text, which are separated by white space.
func Set(text string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		out[word] = true
	}
	return out
}

// IsLetter reports whether c is an ASCII letter.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// IsUpper reports whether c is a capital letter of ASCII.
func IsUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsAlnum reports whether c is an ASCII letter or digit.
func IsAlnum(c byte) bool { return IsLetter(c) || IsDigit(c) }

// IsMixed reports whether text mixes letters with digits, as random text does and words do not.
func IsMixed(text string) bool {
	letter, digit := false, false
	for i := range len(text) {
		digit = digit || IsDigit(text[i])
		letter = letter || IsLetter(text[i])
	}
	return letter && digit
}

// Fields yields the longest runs of ASCII letters and digits in text.
func Fields(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(c rune) bool { return c >= 0x80 || !IsAlnum(byte(c)) })
}

// Pascal joins words to a name in Pascal case.
func Pascal(list []string) string {
	var b strings.Builder
	for _, word := range list {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// Camel returns a name in camel case: projectId for PROJECT_ID. Words of mixed case, and a first word, keep their case.
func Camel(name string) string {
	list := slices.Collect(Fields(name))
	for i, word := range list {
		if strings.ToUpper(word) == word {
			word = strings.ToLower(word)
		}
		if i > 0 {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		list[i] = word
	}
	return strings.Join(list, "")
}

// Singular returns the singular of a lower-case word. It returns words that aren't English plurals unchanged.
func Singular(word string) string {
	if one := irregular[word]; one != "" {
		return one
	}
	for _, rule := range plurals {
		if strings.HasSuffix(word, rule.plural) && len(word) > len(rule.plural)+1 {
			return strings.TrimSuffix(word, rule.plural) + rule.singular
		}
	}
	return word
}

// SingularLast returns words with the last one in the singular.
func SingularLast(list []string) []string {
	return append(list[:len(list)-1:len(list)-1], Singular(list[len(list)-1]))
}

// plurals are the endings of English plurals. The first match applies.
var plurals = []struct{ plural, singular string }{
	{"ss", "ss"}, {"us", "us"}, {"is", "is"},
	{"ies", "y"},
	{"sses", "ss"}, {"shes", "sh"}, {"tches", "tch"}, {"nches", "nch"}, {"aches", "ach"}, {"rches", "rch"},
	{"xes", "x"}, {"zzes", "zz"}, {"oes", "o"},
	{"tuses", "tus"}, {"puses", "pus"}, {"ruses", "rus"}, {"nuses", "nus"}, {"iases", "ias"},
	{"s", ""},
}

// irregular are plurals without a regular ending, and words that only look like plurals.
var irregular = map[string]string{
	"people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth",
	"mice": "mouse", "geese": "goose", "oxen": "ox",
	"indices": "index", "matrices": "matrix", "vertices": "vertex", "appendices": "appendix",
	"criteria": "criterion", "phenomena": "phenomenon",
	"analyses": "analysis", "bases": "base", "crises": "crisis", "theses": "thesis", "hypotheses": "hypothesis",
	"diagnoses": "diagnosis", "parentheses": "parenthesis", "synopses": "synopsis",
	"leaves": "leaf", "knives": "knife", "lives": "life", "wives": "wife", "shelves": "shelf", "halves": "half",
	"wolves": "wolf", "calves": "calf", "loaves": "loaf", "thieves": "thief",
	"bus": "bus", "buses": "bus", "gases": "gas", "lenses": "lens", "quizzes": "quiz", "atlases": "atlas", "canvases": "canvas",
	"movies": "movie", "cookies": "cookie", "zombies": "zombie", "selfies": "selfie", "calories": "calorie",
	"menus": "menu", "skus": "sku", "cpus": "cpu", "gpus": "gpu", "vms": "vm", "apis": "api", "kpis": "kpi",
	"emojis": "emoji", "taxis": "taxi", "ids": "id",
	"ties": "tie", "pies": "pie", "dies": "die", "lies": "lie",
	"caches": "cache", "niches": "niche", "axes": "axis", "shoes": "shoe", "toes": "toe", "canoes": "canoe",
	"series": "series", "species": "species", "news": "news", "sms": "sms", "tts": "tts", "dns": "dns", "aws": "aws", "gps": "gps",
	"ios": "ios", "os": "os", "tls": "tls", "css": "css", "js": "js", "bias": "bias", "alias": "alias", "gas": "gas",
	"lens": "lens", "canvas": "canvas", "atlas": "atlas", "chaos": "chaos", "kubernetes": "kubernetes",
	"windows": "windows", "mathematics": "mathematics", "analytics": "analytics", "statistics": "statistics",
	"always": "always", "previous": "previous", "has": "has", "was": "was", "this": "this", "its": "its", "as": "as",
}

// Limits of a pronounceable word.
const (
	maxLetters    = 10
	maxConsonants = 4 // in a row
	noVowels      = 3 // letters that need no vowel: an abbreviation
)

// Speakable reports whether text is a short word of ASCII letters that looks pronounceable, which random letters rarely
// do. It must be in lower case, in upper case or capitalized.
func Speakable(text string) bool {
	if rest := text[min(1, len(text)):]; len(text) > maxLetters || strings.ToLower(rest) != rest && strings.ToUpper(text) != text {
		return false
	}
	vowels, consonants := 0, 0
	for i := range len(text) {
		if !IsLetter(text[i]) {
			return false
		}
		if consonants++; strings.IndexByte("aeiouy", text[i]|0x20) >= 0 {
			vowels++
			consonants = 0
		}
		if consonants > maxConsonants {
			return false
		}
	}
	return vowels > 0 || len(text) <= noVowels
}

// identifierPattern matches identifiers, which always contain a digit: a number; a UUID (RFC 9562); hexadecimal
// digits (a hash, an ObjectId); a ULID, which is 128 bits in Crockford's base 32, in one case; letters and digits of
// both cases after a prefix that names the type, such as cus_NffrFeUfNV2Hib; and a digest, which is hexadecimal
// digits after the name of its algorithm, such as sha256:9f86….
var identifierPattern = expression.Lazy(
	`^(?:[0-9]+|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[0-9A-Fa-f]{16,}|` +
		`[0-9a-z]+:[0-9a-f]{32,}|[0-7](?:[0-9A-HJKMNP-TV-Z]{25}|[0-9a-hjkmnp-tv-z]{25})|[a-z]{1,8}_([0-9a-z]*[A-Z][0-9A-Za-z]*))$`)

// mailboxPattern matches an email address, but not @me or jquery@3.6.0.
var mailboxPattern = expression.Lazy(`^[0-9A-Za-z._+-]+@(?:[0-9A-Za-z-]+\.)+[A-Za-z]{2,}$`)

// minPrefixed is the minimum length of an identifier without its prefix.
const minPrefixed = 10

// IsIdentifier reports whether text looks like an identifier: one of identifierPattern, or an email address.
func IsIdentifier(text string) bool {
	if strings.IndexByte(text, '@') > 0 && mailboxPattern().MatchString(text) {
		return true
	}
	if !strings.ContainsAny(text, "0123456789") {
		return false
	}
	parts := identifierPattern().FindStringSubmatch(text)
	return parts != nil && (parts[1] == "" || len(parts[1]) >= minPrefixed)
}

// IsNumber reports whether text consists of digits.
func IsNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// IsYear reports whether text is a year from 1900 to 2100.
func IsYear(text string) bool {
	return len(text) == 4 && IsNumber(text) && (text >= "1900" && text <= "2100")
}

const month, day = `(?:0[1-9]|1[0-2])`, `(?:0[1-9]|[12][0-9]|3[01])`

var datePattern = expression.Lazy(`^(?:-` + month + `(?:$|-` + day + `)|` + month + day + `$)`)

// IsDate reports whether text begins with a year and a month: 2024-05, 2024-05-17, 20240517, 2024-05-17T10:00:00Z.
func IsDate(text string) bool {
	return len(text) > 4 && IsYear(text[:4]) && datePattern().MatchString(text[4:])
}

// IsCode reports whether a name is that of a code of digits that isn't a number, because leading zeros are part of it:
// zip, postal_code, phoneNumber.
func IsCode(name string) bool {
	list := Parts(name)
	if n := len(list); n > 1 && (list[n-1] == "code" || list[n-1] == "number" || list[n-1] == "no") {
		list = list[:n-1]
	}
	return len(list) > 0 && codes[Singular(list[len(list)-1])]
}

var codes = Set(`zip zipcode postal postcode postalcode plz phone telephone mobile fax isbn ean upc gtin barcode ssn iban imei
	msisdn`)

var version = expression.Lazy(`^(?:[vV][0-9]|[0-9][0-9.]*\.)[0-9.]*(?:(?:alpha|beta|rc)[0-9.]*)?$`)

// IsVersion reports whether text is a version: v2, v1beta1, 2.1, v2.1.0.
func IsVersion(text string) bool { return version().MatchString(text) }

// Unique generates distinct names: the second "get" becomes "get2". Names with a count are taken.
type Unique map[string]int

// Take takes a name that is used anyway.
func (u Unique) Take(name string) { u[name] = max(u[name], 1) }

// Name returns wanted or, if that is taken, wanted with the next number that is free, and takes it.
func (u Unique) Name(wanted string) string { return u.Separated(wanted, "") }

// Separated is like Name, with a separator before the number.
func (u Unique) Separated(wanted, separator string) string {
	name := u.Free(wanted, separator, func(name string) bool { return u[name] > 0 })
	u.Take(name)
	return name
}

// Free is like Separated, but the caller knows which names are taken; u only has the last number of each.
func (u Unique) Free(wanted, separator string, taken func(name string) bool) string {
	name := wanted
	for taken(name) {
		u[wanted] = max(u[wanted], 1) + 1
		name = wanted + separator + strconv.Itoa(u[wanted])
	}
	return name
}
