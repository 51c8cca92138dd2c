package naming

import (
	"strings"
	"unicode"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
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

// Camel joins the words of texts into one name: "Get user by ID" becomes getUserByID, "DELETE A USER'S KEY" becomes
// deleteAUsersKey. It returns "" if there are no ASCII letters or digits.
func Camel(texts ...string) string {
	var b strings.Builder
	for _, text := range texts {
		text = apostrophes.Replace(text)
		if strings.ContainsAny(text, " \t") && strings.ToUpper(text) == text {
			text = strings.ToLower(text)
		}
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

// Unnumbered removes a list number from the beginning of a name: "2. create an order", "1.2) …", "(3) …", "04 - …",
// "#5: …". It keeps a number that is part of a word (2FA) and names without letters.
func Unnumbered(name string) string {
	rest := strings.TrimLeft(name, " \t([#")
	end := strings.IndexFunc(rest, func(c rune) bool { return c != '.' && (c < '0' || c > '9') })
	if end <= 0 || rest[0] == '.' {
		return name
	}
	title := strings.TrimLeft(rest[end:], " \t.):]-_\u2013\u2014")
	if len(title) == len(rest)-end && rest[end-1] != '.' {
		return name
	}
	if !strings.ContainsFunc(title, unicode.IsLetter) {
		return name
	}
	return title
}

func IsASCII(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c >= 0x80 && unicode.IsLetter(c) })
}

// IsIdentifier reports whether an operationId can be kept as it is: it contains only unreserved URL characters and
// isn't too long.
func IsIdentifier(id string) bool {
	for i := 0; i < len(id); i++ {
		if !openapi.Unreserved(id[i]) {
			return false
		}
	}
	return id != "" && len(id) <= 4*MaxIdentifier
}

// decoration matches the ends of documentation headings that aren't part of the title: an anchor ({#create}), or a
// note that a curl example follows.
var decoration = expression.Lazy(
	`(?i)\s*(?:\{#[^{}]*\}|[(\[](?:curl|example|curl example)[)\]]|\s(?:with|using|via) curl)\s*$`)

// announcement matches what introduces an example: "Curl example: ", "Example - ".
var announcement = expression.Lazy(`^(?i)(?:curl|(?:curl )?examples?)(?:: *| [-\x{2013}\x{2014}] )`)

// markup removes emphasis and code from a heading.
var markup = strings.NewReplacer("**", "", "`", "")

// Summary returns a title without its number, decoration and markup, or "" if it only announces an example.
func Summary(title string) string {
	title = strings.TrimSpace(Unnumbered(strings.TrimSpace(markup.Replace(title))))
	for range 2 {
		if last := strings.ToLower(title[max(0, len(title)-1):]); strings.ContainsAny(last, "})]l") {
			title = decoration().ReplaceAllString(title, "")
		}
	}
	if rest := announcement().ReplaceAllString(title, ""); rest != title && rest != "" {
		title = strings.ToUpper(rest[:1]) + rest[1:]
	}
	switch strings.ToLower(strings.TrimRight(title, ":.")) {
	case "curl", "example", "examples", "curl example", "curl examples":
		return ""
	}
	return title
}
