package pathtemplate

import (
	"slices"
	"strconv"
	"strings"

	english "github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// maxName limits the length of a generated name.
const maxName = 80

// identifierName returns the name of the identifier of noun: userGroupId for user-group. A noun that is already an
// identifier is its own name.
func identifierName(noun string) string {
	var b strings.Builder
	for _, word := range words(noun) {
		if b.Len()+len(word) > maxName {
			break
		}
		if b.Len() == 0 {
			word = strings.ToLower(word[:1]) + word[1:]
		} else {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
	}
	name := b.String()
	switch lower := strings.ToLower(name); {
	case name == "" || english.IsDigit(name[0]):
		return "id"
	case lower == "id", lower == "uuid", lower == "guid", strings.HasSuffix(name, "Id"), strings.HasSuffix(name, "ID"):
		return name
	}
	return name + "Id"
}

// isGeneric reports whether the name of a variable only says that it identifies a noun: ID, user_id, orderNumber,
// or USER for users. Any name in capitals counts, because shell variables are written in capitals whatever they hold.
func isGeneric(name, noun string) bool {
	if name == "" {
		return false
	}
	if strings.ToUpper(name) == name || strings.EqualFold(identifierName(name), identifierName(noun)) {
		return true
	}
	all := words(name)
	if len(all) == 0 {
		return true
	}
	last := all[len(all)-1]
	for i := len(last) - 1; i > 0; i-- {
		if last[i] <= 'Z' && last[i-1] >= 'a' {
			last = last[i:]
			break
		}
	}
	return identifiers[strings.ToLower(last)]
}

// identifiers holds the words that mean an identifier.
var identifiers = map[string]bool{
	"id": true, "ids": true, "uid": true, "uuid": true, "guid": true, "no": true, "nr": true, "num": true,
	"number": true, "pk": true, "oid": true, "identifier": true,
}

// words splits a segment at every character that isn't an ASCII letter or digit. Words in capitals are lower-cased.
func words(text string) []string {
	list := slices.Collect(english.Fields(text))
	for i, word := range list {
		if strings.ToUpper(word) == word {
			list[i] = strings.ToLower(word)
		}
	}
	return list
}

// numbered returns name, or name2, name3 … if it is taken.
func numbered(name string, taken map[string]bool) string {
	unique := name
	for n := 2; taken[unique]; n++ {
		unique = name + strconv.Itoa(n)
	}
	return unique
}

// singular returns text with its last word in the singular: order-item for order-items. A word that isn't an English
// plural is kept.
func singular(text string) string {
	start := len(text)
	for start > 0 && english.IsLetter(text[start-1]) {
		start--
	}
	// In camel case, only the last word changes.
	for i := len(text) - 1; i > start; i-- {
		if text[i] <= 'Z' && text[i-1] >= 'a' {
			start = i
			break
		}
	}
	word := text[start:]
	lower := strings.ToLower(word)
	one := english.Singular(lower)
	common := 0
	for common < len(one) && common < len(lower) && one[common] == lower[common] {
		common++
	}
	rest := one[common:]
	if word == strings.ToUpper(word) {
		rest = strings.ToUpper(rest)
	}
	return text[:start] + word[:common] + rest
}
