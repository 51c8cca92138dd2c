package apiconvert

import (
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// The same path on unrelated servers is a separate operation for each and converts back to what was sent;
// servers of one owner share an operation.
func TestUnrelatedServers(t *testing.T) {
	const source = `curl https://api.shop.example/status
curl https://api.bank.test/status
curl https://eu.api.shop.example/status
curl http://localhost:8080/status
curl -X POST https://api.bank.test/status
`
	for _, target := range []string{"openapi-3.1-json", "openapi-3.0-yaml"} {
		description := call(t, "text/plain", source, target).Value
		if err := checkDescription(description); err != nil {
			t.Errorf("%s: %v", target, err)
		}
		back := call(t, mediaTypeOf(target), description, "curl").Value
		var got []string
		for line := range strings.Lines(back) {
			if strings.HasPrefix(line, "curl ") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		want := []string{
			"curl 'https://api.shop.example/status'",
			"curl --request POST 'https://api.bank.test/status'",
			"curl 'https://api.bank.test/status'",
		}
		check.Equal(t, want, got, target, description)
	}
}

// TestInvalidJSON checks that a body that is not JSON doesn't shape the schema, and comes back as it was sent.
func TestInvalidJSON(t *testing.T) {
	for _, body := range []string{`{"a":1, ...}`, `{'name':'x'}`, `{"a":1,"a":2}`, `[1,2`, `{"id": <id>}`} {
		quoted := "'" + strings.ReplaceAll(body, "'", `'\''`) + "'"
		script := "curl https://api.test/a -H 'Content-Type: application/json' -d " + quoted
		for _, target := range []string{"openapi-3.1-json", "openapi-3.0-json"} {
			result := call(t, "text/plain", script, target)
			want := `"application/json":{"schema":{},"example":`
			if got := strings.Join(strings.Fields(result.Value), ""); !strings.Contains(got, want) {
				t.Errorf("%s: %s lacks %s", body, got, want)
			}
			if !slices.ContainsFunc(result.Warnings, func(w string) bool { return strings.HasPrefix(w, "changed.invalid_json: ") }) {
				t.Errorf("%s: warnings %q", body, result.Warnings)
			}
			if back := call(t, "application/json", result.Value, "curl").Value; !strings.Contains(back, quoted) {
				t.Errorf("%s comes back as\n%s", body, back)
			}
		}
		mixed := call(t, "text/plain", script+"\ncurl https://api.test/a --json '{\"a\":1}'", "openapi-3.1-json").Value
		if want := `"schema":{"type":"object","properties":{"a":{"type":"integer"}}}`; !strings.Contains(strings.Join(strings.Fields(mixed), ""), want) {
			t.Errorf("next to a valid body: %s", mixed)
		}
	}
}

// TestSlashes checks that a server with one slash after its scheme is the same in every target.
func TestSlashes(t *testing.T) {
	const collection = `{"info":{"name":"x","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
		"variable":[{"key":"baseUrl","value":"https:/api.test/v1"}],"item":[{"name":"a","request":{"method":"GET","url":"{{baseUrl}}/u"}}]}`
	const document = `{"openapi":"3.0.3","info":{"title":"x","version":"1"},"servers":[{"url":"https:/api.test/v1"}],
		"paths":{"/u":{"get":{"responses":{"200":{"description":"OK"}}}}}}`
	for _, c := range [][3]string{
		{collection, "openapi-3.1-json", `"url": "https://api.test/v1"`}, {collection, "swagger-2.0-json", `"host": "api.test"`},
		{document, "curl", "https://api.test/v1/u"}, {document, "postman-2.1", `"https://api.test/v1"`},
		{document, "swagger-2.0-json", `"host": "api.test"`},
	} {
		if got := call(t, "application/json", c[0], c[1]).Value; !strings.Contains(got, c[2]) {
			t.Errorf("%s lacks %s:\n%s", c[1], c[2], got)
		}
	}
}

// TestMainServer checks that the server of a document is the one of most requests, and the first of several.
func TestMainServer(t *testing.T) {
	for script, want := range map[string]string{
		"curl -d a=b https://login.test/token\ncurl https://api.test/a\ncurl https://api.test/b":     "https://api.test",
		"curl https://api.test/a\ncurl https://other.test/b":                                         "https://api.test",
		"curl https://a.test/a\ncurl https://b.test/b\ncurl https://b.test/c\ncurl https://a.test/d": "https://a.test",
	} {
		for _, target := range []string{"openapi-3.1-json", "swagger-2.0-json"} {
			var document struct {
				Servers []struct{ URL string }
				Host    string
			}
			check.JSON(t, call(t, "text/plain", script, target).Value, &document)
			got := "https://" + document.Host
			if len(document.Servers) > 0 {
				got = document.Servers[0].URL
			}
			check.Equal(t, want, got, script, target)
		}
	}
}
