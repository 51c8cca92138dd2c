package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// single lists the headers that a response has at most once.
var single = []string{"Content-Type", "X-Request-Id", "Cache-Control", "X-Content-Type-Options", "RateLimit", "RateLimit-Policy",
	"Retry-After", "Access-Control-Allow-Origin", "Etag"}

// requestID matches a request id: printable, and too long to guess.
var requestID = lazily(`^[A-Za-z0-9._-]{8,64}$`)

// isCall reports whether requests to a path count towards the rate limit.
func isCall(path string) bool {
	return path == mcpPath || strings.HasPrefix(path, "/v1/") && !strings.HasPrefix(path, descriptionStem)
}

func isHealth(path string) bool { return path == "/healthz" || path == "/readyz" }

// always checks what has to hold for every response.
func (r *runner) always(c Case, got received) (wrong faults) {
	for _, name := range single {
		if n := len(got.header.Values(name)); n > 1 {
			wrong.add("header %s: it appears %d times (duplicated)", name, n)
		}
	}
	switch id := got.header.Get("X-Request-Id"); {
	case !requestID().MatchString(id):
		wrong.add("header X-Request-Id: want a unique id, got %q", id)
	case r.ids[id]:
		wrong.add("header X-Request-Id: another response had %q, too: this one came from a cache, or the id is not unique", id)
	case id == c.Request.Headers["X-Request-Id"]:
		wrong.add("header X-Request-Id: the response repeats the request's id")
	default:
		r.ids[id] = true
	}
	if coding := got.header.Get("Content-Encoding"); coding != "" {
		wrong.add("header Content-Encoding: %q, but the request accepts only gzip", coding)
	}
	if age := got.header.Get("Age"); age != "" {
		wrong.add("header Age: the response came from a cache")
	}
	if len(got.body) > 0 && !isHealth(c.Request.Path) && got.header.Get("X-Content-Type-Options") != "nosniff" {
		wrong.add("header X-Content-Type-Options: want nosniff, got %q", got.header.Get("X-Content-Type-Options"))
	}
	limited := got.status == http.StatusTooManyRequests || got.status == http.StatusServiceUnavailable
	if limited && !wholeTime().MatchString(got.header.Get("Retry-After")) {
		wrong.add("header Retry-After: want whole seconds, at least 1, got %q", got.header.Get("Retry-After"))
	}
	wrong = append(wrong, checkCORS(c, got)...)
	if !isCall(c.Request.Path) || c.Request.Method == http.MethodOptions {
		return wrong
	}
	if len(got.body) > 0 {
		if !slices.Contains(directives(got.header.Get("Cache-Control")), "no-store") {
			wrong.add("header Cache-Control: want no-store, got %q", got.header.Get("Cache-Control"))
		}
		wrong = append(wrong, strict(got)...)
	}
	return append(wrong, r.checkQuota(got)...)
}

// directives returns the items of a comma-separated header, in lower case.
func directives(value string) []string {
	list := strings.Split(strings.ToLower(value), ",")
	for i, item := range list {
		list[i] = strings.TrimSpace(item)
	}
	return list
}

// checkCORS checks which origins may read a response: that of the page that sent a
// call, all of them for the OpenAPI document, none for a page.
func checkCORS(c Case, got received) (wrong faults) {
	allowed := got.header.Get("Access-Control-Allow-Origin")
	origin := got.origin
	switch {
	case got.header.Get("Access-Control-Allow-Credentials") != "":
		wrong.add("header Access-Control-Allow-Credentials: the service has no credentials")
	case isCall(c.Request.Path) && got.status == http.StatusForbidden && allowed != "":
		wrong.add("header Access-Control-Allow-Origin: a rejected origin may read the response: %q", allowed)
	case isCall(c.Request.Path) && got.status != http.StatusForbidden:
		if allowed != origin {
			wrong.add("header Access-Control-Allow-Origin: want %q, the request's Origin, got %q", origin, allowed)
		}
		if !slices.Contains(directives(strings.Join(got.header.Values("Vary"), ",")), "origin") {
			wrong.add("header Vary: want Origin, got %q", got.header.Values("Vary"))
		}
		if origin != "" && c.Request.Method != http.MethodOptions {
			exposed := directives(got.header.Get("Access-Control-Expose-Headers"))
			for _, name := range []string{"ratelimit", "ratelimit-policy", "retry-after", "x-request-id"} {
				if !slices.Contains(exposed, name) {
					wrong.add("header Access-Control-Expose-Headers: want %s in it, got %q", name, exposed)
				}
			}
		}
	}
	return wrong
}

// inOrder lists the members of a response in the order in which they are written.
var inOrder = []string{"output", "outputs", "steps", "warnings", "provenance", "type", "title", "status", "code", "detail", "hint", "path", "step"}

// strict checks that a body is what the service writes: one JSON value in UTF-8,
// without byte order mark, white space or repeated members.
func strict(got received) (wrong faults) {
	if value := got.header.Get("Content-Type"); value != "application/json" && value != "application/problem+json" {
		wrong.add("header Content-Type: want JSON without parameters, got %q", value)
		return wrong
	}
	switch {
	case bytes.HasPrefix(got.body, []byte("\ufeff")):
		wrong.add("the body begins with a byte order mark")
	case !utf8.Valid(got.body):
		wrong.add("the body is not UTF-8")
	}
	top, err := members(json.NewDecoder(bytes.NewReader(got.body)))
	if err == nil {
		_, err = decodeJSON(got.body)
	}
	if err != nil {
		wrong.add("the body is not one JSON value: %v: %s", err, beginning(got.body))
		return wrong
	}
	var compact bytes.Buffer
	if json.Compact(&compact, got.body) == nil && !bytes.Equal(compact.Bytes(), got.body) {
		wrong.add("the body was rewritten: it has white space that the service does not write")
	}
	last := -1
	for _, name := range top {
		if at := slices.Index(inOrder, name); at >= 0 {
			if at < last {
				wrong.add("the body was rewritten: its members are not in the documented order: %q", top)
				break
			}
			last = at
		}
	}
	return wrong
}

// members parses a value and returns the names of its own members, in order. It
// fails if an object at any depth repeats a name.
func members(decoder *json.Decoder) (names []string, err error) {
	token, err := decoder.Token()
	delim, nested := token.(json.Delim)
	if err != nil || !nested {
		return nil, err
	}
	seen := map[string]bool{}
	for decoder.More() {
		if delim == '{' {
			token, err := decoder.Token()
			if err != nil {
				return names, err
			}
			name, _ := token.(string)
			if seen[name] {
				return names, fmt.Errorf("the member %q appears twice", name)
			}
			seen[name] = true
			names = append(names, name)
		}
		if _, err := members(decoder); err != nil {
			return names, err
		}
	}
	_, err = decoder.Token()
	return names, err
}

// firstDifference shows where two bodies begin to differ.
func firstDifference(a, b []byte) string {
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	show := func(text []byte) string { return beginning(text[max(0, min(at-20, len(text))):]) }
	return fmt.Sprintf("%q and %q at byte %d", show(a), show(b), at)
}

// originOf returns the web origin of a URL (RFC 6454).
func originOf(baseURL string) string {
	u, err := url.Parse(baseURL)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// lazily compiles an expression on first use, so that other commands start without it.
func lazily(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
