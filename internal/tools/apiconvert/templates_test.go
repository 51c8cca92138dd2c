package apiconvert

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// everywhere is a collection that sends or returns VALUE in every location that an OpenAPI document has an example for.
const everywhere = `{"info": {"name": "n", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
"variable": [{"key": "known", "value": "seven"}],
"item": [
  {"name": "raw", "request": {"method": "POST", "url": {"raw": "https://h.test/a/:id?q=VALUE&off=VALUE", "host": ["https://h.test"], "path": ["a", ":id"],
     "query": [{"key": "q", "value": "VALUE"}, {"key": "off", "value": "VALUE", "disabled": true}], "variable": [{"key": "id", "value": "VALUE"}]},
   "header": [{"key": "X-H", "value": "VALUE"}, {"key": "Cookie", "value": "c=VALUE"}, {"key": "Content-Type", "value": "application/json"}],
   "body": {"mode": "raw", "raw": "{\"s\": \"VALUE\", \"list\": [\"VALUE\", \"x\"], \"only\": {\"s\": \"VALUE\"}, \"n\": 1}"}},
   "response": [{"name": "OK", "code": 200, "header": [{"key": "X-R", "value": "VALUE"}, {"key": "Content-Type", "value": "application/json"}], "body": "{\"s\": \"VALUE\", \"n\": 1}"}]},
  {"name": "text", "request": {"method": "PUT", "url": "https://h.test/b", "header": [{"key": "Content-Type", "value": "text/plain"}],
   "body": {"mode": "raw", "raw": "VALUE"}}},
  {"name": "form", "request": {"method": "POST", "url": "https://h.test/c",
   "body": {"mode": "urlencoded", "urlencoded": [{"key": "s", "value": "VALUE"}, {"key": "n", "value": "1"}]}}},
  {"name": "parts", "request": {"method": "POST", "url": "https://h.test/d",
   "body": {"mode": "formdata", "formdata": [{"key": "s", "value": "VALUE"}, {"key": "off", "value": "VALUE", "disabled": true}, {"key": "f", "type": "file", "src": "a.txt"}]}}},
  {"name": "twice", "request": {"method": "POST", "url": "https://h.test/e", "body": {"mode": "raw", "raw": "{\"s\": \"VALUE\", \"n\": 1}", "options": {"raw": {"language": "json"}}}}},
  {"name": "again", "request": {"method": "POST", "url": "https://h.test/e", "body": {"mode": "raw", "raw": "{\"s\": \"y\", \"n\": 2}", "options": {"raw": {"language": "json"}}}}}
]}`

// TestTemplatesAreNotExamples checks that a variable is an example only if its value is known.
func TestTemplatesAreNotExamples(t *testing.T) {
	for target, to := range targets {
		if to.format != targets["openapi-3.1-json"].format || to.yaml {
			continue
		}
		known := samplesIn(t, call(t, "application/json", strings.ReplaceAll(everywhere, "VALUE", "{{known}}"), target).Value)
		if n := strings.Count(strings.Join(known, "\n"), "seven"); n < 10 {
			t.Errorf("%s: the known value occurs %d times in %q", target, n, known)
		}
		for _, value := range []string{"{{page}}", "id-{{page}}", "$PAGE", "Bearer $PAGE", "${page}", "%PAGE%", "<page>"} {
			for _, sample := range samplesIn(t, call(t, "application/json", strings.ReplaceAll(everywhere, "VALUE", value), target).Value) {
				if strings.Contains(strings.ToLower(sample), "page") {
					t.Errorf("%s: %s is an example: %s", target, value, sample)
				}
			}
		}
	}
}

// TestDummiesAreNotExamples checks that a parameter has no example if documentation writes a word instead of a value.
func TestDummiesAreNotExamples(t *testing.T) {
	const command = "curl 'https://h.test/a?org=YOUR_ORG&key=your-key&day=YYYY-MM-DD&sid=ACXXXXXXXX&n=1' -H 'X-Org: YOUR_ORG'"
	for _, target := range []string{"openapi-3.1-json", "openapi-3.0-json", "swagger-2.0-json"} {
		for _, sample := range samplesIn(t, call(t, "text/plain", command, target).Value) {
			if sample != "1" && sample != "Response" {
				t.Errorf("%s: %s is an example", target, sample)
			}
		}
	}
}

// template matches a variable of Postman or a shell.
var template = regexp.MustCompile(`\{\{[^{}\s]+\}\}|^[^{]*\$[A-Z_][A-Z0-9_]+\b[^{]*$|\$\{\w+\}`)

// TestCorpusHasNoTemplates converts the corpus to OpenAPI documents and checks their examples, defaults and enums.
func TestCorpusHasNoTemplates(t *testing.T) {
	samples := 0
	for _, kind := range []string{"postman", "curl"} {
		for _, f := range corpusFiles(t, kind) {
			for _, target := range []string{"openapi-3.1-json", "openapi-3.0-json", "swagger-2.0-json"} {
				for _, sample := range samplesIn(t, call(t, f.mediaType, f.text, target).Value) {
					samples++
					if template.MatchString(sample) {
						t.Errorf("%s to %s: a template is an example: %s", f.name, target, sample)
					}
				}
			}
		}
	}
	if samples < 1000 {
		t.Errorf("only %d samples", samples)
	}
}

// samplesIn returns the scalars in the examples, defaults and enums of a JSON document.
func samplesIn(t *testing.T, document string) (list []string) {
	var root any
	decode(t, document, &root)
	var walk func(v any, sample, properties bool)
	walk = func(v any, sample, properties bool) {
		switch v := v.(type) {
		case map[string]any:
			for name, value := range v {
				is := !properties && (strings.HasPrefix(strings.TrimPrefix(name, "x-"), "example") || name == "default" || name == "enum")
				walk(value, sample || is, !sample && name == "properties")
			}
		case []any:
			for _, value := range v {
				walk(value, sample, false)
			}
		case nil:
		default:
			if sample {
				list = append(list, fmt.Sprint(v))
			}
		}
	}
	walk(root, false, false)
	return list
}

// TestWordsAroundVariablesStay keeps what a body says around a variable without a known value.
func TestWordsAroundVariablesStay(t *testing.T) {
	for body, want := range map[string]string{
		`{"text":"Deploy of {{repo}} failed","n":"{{n}}","id":1}`: `{"text":"Deploy of <repo> failed","n":"string","id":1}`,
		`{"text":"{{all}}","at":{{at}},"id":1}`:                   `{"text":"string","id":1}`,
	} {
		script := "curl -H 'Content-Type: application/json' -d '" + body + "' https://h.test/a"
		var document struct {
			Paths map[string]map[string]struct {
				RequestBody struct {
					Content map[string]struct{ Example any }
				}
			}
		}
		check.JSON(t, call(t, "text/plain", script, "openapi-3.1-json").Value, &document)
		var example any
		check.JSON(t, want, &example)
		check.Equal(t, example, document.Paths["/a"]["post"].RequestBody.Content["application/json"].Example)
	}
}
