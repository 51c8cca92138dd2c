package writer

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// maxIdentifier is how long a made-up name may be.
const maxIdentifier = 80

// parameterName keeps of a name what every reader takes in a path template.
func parameterName(name string) string {
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

// camel joins the words of texts into one name: "Get user by ID" is
// getUserByID, "DELETE A USER'S KEY" deleteAUsersKey. It is "" when they have
// no ASCII letter or digit.
func camel(texts ...string) string {
	var b strings.Builder
	for _, text := range texts {
		text = apostrophes.Replace(text)
		if strings.ContainsAny(text, " \t") && strings.ToUpper(text) == text {
			text = strings.ToLower(text)
		}
		for word := range words.Fields(text) {
			if b.Len()+len(word) > maxIdentifier {
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

// unnumbered is a name without the number that a list gave it: "2. create an
// order", "1.2) …", "(3) …", "04 - …", "#5: …". A number that is a part of a
// word stays (2FA), and so does a name that is nothing else.
func unnumbered(name string) string {
	rest := strings.TrimLeft(name, " \t([#")
	end := strings.IndexFunc(rest, func(c rune) bool { return c != '.' && (c < '0' || c > '9') })
	if end <= 0 || rest[0] == '.' {
		return name
	}
	behind := strings.TrimLeft(rest[end:], " \t.):]-_\u2013\u2014")
	if len(behind) == len(rest)-end && rest[end-1] != '.' {
		return name
	}
	if !strings.ContainsFunc(behind, unicode.IsLetter) {
		return name
	}
	return behind
}

// operationID is a name for an operation that no other has: the source's own,
// one made of the request's name, of its title, or of method and path.
func (w *writer) operationID(g *group) string {
	first := g.calls[0]
	if isIdentifier(first.ID) {
		return w.operations.Name(first.ID)
	}
	id := camel(first.ID)
	// A name that is an address, or of which only some letters could stay, says
	// less than method and path.
	if id == "" && !strings.ContainsAny(first.Name, "/{") && isASCII(first.Name) {
		id = camel(unnumbered(first.Name))
	}
	switch {
	case id == "":
		id = cmp.Or(g.title.id, g.fallback(""))
	case id[0] >= '0' && id[0] <= '9':
		id = g.fallback(id)
	}
	return w.operations.Name(id)
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c >= 0x80 && unicode.IsLetter(c) })
}

// isIdentifier reports whether an operationId can stay as it is: unreserved
// characters of a URL only.
func isIdentifier(id string) bool {
	for i := 0; i < len(id); i++ {
		if !openapi.Unreserved(id[i]) {
			return false
		}
	}
	return id != "" && len(id) <= 4*maxIdentifier
}
