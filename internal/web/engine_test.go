package web

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
)

// asBrotli returns text as deploy/pack packs it.
func asBrotli(text string) string {
	var packed bytes.Buffer
	w := brotli.NewWriter(&packed)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return packed.String()
}

// built returns the folder of the engine as make engine leaves it. The module is text.
func built() fstest.MapFS {
	files := fstest.MapFS{}
	for name, body := range map[string]string{
		"engine.js": "export {}", "worker.js": "// worker", "wasm_exec.js": "// Go", "engine.wasm.size": "6 " + strings.Repeat("0a", 32) + "\n",
		"engine.wasm.br": asBrotli("module"),
	} {
		files["engine/"+name] = &fstest.MapFile{Data: []byte(body)}
	}
	return files
}

func TestEngineFiles(t *testing.T) {
	e := readEngine(built())
	ask := func(method, name string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, e.root+name, nil)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		w := httptest.NewRecorder()
		e.byAddress[e.root+name].ServeHTTP(w, r)
		return w
	}
	for accept, want := range map[string][2]string{
		"gzip, deflate, br, zstd": {"br", asBrotli("module")},
		"gzip":                    {"gzip", "module"},
		"br;q=0, gzip":            {"gzip", "module"},
		"":                        {"", "module"},
		"identity":                {"", "module"},
	} {
		got := ask(http.MethodGet, "/engine.wasm", "Accept-Encoding", accept)
		if got.Header().Get("Content-Encoding") == "gzip" {
			got.Body = bytes.NewBuffer(unpack(got.Body.Bytes()))
		}
		if got.Header().Get("Content-Encoding") != want[0] || got.Body.String() != want[1] {
			t.Errorf("%q gets %q: %q", accept, got.Header().Get("Content-Encoding"), got.Body)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/wasm", "Cache-Control": immutable, "Vary": "Accept-Encoding", "X-Content-Type-Options": "nosniff",
		} {
			if got.Header().Get(name) != value {
				t.Errorf("%q: %s is %q", accept, name, got.Header().Get(name))
			}
		}
		if head := ask(http.MethodHead, "/engine.wasm", "Accept-Encoding", accept); head.Body.Len() > 0 || head.Code != http.StatusOK {
			t.Errorf("%q: HEAD has %d bytes", accept, head.Body.Len())
		}
	}
	tags := map[string]bool{"": true}
	for _, coding := range []string{"br", "gzip", "identity"} {
		tag := ask(http.MethodGet, "/engine.wasm", "Accept-Encoding", coding).Header().Get("ETag")
		if again := ask(http.MethodGet, "/engine.wasm", "Accept-Encoding", coding, "If-None-Match", tag); again.Code != http.StatusNotModified || tags[tag] {
			t.Errorf("status %d for what the client has, %s", again.Code, tag)
		}
		tags[tag] = true
	}
	if policy := ask(http.MethodGet, "/worker.js").Header().Get("Content-Security-Policy"); policy != enginePolicy {
		t.Errorf("the worker's policy is %q", policy)
	}
}

// A build without the engine has no switch, and the policy of every page. So does one in which a file is missing.
func TestEditorWithAndWithoutEngine(t *testing.T) {
	c := check.Value(contract.Load())(t)
	whole := readEngine(built())
	var none *pageEngine
	for name := range built() {
		half := built()
		delete(half, name)
		if none = readEngine(half); none != nil {
			t.Fatalf("an engine without %s is one", name)
		}
	}
	other := built()
	other["engine/engine.wasm.size"].Data = []byte("6 " + strings.Repeat("0b", 32) + "\n")
	if readEngine(other).root == whole.root {
		t.Error("another module is at the same address")
	}
	for _, engine := range []*pageEngine{whole, none} {
		p := newPages(Config{Contract: c, Root: "/tools", Provider: "example"})
		p.engine = engine
		site := &Site{routes: map[string]http.Handler{}}
		p.addEditor(site)
		w := httptest.NewRecorder()
		site.routes["/editor"].ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/editor", nil))
		policy, body := w.Header().Get("Content-Security-Policy"), w.Body.String()
		if engine == nil {
			if policy != pagePolicy || strings.Contains(body, "in-page") {
				t.Errorf("without an engine: %q", policy)
			}
			continue
		}
		if !strings.Contains(policy, "worker-src 'self'; require-trusted-types-for 'script'; trusted-types convertd-engine") || strings.Contains(policy, "wasm") ||
			!strings.Contains(body, `data-engine="/tools`+engine.root+`"`) || !strings.Contains(body, `data-provider="example"`) || !strings.Contains(body, `data-size="6"`) {
			t.Errorf("with an engine: %q", policy)
		}
	}
}
