package guard

import (
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// A base URL's parts contain only characters that need no escaping in a header, a shell command, YAML or HTML.
var (
	baseHost = regexp.MustCompile(`^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$`)
	basePath = regexp.MustCompile(`^(?:/[A-Za-z0-9._~-]+)*$`)
	dotted   = regexp.MustCompile(`/\.\.?(?:/|$)`) // RFC 3986, section 3.3
)

// BaseURL parses the public URL of a service, such as https://example.com or https://example.com/tools. The result's
// Path has no trailing slash and may be "". The error says what is wrong with text.
func BaseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil, errors.New("must be a URL such as https://convert.example.com")
	}
	if u.Path == "/" {
		u.Path = "" // the same URL (RFC 3986, section 6.2.3)
	}
	u.Host = strings.ToLower(u.Host)
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("must begin with http:// or https://")
	case u.User != nil || strings.ContainsAny(text, "?#"):
		return nil, errors.New("must have no user, query or fragment")
	case !baseHost.MatchString(u.Host) || !isPort(u.Port()):
		return nil, errors.New("must name a host by its DNS name (an international one as xn--…) or IP address, and at most a port")
	case u.RawPath != "" || strings.Contains(text, "%") || !basePath.MatchString(u.Path) || dotted.MatchString(u.Path):
		return nil, errors.New("may have a path of segments such as /tools, of letters, digits and - . _ ~: no final slash, no empty segment, no . or .., nothing percent-encoded")
	}
	return u, nil
}

// Origin parses an origin, which is a base URL without a path, and returns it as browsers serialize it: in lower case,
// without the scheme's default port (RFC 6454, sections 4 and 6.2). The error says what is wrong with text.
func Origin(text string) (*url.URL, error) {
	u, err := BaseURL(text)
	if err != nil {
		return nil, err
	}
	if u.Path != "" {
		return nil, errors.New("must be an origin, without a path")
	}
	if port := u.Port(); u.Scheme == "http" && port == "80" || u.Scheme == "https" && port == "443" {
		u.Host = strings.TrimSuffix(u.Host, ":"+port)
	}
	return u, nil
}

// isPort reports whether digits are a port. "" is the scheme's default port.
func isPort(digits string) bool {
	_, err := strconv.ParseUint(digits, 10, 16)
	return digits == "" || err == nil
}

// Host returns an error unless text is a valid Host header value (a name or an IP
// address, with or without a port) or "*", which allows all.
func Host(text string) error {
	if _, err := netip.ParseAddr(text); err == nil || text == "*" {
		return nil
	}
	if u, err := BaseURL("http://" + text); err != nil || u.Path != "" {
		return errors.New("is not a host such as convert.example.com, nor *")
	}
	return nil
}

// Below strips the base URL's path from the paths of requests that have it. The proxy in front may have stripped it
// already, as long as no path of the service begins with it.
func Below(path string) Middleware {
	return func(next http.Handler) http.Handler {
		if path == "" {
			return next
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			address := *r.URL
			decoded, sent := &address.Path, &address.RawPath
			if cutPath(decoded, path) && (*sent == "" || cutPath(sent, path)) {
				below := *r
				below.URL = &address
				r = &below
			}
			next.ServeHTTP(w, r)
		})
	}
}

// cutPath strips base from path if whole segments match.
func cutPath(path *string, base string) bool {
	rest, found := strings.CutPrefix(*path, base)
	if !found || rest != "" && rest[0] != '/' {
		return false
	}
	*path = "/" + strings.TrimPrefix(rest, "/")
	return true
}
