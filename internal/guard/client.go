package guard

import (
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"golang.org/x/time/rate"
)

// clientAddress finds the client's address: the connection's, or, behind the
// trusted proxies (CIDRs), the last address in X-Forwarded-For that is not one
// of theirs. A proxy that names none that can be read is warned of, once a
// minute at most.
func clientAddress(trustedProxies []string) Middleware {
	note := func(r *http.Request, c *requestContext) { c.client = clientOf(r, c.seat) }
	if len(trustedProxies) > 0 {
		note = forwarded(trustedProxies)
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c, r := known(r)
			note(r, c)
			next.ServeHTTP(w, r)
		})
	}
}

// clientOf is the key of the address at the other end of the connection, which
// its seat remembers; "" when there is none.
func clientOf(r *http.Request, s *seat) string {
	if s != nil && s.key != "" {
		return s.key
	}
	remote, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	client := key(remote.Addr())
	if s != nil {
		s.key = client
	}
	return client
}

// forwarded notes who a request behind trusted proxies comes from.
func forwarded(trustedProxies []string) func(*http.Request, *requestContext) {
	read := middleware.ClientIPFromXFF(trustedProxies...)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if address := middleware.GetClientIPAddr(r.Context()); address.IsValid() {
			r.Context().Value(requestKey{}).(*requestContext).client = key(address)
		}
	}))
	unnamed := rate.Sometimes{Interval: time.Minute}
	return func(r *http.Request, c *requestContext) {
		for i, list := range r.Header["X-Forwarded-For"] {
			r.Header["X-Forwarded-For"][i] = withoutPorts(list)
		}
		read.ServeHTTP(nil, r)
		if c.client == "" {
			unnamed.Do(func() {
				slog.Warn("a trusted proxy's X-Forwarded-For names no client that can be read, or only addresses in --trusted-proxies; such requests share one quota")
			})
		}
	}
}

// withoutPorts takes the ports off the addresses in a list as X-Forwarded-For
// has it: some load balancers write 192.0.2.1:1024 and [2001:db8::1]:1024.
func withoutPorts(list string) string {
	if !strings.Contains(list, ":") {
		return list
	}
	entries := strings.Split(list, ",")
	for i, entry := range entries {
		entry = strings.TrimSpace(entry)
		if with, err := netip.ParseAddrPort(entry); err == nil {
			entry = with.Addr().String()
		} else if strings.HasPrefix(entry, "[") && strings.HasSuffix(entry, "]") {
			entry = entry[1 : len(entry)-1]
		}
		entries[i] = entry
	}
	return strings.Join(entries, ",")
}

// key is what the quota counts by: an IPv4 address, or the /64 network of an
// IPv6 address, of which one client has 2^64.
func key(address netip.Addr) string {
	if address = address.Unmap(); address.Is4() {
		return address.String()
	}
	network, _ := address.WithZone("").Prefix(64)
	return network.String()
}

// unknownClient is the key of all clients without an address that can be told.
const unknownClient = "unknown"
