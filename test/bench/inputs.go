package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// source is a real OpenAPI document of 1.5 MB from a module that this one needs
// anyway. Inputs of every size are cut out of it.
var source = sync.OnceValue(func() map[string]json.RawMessage {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/getkin/kin-openapi").Output()
	if err != nil {
		panic(fmt.Sprint("the module kin-openapi is not here: ", err))
	}
	text := must(os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "openapi3/testdata/oai_v3_stoplight.json")))
	var doc map[string]json.RawMessage
	ok(json.Unmarshal(text, &doc))
	return doc
})

// description returns a complete, compact OpenAPI document of at most size bytes: as many of the source's paths, in
// their order, as fit together with the components that they need.
func description(size int) string {
	var paths map[string]json.RawMessage
	ok(json.Unmarshal(source()["paths"], &paths))
	taken, needed := map[string]json.RawMessage{}, map[string]bool{}
	text := ""
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		more := maps.Clone(needed)
		need(paths[path], more)
		taken[path] = paths[path]
		longer := assemble(taken, more)
		if len(longer) > size {
			delete(taken, path)
			continue
		}
		text, needed = longer, more
	}
	return text
}

var reference = regexp.MustCompile(`"#/components/(\w+)/([^"]+)"`)

// need adds the components that text refers to, directly or through others.
func need(text []byte, found map[string]bool) {
	for _, match := range reference.FindAllSubmatch(text, -1) {
		if key := string(match[1]) + "/" + string(match[2]); !found[key] {
			found[key] = true
			need(component(key), found)
		}
	}
}

var components = sync.OnceValue(func() map[string]map[string]json.RawMessage {
	var all map[string]map[string]json.RawMessage
	ok(json.Unmarshal(source()["components"], &all))
	return all
})

func component(key string) json.RawMessage {
	kind, name, _ := strings.Cut(key, "/")
	return components()[kind][name]
}

func assemble(paths map[string]json.RawMessage, needed map[string]bool) string {
	chosen := map[string]map[string]json.RawMessage{}
	for key := range needed {
		kind, name, _ := strings.Cut(key, "/")
		if chosen[kind] == nil {
			chosen[kind] = map[string]json.RawMessage{}
		}
		chosen[kind][name] = component(key)
	}
	return string(must(json.Marshal(map[string]any{
		"openapi": source()["openapi"], "info": source()["info"], "servers": source()["servers"],
		"paths": paths, "components": chosen,
	})))
}

// anyJSON returns a JSON document of about size bytes: as many of the source's paths as fit, repeated from the start if
// necessary, and the parts that fit of one more.
func anyJSON(size int) string {
	var paths map[string]json.RawMessage
	ok(json.Unmarshal(source()["paths"], &paths))
	var items []json.RawMessage
	names := slices.Sorted(maps.Keys(paths))
	for i, left := 0, size; i < 3*len(names); i++ {
		items, left = fill(items, paths[names[i%len(names)]], left)
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

// ok ends the run on an error. It panics, so that deferred calls stop the servers.
func ok(err error) {
	if err != nil {
		panic(err)
	}
}

// must returns the value, or ends the run on an error.
func must[T any](value T, err error) T {
	ok(err)
	return value
}
