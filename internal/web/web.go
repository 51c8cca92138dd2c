// Package web serves what people and programs read about the service: the OpenAPI document, the editor, the API
// explorer, a page for each problem and warning code, and the documents for discovery. Everything is built in and makes
// no request to another host. What the pages say about tools, problems and warnings comes from the OpenAPI document.
package web

import (
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/convertd/convertd/internal/contract"
)

// Config holds what the pages depend on.
type Config struct {
	Contract *contract.Contract
	BaseURL  string // public, without a trailing slash
	Root     string // path of BaseURL, "" for none; every link within the site starts with it
	Version  string // SemVer of the build
	Provider string // the provenance's provider
	// RateLimit is the number of requests a minute for each client; 0 means unlimited.
	RateLimit int
	// SecurityContact is the Contact of security.txt, a URI (RFC 9116,
	// section 2.5.3); without it there is no security.txt.
	SecurityContact string
}

// Site holds all pages.
type Site struct {
	routes  map[string]http.Handler // by chi's patterns
	missing http.Handler
}

// New returns the pages. Each is rendered on its first request.
func New(config Config) *Site {
	p := newPages(config)
	site := &Site{routes: map[string]http.Handler{}}
	for address, asset := range p.assets.byAddress {
		site.routes[address] = ownOrigin(asset)
	}
	if p.engine != nil {
		for address, file := range p.engine.byAddress {
			site.routes[address] = ownOrigin(file)
		}
	}
	for _, add := range []func(*Site){p.addFront, p.addEditor, p.addExplorer, p.addProblems, p.addWarnings} {
		add(site)
	}
	site.missing = p.missing("missing.html", "", nothing())
	addDiscovery(site, config)
	return site
}

// Routes mounts every page for GET and HEAD.
func (s *Site) Routes(router chi.Router) {
	for pattern, handler := range s.routes {
		router.Method(http.MethodGet, pattern, handler)
		router.Method(http.MethodHead, pattern, handler)
	}
}

// NotFound responds to a browser's request for an unknown page with a page, and
// passes every other request on to the API.
func (s *Site) NotFound(api http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead
		if !reads || strings.HasPrefix(r.URL.Path, "/v1/") || r.URL.Path == "/v1" || strings.HasPrefix(r.URL.Path, "/mcp") {
			api(w, r)
			return
		}
		w.Header().Add("Vary", "Accept")
		if !takes(r.Header.Values("Accept"), "text/html") {
			api(w, r)
			return
		}
		s.missing.ServeHTTP(w, r)
	}
}

// The Content-Security-Policy of our pages: nothing inline, no eval, no other host, no frames, no HTML from strings.
const (
	pagePolicy         = pagePolicyButTypes + "; require-trusted-types-for 'script'; trusted-types 'none'"
	pagePolicyButTypes = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// editorPolicy is that of the editor in a build with the engine: one named policy
// creates the URL of the worker's script.
const editorPolicy = pagePolicyButTypes + "; worker-src 'self'; require-trusted-types-for 'script'; trusted-types convertd-engine"

// explorerPolicy is that of the API explorer, whose icons are data: images and whose sanitizer writes HTML.
const explorerPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// secured sets the headers of a page.
func secured(policy string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Cross-Origin-Opener-Policy", "same-origin")
		ownOrigin(next).ServeHTTP(w, r)
	})
}

// ownOrigin keeps responses from pages of other origins, and the page's URL from the sites that it links to.
func ownOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}
