package web

import (
	"embed"
	"maps"
	"net/http"
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
	engine *pageEngine // nil if the build has none
}

func newPages(config Config) *pages {
	return &pages{config: config, assets: loadAssets(), engine: loadEngine()}
}

// render fills layout.html with the parts of the named template. A part that the template lacks is the layout's own, or
// empty. in is the page's entry in the navigation.
func (p *pages) render(name, in string, own values) []byte {
	layout, template := string(embedded(templateFiles, "templates/layout.html")), string(embedded(templateFiles, "templates/"+name))
	root := p.config.Root
	v := values{
		"root": root, "assets": root + p.assets.root, "swagger": root + p.assets.swagger, // folders
		"base": p.config.BaseURL, "version": p.config.Version, "provider": p.config.Provider,
		"page": in, "in editor": in == "editor", "in docs": in == "docs", "in problems": in == "problems", "in warnings": in == "warnings",
	}
	if in == "problems" || in == "warnings" || in == "" {
		v["page"] = "codes" // the class that they share
	}
	maps.Copy(v, own)
	for _, name := range []string{"title", "description", "styles", "head", "aside", "content", "main", "footer"} {
		text := part(template, name)
		if text == "" {
			text = part(layout, name)
		}
		v[name] = fill(text, v)
	}
	return []byte(fill(part(layout, "layout"), v))
}

// embedded returns a file that is built in, and that a test reads.
func embedded(files embed.FS, name string) []byte {
	body, err := files.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return body
}

// page returns a handler that serves a template. The page is rendered on its first
// request: rendering all of them takes longer than the rest of the start.
func (p *pages) page(name, in string, own func() values) http.Handler {
	made := sync.OnceValue(func() http.Handler {
		return newStatic("text/html; charset=utf-8", revalidate, p.render(name, in, own()))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { made().ServeHTTP(w, r) })
}

// nothing returns the values of a page that has none of its own.
func nothing() values { return nil }

// addFront adds the front page. Its Link header points programs to the OpenAPI
// document (RFC 8631) and to the API catalog (RFC 9727, section 2).
func (p *pages) addFront(site *Site) {
	front, root := secured(pagePolicy, p.page("front.html", "front", p.frontValues)), p.config.Root
	site.routes["/"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "<"+root+`/v1/openapi.json>; rel="service-desc"; type="application/json", `+
			"<"+root+`/docs>; rel="service-doc"; type="text/html", `+
			"<"+root+`/.well-known/api-catalog>; rel="api-catalog"`)
		front.ServeHTTP(w, r)
	})
}

func (p *pages) frontValues() values {
	limits := p.config.Contract.Limits()
	v := values{"steps": limits.PipelineSteps, "mebibytes": limits.RequestBytes >> 20, "rate": p.config.RateLimit > 0, "limit": p.config.RateLimit}
	var list []values
	for _, t := range p.config.Contract.Tools() {
		list = append(list, values{
			"title": t.Title, "name": t.Name, "summary": summary(t.Description), "opened": opened(p.config.Root, t),
			"accepts": strings.Join(t.Accepts, ", "), "produces": strings.Join(t.Produces, ", "),
		})
	}
	v["tools"] = list
	return v
}

func (p *pages) addEditor(site *Site) {
	policy := pagePolicy
	if p.engine != nil {
		policy = editorPolicy
	}
	site.routes["/editor"] = secured(policy, p.page("editor.html", "editor", p.editor))
}

// editor returns the engine's URL path, and its size unpacked and as Brotli.
func (p *pages) editor() values {
	if p.engine == nil {
		return values{"engine": false}
	}
	return values{"engine": true, "folder": p.config.Root + p.engine.root, "size": p.engine.size, "packed": p.engine.packed}
}

func (p *pages) addExplorer(site *Site) {
	site.routes["/docs"] = secured(explorerPolicy, p.page("docs.html", "docs", nothing))
}

// addProblems adds the pages of problem codes.
func (p *pages) addProblems(site *Site) {
	described := p.config.Contract.Problems
	each := map[string]func() values{}
	for _, problem := range described() {
		problem := below(p.config.BaseURL, p.config.Root, problem)
		each[string(problem.Code)] = func() values {
			return values{
				"problem": problem.Title, "code": string(problem.Code), "status": problem.Status, "retry": retry[problem.Retry], "meaning": problem.Meaning, "remedy": problem.Remedy,
				"wrong": problem.Wrong, "right": problem.Right,
			}
		}
	}
	p.addCodes(site, "problem", func() values {
		var list []values
		for _, problem := range described() {
			list = append(list, values{"status": problem.Status, "code": string(problem.Code), "retry": problem.Retry, "meaning": problem.Meaning})
		}
		return values{"count": len(list), "codes": list}
	}, each)
}

// addCodes adds the list of the codes of one class, "problem" or "warning", the page of each code, and the page for an
// unknown code.
func (p *pages) addCodes(site *Site, class string, list func() values, each map[string]func() values) {
	folder := class + "s"
	site.routes["/"+folder] = secured(pagePolicy, p.page(folder+".html", folder, list))
	for code, own := range each {
		site.routes["/"+folder+"/"+code] = secured(pagePolicy, p.page(class+".html", folder, own))
	}
	title := strings.ToUpper(class[:1]) + class[1:]
	site.routes["/"+folder+"/{code}"] = p.missing("unknown.html", folder, values{"codes": class, "Codes": title})
}

// retry says for each kind of problem whether to send the same request again.
var retry = map[string]string{
	"never":       "the same request fails again",
	"once":        "try the same request once more",
	"after-delay": "try again after the seconds in Retry-After",
}

// below returns a problem whose routes begin with the root and whose example has the base URL's host.
func below(baseURL, root string, p contract.ProblemCode) contract.ProblemCode {
	below := strings.NewReplacer(" /v1/", " "+root+"/v1/", hostHeader, "Host: "+hostOf(baseURL))
	for _, text := range []*string{&p.Remedy, &p.Wrong, &p.Right} {
		*text = below.Replace(*text)
	}
	return p
}

// missing serves a page with the status 404.
func (p *pages) missing(name, in string, own values) http.Handler {
	page := sync.OnceValue(func() []byte { return p.render(name, in, own) })
	return secured(pagePolicy, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		body := page()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(body) // the client may be gone
	}))
}
