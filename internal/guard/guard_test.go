package guard

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// passedOn returns a request as Observe passes it on.
func passedOn(r *http.Request) *http.Request {
	c := &requestContext{}
	c.init(r, nil)
	return r.WithContext(c)
}

// outcome runs a request through a middleware. It returns "" if the request
// passes, else the code that it is rejected with.
func outcome(middleware func(Refuser) Middleware, r *http.Request) (code convert.Code) {
	refuse := func(_ http.ResponseWriter, _ *http.Request, f *convert.Failure) { code = f.Code }
	passed := false
	next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed = true })
	middleware(refuse)(next).ServeHTTP(httptest.NewRecorder(), passedOn(r))
	if passed == (code != "") {
		panic("neither passed nor refused, or both")
	}
	return code
}

func TestOrigin(t *testing.T) {
	const (
		shape  = "must be a URL such as https://convert.example.com"
		scheme = "must begin with http:// or https://"
		path   = "must be an origin, without a path"
		more   = "must have no user, query or fragment"
	)
	for text, want := range map[string]string{
		"https://convert.example.com":  "https://convert.example.com",
		"https://convert.example.com/": "https://convert.example.com",
		"HTTP://Convert.Example:8080":  "http://convert.example:8080",
		"https://h:443":                "https://h",
		"http://h:80/":                 "http://h",
		"http://h:443":                 "http://h:443",
		"http://[::1]:80":              "http://[::1]",
		"":                             shape,
		"convert.example.com":          shape,
		"https://":                     shape,
		"http://%zz":                   shape,
		"ftp://convert.example.com":    scheme,
		"https://h/path":               path,
		"https://h?query":              more,
		"https://h#fragment":           more,
		"https://user@h":               more,
	} {
		u, err := Origin(text)
		if err != nil {
			if err.Error() != want {
				t.Errorf("%q: want %s, got %v", text, want, err)
			}
		} else if u.String() != want {
			t.Errorf("%q: want %s, got %s", text, want, u)
		}
	}
}

func TestHosts(t *testing.T) {
	middleware := func(refuse Refuser) Middleware {
		return Hosts([]string{"Convert.Example.com:8443", "[2001:DB8::1]"}, refuse)
	}
	for host, want := range map[string]convert.Code{
		"127.0.0.1:8080":            "",
		"127.9.9.9":                 "",
		"localhost":                 "",
		"LOCALHOST:1":               "",
		"[::1]:8080":                "",
		"convert.example.com":       "",
		"convert.example.com.:80":   "",
		"CONVERT.example.com":       "",
		"[2001:db8::1]:8443":        "",
		"[2001:db8::2]:8443":        convert.HostRefused,
		"":                          convert.HostRefused,
		"evil.example":              convert.HostRefused,
		"convert.example.com.evil":  convert.HostRefused,
		"127.0.0.1.evil.example":    convert.HostRefused,
		"localhost.evil.example":    convert.HostRefused,
		"192.168.0.1":               convert.HostRefused,
		"0.0.0.0":                   convert.HostRefused,
		"169.254.169.254":           convert.HostRefused,
		"evilconvert.example.com":   convert.HostRefused,
		"convert.example.com@evil":  convert.HostRefused,
		"127.0.0.1:8080:9":          convert.HostRefused,
		"evil.example#localhost":    convert.HostRefused,
		"[::ffff:192.168.0.1]:8080": convert.HostRefused,
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Host = host
		if got := outcome(middleware, r); got != want {
			t.Errorf("Host %q: want %q, got %q", host, want, got)
		}
	}
	all := func(refuse Refuser) Middleware { return Hosts([]string{"*"}, refuse) }
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Host = "any.example"
	if got := outcome(all, r); got != "" {
		t.Errorf("* refuses: %s", got)
	}
}

// Rule: ADDR-7.
func TestOrigins(t *testing.T) {
	near := NewOrigins([]string{"http://127.0.0.1:8080", "https://app.example", "https://slash.example/", "https://port.example:443"}, true)
	far := NewOrigins([]string{"https://convert.example.com"}, false)
	for _, test := range []struct {
		origins Origins
		origin  string
		allowed bool
	}{
		{near, "http://127.0.0.1:8080", true},
		{near, "http://localhost:3000", true},
		{near, "https://[::1]:1", true},
		{near, "https://APP.example", true},
		{near, "https://app.example:444", false},
		{near, "https://slash.example", true},
		{near, "https://port.example", true},
		{near, "https://port.example:443", true},
		{near, "http://port.example", false},
		{near, "http://app.example", false},
		{near, "https://app.example.evil", false},
		{near, "null", false},
		{near, "", false},
		{near, "ftp://localhost", false},
		{near, "file://", false},
		{near, "chrome-extension://app.example", false},
		{near, "http://127.0.0.1.nip.io", false},
		{near, "https://app.example@evil.example", false},
		{near, "http://127.0.0.1 http://evil.example", false},
		{near, "http://localhost.evil.example", false},
		{near, "http://localhost/path", false},
		{near, "http://user@localhost", false},
		{near, "http://localhost#fragment", false},
		{near, "http://localhost?query", false},
		{near, "http://[::1%25zone]", false},
		{far, "https://convert.example.com", true},
		{far, "http://localhost:3000", false},
		{NewOrigins([]string{"*"}, false), "https://any.example", true},
	} {
		if got := test.origins.allow(test.origin); got != test.allowed {
			t.Errorf("%q: want %v, got %v", test.origin, test.allowed, got)
		}
	}
}

// forgeable are headers in which a client may claim any address. Only
// X-Forwarded-For is read, and only from a trusted proxy.
var forgeable = []string{"Forwarded", "X-Real-Ip", "True-Client-Ip", "Cf-Connecting-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "Fastly-Client-Ip", "Via"}

// TestQuotaByAddress checks what counts as one client, with and without proxies.
func TestQuotaByAddress(t *testing.T) {
	for _, test := range []struct {
		name           string
		proxies        []netip.Prefix
		first, second  string // remote addresses
		forwarded1     string
		forwarded2     string
		shareOneClient bool
	}{
		{"one address, two ports", nil, "192.0.2.1:1", "192.0.2.1:2", "", "", true},
		{"two addresses", nil, "192.0.2.1:1", "192.0.2.2:1", "", "", false},
		{"one IPv6 network", nil, "[2001:db8::1]:1", "[2001:db8::ffff:2]:1", "", "", true},
		{"two IPv6 networks", nil, "[2001:db8::1]:1", "[2001:db8:0:1::1]:1", "", "", false},
		{"an IPv4 address as IPv6", nil, "192.0.2.1:1", "[::ffff:192.0.2.1]:1", "", "", true},
		{"a forged header", nil, "192.0.2.1:1", "192.0.2.1:1", "198.51.100.1", "198.51.100.2", true},
		{"a trusted proxy", prefixes("192.0.2.0/24"), "192.0.2.1:1", "192.0.2.1:1", "198.51.100.1", "198.51.100.2", false},
		{"a header forged in front of a trusted proxy", prefixes("192.0.2.0/24"), "192.0.2.1:1", "192.0.2.1:1", "203.0.113.1, 198.51.100.1", "203.0.113.2, 198.51.100.1", true},
		{"a port after the address", prefixes("192.0.2.0/24"), "192.0.2.1:1", "192.0.2.1:1", "198.51.100.1:1", "198.51.100.2:1", false},
		{"two ports of one client", prefixes("192.0.2.0/24"), "192.0.2.1:1", "192.0.2.1:1", "198.51.100.1:1", "198.51.100.1:65535", true},
		{"with and without a port", prefixes("192.0.2.0/24"), "192.0.2.1:1", "192.0.2.1:1", "198.51.100.1", "203.0.113.9, 198.51.100.1:7", true},
		{"a port after an IPv6 address", prefixes("192.0.2.0/24"), "192.0.2.1:1", "192.0.2.1:1", "[2001:db8::1]:1", "[2001:db8:0:1::1]:1", false},
		{"an IPv6 address in brackets", prefixes("192.0.2.0/24"), "192.0.2.1:1", "192.0.2.1:1", "[2001:db8::1]", "2001:db8::2", true},
		{"a trusted proxy with a port", prefixes("192.0.2.0/24"), "192.0.2.1:1", "192.0.2.1:1", "198.51.100.1:1, 192.0.2.7:1", "198.51.100.2:1, 192.0.2.7:1", false},
		{"forged in front of an address with a port", prefixes("192.0.2.0/24"), "192.0.2.1:1", "192.0.2.1:1", "203.0.113.1, 198.51.100.1:1", "203.0.113.2, 198.51.100.1:2", true},
		{"an untrusted proxy", prefixes("10.0.0.0/8"), "192.0.2.1:1", "192.0.2.1:1", "198.51.100.1", "198.51.100.2", true},
	} {
		quota := check.Value(NewQuota(1, nil))(t)
		limit := func(refuse Refuser) Middleware {
			return func(next http.Handler) http.Handler {
				return quota.Limit(test.proxies, refuse)(next)
			}
		}
		requests := 0
		send := func(remote, forwarded string) convert.Code {
			r := httptest.NewRequest(http.MethodPost, "/v1/pipeline", nil)
			r.RemoteAddr = remote
			for _, name := range forgeable {
				r.Header.Set(name, fmt.Sprint("203.0.113.", requests))
			}
			if requests++; forwarded != "" {
				r.Header.Set("X-Forwarded-For", forwarded)
			}
			return outcome(limit, r)
		}
		if got := send(test.first, test.forwarded1); got != "" {
			t.Errorf("%s: the first request: %s", test.name, got)
		}
		if got := send(test.second, test.forwarded2); (got == convert.RateLimited) != test.shareOneClient {
			t.Errorf("%s: the second request: %q", test.name, got)
		}
	}
}

// TestUnnamedClients checks that a header that names no client is warned about once, without quoting it.
func TestUnnamedClients(t *testing.T) {
	log := &converttest.Log{}
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(log, nil)))
	defer slog.SetDefault(before)
	quota := check.Value(NewQuota(60, nil))(t)
	handler := quota.Limit(prefixes("192.0.2.0/24"), nil)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for i, forwarded := range []string{"198.51.100.1", "hostileMarker", "", "unknown:80", "192.0.2.9"} {
		r := httptest.NewRequest(http.MethodPost, "/v1/pipeline", nil)
		r.RemoteAddr = "192.0.2.1:1"
		r.Header.Set("X-Forwarded-For", forwarded)
		handler.ServeHTTP(httptest.NewRecorder(), passedOn(r))
		if warned := log.Count("names no client"); warned != min(i, 1) {
			t.Errorf("%q: warned %d times", forwarded, warned)
		}
	}
	if log.Has("hostileMarker") {
		t.Error("the log repeats the header")
	}
}
