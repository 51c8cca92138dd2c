package guard

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/rs/cors"

	"github.com/convertd/convertd/internal/convert"
)

// Origins decides which web origins may use the service.
type Origins struct {
	allowed  map[string]bool
	any      bool // "*"
	loopback bool // every loopback origin, while listening on loopback
}

// NewOrigins allows the listed origins, in any spelling that Origin accepts; "*" allows all. If loopback is set, it
// also allows every http(s) origin on this machine.
func NewOrigins(allowed []string, loopback bool) Origins {
	o := Origins{allowed: map[string]bool{}, loopback: loopback}
	for _, origin := range allowed {
		o.any = o.any || origin == "*"
		o.allowed[strings.ToLower(origin)] = true
		if u, err := Origin(origin); err == nil {
			o.allowed[u.String()] = true
		}
	}
	return o
}

// allow reports whether a page of this origin may use the service. Only "*"
// allows the origin "null" (sandboxed frames, local files).
func (o Origins) allow(origin string) bool {
	if o.any || o.allowed[strings.ToLower(origin)] {
		return true
	}
	if !o.loopback {
		return false
	}
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(origin, u.Scheme+"://"+u.Host) && (u.Scheme == "http" || u.Scheme == "https") && loopback(hostName(u.Host))
}

// Check rejects requests whose Origin header is not allowed or appears more than
// once (RFC 6454, section 7.3). Programs send no Origin and pass.
func (o Origins) Check(refuse Refuser) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if given := r.Header["Origin"]; len(given) > 1 || len(given) == 1 && !o.allow(given[0]) {
				refuse(w, r, convert.Reject(convert.OriginRefused,
					"The Origin header names an origin that this server does not allow.",
					"Send the request from the service's own pages, or from a program that sends no Origin header. The operator can add the origin to --allowed-origins."))
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// CORS handles preflights and lets pages of allowed origins read responses and the headers that they need.
func (o Origins) CORS() Middleware {
	return cors.New(cors.Options{
		AllowOriginFunc: func(origin string) bool { return origin != "" && o.allow(origin) }, // also called without an origin
		AllowedMethods:  []string{http.MethodGet, http.MethodPost},
		AllowedHeaders:  []string{"*"},
		ExposedHeaders:  []string{"ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id"},
		MaxAge:          600,
	}).Handler
}
