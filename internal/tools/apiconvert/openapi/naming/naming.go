package naming

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
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

// markup removes emphasis and code from a heading.
var markup = strings.NewReplacer("**", "", "`", "")

// step matches a number at the beginning of a title that says what it counts.
var step = expression.Lazy(`(?i)^(?:step|test)[ \t]+[0-9]+[ \t]*[:.)\x{2013}\x{2014}-]`)

// Summary returns a title without markup and without the list number at its beginning: "2. create an order", "1.2) …",
// "(3) …", "04 - …", "#5: …", "Step 6: …". It keeps a number that is part of a word (2FA) and titles without letters.
func Summary(title string) string {
	title = strings.TrimSpace(markup.Replace(title))
	rest := strings.TrimLeft(title, " \t([#")
	if step().MatchString(rest) {
		rest = rest[strings.IndexAny(rest, "0123456789"):]
	}
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
		case len(list) == 0 || words.IsVersion(segment):
		case len(list) == 1 && NotResources[list[0]]:
			action = SingularName(list)
		default:
			name = cmp.Or(SingularName(list), name)
		}
	}
	return cmp.Or(name, action)
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

// Title is the usual name for an operation that its source doesn't name: List projects, Create a project, Complete a
// task. ID is the same as an identifier.
type Title struct{ Summary, ID string }

// onOne and onAll are the verbs for methods on a single resource and on a collection.
var (
	onOne = map[string]string{"GET": "get", "PUT": "replace", "PATCH": "update", "DELETE": "delete"}
	onAll = map[string]string{"GET": "list", "PUT": "replace", "PATCH": "update", "DELETE": "delete"}
)

// sessions are path segments that describe the operation by themselves.
var sessions = map[string]string{
	"login": "Log in", "logout": "Log out", "signin": "Sign in", "signout": "Sign out", "signup": "Sign up",
	"register": "Register",
}

// pathResource is the resource that a path segment names: a collection, or a single resource if a parameter follows.
type pathResource struct {
	words []string
	one   bool
}

// pathResources returns the resources in a path, without the base path. It returns nil for the path of a file, and for a
// path with a numeric segment after the first resource.
func pathResources(template string) []pathResource {
	var list []pathResource
	for segment := range strings.SplitSeq(template, "/") {
		if strings.Contains(segment, "{") {
			if len(list) > 0 {
				list[len(list)-1].one = true
			}
			continue
		}
		name, ending, dot := strings.Cut(segment, ".")
		switch n := words.Split(percent.DecodeQuery(name)); {
		case len(list) > 0 && segment != "" && strings.Trim(segment, "0123456789") == "":
			return nil
		case isBase(segment) || len(n) == 0:
		case dot && !Endings[ending]:
			return nil
		default:
			list = append(list, pathResource{words: n})
		}
	}
	return list
}

// isBase reports whether a segment is part of the base path: api, rest or a version.
func isBase(segment string) bool {
	segment = strings.ToLower(segment)
	return segment == "api" || segment == "rest" || strings.Trim(strings.TrimPrefix(segment, "v"), "0123456789.") == ""
}

// TitleOf returns the title of an operation, or an empty one if the path doesn't name a resource. With parent, it includes
// the parent resource: List project tasks.
func TitleOf(method, template string, parent bool) Title {
	template, _, _ = strings.Cut(template, "#")
	path := pathResources(template)
	if len(path) == 0 || !IsASCII(percent.DecodeQuery(template)) {
		return Title{}
	}
	last, before := path[len(path)-1], path[:len(path)-1]
	word := last.words[len(last.words)-1]
	alone, plural := len(last.words) == 1, words.Singular(word) != word
	switch {
	case last.one && !(alone && NotResources[word]):
		return phrase(onOne[method], parent, before, last)
	case !alone && Verbs[last.words[0]]: // a procedure
		return phrase(last.words[0], false, nil, pathResource{words: last.words[1:]})
	case alone && sessions[word] != "":
		return Title{sessions[word], word}
	case alone && ActionVerbs[word] && len(before) > 0:
		return phrase(word, parent, before[:len(before)-1], before[len(before)-1])
	case method == "POST" && plural:
		last.one = true
		return phrase("create", parent, before, last)
	case method == "POST", alone && NotResources[word]:
		return Title{}
	case method == "GET" && !plural:
		return phrase("get", parent, before, last)
	}
	return phrase(onAll[method], parent, before, last)
}

// phrase returns a title for an action on a resource, optionally with its parent resource. It returns an empty title
// if a word contains a digit, because that is an identifier rather than a word.
func phrase(verb string, parent bool, before []pathResource, to pathResource) Title {
	if verb == "" {
		return Title{}
	}
	var named []string
	if parent && len(before) > 0 {
		named = words.SingularLast(before[len(before)-1].words)
	}
	if to.one {
		to.words = words.SingularLast(to.words)
	}
	named = append(named, to.words...)
	article := ""
	switch {
	case to.one && strings.ContainsAny(named[0][:1], "aeio"):
		article = "an "
	case to.one:
		article = "a "
	}
	text := strings.Join(named, " ")
	if strings.ContainsAny(text, "0123456789") {
		return Title{}
	}
	return Title{strings.ToUpper(verb[:1]) + verb[1:] + " " + article + text, Camel(verb, text)}
}

// Fallback returns an identifier for an operation from its method, path and name.
func Fallback(method, template, name string) string {
	var path []string
	for segment := range strings.SplitSeq(template, "/") {
		if len(path) > 0 || !isBase(segment) {
			path = append(path, segment)
		}
	}
	if path == nil {
		path = []string{template}
	}
	return Camel(strings.ToLower(method), strings.Join(path, "/"), name)
}
