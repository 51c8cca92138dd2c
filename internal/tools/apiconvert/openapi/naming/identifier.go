package naming

import (
	"strings"
	"unicode"

	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// MaxIdentifier is the maximum length of a generated name.
const MaxIdentifier = 80

// ParameterName replaces the characters of a name that some readers reject in a path template.
func ParameterName(name string) string {
	safe := strings.Map(func(c rune) rune {
		if c < 0x80 && (words.IsAlnum(byte(c)) || strings.ContainsRune("_-.", c)) {
			return c
		}
		return '_'
	}, name)
	if safe = strings.Trim(safe, "_"); safe == "" {
		return "parameter"
	}
	return safe
}

// Camel joins the words of texts into one name: "Get user by ID" becomes getUserByID. It returns "" if there are no ASCII letters or digits.
func Camel(texts ...string) string {
	var b strings.Builder
	for _, text := range texts {
		text = apostrophes.Replace(text)
		for word := range words.Fields(text) {
			if b.Len()+len(word) > MaxIdentifier {
				break
			}
			first := strings.ToUpper(word[:1])
			if b.Len() == 0 {
				first = strings.ToLower(first)
				if strings.ToUpper(word) == word {
					word = strings.ToLower(word)
				}
			}
			b.WriteString(first + word[1:])
		}
	}
	return b.String()
}

var apostrophes = strings.NewReplacer("'", "", "\u2019", "")

// Summary returns a title without the list number at its beginning: "2. create an order", "1.2) …", "(3) …", "04 - …",
// "#5: …". It keeps a number that is part of a word (2FA) and titles without letters.
func Summary(title string) string {
	title = strings.TrimSpace(title)
	rest := strings.TrimLeft(title, " \t([#")
	end := strings.IndexFunc(rest, func(c rune) bool { return c != '.' && (c < '0' || c > '9') })
	if end <= 0 || rest[0] == '.' {
		return title
	}
	text := strings.TrimLeft(rest[end:], " \t.):]-_\u2013\u2014")
	partOfWord := len(text) == len(rest)-end && rest[end-1] != '.'
	if partOfWord || !strings.ContainsFunc(text, unicode.IsLetter) {
		return title
	}
	return text
}

func IsASCII(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c >= 0x80 && unicode.IsLetter(c) })
}
