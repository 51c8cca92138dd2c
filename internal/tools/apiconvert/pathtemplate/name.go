package pathtemplate

import (
	"slices"
	"strconv"
	"strings"

	english "github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// maxName bounds a name that is made of a segment.
const maxName = 80

// identifierName is the name of the identifier of a thing: user-group is
// userGroupId. What is an identifier already is its own name.
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

// saysNothing reports whether the name of a variable says no more than which of
// some things is meant: ID, user_id, orderNumber, USER of users. So do names of
// shell variables, which are in capitals for all uses alike.
func saysNothing(name, noun string) bool {
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

// identifiers are words for what tells one thing from others of its kind.
var identifiers = map[string]bool{
	"id": true, "ids": true, "uid": true, "uuid": true, "guid": true, "no": true, "nr": true, "num": true,
	"number": true, "pk": true, "oid": true, "identifier": true,
}

// words parts a segment at everything that is no ASCII letter or digit. A word
// in capitals is one in small letters.
func words(text string) []string {
	list := slices.Collect(english.Fields(text))
	for i, word := range list {
		if strings.ToUpper(word) == word {
			list[i] = strings.ToLower(word)
		}
	}
	return list
}

// numbered returns name, or name2, name3 … when it is taken.
func numbered(name string, taken map[string]bool) string {
	unique := name
	for n := 2; taken[unique]; n++ {
		unique = name + strconv.Itoa(n)
	}
	return unique
}

// singular makes the last word of a text singular: order-items is order-item.
// What is none of English's plurals stays.
func singular(text string) string {
	start := len(text)
	for start > 0 && english.IsLetter(text[start-1]) {
		start--
	}
	// The last word of camel case, too.
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
