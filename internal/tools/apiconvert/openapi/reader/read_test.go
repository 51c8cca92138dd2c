package reader

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/writer"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// document returns a YAML value of a test case as a document.
func document(tb testing.TB, v any) *tree.Document {
	tb.Helper()
	text := check.Value(yaml.MarshalWithOptions(v, yaml.JSON()))(tb)
	return &tree.Document{Root: documenttest.Parse(tb, string(text))}
}

func TestRead(t *testing.T) {
	var cases []struct {
		Name        string
		Description any
		Want        []string
		Warnings    []string
	}
	converttest.Data(t, "testdata/read.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			w := &warning.List{}
			api := check.Value(Read(document(t, c.Description), versions.Newest, nil, w))(t)
			var got []string
			for _, r := range api.Requests {
				got = append(got, outline(api, r)...)
			}
			if diff := cmp.Diff(c.Want, got); diff != "" {
				t.Errorf("requests (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.Warnings, documenttest.Codes(w)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

// read reads a document of the newest version.
func read(t *testing.T, text string) *request.API {
	t.Helper()
	api := check.Value(Read(&tree.Document{Root: documenttest.Parse(t, text)}, versions.Newest, nil, nil))(t)
	return api
}

func TestReadDetails(t *testing.T) {
	api := read(t, `{"info": {"title": "T", "version": 1.0, "summary": "S", "description": "D",
		"contact": {"name": "N", "email": "e@example.com"}, "license": {"name": "MIT"}, "termsOfService": "https://example.com/t"},
		"externalDocs": {"url": "https://example.com/d"},
		"tags": [{"name": "child", "parent": "top"}, {"name": "top", "description": "TD"}],
		"servers": [{"url": "https://{r}.example.com/", "variables": {"r": {"default": "eu", "enum": ["eu"]}}}, {"url": "/"}],
		"components": {"securitySchemes": {"b": {"type": "http", "scheme": "bearer"}, "c": {"type": "http", "scheme": "bearer"}}},
		"security": [{"b": []}],
		"paths": {"/a": {"get": {"security": [{"c": []}], "tags": ["child"], "responses": {"2xx": {"description": "R",
			"headers": {"X-A": {"schema": {"type": "integer"}}}, "content": {"application/json": {"examples": {"one": {"value": 1}, "two": {"value": 2}}}}}}}}}}`)
	want := "S\n\nD\n\nTerms of service: https://example.com/t\n\nContact: N, e@example.com\n\nLicense: MIT\n\nSee also: https://example.com/d"
	if api.Title != "T" || api.Version != "1.0" || api.Description != want {
		t.Errorf("title %q, version %q, description %q", api.Title, api.Version, api.Description)
	}
	var folders []string
	for _, f := range api.Folders {
		folders = append(folders, f.Name+"<"+f.Description)
	}
	if diff := cmp.Diff([]string{"child<", "top<TD"}, folders); diff != "" {
		t.Error(diff)
	}
	if len(api.Servers) != 1 || api.Servers[0].URL != "https://{{r}}.example.com" || api.Servers[0].Variables[0].Value != "eu" {
		t.Errorf("servers: %+v", api.Servers)
	}
	var variables []string
	for _, v := range api.Variables {
		variables = append(variables, fmt.Sprint(v.Name, " ", v.Secret))
	}
	if diff := cmp.Diff([]string{"bearerToken true", "bearerToken2 true"}, variables); diff != "" {
		t.Error(diff)
	}
	r := api.Requests[0]
	if r.Security.First()[0].Token != "{{bearerToken2}}" || r.Server != api.Servers[0] {
		t.Errorf("security %+v", r.Security.First()[0])
	}
	response := r.Responses[0]
	if response.Status != "2XX" || response.Headers[0].Value != "1" || response.Bodies[0].Text != "1" || len(response.Bodies[0].Examples) != 1 {
		t.Errorf("response %+v", response)
	}
}

func TestReadRejects(t *testing.T) {
	for _, text := range []string{`{"openapi": "3.1.0"}`, `{"paths": []}`, `{"paths": "x", "webhooks": {}}`} {
		doc := check.Value(tree.ReadJSON(text, nil))(t)
		var f *convert.Failure
		if _, err := Read(doc, versions.Newest, nil, nil); !errors.As(err, &f) || f.Code != convert.InvalidSource || f.Line != 1 {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// hostile returns documents of about size bytes that are expensive to read.
func hostile(size int) map[string]string {
	repeat := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			b.WriteString(strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
			b.WriteByte(',')
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	big := `{"type":"object","properties":{` + strings.TrimSuffix(strings.Repeat(`"pNNN":{"type":"string"},`, 1), ",") + `}}`
	return map[string]string{
		"operations":        `{"paths":{` + repeat(`"/%d":{"get":{}}`) + `}}`,
		"the same schema":   `{"components":{"schemas":{"S":` + properties(size/300) + `}},"paths":{` + repeat(`"/%d":{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/S"}}}}}}`) + `}}`,
		"the same example":  `{"components":{"examples":{"E":{"value":"` + strings.Repeat("x", size/9) + `"}}},"paths":{` + repeat(`"/%d":{"post":{"requestBody":{"content":{"text/plain":{"examples":{"e":{"$ref":"#/components/examples/E"}}}}}}}`) + `}}`,
		"a chain":           `{"components":{"schemas":{` + repeat(`"a%d":{"$ref":"#/components/schemas/a0%d"}`) + `}},"paths":{"/a":{"get":{}}}}`,
		"path parameters":   `{"paths":{"/` + strings.ReplaceAll(repeat(`{p%d}`), ",", "") + `":{"get":{}}}}`,
		"schemes":           `{"components":{"securitySchemes":{` + half(repeat(`"s%d":{"type":"http","scheme":"basic"}`)) + `}},"security":[` + half(repeat(`{"s%d":[]}`)) + `],"paths":{"/a":{"get":{}}}}`,
		"keys":              `{"components":{"securitySchemes":{` + half(repeat(`"s%d":{"type":"apiKey","in":"header","name":"k%[1]d"}`)) + `}},"security":[` + half(repeat(`{"s%d":[]}`)) + `],"paths":{"/a":{"get":{}}}}`,
		"security of all":   `{"components":{"securitySchemes":{"s":{"type":"http","scheme":"basic"}}},"paths":{` + repeat(`"/%d":{"get":{"security":[{"s":[]},{"t":[]}]}}`) + `}}`,
		"tags":              `{"tags":[` + repeat(`{"name":"t%d","parent":"t0%d"}`) + `],"paths":{}}`,
		"servers":           `{"servers":[` + repeat(`{"url":"https://h%d.example.com"}`) + `],"paths":{"/a":{"get":{}}}}`,
		"parameters":        `{"paths":{"/a":{"get":{"parameters":[` + repeat(`{"name":"p%d","in":"query","schema":{}}`) + `]}}}}`,
		"shared parameters": `{"paths":{"/a":{"parameters":[` + repeat(`{"name":"p%d","in":"query"}`) + `],"get":{},"put":{},"post":{},"delete":{}}}}`,
		"small":             `{"paths":{"/a":{"post":{"requestBody":{"content":{"application/xml":{"schema":` + big + `}}}}}}}`,
		"xml":               `{"components":{"schemas":{"S":` + properties(size/300) + `}},"paths":{` + repeat(`"/%d":{"post":{"requestBody":{"content":{"application/xml":{"schema":{"type":"array","minItems":50,"items":{"$ref":"#/components/schemas/S"}}}}}}}`) + `}}`,
	}
}

// half cuts a list after an element near its middle.
func half(list string) string {
	return list[:len(list)/2+strings.Index(list[len(list)/2:], "},")+1]
}

func properties(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`"p%d":{"type":"string"}`, i))
	}
	return `{"type":"object","properties":{` + strings.Join(list, ",") + `}}`
}

// Reading and writing a hostile document stays within the budget of the service, and allocates little.
func TestReadAndWriteAreBounded(t *testing.T) {
	size := 900_000
	if testing.Short() {
		size /= 8
	}
	for name, text := range hostile(size) {
		doc, err := tree.ReadJSON(text, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b := budget.New(t.Context(), len(text), convert.MaxOutputCharacters)
		cost := converttest.Measure(func() int {
			defer budget.Catch(&err)
			var api *request.API
			if api, err = Read(doc, versions.Newest, b, &warning.List{}); err == nil {
				writer.Write(api, versions.V31, b, &warning.List{})
			}
			return b.Spent()
		})
		var refused *convert.Failure
		if err != nil && (!errors.As(err, &refused) || refused.Code != convert.TooComplex) || cost.Bytes > 400<<20 {
			t.Errorf("%s: %d MiB, %v", name, cost.Bytes>>20, err)
		}
	}
}

// FuzzRead checks that reading a document twice has the same result, and that the document written from it is valid.
func FuzzRead(f *testing.F) {
	var cases []struct {
		Name        string
		Description any
		Want        []string
		Warnings    []string
	}
	converttest.Data(f, "testdata/read.yaml", &cases)
	for _, c := range cases {
		text, _ := document(f, c.Description).Root.AppendJSON(nil, 1<<20)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc, err := tree.ReadJSON(text, nil)
		if err != nil || len(text) > 20_000 {
			return
		}
		api, err := Read(doc, versions.Newest, nil, &warning.List{})
		if err != nil {
			return
		}
		again, _ := Read(doc, versions.Newest, nil, nil)
		if diff := cmp.Diff(outlines(api), outlines(again)); diff != "" {
			t.Fatal(diff)
		}
		root := writer.Write(api, versions.V31, nil, &warning.List{})
		if err := documenttest.Validate(t, root); err != nil {
			t.Fatalf("%v\n%s", err, documenttest.Write(t, root))
		}
	})
}

func outlines(api *request.API) []string {
	var list []string
	for _, r := range api.Requests {
		list = append(list, outline(api, r)...)
	}
	return list
}

// An Authorization header from the author is decoded as in every other format.
func TestBasicHeader(t *testing.T) {
	api := read(t, `{"paths": {"/a": {"get": {"parameters": [
		{"name": "Authorization", "in": "header", "required": true, "example": "Basic YW5uOnB3"}]}}}}`)
	want := []*request.Auth{{Kind: request.Basic, Username: "ann", Password: "pw"}}
	if diff := cmp.Diff(want, api.Requests[0].Security.First()); diff != "" {
		t.Error(diff)
	}
}

func TestProtocolRelativeServer(t *testing.T) {
	api := read(t, `{"servers":[{"url":"//api.acme.test/v2/"}],"paths":{}}`)
	if got := api.Servers[0].URL; got != "https://api.acme.test/v2" {
		t.Error(got)
	}
}
