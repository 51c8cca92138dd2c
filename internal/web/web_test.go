package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
)

const base = "https://convert.example.com"

func site(t testing.TB, config Config) http.Handler {
	t.Helper()
	c := check.Value(contract.Load())(t)
	config.Contract, config.BaseURL, config.Version = c, base, "1.2.3"
	s := New(config)
	router := chi.NewRouter()
	s.Routes(router)
	api := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusNotFound)
	}
	router.NotFound(s.NotFound(api))
	return router
}

func get(handler http.Handler, path string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}

// pagesOf returns the paths of all HTML pages.
func pagesOf(t testing.TB) []string {
	addresses := []string{"/", "/editor", "/docs", "/problems", "/warnings"}
	c := check.Value(contract.Load())(t)
	for _, p := range c.Problems() {
		addresses = append(addresses, "/problems/"+p.Code)
	}
	for _, w := range c.Warnings() {
		addresses = append(addresses, "/warnings/"+w.Code)
	}
	return append(addresses, "/problems/no_such_code", "/warnings/lost.no_such_code", "/no/such/page")
}

var (
	inlineScript = regexp.MustCompile(`(?i)<script(?:\s[^>]*)?>`)
	inlineCode   = regexp.MustCompile(`(?i)<style|<[^>]*\s(?:style|on[a-z]+)\s*=|javascript:`)
	description  = regexp.MustCompile(`<meta name="description" content="([^"]{20,300})">`)
	reference    = regexp.MustCompile(`(?i)\s(?:src|href)="([^"]*)"`)
)

// TestPagesAreStrict checks the headers of every page, and that it contains nothing inline or from another host.
// Rule: ADDR-3.
func TestPagesAreStrict(t *testing.T) {
	handler := site(t, Config{})
	for _, address := range pagesOf(t) {
		response := get(handler, address, "Accept", "text/html")
		header, body := response.Header(), response.Body.String()
		policy := header.Get("Content-Security-Policy")
		for _, directive := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"} {
			if !strings.Contains(policy, directive) {
				t.Errorf("%s: the policy lacks %s", address, directive)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") || strings.Contains(policy, "http") {
			t.Errorf("%s: the policy is too wide: %s", address, policy)
		}
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Content-Type": "text/html; charset=utf-8"} {
			if header.Get(name) != want {
				t.Errorf("%s: %s is %q", address, name, header.Get(name))
			}
		}
		for _, tag := range inlineScript.FindAllString(body, -1) {
			if !strings.Contains(tag, " src=") {
				t.Errorf("%s: an inline script", address)
			}
		}
		if found := inlineCode.FindString(body); found != "" {
			t.Errorf("%s: inline code or style: %s", address, found)
		}
		for _, match := range reference.FindAllStringSubmatch(body, -1) {
			if !strings.HasPrefix(match[1], "/") && !strings.HasPrefix(match[1], "#") || strings.HasPrefix(match[1], "//") {
				t.Errorf("%s: leads to another host: %s", address, match[1])
			}
		}
		if !strings.Contains(body, `<html lang="en">`) || strings.Count(body, "<h1") != 1 && address != "/docs" {
			t.Errorf("%s: no language, or not one heading", address)
		}
		if !description.MatchString(body) || strings.Contains(inExample.ReplaceAllString(body, ""), "{{") {
			t.Errorf("%s: no description of 20 to 300 characters, or a part that was not filled", address)
		}
	}
}

// TestUnknownPage checks that browsers get a page, and programs and the API's own paths a problem.
func TestUnknownPage(t *testing.T) {
	handler := site(t, Config{})
	for _, c := range []struct{ path, accept, want string }{
		{"/no/such/page", "text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"},
		{"/favicon.png", "image/avif,image/webp,image/*", "application/problem+json"},
		{"/no/such/page", "application/json", "application/problem+json"},
		{"/no/such/page", "", "application/problem+json"},
		{"/v1/no_such", "text/html", "application/problem+json"},
		{"/mcp/no_such", "text/html", "application/problem+json"},
	} {
		response := get(handler, c.path, "Accept", c.accept)
		if got := response.Header().Get("Content-Type"); response.Code != http.StatusNotFound || got != c.want {
			t.Errorf("%s with Accept: %s: status %d, %s; want 404, %s", c.path, c.accept, response.Code, got, c.want)
		}
	}
	if response := get(handler, "/x", "Accept", "text/html"); response.Header().Get("Vary") != "Accept" {
		t.Errorf("Vary is %q", response.Header().Get("Vary"))
	}
}

// TestDescribe checks that the served document has the base URL in its servers, examples and samples.
func TestDescribe(t *testing.T) {
	for root, url := range map[string]string{"": base, "/tools": base + "/tools"} {
		served := Describe(url, root)
		for name, handler := range map[string]http.Handler{"YAML": served.YAML, "JSON": served.JSON} {
			body := get(handler, "/").Body.String()
			if strings.Contains(body, exampleURL) || strings.Contains(body, serverYAML) || strings.Contains(body, serverJSON) {
				t.Errorf("%s at %s has URLs of the source", name, url)
			}
			if !strings.Contains(body, "url: "+url+"\n") && !strings.Contains(body, `"url": "`+url+`",`) {
				t.Errorf("%s: servers lacks %s", name, url)
			}
			if !strings.Contains(body, root+"/v1/openapi.json; a tool is at "+root+"/v1/tools/") {
				t.Errorf("%s at %s: a hint lacks the root", name, url)
			}
		}
	}
}

func TestRobots(t *testing.T) {
	want := "User-agent: *\nDisallow: /t/v1/\nAllow: /t/v1/openapi.json\nAllow: /t/v1/openapi.yaml\nDisallow: /t/mcp\nAllow: /t/\n"
	if got := string(robots("/t")); got != want {
		t.Errorf("want:\n%s\ngot:\n%s", want, got)
	}
}

// Rule: ANS-3.
func TestEveryWarningHasAPage(t *testing.T) {
	handler := site(t, Config{})
	c, _ := contract.Load()
	list := get(handler, "/warnings").Body.String()
	for _, w := range c.Warnings() {
		response := get(handler, "/warnings/"+w.Code)
		body := html.UnescapeString(response.Body.String())
		if response.Code != http.StatusOK || !strings.Contains(body, "<h1><code>"+w.Code+"</code></h1>") || !strings.Contains(body, w.Meaning) {
			t.Errorf("%s: status %d, or the page does not say what it means", w.Code, response.Code)
		}
		r := raisedByCode()[w.Code]
		for _, text := range []string{r.Input, r.Output, r.Line, names(r.Conversions[r.From]), kindOf(w.Code).remedy} {
			if !strings.Contains(body, text) {
				t.Errorf("%s: the page does not show %q", w.Code, text)
			}
		}
		if !strings.Contains(list, `href="/warnings/`+w.Code+`"`) {
			t.Errorf("%s is not in the list", w.Code)
		}
	}
	if response := get(handler, "/warnings/lost.no_such_code"); response.Code != http.StatusNotFound || !strings.Contains(response.Body.String(), `href="/warnings"`) {
		t.Errorf("an unknown code: %d", response.Code)
	}
}

func TestEveryProblemHasAPage(t *testing.T) {
	handler := site(t, Config{})
	c, _ := contract.Load()
	list := get(handler, "/problems").Body.String()
	for _, p := range c.Problems() {
		p := below(base, "", p)
		response := get(handler, "/problems/"+p.Code)
		body := html.UnescapeString(response.Body.String())
		if response.Code != http.StatusOK {
			t.Errorf("%s: status %d", p.Code, response.Code)
		}
		for _, text := range []string{p.Title, p.Meaning, p.Remedy, p.Wrong, p.Right, fmt.Sprintf("HTTP status %d", p.Status)} {
			if !strings.Contains(body, text) {
				t.Errorf("%s: the page does not say %q", p.Code, text)
			}
		}
		if !strings.Contains(list, `href="/problems/`+p.Code+`"`) {
			t.Errorf("%s is not in the list", p.Code)
		}
	}
	if response := get(handler, "/problems/no_such_code"); response.Code != http.StatusNotFound || !strings.Contains(response.Body.String(), "Unknown code") {
		t.Errorf("an unknown code: %d", response.Code)
	}
}

// inExample matches an example, which may have variables like those of a template.
var inExample = regexp.MustCompile(`(?s)<pre class="example".*?</pre>`)

// What a browser may load for the editor, compressed, in bytes: its own files, and the OpenAPI document, which grows
// with each tool. A tool that needs more for its options, inputs, problems and warnings may raise documentSize.
const (
	editorSize   = 46_000
	documentSize = 5_500 // for each tool
)

func TestEditorIsSmall(t *testing.T) {
	handler := site(t, Config{})
	loaded := map[string]bool{"/editor": true, "/favicon.svg": true}
	for _, match := range reference.FindAllStringSubmatch(get(handler, "/editor").Body.String(), -1) {
		loaded[match[1]] = strings.HasPrefix(match[1], "/assets/")
	}
	sum := 0
	for address, counts := range loaded {
		if !counts {
			continue
		}
		response := get(handler, address, "Accept-Encoding", "gzip")
		if response.Code != http.StatusOK {
			t.Errorf("%s: status %d", address, response.Code)
		}
		sum += response.Body.Len()
	}
	if sum > editorSize {
		t.Errorf("the editor is %d bytes compressed; %d are allowed", sum, editorSize)
	}
	c, _ := contract.Load()
	size, most := len(compress(bytes.NewReader(document.JSON))), documentSize*len(c.Tools())
	if size > most {
		t.Errorf("the OpenAPI document is %d bytes compressed; %d are allowed, documentSize for each tool", size, most)
	}
	t.Logf("compressed, the editor is %d bytes and the OpenAPI document %d", sum, size)
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func TestStaticResponses(t *testing.T) {
	handler := site(t, Config{})
	plain, packed := get(handler, "/editor"), get(handler, "/editor", "Accept-Encoding", "br, gzip")
	tag, packedTag := plain.Header().Get("ETag"), packed.Header().Get("ETag")
	if tag == packedTag || !strings.HasPrefix(tag, `"`) || !strings.HasPrefix(packedTag, `"`) {
		t.Errorf("the ETags are %s and %s; want two strong ones", tag, packedTag)
	}
	if plain.Header().Get("Content-Encoding") != "" || packed.Header().Get("Content-Encoding") != "gzip" || plain.Header().Get("Vary") != "Accept-Encoding" {
		t.Errorf("headers: %v, %v", plain.Header(), packed.Header())
	}
	if text := string(unpack(packed.Body.Bytes())); text != plain.Body.String() {
		t.Error("the compressed body is another")
	}
	if again := get(handler, "/editor", "If-None-Match", tag); again.Code != http.StatusNotModified || again.Body.Len() != 0 || again.Header().Get("ETag") != tag {
		t.Errorf("If-None-Match: status %d", again.Code)
	}
	if other := get(handler, "/editor", "If-None-Match", tag, "Accept-Encoding", "gzip"); other.Code != http.StatusOK {
		t.Errorf("the ETag of the plain body is taken for the compressed one: status %d", other.Code)
	}
	for address, want := range map[string]string{"/editor": revalidate, loadAssets().root + "/style.css": immutable, loadAssets().swagger + "/swagger-ui.css": immutable} {
		if got := get(handler, address).Header().Get("Cache-Control"); got != want {
			t.Errorf("%s: Cache-Control is %q", address, got)
		}
	}
}

// TestSwaggerUI checks that its files are at URLs that contain the hash of all of them, and that each is served both
// uncompressed and, except for the licenses, compressed.
func TestSwaggerUI(t *testing.T) {
	handler, folder := site(t, Config{}), loadAssets().swagger
	sum := sha256.New()
	for _, entry := range must(swaggerFiles.ReadDir("swaggerui")) {
		if entry.Name() == "sum" {
			continue
		}
		body := must(swaggerFiles.ReadFile("swaggerui/" + entry.Name()))
		sum.Write(body)
		name, isPacked := strings.CutSuffix(entry.Name(), ".gz")
		plain, packed := get(handler, folder+"/"+name), get(handler, folder+"/"+name, "Accept-Encoding", "gzip")
		if isPacked && (packed.Header().Get("Content-Encoding") != "gzip" || packed.Body.String() != string(body) || plain.Body.String() != string(unpack(body))) ||
			!isPacked && plain.Body.String() != string(body) {
			t.Errorf("%s: status %d, %v", name, plain.Code, packed.Header())
		}
	}
	if want := "/assets/" + hex.EncodeToString(sum.Sum(nil))[:12]; folder != want {
		t.Errorf("swaggerui/sum is not that of the files: %s, want %s; run make swagger-ui", folder, want)
	}
	if response := get(handler, folder+"/sum"); response.Code != http.StatusNotFound {
		t.Errorf("the sum is served: %d", response.Code)
	}
}

func TestTakesGzip(t *testing.T) {
	for field, want := range map[string]bool{
		"": false, "gzip": true, "GZIP": true, "br": false, "br, gzip": true, "gzip;q=0": false, "gzip; q=0.0": false, "gzip;q=0.1": true,
		"*": true, "*;q=0": false, "*, gzip;q=0": false, "gzip;q=0, *": false, "gzip;q=x": false, "gzipped": false, "identity": false,
	} {
		if got := takes([]string{field}, "gzip"); got != want {
			t.Errorf("%q: %t", field, got)
		}
	}
}

// TestDiscovery checks rule ADDR-3.
func TestDiscovery(t *testing.T) {
	handler := site(t, Config{})
	front := get(handler, "/").Header().Get("Link")
	for _, want := range []string{`</v1/openapi.json>; rel="service-desc"`, `</docs>; rel="service-doc"`, `</.well-known/api-catalog>; rel="api-catalog"`} {
		if !strings.Contains(front, want) {
			t.Errorf("the front page's Link lacks %s: %s", want, front)
		}
	}

	response := get(handler, "/.well-known/api-catalog")
	if mediaType := response.Header().Get("Content-Type"); !strings.HasPrefix(mediaType, "application/linkset+json") {
		t.Errorf("the catalogue is %s", mediaType)
	}
	var set struct {
		Linkset []struct {
			Anchor      string
			Item        []struct{ Href string }
			ServiceDesc []struct{ Href, Type string } `json:"service-desc"`
		}
	}
	if err := json.Unmarshal(response.Body.Bytes(), &set); err != nil || len(set.Linkset) != 3 {
		t.Fatalf("the catalogue: %v\n%s", err, response.Body)
	}
	if set.Linkset[0].ServiceDesc[0].Href != base+"/v1/openapi.json" || set.Linkset[2].Item[0].Href != set.Linkset[0].Anchor || set.Linkset[2].Item[1].Href != set.Linkset[1].Anchor {
		t.Errorf("the catalogue: %+v", set)
	}

	text := get(handler, "/llms.txt")
	c, _ := contract.Load()
	for _, tool := range c.Tools() {
		if !strings.Contains(text.Body.String(), "["+tool.Name+"]("+base+"/docs#/tools/"+tool.Name+")") {
			t.Errorf("llms.txt does not name %s", tool.Name)
		}
	}
	if !strings.HasPrefix(text.Body.String(), "# ") || !strings.HasPrefix(text.Header().Get("Content-Type"), "text/markdown") {
		t.Error("llms.txt is not Markdown with a title")
	}
	for rate, want := range map[int]string{0: "", 7: "about 7 requests a minute"} {
		limited := site(t, Config{RateLimit: rate})
		for _, path := range []string{"/", "/llms.txt"} {
			if text := get(limited, path).Body.String(); strings.Contains(text, "requests a minute") != (rate > 0) || !strings.Contains(text, want) {
				t.Errorf("%s at %d requests a minute: %s", path, rate, text)
			}
		}
	}
}

func TestSecurityText(t *testing.T) {
	if response := get(site(t, Config{}), "/.well-known/security.txt"); response.Code != http.StatusNotFound {
		t.Errorf("without a contact: status %d", response.Code)
	}
	config := Config{SecurityContact: "mailto:security@example.com"}
	response := get(site(t, config), "/.well-known/security.txt")
	if response.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("Content-Type: %s", response.Header().Get("Content-Type"))
	}
	expires := regexp.MustCompile(`(?m)^Expires: (.*)$`).FindStringSubmatch(response.Body.String())
	if at, err := time.Parse(time.RFC3339, expires[1]); err != nil || time.Until(at) < 24*time.Hour || time.Until(at) > 366*24*time.Hour {
		t.Errorf("expires %s: %v", expires[1], err)
	}
	config.BaseURL = base
	now := func() time.Time { return time.Date(2026, 11, 20, 23, 59, 59, 0, time.UTC) }
	want := "Contact: mailto:security@example.com\nExpires: 2027-05-20T00:00:00Z\nPreferred-Languages: en\nCanonical: https://convert.example.com/.well-known/security.txt\n"
	if got := get(securityText{config, now}, "/").Body.String(); got != want {
		t.Errorf("want:\n%s\ngot:\n%s", want, got)
	}
}

// TestNoToolIsNamed checks that the editor takes its tools from the OpenAPI document.
func TestNoToolIsNamed(t *testing.T) {
	c, _ := contract.Load()
	modules, err := filepath.Glob("editor/*.js")
	if err != nil || len(modules) < 10 {
		t.Fatalf("%d modules: %v", len(modules), err)
	}
	sources := map[string]string{"editor.html": string(must(templateFiles.ReadFile("templates/editor.html")))}
	for _, module := range modules {
		sources[module] = string(must(os.ReadFile(module)))
	}
	for name, source := range sources {
		for _, tool := range c.Tools() {
			if strings.Contains(source, tool.Name) {
				t.Errorf("%s names %s", name, tool.Name)
			}
		}
		for _, way := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"} {
			if strings.Contains(source, way) {
				t.Errorf("%s uses %s", name, way)
			}
		}
	}
}
