package guard

import (
	"net/http"
	"net/netip"

	"github.com/convertd/convertd/internal/convert"
)

// Hosts lets requests pass whose Host header is a loopback name or one of
// allowed (without ports); "*" allows all. A page that makes a victim's
// browser believe its own name means this server (DNS rebinding) sends that
// name as Host and is refused.
func Hosts(allowed []string, refuse Refuser) Middleware {
	return hosts(allowed, loopback, refuse)
}

// AdminHosts is Hosts for the operators' address: any IP address is a name that
// it answers to, for metrics are asked for by address, and no page can make a
// browser take its own name for one.
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
			refuse(w, r, convert.Refuse(convert.HostRefused,
				"The Host header is not one that this server answers to.",
				"Use the service's public address; the operator can add hosts with --allowed-hosts."))
		})
	}
}
