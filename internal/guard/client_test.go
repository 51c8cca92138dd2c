package guard

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5/middleware"
)

// prefixes parses networks.
func prefixes(networks ...string) (list []netip.Prefix) {
	for _, network := range networks {
		list = append(list, netip.MustParsePrefix(network))
	}
	return list
}

// TestClientAgreesWithChi checks that the client of a request through proxies is the one
// that chi's middleware finds, whatever the headers contain. (Using chi's
// middleware itself would link the handlers of net/http/pprof into the program.)
func TestClientAgreesWithChi(t *testing.T) {
	entries := []string{"", " ", "10.0.0.1", "10.9.9.9 ", "192.0.2.1", "::ffff:10.0.0.1", "::ffff:192.0.2.7", "2001:db8::1", "fd00::1%eth0", "fd00::2", "unknown", "10.0.0.1, ", "fe80::1%x"}
	remotes := []string{"10.0.0.1:1", "192.0.2.9:1", "[::ffff:10.1.1.1]:1", "[fd00::1%eth0]:1", "[2001:db8:1::1]:1", "nowhere"}
	networks := []string{"10.0.0.0/8", "fd00::/8"}
	var found netip.Addr
	chis := middleware.ClientIPFromXFF(networks...)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		found = middleware.GetClientIPAddr(r.Context())
	}))
	note := forwarded(prefixes(networks...))
	named := 0
	for range 20_000 {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = remotes[rand.IntN(len(remotes))]
		for range rand.IntN(3) {
			var line []string
			for range rand.IntN(4) {
				line = append(line, entries[rand.IntN(len(entries))])
			}
			r.Header.Add("X-Forwarded-For", strings.Join(line, ","))
		}
		found = netip.Addr{}
		chis.ServeHTTP(nil, r)
		want, c := "", &requestContext{}
		if found.IsValid() {
			want = key(found)
			named++
		}
		if note(r, c); c.client != want {
			t.Fatalf("%s behind %q: %q, want %q", r.RemoteAddr, r.Header["X-Forwarded-For"], c.client, want)
		}
	}
	if named < 5_000 {
		t.Errorf("only %d requests had a client", named)
	}
}
