// Package words takes the names of an API apart: English words in segments of
// paths, members and variables.
package words

import (
	"iter"
	"strings"
)

// Split parts a text at everything that is no ASCII letter or digit, and where
// a capital follows a small letter: lineItems and line_items are line and
// items. The words are in small letters.
func Split(text string) []string {
	return split(text, func(before, c, _ byte) bool { return isCapital(c) && !isCapital(before) })
}

// Parts parts a text as Split does, and between digits and letters and where
// camel case begins a word behind capitals: APIKey2 is api, key and 2.
func Parts(text string) []string {
	return split(text, func(before, c, after byte) bool {
		return IsDigit(c) != IsDigit(before) ||
			isCapital(c) && (!isCapital(before) || IsLetter(after) && !isCapital(after))
	})
}

// split parts a text also where a word begins at a character between two others.
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

// IsLetter reports whether c is an ASCII letter.
func IsLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsAlnum reports whether c is an ASCII letter or digit.
func IsAlnum(c byte) bool { return IsLetter(c) || IsDigit(c) }

// Fields yields the parts of a text between all that is no ASCII letter or
// digit.
func Fields(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(c rune) bool { return c >= 0x80 || !IsAlnum(byte(c)) })
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

// Pascal joins words to a name, each with a capital.
func Pascal(list []string) string {
	var b strings.Builder
	for _, word := range list {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// Singular makes a word in small letters singular. What is none of English's
// plurals stays.
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

// plurals are the endings of English plurals, the first that fits counts.
var plurals = []struct{ plural, singular string }{
	{"ss", "ss"}, {"us", "us"}, {"is", "is"},
	{"ies", "y"},
	{"sses", "ss"}, {"shes", "sh"}, {"tches", "tch"}, {"nches", "nch"}, {"aches", "ach"}, {"rches", "rch"},
	{"xes", "x"}, {"zzes", "zz"}, {"oes", "o"},
	{"tuses", "tus"}, {"puses", "pus"}, {"ruses", "rus"}, {"nuses", "nus"}, {"iases", "ias"},
	{"s", ""},
}

// irregular are plurals that no ending tells, and words that only look like
// plurals.
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
	"series": "series", "species": "species", "news": "news", "sms": "sms", "dns": "dns", "aws": "aws", "gps": "gps",
	"ios": "ios", "os": "os", "tls": "tls", "css": "css", "js": "js", "bias": "bias", "alias": "alias", "gas": "gas",
	"lens": "lens", "canvas": "canvas", "atlas": "atlas", "chaos": "chaos", "kubernetes": "kubernetes",
	"windows": "windows", "mathematics": "mathematics", "analytics": "analytics", "statistics": "statistics",
	"always": "always", "previous": "previous", "has": "has", "was": "was", "this": "this", "its": "its", "as": "as",
}

// What a word is that can be spoken.
const (
	maxLetters    = 10
	maxConsonants = 4 // in a row
	noVowels      = 3 // letters that need none: an abbreviation
)

// Speakable reports whether a text is a short word of ASCII letters, all small,
// all capitals or with a capital first, that reads like one: random letters
// seldom do.
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
