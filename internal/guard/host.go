package guard

import (
	"net/http"
	"net/netip"

	"github.com/convertd/convertd/internal/convert"
)

// Hosts accepts requests whose Host header is a loopback name or in allowed (without ports); "*" allows all. In a DNS
// rebinding attack, a page makes a victim's browser resolve the page's own name to this server. The browser then sends
// that name as Host, and Hosts rejects it.
func Hosts(allowed []string, refuse Refuser) Middleware {
	return hosts(allowed, loopback, refuse)
}

// AdminHosts is Hosts for the admin listener. It also accepts any IP address,
// since metrics are scraped by address and a page cannot rebind an address.
func AdminHosts(allowed []string, refuse Refuser) Middleware {
	return hosts(allowed, func(host string) bool {
		_, err := netip.ParseAddr(host)
		return err == nil || loopback(host)
	}, refuse)
}

func hosts(allowed []string, also func(host string) bool, refuse Refuser) Middleware {
	names := map[string]bool{}
	for _, host := range allowed {
		names[hostName(host)] = true
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			host := hostName(r.Host)
			if host != "" && (names["*"] || names[host] || also(host)) {
				next.ServeHTTP(w, r)
				return
			}
			refuse(w, r, convert.Reject(convert.HostRefused,
				"The Host header names a host that this server does not serve.",
				"Use the service's public URL. The operator can add hosts with --allowed-hosts."))
		})
	}
}
