package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// addDiscovery adds the documents that programs look for at well-known paths.
func addDiscovery(site *Site, config Config) {
	site.routes["/llms.txt"] = newStatic("text/markdown; charset=utf-8", revalidate, llms(config))
	site.routes["/robots.txt"] = newStatic("text/plain; charset=utf-8", revalidate, robots(config.Root))
	site.routes["/favicon.ico"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		http.Redirect(w, r, config.Root+"/favicon.svg", http.StatusMovedPermanently)
	})
	site.routes["/favicon.svg"] = newStatic("image/svg+xml", "public, max-age=86400", embedded(ownFiles, "assets/favicon.svg"))
	site.routes["/.well-known/api-catalog"] = public(catalog(config.BaseURL, config.Root))
	if config.SecurityContact != "" {
		site.routes["/.well-known/security.txt"] = securityText{config, time.Now}
	}
}

// robots keeps crawlers from the operations, but not from the OpenAPI document (RFC 9309): the longest match decides.
// Crawlers request robots.txt only at the root of a host. If the service is below a path, the operator of the host
// copies its lines.
func robots(root string) []byte {
	return []byte("User-agent: *\nDisallow: " + root + "/v1/\nAllow: " + root + "/v1/openapi.json\nAllow: " + root + "/v1/openapi.yaml\nDisallow: " + root + "/mcp\nAllow: " + root + "/\n")
}

// catalog serves the list of the service's APIs (RFC 9727, sections 2 and 4).
func catalog(base, root string) http.Handler {
	link := func(path, mediaType string) map[string]string {
		return map[string]string{"href": base + path, "type": mediaType}
	}
	body, _ := json.MarshalIndent(map[string]any{"linkset": []map[string]any{ // link contexts (RFC 9264, section 4.2)
		{
			"anchor":       base + "/v1",
			"service-desc": []any{link("/v1/openapi.json", "application/json"), link("/v1/openapi.yaml", "application/yaml")},
			"service-doc":  []any{link("/docs", "text/html"), link("/llms.txt", "text/markdown")},
			"status":       []any{link("/readyz", "text/plain")},
		},
		{
			"anchor":       base + "/mcp",
			"service-desc": []any{link("/mcp/server-card", "application/mcp-server-card+json")},
			"service-doc":  []any{link("/llms.txt", "text/markdown")},
		},
		{
			"anchor": base + "/.well-known/api-catalog",
			"item":   []any{map[string]string{"href": base + "/v1"}, map[string]string{"href": base + "/mcp"}},
		},
	}}, "", "  ") // strings marshal
	s := newStatic(`application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`, revalidate, body)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Link", "<"+root+`/.well-known/api-catalog>; rel="api-catalog"`)
		s.ServeHTTP(w, r)
	})
}

// securityText serves /.well-known/security.txt (RFC 9116). It is the only page that depends on the current time:
// Expires is required (section 2.5.5) and is six months after the start of the day.
type securityText struct {
	config Config
	now    func() time.Time
}

func (s securityText) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	expires := s.now().UTC().Truncate(24*time.Hour).AddDate(0, 6, 0)
	body := fmt.Sprintf("Contact: %s\nExpires: %s\nPreferred-Languages: en\nCanonical: %s/.well-known/security.txt\n",
		s.config.SecurityContact, expires.Format(time.RFC3339), s.config.BaseURL)
	newStatic("text/plain; charset=utf-8", revalidate, []byte(body)).ServeHTTP(w, r)
}

// rate returns what llms.txt says about the rate limit after the other limits.
func rate(perMinute int) string {
	if perMinute == 0 {
		return ""
	}
	return fmt.Sprintf(", about %d requests a minute; a 429 response says in `Retry-After` how many seconds to wait", perMinute)
}

// llms describes the service on one page for language models (llmstxt.org): what
// it does, how to call it, where to read more.
func llms(config Config) []byte {
	var b strings.Builder
	base, limits := config.BaseURL, config.Contract.Limits()
	fmt.Fprintf(&b, "# Conversion Tool Service\n\n"+
		"> Small, deterministic text conversions over HTTP. The same request returns the same output; nothing is stored, "+
		"executed or fetched; no API key is needed.\n\n"+
		"Send `POST %s/v1/tools/NAME` with `Content-Type: application/json` and the body "+
		"`{\"input\": {\"mediaType\": \"…\", \"value\": \"…\"}, \"options\": {}}`; `input.value` is the text to convert, a string. "+
		"The response has the converted text in `output.value`, and `warnings`. To run several tools in a row, send one request to "+
		"`POST %s/v1/pipeline` with `version` 1, `input` and `steps` (each with `id`, `tool`, `options`). "+
		"Errors are problem documents (RFC 9457): `code` says what is wrong, `hint` what to change.\n\n"+
		"Agents use the same tools over the Model Context Protocol (streamable HTTP) at `%s/mcp`; the arguments are the same bodies.\n\n"+
		"Limits: %d bytes per request, %d characters per output%s.\n\n## Tools\n\n",
		base, base, base, limits.RequestBytes, limits.OutputCharacters, rate(config.RateLimit))
	for _, t := range config.Contract.Tools() {
		fmt.Fprintf(&b, "- [%s](%s/docs#/tools/%s): %s, `POST %s`. Accepts %s; produces %s.%s\n", t.Name, base, t.Name, t.Title, t.Path,
			strings.Join(t.Accepts, ", "), strings.Join(t.Produces, ", "), optionsOf(t))
	}
	fmt.Fprintf(&b, "\n## Documents\n\n"+
		"- [OpenAPI document](%[1]s/v1/openapi.json): every property, range, default and error code\n"+
		"- [OpenAPI document as YAML](%[1]s/v1/openapi.yaml)\n"+
		"- [API explorer](%[1]s/docs): read the document and send requests\n"+
		"- [Problem codes](%[1]s/problems): what each means and how to fix it\n"+
		"- [Warning codes](%[1]s/warnings): what each says about an output\n\n"+
		"## Optional\n\n- [Editor](%[1]s/editor): build and run recipes in a browser\n", base)
	return []byte(b.String())
}
