// Package web serves what people and programs read about the service: its
// description, the editor, the API explorer, a page for each code, and
// the documents by which a service is discovered. Everything is built in, works
// offline and asks no other host for anything. What the pages say of tools and
// problems comes from the description.
package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"github.com/convertd/convertd/internal/contract"
)

// Config is what the pages need to know.
type Config struct {
	Contract *contract.Contract
	BaseURL  string // public address, without a final slash
	Root     string // the path of BaseURL, "" for none: what every link within the site begins with
	Version  string // SemVer of the build
	Provider string // the provenance's provider
	// RateLimit is how many requests a minute an address has, 0 is no limit.
	RateLimit int
	// SecurityContact is the Contact of security.txt, a URI (RFC 9116,
	// section 2.5.3); without it there is no security.txt.
	SecurityContact string
}

// Site is all pages.
type Site struct {
	routes                         map[string]http.Handler
	unknownProblem, unknownWarning http.Handler // for codes that are not in the lists
}

// New returns the pages, of which each is rendered when it is first asked for.
// An error means that a file that is built in is broken, which a test would have
// shown.
func New(config Config) (*Site, error) {
	p, err := newPages(config)
	if err != nil {
		return nil, err
	}
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
	addDiscovery(site, config)
	return site, nil
}

// Routes mounts every page for GET and HEAD.
func (s *Site) Routes(router chi.Router) {
	mount := func(pattern string, handler http.Handler) {
		router.Method(http.MethodGet, pattern, handler)
		router.Method(http.MethodHead, pattern, handler)
	}
	for address, handler := range s.routes {
		mount(address, handler)
	}
	// A code that is not in the list has a page too: one that says so.
	mount("/problems/{code}", s.unknownProblem)
	mount("/warnings/{code}", s.unknownWarning)
}

// The Content-Security-Policy of our own pages: nothing inline, no eval, no
// other host, no frame; text only reaches the page as text.
const (
	pagePolicy         = pagePolicyButTypes + "; require-trusted-types-for 'script'; trusted-types 'none'"
	pagePolicyButTypes = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// editorPolicy is that of the editor of a build with an engine: one named policy
// may say which address a worker's script has.
const editorPolicy = pagePolicyButTypes + "; worker-src 'self'; require-trusted-types-for 'script'; trusted-types convertd-engine"

// explorerPolicy is that of the API explorer, whose icons are data: images and
// whose sanitizer writes HTML.
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

// ownOrigin keeps an answer from pages of other origins, and the page's
// address from whatever it links to.
func ownOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cross-Origin-Resource-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}
