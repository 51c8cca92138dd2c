package apiconvert

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// hostCase is a URL whose host may be a placeholder, and its server in each target.
type hostCase struct {
	URL       string            `yaml:"url"`
	Server    string            `yaml:"server"`
	Variables map[string]string `yaml:"variables"`
	Swagger   string            `yaml:"swagger"`
	Postman   string            `yaml:"postman"`
	Values    map[string]string `yaml:"values"`
}

// TestHostPlaceholders converts requests to hosts that are placeholders. They become server variables in an OpenAPI
// document and variables of a collection.
func TestHostPlaceholders(t *testing.T) {
	var cases []hostCase
	converttest.Data(t, "testdata/hosts.yaml", &cases)
	for _, c := range cases {
		quoted, _ := json.Marshal(c.URL)
		collection := `{"info":{"name":"n","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},` +
			`"item":[{"name":"r","request":{"method":"GET","url":` + string(quoted) + `}}]}`
		t.Run(c.URL, func(t *testing.T) {
			for _, command := range []string{"curl '" + c.URL + "'", "curl \"" + c.URL + "\" ^\r\n  -H \"X-A: 1\""} {
				c.checkOpenAPI(t, "text/plain", command)
				c.checkPostman(t, command)
			}
			c.checkOpenAPI(t, "application/json", collection)
		})
	}
}

func (c hostCase) checkOpenAPI(t *testing.T, mediaType, source string) {
	t.Helper()
	var document struct {
		Servers []struct {
			URL       string
			Variables map[string]struct{ Default string }
		}
		Paths map[string]any
	}
	decode(t, call(t, mediaType, source, "openapi-3.1-json").Value, &document)
	if len(document.Servers) != 1 || document.Servers[0].URL != c.Server || document.Paths["/indexes"] == nil {
		t.Fatalf("%s: servers %+v, paths %v", source, document.Servers, document.Paths)
	}
	variables := map[string]string{}
	for name, v := range document.Servers[0].Variables {
		variables[name] = v.Default
	}
	if !maps.Equal(variables, c.Variables) {
		t.Errorf("%s: server variables %q, want %q", source, variables, c.Variables)
	}
	var swagger struct{ Host string }
	decode(t, call(t, mediaType, source, "swagger-2.0-json").Value, &swagger)
	if swagger.Host != c.Swagger {
		t.Errorf("%s: host %q of Swagger 2.0, want %q", source, swagger.Host, c.Swagger)
	}
}

func (c hostCase) checkPostman(t *testing.T, source string) {
	t.Helper()
	var collection struct {
		Item []struct {
			Request struct{ URL struct{ Raw string } }
		}
		Variable []struct{ Key, Value string }
	}
	decode(t, call(t, "text/plain", source, "postman-2.1").Value, &collection)
	if raw := collection.Item[0].Request.URL.Raw; raw != c.Postman {
		t.Errorf("%s: raw URL %s, want %s", source, raw, c.Postman)
	}
	values := map[string]string{}
	for _, v := range collection.Variable {
		values[v.Key] = v.Value
	}
	want := c.Values
	if want == nil {
		want = c.Variables
	}
	if !maps.Equal(values, want) {
		t.Errorf("%s: collection variables %q, want %q", source, values, want)
	}
}

func decode(t *testing.T, text string, v any) {
	t.Helper()
	check.JSON(t, text, v)
}
