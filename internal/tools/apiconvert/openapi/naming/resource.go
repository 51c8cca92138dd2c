package naming

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

const ordering = `search find filter lookup cancel activate deactivate enable disable approve reject confirm complete close
	reopen archive unarchive restore publish unpublish send resend verify validate start stop pause resume retry run execute
	import export upload download sync merge move copy clone duplicate lock unlock`

var (
	// NotResources are path segments that name an action on the preceding resource, or select one of several.
	NotResources = words.Set(ordering + ` list all query create update delete remove get fetch add edit save new batch bulk
		count me self current latest recent mine index details detail api rest public`)
	// ActionVerbs are the verbs in NotResources.
	ActionVerbs = words.Set(ordering)
	// Verbs are the first words of procedure names: getUsers, createOrder.
	Verbs = words.Set(`get list create update delete remove add post put fetch set find search save edit patch upsert`)
	// Endings are the extensions that follow a resource name and a dot.
	Endings = words.Set(`json xml php html htm aspx ashx do action`)
	// Lists are properties that hold the resources themselves.
	Lists = words.Set(`data items results records list rows entries values content hits objects resources collection docs
		documents elements nodes result payload response`)
)

// Plain returns the words of a property name in lower case, without punctuation.
func Plain(name string) string {
	return strings.Join(words.Split(name), "")
}

// ResourceOf returns the resource name of a path: the singular of its last segment that is neither a parameter nor an
// action.
func ResourceOf(template string) string {
	template, _, _ = strings.Cut(template, "#")
	name, action := "", ""
	for segment := range strings.SplitSeq(template, "/") {
		if strings.ContainsAny(segment, "{}") {
			continue
		}
		list := words.Split(percent.Decode(segment))
		switch {
		case len(list) == 0 || isVersion(list[0]):
		case len(list) == 1 && NotResources[list[0]]:
			action = SingularName(list)
		default:
			name = cmp.Or(SingularName(list), name)
		}
	}
	return cmp.Or(name, action)
}

// isVersion reports whether a word is a version: v2.
func isVersion(word string) bool {
	return len(word) > 1 && word[0] == 'v' && strings.Trim(word[1:], "0123456789") == ""
}

// SingularName returns the singular of words as a type name, or "" if it can't be one.
func SingularName(list []string) string {
	if len(list) == 0 {
		return ""
	}
	name := words.Pascal(words.SingularLast(list))
	if len(name) > MaxIdentifier || name[0] >= '0' && name[0] <= '9' {
		return ""
	}
	return name
}
