package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// version matches a version of SemVer 2.0.0.
var version = lazily(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

// provenance is a response's provenance.
type provenance struct {
	Provider, EngineVersion, Tool, Attribution string
	EditorURL                                  string `json:"editorUrl"`
}

// checkProvenance checks a provenance (ANS-4), and that it is the same as before:
// a deployment has one provider and one build.
func (r *runner) checkProvenance(operation string, p provenance) (wrong faults) {
	if p.Provider == "" {
		wrong.add("provenance.provider: it is empty")
	}
	if !version().MatchString(p.EngineVersion) {
		wrong.add("provenance.engineVersion: want SemVer, got %q", p.EngineVersion)
	}
	if p.Tool != operation {
		wrong.add("provenance.tool: want %q, got %q", operation, p.Tool)
	}
	if !strings.HasPrefix(p.Attribution, "Converted by convertd "+p.EngineVersion) || !strings.Contains(p.Attribution, "("+p.Tool+")") {
		wrong.add("provenance.attribution: want the program, its version and the tool, got %q", p.Attribution)
	}
	if r.origin.Provider == "" {
		r.origin = p
	}
	if r.origin.Provider != p.Provider || r.origin.EngineVersion != p.EngineVersion {
		wrong.add("provenance: provider and engineVersion were %q and %q before, now %q and %q: two builds or two providers share one URL",
			r.origin.Provider, r.origin.EngineVersion, p.Provider, p.EngineVersion)
	}
	return wrong
}

// checkLink checks that a link begins with the deployment's base URL and returns the rest of it, with the fragment.
func (r *runner) checkLink(member, link string) (path string, wrong []string) {
	own, err := url.Parse(r.Public)
	u, err2 := url.Parse(link)
	if err != nil || err2 != nil || !sameAddress(own, u) || !strings.HasPrefix(u.Path, own.Path+"/") {
		return "", []string{fmt.Sprintf("%s: want a link that begins with %s/, got %q; if the deployment's base URL is different from the one that is verified, set --base-url", member, r.Public, link)}
	}
	_, path, _ = strings.Cut(link, u.Host)
	return strings.TrimPrefix(path, own.EscapedPath()), nil
}

// sameAddress reports whether two URLs have the same origin; loopback has several names.
func sameAddress(a, b *url.URL) bool {
	port := func(u *url.URL) string {
		if u.Port() != "" {
			return u.Port()
		}
		return map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	loopback := func(u *url.URL) bool {
		return u.Hostname() == "localhost" || net.ParseIP(u.Hostname()).IsLoopback()
	}
	same := strings.EqualFold(a.Hostname(), b.Hostname()) || loopback(a) && loopback(b)
	return a.Scheme == b.Scheme && port(a) == port(b) && same
}

// links opens the links of a response over REST, each URL once in a run: the page of a problem and the editor.
func (r *runner) links(ctx context.Context, got received) (wrong faults) {
	var a responseBody
	if !isCall(got.request.Path) || got.request.Path == mcpPath || json.Unmarshal(got.body, &a) != nil {
		return nil
	}
	member, link, needle := "provenance.editorUrl", a.Provenance.EditorURL, "<html"
	if got.status != http.StatusOK {
		member, link, needle = "type", a.Type, a.Code
	}
	path, bad := r.checkLink(member, link)
	if bad != nil {
		return nil // reported already
	}
	path, _, _ = strings.Cut(path, "#")
	if _, done := r.opened[path]; !done {
		r.opened[path] = r.open(ctx, path, needle)
	}
	if r.opened[path] != "" {
		wrong.add("%s: %q: %s", member, link, r.opened[path])
	}
	return wrong
}

// open fetches a page and says what is wrong with it, or "".
func (r *runner) open(ctx context.Context, path, needle string) string {
	got, err := r.send(ctx, Request{Method: http.MethodGet, Path: path})
	switch {
	case err != nil:
		return "it cannot be opened: " + err.Error()
	case got.status != http.StatusOK:
		return fmt.Sprintf("it cannot be opened: status %d", got.status)
	case !strings.HasPrefix(got.header.Get("Content-Type"), "text/html"):
		return fmt.Sprintf("it is not a page, but %q", got.header.Get("Content-Type"))
	case !strings.Contains(string(got.body), needle):
		return fmt.Sprintf("its page does not contain %q", needle)
	}
	return ""
}
