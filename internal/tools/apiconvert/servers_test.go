package apiconvert

import (
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
