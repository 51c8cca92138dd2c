// Package words splits the names of an API, such as path segments, properties and variables, into English words.
package words

import (
	"iter"
	"slices"
	"strings"
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
