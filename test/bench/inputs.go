package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"
)

// source is a real OpenAPI document of 1.5 MB from a module that this one needs
// anyway. Inputs of every size are cut out of it.
var source = sync.OnceValue(func() (doc struct {
	OpenAPI    json.RawMessage                       `json:"openapi"`
	Info       json.RawMessage                       `json:"info"`
	Servers    json.RawMessage                       `json:"servers"`
	Paths      map[string]json.RawMessage            `json:"paths"`
	Components map[string]map[string]json.RawMessage `json:"components"`
}) {
	folder := must(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/getkin/kin-openapi").Output())
	text := must(os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "openapi3/testdata/oai_v3_stoplight.json")))
	ok(json.Unmarshal(text, &doc))
	return doc
})

// description returns a complete, compact OpenAPI document of at most size bytes, and about as many: the first of the
// source's paths, with the components that they need, and those of the next that fit in addition.
func description(size int) string {
	names := slices.Sorted(maps.Keys(source().Paths))
	first := sort.Search(len(names), func(n int) bool { return len(ofPaths(names[:n+1])) > size })
	taken, text := slices.Clone(names[:first]), ofPaths(names[:first])
	for _, name := range names[first:min(first+20, len(names))] {
		if longer := ofPaths(append(taken, name)); len(longer) <= size {
			taken, text = append(taken, name), longer
		}
	}
	return text
}

var reference = regexp.MustCompile(`"#/components/(\w+)/([^"]+)"`)

// ofPaths returns the document of some paths with the components that they refer to, directly or through others.
func ofPaths(names []string) string {
	doc := source()
	paths, components := map[string]json.RawMessage{}, map[string]map[string]json.RawMessage{}
	var need func(text []byte)
	need = func(text []byte) {
		for _, match := range reference.FindAllSubmatch(text, -1) {
			kind, name := string(match[1]), string(match[2])
			if components[kind] == nil {
				components[kind] = map[string]json.RawMessage{}
			}
			if components[kind][name] == nil {
				components[kind][name] = doc.Components[kind][name]
				need(components[kind][name])
			}
		}
	}
	for _, name := range names {
		paths[name] = doc.Paths[name]
		need(paths[name])
	}
	doc.Paths, doc.Components = paths, components
	return string(must(json.Marshal(doc)))
}

// anyJSON returns a JSON document of about size bytes: as many of the source's paths as fit, repeated from the start if
// necessary, and the parts that fit of one more.
func anyJSON(size int) string {
	var items []json.RawMessage
	names := slices.Sorted(maps.Keys(source().Paths))
	for i, left := 0, size; i < 3*len(names); i++ {
		items, left = fill(items, source().Paths[names[i%len(names)]], left)
	}
	return string(must(json.Marshal(items)))
}

// fill appends value if it fits into left bytes, otherwise those of its members that do. It leaves out values with C1
// control characters, which the YAML libraries do not read.
func fill(items []json.RawMessage, value json.RawMessage, left int) ([]json.RawMessage, int) {
	compact := must(json.Marshal(value))
	controls := strings.ContainsFunc(string(compact), unicode.IsControl)
	if len(compact) < left && !controls {
		return append(items, compact), left - len(compact) - 1
	}
	var members map[string]json.RawMessage
	if left < 64 || json.Unmarshal(value, &members) != nil {
		return items, left
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		items, left = fill(items, members[name], left)
	}
	return items, left
}

const (
	jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
	// curlCommand is a command as in the documentation of an API.
	curlCommand = `curl -X POST 'https://api.example.com/v2/orders?expand=items&limit=20' -H 'Content-Type: application/json' -H 'Accept: application/json' -u user:pass --data-raw '{"customer":42,"items":[{"sku":"A-1","count":2}],"note":"ring twice"}'`
)

// body is a request body for one tool; options is JSON or "".
func body(mediaType, value, options string) []byte {
	if options == "" {
		options = "{}"
	}
	return must(json.Marshal(map[string]any{
		"input":   map[string]string{"mediaType": mediaType, "value": value},
		"options": json.RawMessage(options),
	}))
}

// formatThenYAML is the body of a pipeline of two steps.
func formatThenYAML(value string) []byte {
	return must(json.Marshal(map[string]any{
		"version": 1,
		"input":   map[string]string{"mediaType": "application/json", "value": value},
		"steps":   []map[string]string{{"id": "a", "tool": "json_format"}, {"id": "b", "tool": "json_to_yaml"}},
	}))
}
