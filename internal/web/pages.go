package web

import (
	"bytes"
	"embed"
	"html/template"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/convertd/convertd/internal/contract"
)

//go:embed templates
var templateFiles embed.FS

// pages renders the pages: each template fills the blocks of layout.html.
type pages struct {
	config Config
	assets *assets
	engine *pageEngine // nil when the build has none
}

func newPages(config Config) (*pages, error) {
	a, err := loadAssets()
	if err != nil {
		return nil, err
	}
	e, err := loadEngine()
	return &pages{config: config, assets: a, engine: e}, err
}

// view is what every template may use.
type view struct {
	Page    string // marks the entry of the navigation
	Root    string // Config's
	Assets  string // address of the folder of our own files
	Swagger string // address of the folder of Swagger UI
	BaseURL string
	Version string
	// Engine is the address of the folder of the engine, "" when the build has
	// none, EngineSize the bytes that it is unpacked, EnginePacked as Brotli.
	Engine                   string
	EngineSize, EnginePacked int
	Provider                 string
	Tools                    []contract.Tool
	Limits                   contract.Limits
	// RateLimit is Config's.
	RateLimit int
	Problems  []contract.Problem
	Problem   contract.Problem // of a problem's page
	Warnings  []contract.Warning
	Warning   contract.Warning // of a warning's page
	Codes     string           // of the page for an unknown code: problem or warning
}

var functions = template.FuncMap{
	"summary":   summary,
	"join":      strings.Join,
	"opened":    opened,
	"kind":      kind,
	"mebibytes": func(n int) int { return n >> 20 },
}

// render executes layout.html with the blocks of the named template.
func (p *pages) render(name string, v view) ([]byte, error) {
	t, err := template.New("layout.html").Funcs(functions).ParseFS(templateFiles, "templates/layout.html", path.Join("templates", name))
	if err != nil {
		return nil, err
	}
	root := p.config.Root
	v.Root, v.Assets, v.Swagger = root, root+p.assets.root, root+p.assets.swagger
	v.BaseURL, v.Version, v.RateLimit = p.config.BaseURL, p.config.Version, p.config.RateLimit
	if v.Provider = p.config.Provider; p.engine != nil {
		v.Engine, v.EngineSize, v.EnginePacked = root+p.engine.root, p.engine.size, p.engine.packed
	}
	c := p.config.Contract
	v.Tools, v.Limits, v.Problems, v.Warnings = c.Tools(), c.Limits(), c.Problems(), c.Warnings()
	var body bytes.Buffer
	if err := t.Execute(&body, v); err != nil {
		return nil, err
	}
	return body.Bytes(), nil
}

// page is a template that is served as it is. It is rendered when somebody asks
// for it first: to render all of them takes longer than all the rest of a start,
// and what nobody asks for need not be in memory.
func (p *pages) page(name string, v view) http.Handler {
	return whenAsked(func() http.Handler {
		return newStatic("text/html; charset=utf-8", revalidate, p.rendered(name, v))
	})
}

// rendered is render of a page that is known to render: each is built in, and a
// test asks for each.
func (p *pages) rendered(name string, v view) []byte {
	body, err := p.render(name, v)
	if err != nil {
		panic(err)
	}
	return body
}

// whenAsked is a handler that is made when it is first used.
func whenAsked(handler func() http.Handler) http.Handler {
	made := sync.OnceValue(handler)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { made().ServeHTTP(w, r) })
}

// addFront adds the front page. Its Link header leads programs to the
// description (RFC 8631) and to the catalogue (RFC 9727, section 2).
func (p *pages) addFront(site *Site) {
	front, root := secured(pagePolicy, p.page("front.html", view{Page: "front"})), p.config.Root
	site.routes["/"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "<"+root+`/v1/openapi.json>; rel="service-desc"; type="application/json", `+
			"<"+root+`/docs>; rel="service-doc"; type="text/html", `+
			"<"+root+`/.well-known/api-catalog>; rel="api-catalog"`)
		front.ServeHTTP(w, r)
	})
}

func (p *pages) addEditor(site *Site) {
	policy := pagePolicy
	if p.engine != nil {
		policy = editorPolicy
	}
	site.routes["/editor"] = secured(policy, p.page("editor.html", view{Page: "editor"}))
}

func (p *pages) addExplorer(site *Site) {
	site.routes["/docs"] = secured(explorerPolicy, p.page("docs.html", view{Page: "docs"}))
}

// addProblems adds a page for each code of the description, the list of all,
// and the page for a code that is not in it.
func (p *pages) addProblems(site *Site) {
	site.routes["/problems"] = secured(pagePolicy, p.page("problems.html", view{Page: "problems"}))
	for _, problem := range p.config.Contract.Problems() {
		body := p.page("problem.html", view{Page: "problems", Problem: below(p.config.Root, problem)})
		site.routes["/problems/"+string(problem.Code)] = secured(pagePolicy, body)
	}
	site.unknownProblem = p.unknown("problem")
}

// below says of a problem what it says with the routes' whole paths.
func below(root string, p contract.Problem) contract.Problem {
	for _, text := range []*string{&p.Remedy, &p.Wrong, &p.Right} {
		*text = strings.ReplaceAll(*text, " /v1/", " "+root+"/v1/")
	}
	return p
}

// addWarnings does the same for the codes of warnings.
func (p *pages) addWarnings(site *Site) {
	site.routes["/warnings"] = secured(pagePolicy, p.page("warnings.html", view{Page: "warnings"}))
	for _, warning := range p.config.Contract.Warnings() {
		body := p.page("warning.html", view{Page: "warnings", Warning: warning})
		site.routes["/warnings/"+warning.Code] = secured(pagePolicy, body)
	}
	site.unknownWarning = p.unknown("warning")
}

// kind says what warnings whose codes begin like this one tell, "" when the
// code itself is all.
func kind(code string) string {
	switch prefix, _, _ := strings.Cut(code, "."); prefix {
	case "lost":
		return "Something of the source is not in the output, because the target has no place for it or because it could not be read."
	case "changed":
		return "Something of the source is in the output in another form or in another place."
	case "added":
		return "Something in the output was not in the source; look at it and put your own value there."
	}
	return ""
}

// unknown is the answer to the address of a code that is not in the list of
// problems or warnings.
func (p *pages) unknown(codes string) http.Handler {
	missing := sync.OnceValue(func() []byte { return p.rendered("unknown.html", view{Page: codes + "s", Codes: codes}) })
	return secured(pagePolicy, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		body := missing()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(body) // the client may be gone; there is nobody to tell
	}))
}
