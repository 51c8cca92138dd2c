package apiconvert

import (
	"fmt"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// styleCase is a row of OpenAPI's table of styles.
type styleCase struct {
	In      string   `yaml:"in"`
	Style   string   `yaml:"style"`
	Explode bool     `yaml:"explode"`
	Empty   string   `yaml:"empty"`
	String  string   `yaml:"string"`
	Array   string   `yaml:"array"`
	Object  string   `yaml:"object"`
	Unknown []string `yaml:"unknown"`
}

const (
	stringSchema = `{"type":"string"}`
	arraySchema  = `{"type":"array","items":{"type":"string"}}`
	objectSchema = `{"type":"object","properties":{"R":{"type":"integer"},"G":{"type":"integer"},"B":{"type":"integer"}},"required":["R","G","B"]}`
)

func TestStyles(t *testing.T) {
	var cases []styleCase
	converttest.Data(t, "testdata/styles.yaml", &cases)
	for _, c := range cases {
		t.Run(fmt.Sprintf("%s/%s/%t", c.In, c.Style, c.Explode), func(t *testing.T) {
			c.check(t, stringSchema, `""`, c.Empty)
			c.check(t, stringSchema, `"blue"`, c.String)
			c.check(t, arraySchema, `["blue","black","brown"]`, c.Array)
			c.check(t, objectSchema, `{"R":100,"G":200,"B":150}`, c.Object)
			for i, s := range []string{stringSchema, arraySchema, objectSchema} {
				c.check(t, s, "", c.Unknown[i])
			}
		})
	}
}

// check converts a document with a parameter to every version of OpenAPI 3, and from there to curl and Postman.
func (c styleCase) check(t *testing.T, schema, example, want string) {
	t.Helper()
	if want == "" {
		return
	}
	path := "/a"
	if c.In == "path" {
		path = "/a/{color}"
	}
	if example != "" {
		example = `,"example":` + example
	}
	document := fmt.Sprintf(`{"openapi":"3.0.3","info":{"title":"t","version":"1"},"servers":[{"url":"https://h.test"}],"paths":{%q:{"get":{
		"parameters":[{"name":"color","in":%q,"required":true,"style":%q,"explode":%t,"schema":%s%s}],"responses":{"200":{"description":"OK"}}}}}}`,
		path, c.In, c.Style, c.Explode, schema, example)
	for _, version := range []string{"openapi-3.0-json", "openapi-3.1-json", "openapi-3.2-json"} {
		source := call(t, "application/json", document, version).Value
		if got := call(t, "application/json", source, "curl").Value; !strings.Contains(unquoted.Replace(got), c.sent(want)) {
			t.Errorf("%s: want %s in\n%s", version, c.sent(want), got)
		}
		sample := strings.ReplaceAll(want, "$color", "string")
		if strings.HasPrefix(schema, objectSchema) && strings.Contains(want, "$color") || c.In == "header" || want == "$color" {
			continue
		}
		if got := postmanURL(t, call(t, "application/json", source, "postman-2.1").Value); got != c.sent(sample)[len("https://h.test"):] {
			t.Errorf("%s: Postman sends %s, want %s", version, got, c.sent(sample))
		}
	}
}

// unquoted removes the quotes around words.
var unquoted = strings.NewReplacer("'", "", `"`, "")

func (c styleCase) sent(value string) string {
	switch c.In {
	case "path":
		return "https://h.test/a/" + value
	case "query":
		return "https://h.test/a?" + value
	}
	return "--header " + value
}

// postmanURL returns the path and query that Postman sends for the first request.
func postmanURL(t *testing.T, text string) string {
	var collection struct {
		Item []struct {
			Request struct {
				URL struct {
					Raw      string
					Variable []struct{ Key, Value string }
				}
			}
		}
	}
	check.JSON(t, text, &collection)
	url := collection.Item[0].Request.URL
	for _, v := range url.Variable {
		url.Raw = strings.ReplaceAll(url.Raw, ":"+v.Key, v.Value)
	}
	return strings.NewReplacer("{{baseUrl}}", "", " ", "%20", "|", "%7C").Replace(url.Raw)
}
