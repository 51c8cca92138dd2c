package apiconvert

import (
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// pets is an OpenAPI document whose request and response have examples of the same names.
const pets = `openapi: 3.1.0
info: {title: Pets, version: "1"}
paths:
  /pets:
    post:
      requestBody:
        content:
          application/json:
            examples: {cat: {value: {name: Tom}}, dog: {value: {name: Rex}}}
      responses:
        "201":
          description: Created.
          content:
            application/json:
              examples: {cat: {value: {id: 1, name: Tom}}, dog: {value: {id: 2, name: Rex}}}
`

// Examples with the same name belong together: the saved response with the name is that to the request with its
// body, and reading it back keeps the pair.
func TestExamplesArePairedByName(t *testing.T) {
	collection := call(t, "application/yaml", pets, "postman-2.1").Value
	doc := check.Value(tree.ReadJSON(collection, nil))(t)
	got := map[string]string{}
	for _, saved := range doc.Root.Get("item").Element(0).Get("response").Elements() {
		if saved.Has("code") {
			got[saved.Get("name").Text()] = compactText(t, saved.Get("originalRequest").Get("body").Get("raw").Text()) + " " +
				compactText(t, saved.Get("body").Text())
		}
	}
	want := map[string]string{
		"cat": `{"name":"Tom"} {"id":1,"name":"Tom"}`,
		"dog": `{"name":"Rex"} {"id":2,"name":"Rex"}`,
	}
	check.Equal(t, want, got, "saved responses")
}

// Responses to requests that become one operation are named after the requests.
func TestResponsesAreNamedAfterRequests(t *testing.T) {
	const collection = `{"info":{"name":"c","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[
		{"name":"Make a cat","request":{"method":"POST","url":"https://h.test/pets","body":{"mode":"raw","raw":"{\"name\":\"Tom\"}"}},
		 "response":[{"name":"Fine","code":201,"body":"{\"id\":1}"}]},
		{"name":"Make a dog","request":{"method":"POST","url":"https://h.test/pets","body":{"mode":"raw","raw":"{\"name\":\"Rex\"}"}},
		 "response":[{"name":"Fine","code":201,"body":"{\"id\":2}"}]}]}`
	doc := check.Value(tree.ReadJSON(call(t, "application/json", collection, "openapi-3.1-json").Value, nil))(t)
	operation := doc.Root.Get("paths").Get("/pets").Get("post")
	requests := operation.Get("requestBody").Get("content").Get("application/json").Get("examples")
	responses := operation.Get("responses").Get("201").Get("content").Get("application/json").Get("examples")
	want := []string{"makeACat", "makeADog"}
	check.Equal(t, [][]string{want, want}, [][]string{requests.Names(), responses.Names()}, "names of examples")
}

func compactText(t *testing.T, text string) string {
	t.Helper()
	doc := check.Value(tree.ReadJSON(text, nil))(t)
	compact, _ := doc.Root.AppendJSON(nil, 1<<16)
	return string(compact)
}
