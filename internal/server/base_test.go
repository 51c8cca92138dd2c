package server

import (
	"bytes"
	"encoding/json"
	"html"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools"
	"github.com/convertd/convertd/openapi"
)

const (
	publicOrigin = "https://example.com"
	publicRoot   = "/tools"
)

func startBelow(t testing.TB) service {
	config := defaults()
	config.BaseURL = publicOrigin + publicRoot
	config.SecurityContact = "https://example.org/security"
	return start(t, config, tools.All())
}

// bothPaths requests what clients know as publicRoot + path, once through a proxy that keeps the base URL's path and
// once through one that strips it, and expects the same response. It requests it uncompressed: Go's client would
// request a compressed body, which has another ETag, and only with GET.
func (s service) bothPaths(t *testing.T, method, path, body string) reply {
	t.Helper()
	kept := s.request(t, method, publicRoot+path, body)
	stripped := s.request(t, method, path, body)
	for _, r := range []*http.Request{kept, stripped} {
		r.Host = "example.com"
		r.Header.Set("Accept-Encoding", "identity")
	}
	a, b := s.send(t, kept), s.send(t, stripped)
	for _, changing := range []string{"X-Request-Id", "Date"} {
		a.header.Del(changing)
		b.header.Del(changing)
	}
	if a.status != b.status || !bytes.Equal(a.body, b.body) || a.header.Get("Etag") != b.header.Get("Etag") || a.header.Get("Link") != b.header.Get("Link") {
		t.Errorf("%s %s: status %d with the prefix, %d without, or another body or header", method, path, a.status, b.status)
	}
	return a
}

// TestLinks follows every link, asset and URL of every page and document from the entry points for people and programs.
// None is outside the base URL, and none is broken.
// Rules: ADDR-3, ADDR-5, ANS-8.
func TestLinks(t *testing.T) {
	s := startBelow(t)
	c := load(t)
	within := regexp.MustCompile(`(?:src|href|data-root)="(/[^"#]*)|<(/[^>]*)>; rel=|(?m:^(?:Disallow|Allow): (\S+))|https://example\.com([^\s"'),#<\\` + "`" + `;]*)`)
	module := regexp.MustCompile(`(?m)(?:from|import) "(\./[^"]+)"`)
	absolute := regexp.MustCompile("[\"'`(]/(?:v1|mcp|docs|editor|problems|warnings|assets)\\b")
	seen := map[string]bool{}
	queue := []string{"/", "/editor", "/docs", "/robots.txt", "/favicon.ico", "/.well-known/security.txt", "/llms.txt", "/v1/openapi.json",
		"/v1/openapi.yaml", "/.well-known/api-catalog", "/.well-known/ai-catalog.json", "/.well-known/mcp/server-card.json", "/problems/none", "/warnings/none"}
	for ; len(queue) > 0; queue = queue[1:] {
		path := queue[0]
		if seen[path] || c.OperationOf(path) != "" || path == "/v1" || path == "/v1/" || path == "/mcp" || strings.HasSuffix(path, "/NAME") {
			continue // operations take POST
		}
		seen[path] = true
		got := s.bothPaths(t, http.MethodGet, path, "")
		if want := strings.HasSuffix(path, "/none"); got.status != http.StatusOK && got.status != http.StatusMovedPermanently && !want {
			t.Errorf("%s: status %d", path, got.status)
		}
		if health := path == "/healthz" || path == "/readyz"; !health && got.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("a client may guess another type of %s", path)
		}
		head := s.bothPaths(t, http.MethodHead, path, "")
		if head.status != got.status || head.header.Get("ETag") != got.header.Get("ETag") || len(head.body) != 0 {
			t.Errorf("HEAD %s: status %d", path, head.status)
		}
		text := string(got.body)
		if strings.Contains(text, "127.0.0.1:8080") {
			t.Errorf("%s names the address of the source", path)
		}
		if strings.Contains(path, "/swagger-ui") {
			continue // a script that gets its links from docs.js
		}
		for _, m := range module.FindAllStringSubmatch(text, -1) {
			queue = append(queue, path[:strings.LastIndexByte(path, '/')]+m[1][1:])
		}
		if strings.HasPrefix(path, "/assets/") {
			if found := absolute.FindString(text); found != "" {
				t.Errorf("%s has %s, which is outside", path, found)
			}
			continue
		}
		text = html.UnescapeString(text) + "\n" + got.header.Get("Link") + "\n" + publicOrigin + got.header.Get("Location")
		for _, m := range within.FindAllStringSubmatch(text, -1) {
			link := strings.Join(m[1:], "")
			if link == "" && strings.HasSuffix(m[0], publicOrigin) {
				continue // no Location
			}
			below, is := strings.CutPrefix(link, publicRoot)
			if !is || below != "" && below[0] != '/' {
				t.Errorf("%s leads outside: %s", path, m[0])
			} else if below != "" {
				queue = append(queue, below)
			}
		}
	}
	if len(seen) < len(c.Problems())+len(c.Warnings())+20 {
		t.Errorf("only %d addresses were found", len(seen))
	}
	t.Logf("%d addresses", len(seen))
}

// TestCallsBelow checks requests, rejections, agents and health checks with both proxies.
// Rule: ADDR-5.
func TestCallsBelow(t *testing.T) {
	s := startBelow(t)
	base := publicOrigin + publicRoot
	call := toolBody("application/json", "[1]", "")
	if got := s.bothPaths(t, http.MethodPost, "/v1/tools/json_format", call); got.status != http.StatusOK || !strings.Contains(string(got.body), `"editorUrl":"`+base+`/editor#r=1&s=json_format"`) {
		t.Errorf("a call: %d %s", got.status, got.body)
	}
	p := checkProblem(t, base, s.bothPaths(t, http.MethodPost, "/v1/tools/none", call), convert.UnknownRoute)
	if !strings.Contains(p.Hint, " /tools/v1/openapi.json") || !strings.Contains(p.Hint, " /tools/v1/tools/") {
		t.Errorf("the hint: %s", p.Hint)
	}
	refused := s.bothPaths(t, http.MethodGet, "/v1/tools/json_format", "")
	checkProblem(t, base, refused, convert.MethodNotAllowed)
	if refused.header.Get("Allow") != "POST" {
		t.Errorf("Allow: %q", refused.header.Get("Allow"))
	}
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"json_format","arguments":` + call + `}}`
	if got := s.bothPaths(t, http.MethodPost, "/mcp", message); !strings.Contains(string(got.body), base+"/editor#") {
		t.Errorf("an agent's call: %d %s", got.status, got.body)
	}
	if got := s.bothPaths(t, http.MethodGet, "/mcp", ""); got.status != http.StatusMethodNotAllowed || !strings.Contains(string(got.body), `"jsonrpc"`) {
		t.Errorf("GET /mcp: %d %s", got.status, got.body)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if got := s.bothPaths(t, http.MethodGet, path, ""); got.status != http.StatusOK {
			t.Errorf("%s: %d", path, got.status)
		}
	}
	own := s.request(t, http.MethodPost, "/tools/v1/tools/json_format", call)
	own.Header.Set("Origin", publicOrigin)
	if got := s.send(t, own); got.status != http.StatusOK || got.header.Get("Access-Control-Allow-Origin") != publicOrigin {
		t.Errorf("a call of the own origin: %d %v", got.status, got.header)
	}
	for _, path := range []string{"/toolsv1/openapi.json", "/tools/tools/v1/openapi.json", "/%74ools/v1/openapi.json", "/tools/v1%2Fopenapi.json", "/Tools/v1/openapi.json", "/tools//v1/openapi.json"} {
		if got := s.send(t, s.request(t, http.MethodGet, path, "")); got.status != http.StatusNotFound {
			t.Errorf("%s: status %d", path, got.status)
		}
	}
	if got := s.send(t, s.request(t, http.MethodGet, "/tools", "")); got.status != http.StatusOK {
		t.Errorf("the path itself: status %d", got.status)
	}
}

// TestDocumentFollowsBaseURL checks that servers, examples and samples
// have the base URL, and that nothing else of the source changes.
// Rule: ADDR-2.
func TestDocumentFollowsBaseURL(t *testing.T) {
	for _, base := range []struct{ url, root string }{{"https://example.com/", ""}, {"https://example.com/tools/v1", "/tools/v1"}, {"http://[::1]:9000/~a.b", "/~a.b"}} {
		config := defaults()
		config.BaseURL, config.AllowedHosts = base.url, []string{"*"}
		s := start(t, config, tools.All())
		url := strings.TrimSuffix(base.url, "/")
		for path, source := range map[string][]byte{"/v1/openapi.json": document.JSON, "/v1/openapi.yaml": openapi.YAML} {
			got := s.send(t, s.request(t, http.MethodGet, base.root+path, "")).body
			var doc struct {
				Servers []struct{ URL string }
				Paths   map[string]any
			}
			decode := json.Unmarshal
			if strings.HasSuffix(path, "yaml") {
				decode = func(text []byte, v any) error { return yaml.Unmarshal(text, v) }
			}
			if err := decode(got, &doc); err != nil || len(doc.Servers) != 1 || doc.Servers[0].URL != url || doc.Paths["/v1/pipeline"] == nil {
				t.Errorf("%s%s: %v %+v", url, path, err, doc.Servers)
			}
			if n, want := bytes.Count(got, []byte(url+"/problems/")), bytes.Count(source, []byte("http://127.0.0.1:8080/problems/")); n != want || n < len(load(t).Problems()) {
				t.Errorf("%s%s has %d addresses of problems, the source %d", url, path, n, want)
			}
			if n, want := bytes.Count(got, []byte("\n")), bytes.Count(source, []byte("\n")); n != want {
				t.Errorf("%s%s has %d lines, the source %d", url, path, n, want)
			}
		}
	}
}

// TestInvalidBaseURLs checks that invalid base URLs are rejected with the flag's name. A path that could also be a
// route is invalid, because a proxy may or may not have stripped it.
func TestInvalidBaseURLs(t *testing.T) {
	for text, ok := range map[string]bool{
		"https://example.com": true, "https://example.com/": true, "https://example.com/tools": true, "https://example.com/a/v1": true,
		"https://example.com/~a/b-c_d.e": true, "http://10.0.0.1:8080/t": true, "https://example.com/v2": true,
		"https://example.com/tools/": false, "https://example.com//": false, "https://example.com//tools": false, "https://example.com/a//b": false,
		"https://example.com/.": false, "https://example.com/../a": false, "https://example.com/a/..": false, "https://example.com/a/./b": false,
		"https://example.com/a%20b": false, "https://example.com/%74ools": false, "https://example.com/a b": false, "https://example.com/ü": false,
		"https://example.com/a?": false, "https://example.com/a?b": false, "https://example.com/a#": false, "https://example.com/a#b": false,
		"https://user@example.com/a": false, "ftp://example.com/a": false, "/tools": false, "https:/tools": false, "https://a\"b/": false,
		"https://a%22b": false, "https://example.com:x/": false, "https://example.com:65536": false, "https://example.com/a;b": false, "https://example.com/{a}": false,
		"https://example.com/v1": false, "https://example.com/mcp/a": false, "https://example.com/docs": false, "https://example.com/.well-known": false,
	} {
		config := defaults()
		config.BaseURL = text
		_, err := New(config, slog.New(slog.DiscardHandler))
		bad, refused := err.(*ConfigError)
		if ok != (err == nil) || !ok && (!refused || bad.Flag != "base-url") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
