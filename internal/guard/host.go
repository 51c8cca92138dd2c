package guard

import (
	"net/http"

	"github.com/convertd/convertd/internal/convert"
)

// Hosts lets requests pass whose Host header is a loopback name or one of
// allowed (without ports); "*" allows all. A page that makes a victim's
// browser believe its own name means this server (DNS rebinding) sends that
// name as Host and is refused.
func Hosts(allowed []string, refuse Refuser) Middleware {
	names := map[string]bool{}
	for _, host := range allowed {
		names[hostName(host)] = true
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			host := hostName(r.Host)
			if host != "" && (names["*"] || names[host] || loopback(host)) {
				next.ServeHTTP(w, r)
				return
			}
			refuse(w, r, convert.Refuse(convert.HostRefused,
				"The Host header is not one that this server answers to.",
				"Use the service's public address; the operator can add hosts with --allowed-hosts."))
		})
	}
}
