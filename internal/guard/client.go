package guard

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"
)

// noteClient returns a function that records the client of a request: the connection's peer or, if that is one of the
// trusted proxies, the last address in X-Forwarded-For that is not a trusted proxy. If a proxy sends no address that
// can be parsed, the function logs a warning, at most once a minute.
func noteClient(trustedProxies []netip.Prefix) func(*http.Request, *requestContext) {
	if len(trustedProxies) > 0 {
		return forwarded(trustedProxies)
	}
	return func(r *http.Request, c *requestContext) { c.client = clientOf(r, c.conn) }
}

// clientOf returns the quota key of the connection's peer, "" if unknown. conn caches it.
func clientOf(r *http.Request, s *conn) string {
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

// forwarded records the client of a request that comes through trusted proxies.
func forwarded(trustedProxies []netip.Prefix) func(*http.Request, *requestContext) {
	trusted := func(address netip.Addr) bool { return inAny(trustedProxies, address) }
	unnamed := rate.Sometimes{Interval: time.Minute}
	return func(r *http.Request, c *requestContext) {
		remote, _ := netip.ParseAddrPort(r.RemoteAddr)
		client := plain(remote.Addr())
		if client.IsValid() && trusted(client) {
			client = farthest(r.Header["X-Forwarded-For"], trusted)
		}
		if client.IsValid() {
			c.client = key(client)
			return
		}
		unnamed.Do(func() {
			slog.Warn("a trusted proxy's X-Forwarded-For names no client that can be read, or only addresses in --trusted-proxies; such requests share one quota")
		})
	}
}

// farthest returns the last address in X-Forwarded-For that is not a trusted proxy's. Each proxy appends the address of
// its peer, so anything before that may be forged by the client. The result is invalid if there is no such address, or
// if the last entry read is not an address.
func farthest(lines []string, trusted func(netip.Addr) bool) netip.Addr {
	for _, line := range slices.Backward(lines) {
		for end := len(line); end >= 0; {
			comma := strings.LastIndexByte(line[:end], ',')
			entry := strings.TrimSpace(line[comma+1 : end])
			end = comma
			if entry == "" {
				continue
			}
			if address := addressOf(entry); !address.IsValid() || !trusted(address) {
				return address
			}
		}
	}
	return netip.Addr{}
}

// addressOf parses an entry of X-Forwarded-For. The result is invalid if the entry is not an address. Some load
// balancers write 192.0.2.1:1024 and [2001:db8::1]:1024.
func addressOf(entry string) netip.Addr {
	if with, err := netip.ParseAddrPort(entry); err == nil {
		return plain(with.Addr())
	}
	if strings.HasPrefix(entry, "[") && strings.HasSuffix(entry, "]") {
		entry = entry[1 : len(entry)-1]
	}
	address, _ := netip.ParseAddr(entry)
	return plain(address)
}

// plain normalizes an address for comparison with networks: it unmaps IPv4-mapped
// IPv6 addresses and drops the zone, which a client could forge.
func plain(address netip.Addr) netip.Addr { return address.Unmap().WithZone("") }

// key returns the quota's key for an address: the IPv4 address, or the /64
// network of an IPv6 address, because a single client has 2^64 of them.
func key(address netip.Addr) string {
	if address = address.Unmap(); address.Is4() {
		return address.String()
	}
	network, _ := address.WithZone("").Prefix(64)
	return network.String()
}

// inAny reports whether an address is in one of the networks.
func inAny(networks []netip.Prefix, address netip.Addr) bool {
	return slices.ContainsFunc(networks, func(network netip.Prefix) bool { return network.Contains(address) })
}

// unknownClient is the quota key of all clients whose address is unknown.
const unknownClient = "unknown"
