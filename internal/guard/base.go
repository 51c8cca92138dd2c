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

// What a base URL may be made of: whatever it is put into (a header, a shell
// command, YAML, HTML), nothing of it has to be escaped there.
var (
	baseHost = regexp.MustCompile(`^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$`)
	basePath = regexp.MustCompile(`^(?:/[A-Za-z0-9._~-]+)*$`)
	dotted   = regexp.MustCompile(`/\.\.?(?:/|$)`) // RFC 3986, section 3.3
)

// BaseURL is the public address of a service, such as https://example.com or
// https://example.com/tools: its Path has no final slash, and is "" for none.
// An error says what is wrong with it.
func BaseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil, errors.New("is not an address such as https://convert.example.com or https://example.com/tools")
	}
	if u.Path == "/" {
		u.Path = "" // the same address (RFC 3986, section 6.2.3)
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

// isPort reports whether digits are a port, "" being the scheme's own.
func isPort(digits string) bool {
	_, err := strconv.ParseUint(digits, 10, 16)
	return digits == "" || err == nil
}

// Host refuses what no Host header is: neither a name or an IP address, with or
// without a port, nor "*" for all.
func Host(text string) error {
	if _, err := netip.ParseAddr(text); err == nil || text == "*" {
		return nil
	}
	if u, err := BaseURL("http://" + text); err != nil || u.Path != "" {
		return errors.New("is not a host such as convert.example.com, nor *")
	}
	return nil
}

// Below takes the base URL's path away from the paths of requests that have
// it. Whether the proxy in front has taken it away already makes no difference,
// as long as no path of the service begins like it.
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

// cutPath takes base off the front of a path, where whole segments are it.
func cutPath(path *string, base string) bool {
	rest, found := strings.CutPrefix(*path, base)
	if !found || rest != "" && rest[0] != '/' {
		return false
	}
	*path = "/" + strings.TrimPrefix(rest, "/")
	return true
}
