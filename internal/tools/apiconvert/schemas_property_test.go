package apiconvert

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/convertd/convertd/internal/check"
)

// TestSamplesFitTheirSchemas checks that every sample body of a source, which becomes an example of its media
// type, fits the schema written for it, whatever else was merged into that schema.
func TestSamplesFitTheirSchemas(t *testing.T) {
	samples := 0
	for _, kind := range []string{"postman", "curl"} {
		for _, f := range corpusFiles(t, kind) {
			out := call(t, f.mediaType, f.text, "openapi-3.1-json").Value
			doc := check.Value(jsonschema.UnmarshalJSON(strings.NewReader(out)))(t)
			c := jsonschema.NewCompiler()
			check.OK(t, c.AddResource("urn:d", doc))
			mediaTypes(doc, "", func(at string, media map[string]any) {
				if media["schema"] == nil {
					return
				}
				s, err := c.Compile("urn:d#" + at + "/schema")
				if err != nil {
					t.Errorf("%s %s: %v", f.name, at, err)
					return
				}
				for _, sample := range examplesOf(media) {
					samples++
					if err := s.Validate(sample); err != nil {
						t.Errorf("%s %s: %v", f.name, at, err)
					}
				}
			})
		}
	}
	if samples < 300 {
		t.Errorf("only %d samples", samples)
	}
}

// randomBody returns a JSON value with names and types that several bodies have in common.
func randomBody(random *rand.Rand, levels int) any {
	scalars := []any{nil, true, 1, 10.5, "a", "2024-01-01", "a@example.com", "{{$guid}}", "YOUR_ORG", "<long>"}
	names := []string{"id", "name", "data", "user", "email", "total", "2024-01-01", "2024-01-02", "42", "items"}
	switch kind := random.IntN(7); {
	case levels > 0 && kind > 4: // what may be shared
		user := map[string]any{"id": random.IntN(9), "name": "a", "tags": map[string]any{}}
		if random.IntN(3) == 0 {
			user["name"] = nil
		}
		if random.IntN(2) == 0 {
			user["tags"] = map[string]any{"2024-01-01": scalars[random.IntN(4)], "2": nil}
		}
		return []any{user, map[string]any{"data": []any{user, user}, "total": 2}, []any{user}}[random.IntN(3)]
	case levels > 0 && kind == 0:
		list := []any{}
		for range random.IntN(3) {
			list = append(list, randomBody(random, levels-1))
		}
		return list
	case levels == maxLevels || levels > 0 && kind <= 2:
		object := map[string]any{}
		for range random.IntN(5) {
			object[names[random.IntN(len(names))]] = randomBody(random, levels-1)
		}
		return object
	}
	return scalars[random.IntN(len(scalars))]
}

// maxLevels is the maximum depth of random bodies.
const maxLevels = 4

// exchanged is a random body with where its schema is: a request that was accepted, or a response.
type exchanged struct {
	body    any
	pointer string
}

// randomExchanges returns a collection with random bodies.
func randomExchanges(random *rand.Rand) (text string, bodies []exchanged) {
	var items []any
	for i := range 1 + random.IntN(6) {
		path := []string{"/users", "/orders"}[random.IntN(2)]
		status := []string{"200", "200", "201", "400", "422", "500"}[random.IntN(6)]
		sent, returned := randomBody(random, maxLevels), randomBody(random, maxLevels)
		at := "/paths/" + strings.ReplaceAll(path, "/", "~1") + "/post/"
		const content = "/content/application~1json/schema"
		if status[0] != '4' {
			bodies = append(bodies, exchanged{sent, at + "requestBody" + content})
		}
		bodies = append(bodies, exchanged{returned, at + "responses/" + status + content})
		raw := func(v any) string { text, _ := json.Marshal(v); return string(text) }
		code, _ := strconv.Atoi(status)
		items = append(items, map[string]any{"name": fmt.Sprintf("%d. request", i), "request": map[string]any{
			"method": "POST", "url": "https://h.test" + path,
			"body": map[string]any{"mode": "raw", "raw": raw(sent), "options": map[string]any{"raw": map[string]any{"language": "json"}}},
		}, "response": []any{map[string]any{"name": "r", "code": code, "body": raw(returned), "_postman_previewlanguage": "json"}}})
	}
	out, _ := json.Marshal(map[string]any{
		"info": map[string]any{"name": "c", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
		"item": items,
	})
	return string(out), bodies
}

// TestSchemasAcceptWhatTheyWereInferredFrom converts random exchanges: each body that was accepted or returned fits its
// schema, whatever was merged into a component, and so do all examples.
func TestSchemasAcceptWhatTheyWereInferredFrom(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 150 {
		text, bodies := randomExchanges(random)
		out := call(t, "application/json", text, "openapi-3.1-json").Value
		doc := check.Value(jsonschema.UnmarshalJSON(strings.NewReader(out)))(t)
		c := jsonschema.NewCompiler()
		check.OK(t, c.AddResource("urn:d", doc))
		fits := func(pointer string, value any) {
			s, err := c.Compile("urn:d#" + pointer)
			if err == nil {
				err = s.Validate(value)
			}
			if err != nil {
				t.Errorf("%s\n%s\n%s: %v", text, out, pointer, err)
			}
		}
		for _, b := range bodies {
			sent, _ := json.Marshal(b.body)
			sent = []byte(strings.ReplaceAll(string(sent), `"\u003clong\u003e"`, "7"))
			fits(b.pointer, check.Value(jsonschema.UnmarshalJSON(strings.NewReader(string(sent))))(t))
		}
		mediaTypes(doc, "", func(at string, media map[string]any) {
			for _, example := range examplesOf(media) {
				fits(at+"/schema", example)
			}
		})
		if t.Failed() {
			return
		}
	}
}

// mediaTypes visits the media type objects of bodies with their JSON Pointers.
func mediaTypes(v any, at string, visit func(at string, media map[string]any)) {
	object, ok := v.(map[string]any)
	if !ok {
		return
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1", "%", "%25", "{", "%7B", "}", "%7D", " ", "%20", `"`, "%22")
	for name, value := range object {
		inner := at + "/" + escape.Replace(name)
		if name != "content" {
			if name != "schema" && name != "schemas" && name != "example" && name != "examples" {
				mediaTypes(value, inner, visit)
			}
			continue
		}
		media, _ := value.(map[string]any)
		for name, value := range media {
			if one, ok := value.(map[string]any); ok {
				visit(inner+"/"+escape.Replace(name), one)
			}
		}
	}
}

func examplesOf(media map[string]any) []any {
	var list []any
	if one, ok := media["example"]; ok {
		list = append(list, one)
	}
	named, _ := media["examples"].(map[string]any)
	for _, example := range named {
		if one, ok := example.(map[string]any); ok {
			list = append(list, one["value"])
		}
	}
	return list
}
