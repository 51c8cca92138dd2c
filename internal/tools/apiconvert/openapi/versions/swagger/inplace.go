package swagger

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Fixer corrects mistakes in a document that is and stays Swagger 2.0: what OpenAPI 3 has in another form gets the form
// of Swagger 2.0.
type Fixer struct{ toSwagger }

// NewFixer returns a Fixer for the document of r.
func NewFixer(r *rewrite.Rewriter) *Fixer {
	return &Fixer{toSwagger{Rewriter: r, done: map[*tree.Value][]string{}, used: map[*tree.Value]bool{}}}
}

// Parameter corrects a parameter other than a body. It returns false for one that Swagger 2.0 doesn't support.
func (f *Fixer) Parameter(p *tree.Value, at *warning.Place) bool {
	if in := p.Get("in").Text(); p.Get("type").Text() == "file" && in == "formData" || plain(p) && in != "cookie" {
		return true
	}
	format, own := p.Get("collectionFormat"), !p.Has("schema") && !p.Has("content")
	NestSchema(p)
	if !f.parameter(p, at) {
		return false
	}
	if own && p.Get("type").Text() == "array" { // its default differs from that of OpenAPI 3
		p.Delete("collectionFormat")
		if format != nil {
			p.Set("collectionFormat", format)
		}
	}
	return true
}

// Header corrects the header of a response.
func (f *Fixer) Header(h *tree.Value, at *warning.Place) {
	if !plain(h) {
		NestSchema(h)
		h.Become(f.header(h, at))
	}
}

// plain reports whether a parameter, header or items object has a type that Swagger 2.0 allows, and no schema.
func plain(v *tree.Value) bool {
	for range maxLists {
		if slices.ContainsFunc([]string{"$ref", "schema", "content", "allOf", "properties", "additionalProperties"}, v.Has) {
			return false
		}
		if v.Get("type").Text() != "array" {
			break
		}
		v = v.Get("items")
	}
	return slices.Contains([]string{"string", "number", "integer", "boolean"}, v.Get("type").Text())
}

// Scheme corrects a security definition.
func (f *Fixer) Scheme(scheme *tree.Value, at *warning.Place) {
	if scheme.Get("type").Text() != "basic" && !HasFlow(scheme) {
		UpgradeSecurityScheme(scheme)
		f.scheme(scheme, at)
	}
}

// HasFlow reports whether a security definition is OAuth 2.0 with a flow and the URLs that it needs.
func HasFlow(scheme *tree.Value) bool {
	for _, known := range oauthFlows20 {
		missing := func(name string) bool { return scheme.Get(name).Text() == "" }
		if known.old == scheme.Get("flow").Text() && !slices.ContainsFunc(known.needs, missing) {
			return scheme.Get("type").Text() == "oauth2"
		}
	}
	return false
}

// Server corrects the host and base path. They may have been written as URLs.
func (f *Fixer) Server(root *tree.Value) {
	host, base := root.Get("host").Text(), root.Get("basePath").Text()
	if (host == "" || hostName().MatchString(host)) && (base == "" || base[0] == '/') {
		return
	}
	upgrade := swagger{Rewriter: f.Rewriter}
	schemes := f.servers(upgrade.servers(rewrite.Texts(root.Get("schemes"))), true, nil)
	root.Delete("basePath")
	root.Delete("host")
	at := rewrite.PositionBefore(root, "schemes", "consumes", "produces", "paths")
	if f.base != "" {
		root.Insert(at, "basePath", f.String(f.base))
	}
	if f.host != "" {
		root.Insert(at, "host", f.String(f.host))
	}
	f.setTexts(root, "schemes", schemes)
}

// Classes replaces the classes of status codes among the responses of an operation.
func (f *Fixer) Classes(responses *tree.Value, at *warning.Place) { f.classes(responses, at) }
