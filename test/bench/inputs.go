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
// source's paths, with the components that they need.
func description(size int) string {
	names := slices.Sorted(maps.Keys(source().Paths))
	first := sort.Search(len(names), func(n int) bool { return len(ofPaths(names[:n+1])) > size })
	return ofPaths(names[:first])
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

// anyJSON returns a JSON document of at most size bytes, and about as many: as many of the source's paths and components
// as fit, repeated if necessary. It leaves out those with C1 control characters, which the YAML libraries do not read.
func anyJSON(size int) string {
	doc := source()
	var items []json.RawMessage
	left := size - len("[]")
	for range 3 {
		for _, values := range []map[string]json.RawMessage{doc.Paths, doc.Components["schemas"]} {
			for _, name := range slices.Sorted(maps.Keys(values)) {
				value := must(json.Marshal(values[name]))
				if len(value) < left && !strings.ContainsFunc(string(value), unicode.IsControl) {
					items, left = append(items, value), left-len(value)-1
				}
			}
		}
	}
	return string(must(json.Marshal(items)))
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
