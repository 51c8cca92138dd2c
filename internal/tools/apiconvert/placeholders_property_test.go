package apiconvert

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// A notation writes the placeholder for a name, in a path and as a value.
type notation struct{ path, value func(name string) string }

// around returns a function that writes a name between two texts.
func around(before, after string) func(string) string {
	return func(name string) string { return before + name + after }
}

// yours writes userId as YOUR_USER_ID.
func yours(name string) string {
	return "YOUR_" + strings.ToUpper(regexp.MustCompile(`[A-Z]`).ReplaceAllString(name, "_$0"))
}

// notations are the ways to write a placeholder.
var notations = map[string]notation{
	":id":     {around(":", ""), around("<", ">")},
	"{id}":    {around("{", "}"), around("{{", "}}")},
	"{{id}}":  {around("{{", "}}"), around("{{", "}}")},
	"<id>":    {around("<", ">"), around("<", ">")},
	"$id":     {around("$", ""), around("$", "")},
	"${id}":   {around("${", "}"), around("${", "}")},
	"YOUR_ID": {yours, yours},
}

// random requests: a path with placeholders, and the names of values in the query, a header and the body.
type pathWith struct {
	method   string
	segments []string // names of placeholders begin with a space
	query    string
	header   string
	body     string
}

var (
	placeholderNames = []string{"id", "userId", "slug", "orderNumber", "teamName", "repoKey"}
	valueNames       = []string{"limit", "tenant", "sortBy", "note", ""}
)

func randomPlaceholders(random *rand.Rand) pathWith {
	r := pathWith{method: []string{"GET", "POST", "DELETE"}[random.IntN(3)]}
	names := slices.Clone(placeholderNames)
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names[:1+random.IntN(3)] {
		r.segments = append(r.segments, []string{"users", "orders", "v1", "status", "repos"}[random.IntN(5)], " "+name)
	}
	if random.IntN(2) == 0 {
		r.segments = append(r.segments, "files")
	}
	value := func() string { return valueNames[random.IntN(len(valueNames))] }
	r.query, r.header = value(), value()
	if r.method == "POST" {
		r.body = value()
	}
	return r
}

// path writes the path in a notation.
func (r pathWith) path(n notation) string {
	var b strings.Builder
	for _, segment := range r.segments {
		if name, is := strings.CutPrefix(segment, " "); is {
			segment = n.path(name)
		}
		b.WriteString("/" + segment)
	}
	return b.String()
}

// command writes the request as a command in a notation.
func (r pathWith) command(n notation) string {
	url := "https://api.example.com" + r.path(n)
	if r.query != "" {
		url += "?q=" + n.value(r.query)
	}
	text := fmt.Sprintf(`curl -X %s "%s"`, r.method, url)
	if r.header != "" {
		text += fmt.Sprintf(` -H "X-H: %s"`, n.value(r.header))
	}
	if r.body != "" {
		text += fmt.Sprintf(` --json "{\"b\":\"%s\",\"n\":1}"`, n.value(r.body))
	}
	return text + "\n"
}

// TestPlaceholdersAreTheSameInEveryNotation converts random requests in each notation: the OpenAPI document, the parts of
// a collection and the commands of curl are the same, and so they are on every way through another format.
func TestPlaceholdersAreTheSameInEveryNotation(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		r := randomPlaceholders(random)
		want := map[string]string{}
		same := func(of, notation, got string) {
			t.Helper()
			if want[of] == "" {
				want[of] = got
			}
			if got != want[of] {
				t.Errorf("%s\n%s: want\n%s\ngot\n%s", r.command(notations[notation]), of, want[of], got)
			}
		}
		for name, n := range notations {
			document := call(t, "text/plain", r.command(n), "openapi-3.1-json").Value
			collection := call(t, "text/plain", r.command(n), "postman-2.1").Value
			same("OpenAPI", name, document)
			same("Postman", name, sentBy(t, collection))
			same("curl by Postman", name, commandsOf(call(t, "application/json", collection, "curl").Value))
			same("OpenAPI", name, document)
			same("paths by Postman", name, pathsOf(t, call(t, "application/json", collection, "openapi-3.1-json").Value))
			same("Postman by OpenAPI", name, sentBy(t, call(t, "application/json", document, "postman-2.1").Value))
			same("URL by OpenAPI", name, urlOf(call(t, "application/json", document, "curl").Value))
		}
		if path := pathsOf(t, want["OpenAPI"]); path != want["paths by Postman"] || path != r.path(notations["{id}"]) {
			t.Errorf("%s: the path is %s, by Postman %s", r.path(notations["{id}"]), path, want["paths by Postman"])
		}
		if url := "https://api.example.com" + r.path(notations["$id"]); want["URL by OpenAPI"] != url || !strings.Contains(want["curl by Postman"], url) {
			t.Errorf("the URL is not %s: %s, %s", url, want["URL by OpenAPI"], want["curl by Postman"])
		}
		if path := r.path(notations[":id"]); !strings.Contains(want["Postman"], path) || !strings.Contains(want["Postman by OpenAPI"], path) {
			t.Errorf("the path is not %s: %s, %s", path, want["Postman"], want["Postman by OpenAPI"])
		}
		otherSources(t, r)
		if t.Failed() {
			return
		}
	}
}

// otherSources converts a path in the notations that a collection and an OpenAPI document may have.
func otherSources(t *testing.T, r pathWith) {
	t.Helper()
	for name, n := range notations {
		path := r.path(n)
		text, _ := json.Marshal("https://api.example.com" + path)
		source := collection + `"item":[{"request":{"method":"GET","url":` + string(text) + `}}]}`
		if got := pathsOf(t, call(t, "application/json", source, "openapi-3.1-json").Value); got != r.path(notations["{id}"]) {
			t.Errorf("%s of a collection is %s", path, got)
		}
		url := "https://api.example.com" + r.path(notations["$id"])
		if got := urlOf(call(t, "application/json", source, "curl").Value); got != url {
			t.Errorf("%s of a collection is %s", path, got)
		}
		if name != ":id" && name != "<id>" && name != "{id}" {
			continue
		}
		text, _ = json.Marshal(path)
		source = head31 + `"servers":[{"url":"https://api.example.com"}],"paths":{` + string(text) + `:{"get":{"responses":{}}}}}`
		if got := urlOf(call(t, "application/json", source, "curl").Value); got != url {
			t.Errorf("%s of a document is %s", path, got)
		}
		if got := sentBy(t, call(t, "application/json", source, "postman-2.1").Value); !strings.Contains(got, r.path(notations[":id"])) {
			t.Errorf("%s of a document is %s", path, got)
		}
	}
}

// pathsOf returns the paths of an OpenAPI document.
func pathsOf(t *testing.T, document string) string {
	t.Helper()
	return strings.Join(check.Value(tree.ReadJSON(document, nil))(t).Root.Get("paths").Names(), " ")
}

// sentBy returns the path, the names of its variables, the query, headers and body of a collection's request.
func sentBy(t *testing.T, text string) string {
	t.Helper()
	item := check.Value(tree.ReadJSON(text, nil))(t).Root.Get("item").Element(0)
	for item.Has("item") {
		item = item.Get("item").Element(0)
	}
	request := item.Get("request")
	var list []string
	for _, segment := range request.Get("url").Get("path").Elements() {
		list = append(list, "/"+segment.Text())
	}
	for _, v := range request.Get("url").Get("variable").Elements() {
		list = append(list, " "+v.Get("key").Text())
	}
	for _, parameters := range []*tree.Value{request.Get("url").Get("query"), request.Get("header")} {
		for _, p := range parameters.Elements() {
			list = append(list, " "+p.Get("key").Text()+"="+p.Get("value").Text())
		}
	}
	return strings.Join(append(list, " ", request.Get("body").Get("raw").Text()), "")
}

// commandsOf returns a script without its comments.
func commandsOf(script string) string {
	return regexp.MustCompile(`(?m)^#.*\n|^\n`).ReplaceAllString(script, "")
}

var quotedURL = regexp.MustCompile(`https://[^"' ?\\]+`)

// urlOf returns the first URL of a script, without its query.
func urlOf(script string) string { return quotedURL.FindString(commandsOf(script)) }
