package server

import (
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/internal/tools"
)

// responses calls see with every response that the document describes.
func responses(t testing.TB, see func(path, status string, response *openapi3.Response)) {
	for path, item := range contracttest.Document(t).Paths.Map() {
		for status, response := range item.Post.Responses.Map() {
			see(path, status, response.Value)
		}
	}
}

// TestEveryCodeHasAnExample checks that the responses of each code's status have an example of it, in the shape of a
// problem. TestProblemExamples compares them with the service's responses.
func TestEveryCodeHasAnExample(t *testing.T) {
	c := load(t)
	shown := map[string]bool{}
	responses(t, func(path, status string, response *openapi3.Response) {
		body := response.Content["application/problem+json"]
		if body == nil {
			return
		}
		if len(body.Examples) == 0 {
			t.Errorf("%s %s has no examples", path, status)
		}
		for code, example := range body.Examples {
			shown[code] = true
			value, _ := example.Value.Value.(map[string]any)
			if err := body.Schema.Value.VisitJSON(value); err != nil {
				t.Errorf("%s breaks the document: %v", code, err)
			}
			if is, _ := value["status"].(float64); value["code"] != code || strconv.Itoa(int(is)) != status {
				t.Errorf("%s %s: the example %s is of %v, %v", path, status, code, value["code"], is)
			}
		}
	})
	for _, p := range c.Problems() {
		if !shown[p.Code] {
			t.Errorf("%s has no example", p.Code)
		}
	}
}

var update = flag.Bool("update", false, "write what the service returns into the document's examples of problems; then make generate")

// rewrite replaces the example of a code in the document's source by a response.
func rewrite(t *testing.T, code, base string, p map[string]any) {
	t.Helper()
	const source = "../../openapi/openapi.yaml"
	text := check.Value(os.ReadFile(source))(t)
	for _, member := range []string{"detail", "hint", "path", "step"} {
		value, given := p[member].(string)
		if !given {
			continue
		}
		value = strings.ReplaceAll(value, base, "http://127.0.0.1:8080")
		line := regexp.MustCompile(`(?m)(^    ` + code + `:\n      summary: .*\n      value:\n(?:        .*\n)*?        ` + member + `: ).*`)
		if !line.Match(text) {
			t.Errorf("the example of %s has no %s to rewrite", code, member)
		}
		quoted := "'" + strings.ReplaceAll(value, "'", "''") + "'"
		text = line.ReplaceAll(text, []byte("${1}"+strings.ReplaceAll(quoted, "$", "$$")))
	}
	check.OK(t, os.WriteFile(source, text, 0o644))
}

// documented fails if the document's example of a code is not this response. With
// -update it writes the example instead.
func documented(t *testing.T, c *contract.Contract, base string, got reply) {
	t.Helper()
	var p map[string]any
	check.JSON(t, got.body, &p)
	code, _ := p["code"].(string)
	if *update {
		rewrite(t, code, base, p)
	}
	example := check.Value(json.Marshal(contracttest.Document(t).Components.Examples[code].Value.Value))(t)
	is := check.Value(json.Marshal(p))(t)
	if want := strings.ReplaceAll(string(example), "http://127.0.0.1:8080", base); string(is) != want && !*update {
		t.Errorf("the document's example is not what the service returns (go test ./internal/server -run TestProblemExamples -update):\n%s\n%s", want, is)
	}
}

// unsaid are headers that every HTTP response may have.
var unsaid = map[string]bool{"Content-Type": true, "Content-Length": true, "Date": true, "Connection": true}

// TestHeadersAreDescribed checks that a response has exactly the headers that the document describes.
func TestHeadersAreDescribed(t *testing.T) {
	config := defaults()
	config.RateLimit = 6
	s := start(t, config, tools.All())
	good := toolBody("application/json", "1", "")
	seen := map[int]bool{}
	for _, test := range []struct {
		method, path, body string
		header             [2]string
	}{
		{"POST", "/v1/tools/json_format", good, [2]string{}},
		{"POST", "/v1/tools/json_format", good, [2]string{"Origin", s.url}},
		{"POST", "/v1/tools/json_format", "", [2]string{}},
		{"POST", "/v1/tools/json_format", good, [2]string{"Content-Type", "text/plain"}},
		{"POST", "/v1/tools/json_format", "{}", [2]string{}},
		{"GET", "/v1/tools/json_format", "", [2]string{}},
		{"POST", "/v1/tools/json_format", good, [2]string{"Origin", "https://elsewhere.example"}},
		{"POST", "/v1/tools/json_format", good, [2]string{}},
	} {
		request := check.Value(http.NewRequest(test.method, s.url+test.path, strings.NewReader(test.body)))(t)
		request.Header.Set("Content-Type", "application/json")
		if test.header[0] != "" {
			request.Header.Set(test.header[0], test.header[1])
		}
		response := check.Value(http.DefaultClient.Do(request))(t)
		response.Body.Close()
		seen[response.StatusCode] = true
		described := contracttest.Document(t).Paths.Value(test.path).Post.Responses.Value(strconv.Itoa(response.StatusCode)).Value.Headers
		names := map[string]bool{}
		for name, header := range described {
			name = http.CanonicalHeaderKey(name)
			names[name] = true
			if header.Value.Required && response.Header.Get(name) == "" {
				t.Errorf("%d: no %s", response.StatusCode, name)
			}
		}
		for name := range response.Header {
			if !names[name] && !unsaid[name] {
				t.Errorf("%d: %s is not described", response.StatusCode, name)
			}
		}
	}
	for _, status := range []int{200, 400, 403, 405, 415, 422, 429} {
		if !seen[status] {
			t.Errorf("no response had status %d", status)
		}
	}
}
