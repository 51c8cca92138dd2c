package writer

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// title is the usual name for an operation that its source doesn't name: List projects, Create a project, Complete a
// task.
type title struct{ summary, id string }

// onOne and onAll are the verbs for methods on a single resource and on a collection.
var (
	onOne = map[string]string{"GET": "get", "PUT": "replace", "PATCH": "update", "DELETE": "delete"}
	onAll = map[string]string{"GET": "list", "PUT": "replace", "PATCH": "update", "DELETE": "delete"}
)

// sessions are path segments that describe the operation by themselves.
var sessions = map[string]string{
	"login": "Log in", "logout": "Log out", "signin": "Sign in", "signout": "Sign out", "signup": "Sign up", "register": "Register",
}

// things is the resource that a path segment names: a collection, or a single resource if a parameter follows.
type things struct {
	words []string
	one   bool
}

// thingsOf returns the resources in a path, without the base path. It returns nil for the path of a file, and for a
// path with a numeric segment after the first resource.
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

// isBase reports whether a segment is part of the base path: api, rest or a version.
func isBase(segment string) bool {
	segment = strings.ToLower(segment)
	return segment == "api" || segment == "rest" || strings.Trim(strings.TrimPrefix(segment, "v"), "0123456789.") == ""
}

// nameOperations generates the titles of operations. If two would be equal, they include the parent resource: List
// project tasks.
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

// titleOf returns the title of an operation, or an empty one if the path doesn't name a resource.
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

// maxThings is the maximum number of resources in a path for which a title is generated.
const maxThings = 12

// phrase returns a title for an action on a resource, optionally with its parent resource. It returns an empty title
// if a word contains a digit, because that is an identifier rather than a word.
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

// fallback returns a name for an operation from its method and path.
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
