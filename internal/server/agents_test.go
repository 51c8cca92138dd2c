package server

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/goccy/go-yaml"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/mcp"
	"github.com/convertd/convertd/internal/tools"
)

// agentResponse is the JSON-RPC response to a tool call.
type agentResponse struct {
	ID     json.RawMessage
	Result struct {
		IsError           bool
		Content           []struct{ Type, Text string }
		StructuredContent json.RawMessage
	}
	Error *struct {
		Code int
		Data json.RawMessage
	}
}

// call makes a tool call over MCP in the form of the protocol version.
func (s service) call(t testing.TB, version, tool, arguments string) agentResponse {
	t.Helper()
	request := agentCall(version, tool, arguments)
	r := s.request(t, http.MethodPost, "/mcp", request.body)
	for i := 0; i < len(request.headers); i += 2 {
		r.Header.Set(request.headers[i], request.headers[i+1])
	}
	got := s.send(t, r)
	var a agentResponse
	check.JSON(t, got.body, &a)
	return a
}

// TestAgentsGetWhatProgramsGet checks a property: whatever the arguments, MCP's text block equals REST's body byte for
// byte, in every revision. The arguments are the document's examples with random edits, so most are near the boundary
// between valid and invalid.
func TestAgentsGetWhatProgramsGet(t *testing.T) {
	s := start(t, defaults(), tools.All())
	random := rand.New(rand.NewPCG(1, 2))
	outcomes := map[bool]int{}
	paths := contracttest.Document(t).Paths.Map()
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item := paths[path]
		example, _ := json.Marshal(item.Post.RequestBody.Value.Content["application/json"].Example)
		for i := range 120 {
			body := string(example)
			if i > 0 {
				body = edit(random, body)
			}
			rest := s.post(t, path, body)
			if !json.Valid([]byte(body)) || rest.status == http.StatusBadRequest {
				continue // over MCP, the message itself would be malformed
			}
			version := mcp.Revisions[i%len(mcp.Revisions)]
			got := s.call(t, version, item.Post.OperationID, body)
			if got.Error != nil || len(got.Result.Content) != 1 || got.Result.Content[0].Text != string(rest.body) || got.Result.IsError != (rest.status != http.StatusOK) {
				t.Fatalf("%s %s %s:\nREST %d %s\nMCP %+v", version, path, body, rest.status, rest.body, got)
			}
			if got.Result.IsError != (got.Result.StructuredContent == nil) {
				t.Errorf("%s %s: structuredContent: %s", version, body, got.Result.StructuredContent)
			}
			if !got.Result.IsError && !bytes.Equal(got.Result.StructuredContent, rest.body) {
				t.Errorf("%s %s: structuredContent: %s", version, body, got.Result.StructuredContent)
			}
			outcomes[got.Result.IsError]++
		}
	}
	if outcomes[true] < 50 || outcomes[false] < 50 {
		t.Errorf("one-sided: %v", outcomes)
	}
}

// edit changes text in one to three places: it removes or doubles a rune, or
// replaces it by another rune of text or by an odd one.
func edit(random *rand.Rand, text string) string {
	odd := []rune{'0', '9', '-', 'e', '"', '\\', ' ', '\u00e9', '\U0001F600', '\u2028', 'T', '.'}
	runes := []rune(text)
	for range 1 + random.IntN(3)*random.IntN(2) {
		i := random.IntN(len(runes))
		switch random.IntN(4) {
		case 0:
			runes = append(runes[:i:i], runes[i+1:]...)
		case 1:
			runes = append(runes[:i+1:i+1], runes[i:]...)
		case 2:
			runes[i] = runes[random.IntN(len(runes))]
		default:
			runes[i] = odd[random.IntN(len(odd))]
		}
	}
	return string(runes)
}

// TestAgentsMeetTheSameGuards checks that what rejects a REST request rejects an
// agent's too, with a JSON-RPC error object around the same problem document.
func TestAgentsMeetTheSameGuards(t *testing.T) {
	s := start(t, defaults(), tools.All())
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for _, test := range []struct {
		name   string
		change func(*http.Request)
		status int
		code   convert.Code
	}{
		{"a foreign host", func(r *http.Request) { r.Host = "evil.example" }, 403, convert.HostRefused},
		{"a foreign origin alone", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403, convert.OriginRefused},
		{"no origin at all", func(r *http.Request) { r.Header.Set("Origin", "null") }, 403, convert.OriginRefused},
		{"an encoded body", func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, 415, convert.UnsupportedContentEncoding},
		{"a GET", func(r *http.Request) { r.Method = http.MethodGet }, 405, convert.MethodNotAllowed},
		{"a method of their own", func(r *http.Request) { r.Method = "FOO" }, 405, convert.MethodNotAllowed},
		{"an origin of this machine", func(r *http.Request) { r.Header.Set("Origin", "http://localhost:6274") }, 200, ""},
	} {
		r := s.request(t, http.MethodPost, "/mcp", ping)
		test.change(r)
		got := s.send(t, r)
		checkGuarded(t, test.name, got, test.status, test.code)
		if allow := got.header.Values("Allow"); test.status == 405 && (len(allow) != 1 || allow[0] != http.MethodPost) {
			t.Errorf("%s: Allow: %q", test.name, allow)
		}
	}
	large := s.post(t, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"`+strings.Repeat("x", 1<<20)+`"}}`)
	checkGuarded(t, "a large body", large, 413, convert.RequestTooLarge)

	config := defaults()
	config.RateLimit = 2
	limited := start(t, config, tools.All())
	limited.post(t, "/v1/unknown", "{}")
	hello := limited.post(t, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if !strings.Contains(string(hello.body), "; 2 requests a minute for each address") {
		t.Errorf("the instructions do not say the rate limit: %s", hello.body)
	}
	third := limited.post(t, "/mcp", ping)
	checkGuarded(t, "the quota, which both doors share", third, 429, convert.RateLimited)
	if third.header.Get("Retry-After") == "" {
		t.Error("429 without Retry-After")
	}
}

func checkGuarded(t *testing.T, name string, got reply, status int, code convert.Code) {
	t.Helper()
	var a agentResponse
	if err := json.Unmarshal(got.body, &a); err != nil || got.status != status {
		t.Errorf("%s: status %d: %s", name, got.status, got.body)
		return
	}
	if code == "" {
		return
	}
	var p problem
	if a.Error == nil || a.Error.Code != status || json.Unmarshal(a.Error.Data, &p) != nil || p.Code != code || p.Status != status {
		t.Errorf("%s: %s", name, got.body)
	}
}

// TestAgentsAreLogged checks that the log contains a rejected call's code
// although its HTTP status is 200, and nothing of its input.
func TestAgentsAreLogged(t *testing.T) {
	s := start(t, defaults(), tools.All())
	for _, version := range mcp.Revisions {
		s.call(t, version, "json_format", toolBody("application/json", "ZqXw7Secret", ""))
	}
	if log := s.log.String(); strings.Count(log, `"code":"invalid_json"`) != len(mcp.Revisions) || strings.Contains(log, "ZqXw7Secret") {
		t.Error(log)
	}
}

// TestDiscovery checks that clients of any origin can discover the endpoints from the domain and read the OpenAPI
// document, without using up a quota, and that they need not read what has not changed.
// Rule: ADDR-2.
func TestDiscovery(t *testing.T) {
	config := defaults()
	config.RateLimit = 1
	s := start(t, config, tools.All())
	get := func(path string, into any) reply {
		r := s.request(t, http.MethodGet, path, "")
		r.Header.Set("Origin", "https://any.example")
		got := s.send(t, r)
		decode := json.Unmarshal
		if strings.HasSuffix(path, ".yaml") {
			decode = func(text []byte, into any) error { return yaml.Unmarshal(text, into) }
		}
		if err := decode(got.body, into); err != nil || got.status != 200 || got.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Fatalf("%s: status %d, %v: %.300s", path, got.status, got.header, got.body)
		}
		etag := got.header.Get("ETag")
		for value, want := range map[string]int{etag: http.StatusNotModified, `"another"`: http.StatusOK} {
			r.Header.Set("If-None-Match", value)
			if again := s.send(t, r); again.status != want || again.header.Get("ETag") != etag || (len(again.body) == 0) != (value == etag) {
				t.Errorf("%s: with the ETag %s: status %d, %d bytes", path, value, again.status, len(again.body))
			}
		}
		return got
	}
	for _, path := range []string{"/v1/openapi.yaml", "/v1/openapi.json"} {
		var document struct{ OpenAPI string }
		if get(path, &document); document.OpenAPI == "" {
			t.Errorf("%s is not an OpenAPI document", path)
		}
	}
	var catalog struct {
		Entries []struct{ Type, URL string }
	}
	get("/.well-known/ai-catalog.json", &catalog)
	if len(catalog.Entries) != 1 {
		t.Fatalf("%+v", catalog)
	}
	var card struct {
		Name, Description string
		Remotes           []struct{ Type, URL string }
	}
	got := get(strings.TrimPrefix(catalog.Entries[0].URL, s.url), &card)
	if got.header.Get("Cache-Control") != "public, max-age=3600" || got.header.Get("Content-Type") != catalog.Entries[0].Type || card.Name != mcp.Name || utf8.RuneCountInString(card.Description) > 100 ||
		len(card.Remotes) != 1 || card.Remotes[0].URL != s.url+"/mcp" || card.Remotes[0].Type != "streamable-http" {
		t.Errorf("%v: %s", got.header, got.body)
	}
	if other := get("/.well-known/mcp/server-card.json", &card); !bytes.Equal(other.body, got.body) {
		t.Errorf("another card: %s", other.body)
	}
}

// TestRegistryEntry checks that server.json and the server card agree.
func TestRegistryEntry(t *testing.T) {
	var entry struct {
		Schema                     string `json:"$schema"`
		Name, Description, Version string
		Title                      string
		Packages                   []struct {
			Identifier       string
			Transport        struct{ Type string }
			PackageArguments []struct{ Value string }
		}
	}
	check.JSON(t, check.File(t, "../../server.json"), &entry)
	if !strings.HasSuffix(entry.Schema, "/2025-12-11/server.schema.json") || entry.Name != mcp.Name || entry.Description != mcp.Description ||
		entry.Title != contracttest.Document(t).Info.Title || entry.Version != contracttest.Document(t).Info.Version {
		t.Errorf("%+v", entry)
	}
	for _, p := range entry.Packages {
		if !strings.HasSuffix(p.Identifier, ":"+entry.Version) || p.Transport.Type != "stdio" || len(p.PackageArguments) != 1 || p.PackageArguments[0].Value != "mcp" {
			t.Errorf("%+v", p)
		}
	}
}
