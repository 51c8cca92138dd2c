package apiconvert

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// segments are the segments of random paths, by kind.
var segments = [][]string{
	{"users", "orders", "order-items", "people", "reports", "status", "api", "repos", "files", "a%20b"},
	{"me", "search", "alice", "v2", "2.1", "latest", "x.json"},
	{"1", "7", "42", "123", "4711", "2024", "1999", "05", "20240517", "2024-05-17", "007", "123456789012345678"},
	{"0b0e9c2c-6c4f-4b9c-8f5e-1f8f1c9e7a11", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "507f1f77bcf86cd799439011", "3f78685"},
	{"{{id}}", "{{user_id}}", "{{slug}}", ":id", ":uid", "{{a}}-{{b}}", ":id.json"},
}

// randomPath returns a path of one to six segments.
func randomPath(random *rand.Rand) string {
	var b strings.Builder
	for range 1 + random.IntN(6) {
		kind := segments[random.IntN(len(segments))]
		b.WriteString("/" + kind[random.IntN(len(kind))])
	}
	return b.String()
}

// randomRequests returns a collection, and the method and path of each request.
func randomRequests(random *rand.Rand) (text string, requests []string) {
	var items []any
	for i := range 1 + random.IntN(12) {
		method, path := []string{"GET", "POST", "DELETE"}[random.IntN(3)], randomPath(random)
		requests = append(requests, method+" "+path)
		items = append(items, map[string]any{"name": fmt.Sprintf("%d. request", i), "request": map[string]any{
			"method": method, "url": "https://h.test" + path,
		}})
	}
	out, _ := json.Marshal(map[string]any{
		"info": map[string]any{"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
		"item": items,
	})
	return string(out), requests
}

// TestRandomPaths converts random paths to OpenAPI documents: each is valid and deterministic, converting it
// again doesn't change it, it has no path that the source lacks, and each request of the source matches a
// template with examples.
func TestRandomPaths(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		text, requests := randomRequests(random)
		out := call(t, "application/json", text, "openapi-3.1-json").Value
		if err := checkDescription(out); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if again := call(t, "application/json", text, "openapi-3.1-json").Value; again != out {
			t.Errorf("%s: not the same twice", text)
		}
		if again := call(t, "application/json", out, "openapi-3.1-json").Value; again != out {
			t.Errorf("%s: the description of the description differs", text)
		}
		operations := operationsOf(t, out)
		met := map[string]bool{}
		for _, r := range requests {
			of := slices.IndexFunc(operations, func(o operation) bool { return o.sends(r) })
			if of < 0 {
				t.Errorf("%s: %s is no operation", text, r)
				continue
			}
			for _, o := range operations {
				met[o.name] = met[o.name] || o.sends(r)
			}
		}
		for _, o := range operations {
			if !met[o.name] {
				t.Errorf("%s: no request is %s", text, o.name)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// operation is an operation of an OpenAPI document.
type operation struct {
	name   string // method and template
	values map[string][]string
}

// operationsOf lists the operations of an OpenAPI document with the examples of their path parameters.
func operationsOf(t *testing.T, text string) []operation {
	t.Helper()
	doc := check.Value(tree.ReadJSON(text, nil))(t)
	var list []operation
	for template, item := range doc.Root.Get("paths").Members() {
		for method, v := range item.Members() {
			o := operation{strings.ToUpper(method) + " " + template, map[string][]string{}}
			for _, p := range v.Get("parameters").Elements() {
				name := p.Get("name").Text()
				add := func(example *tree.Value) {
					if value, ok := example.Scalar(); ok {
						o.values[name] = append(o.values[name], value)
					}
				}
				add(p.Get("example"))
				for _, example := range p.Get("examples").Members() {
					add(example.Get("value"))
				}
			}
			list = append(list, o)
		}
	}
	return list
}

// sends reports whether a request matches the operation: each segment equals the template's, or is an example
// of its parameter, or was a variable.
func (o operation) sends(request string) bool {
	return slices.EqualFunc(strings.Split(request, "/"), strings.Split(o.name, "/"), func(segment, of string) bool {
		if segment == of {
			return true
		}
		if !strings.Contains(of, "{") {
			return false
		}
		return strings.ContainsAny(segment, "{:") || slices.Contains(o.values[strings.Trim(of, "{}")], segment)
	})
}
