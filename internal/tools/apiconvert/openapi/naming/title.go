package naming

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

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
