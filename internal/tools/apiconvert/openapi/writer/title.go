package writer

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// title is what those who design APIs call an operation that its source does
// not name: List projects, Create a project, Complete a task.
type title struct{ summary, id string }

// onOne and onAll are the words for what methods do to one thing and to all of a
// kind.
var (
	onOne = map[string]string{"GET": "get", "PUT": "replace", "PATCH": "update", "DELETE": "delete"}
	onAll = map[string]string{"GET": "list", "PUT": "replace", "PATCH": "update", "DELETE": "delete"}
)

// sessions are segments of a path that say all by themselves.
var sessions = map[string]string{
	"login": "Log in", "logout": "Log out", "signin": "Sign in", "signout": "Sign out", "signup": "Sign up", "register": "Register",
}

// things are what a segment of a path names: all of a kind, or one of them where
// a parameter stands behind it.
type things struct {
	words []string
	one   bool
}

// thingsOf are those of a path, without what all paths of an API begin with; nil
// for the path of a file, and for a literal one that holds a number.
func thingsOf(template string) []things {
	var list []things
	for segment := range strings.SplitSeq(template, "/") {
		if strings.Contains(segment, "{") {
			if len(list) > 0 {
				list[len(list)-1].one = true
			}
			continue
		}
		name, ending, dot := strings.Cut(segment, ".")
		switch n := words.Split(openapi.Unescape(name)); {
		case len(list) > 0 && segment != "" && strings.Trim(segment, "0123456789") == "":
			return nil
		case isBase(segment) || len(n) == 0:
		case dot && !naming.Endings[ending]:
			return nil
		default:
			list = append(list, things{words: n})
		}
	}
	return list
}

// isBase reports whether a segment only says that an API is there, or its
// version.
func isBase(segment string) bool {
	segment = strings.ToLower(segment)
	return segment == "api" || segment == "rest" || strings.Trim(strings.TrimPrefix(segment, "v"), "0123456789.") == ""
}

// nameOperations finds the titles of operations. Where two would have the same it
// says whose things they are of, too: List project tasks.
func nameOperations(groups []*group) {
	taken := map[string]int{}
	for _, g := range groups {
		g.title = titleOf(g, false)
		taken[g.title.id]++
	}
	for _, g := range groups {
		if taken[g.title.id] > 1 {
			g.title = titleOf(g, true)
		}
	}
}

// titleOf is empty where the path does not say what it is of.
func titleOf(g *group, whose bool) title {
	template, _, _ := strings.Cut(g.template, "#")
	path := thingsOf(template)
	if len(path) == 0 || len(path) > maxThings || !naming.IsASCII(openapi.Unescape(template)) {
		return title{}
	}
	last, before := path[len(path)-1], path[:len(path)-1]
	word := last.words[len(last.words)-1]
	alone, plural := len(last.words) == 1, words.Singular(word) != word
	switch {
	case last.one && !(alone && naming.NotResources[word]):
		return phrase(onOne[g.method], whose, before, last)
	case !alone && naming.Verbs[last.words[0]]: // a procedure
		return phrase(last.words[0], false, nil, things{words: last.words[1:]})
	case alone && sessions[word] != "":
		return title{sessions[word], word}
	case alone && naming.ActionVerbs[word] && len(before) > 0:
		return phrase(word, whose, before[:len(before)-1], before[len(before)-1])
	case g.method == "POST" && plural:
		last.one = true
		return phrase("create", whose, before, last)
	case g.method == "POST", alone && naming.NotResources[word]:
		return title{}
	case g.method == "GET" && !plural:
		return phrase("get", whose, before, last)
	}
	return phrase(onAll[g.method], whose, before, last)
}

// maxThings is how many things a path names at most that a title is made of.
const maxThings = 12

// phrase says what is done to things, and whose they are. A word with a digit in
// it is an identifier rather than a word.
func phrase(verb string, whose bool, before []things, to things) title {
	if verb == "" {
		return title{}
	}
	var named []string
	if whose && len(before) > 0 {
		named = naming.Singular(before[len(before)-1].words)
	}
	if to.one {
		to.words = naming.Singular(to.words)
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
		return title{}
	}
	return title{strings.ToUpper(verb[:1]) + verb[1:] + " " + article + text, naming.Camel(verb, text)}
}

// fallback is the name of an operation by its method and path.
func (g *group) fallback(name string) string {
	var path []string
	for segment := range strings.SplitSeq(g.template, "/") {
		if len(path) > 0 || !isBase(segment) {
			path = append(path, segment)
		}
	}
	if path == nil {
		path = []string{g.template}
	}
	return naming.Camel(strings.ToLower(g.method), strings.Join(path, "/"), name)
}
