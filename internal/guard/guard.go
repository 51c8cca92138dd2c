// Package guard contains the middleware that every request passes before it is parsed, one per file. REST and MCP share
// it; each provides its own way to report a rejection.
package guard

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// Refuser responds to a request with a failure.
type Refuser func(w http.ResponseWriter, r *http.Request, f *convert.Failure)

// Middleware is the type of every guard.
type Middleware = func(http.Handler) http.Handler

// AdviseRetry sets Retry-After for 503: the condition is over within a second, or
// lasts (ERR-10 of docs/contract.md). A 429 has its own value.
func AdviseRetry(header http.Header, status int) {
	if status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "1")
	}
}

// hostName returns the host of a Host header or a URL's authority in lower case,
// without its port, or "" if authority is invalid.
func hostName(authority string) string {
	host := authority
	if h, _, err := net.SplitHostPort(authority); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// loopback reports whether a host name means this machine.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	address, err := netip.ParseAddr(host)
	return err == nil && address.IsLoopback()
}
