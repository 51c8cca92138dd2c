package converttest

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// TestProxy checks that a connection without a request is not recorded. The proxy reads one connection after the other,
// so the second one's response shows that the first has been read.
func TestProxy(t *testing.T) {
	p := StartProxy(t, "^$")
	c := check.Value(net.Dial("tcp", strings.TrimPrefix(p.URL, "http://")))(t)
	c.Close()
	response := check.Value(http.Get(p.URL + "/x"))(t)
	response.Body.Close()
	if got := p.Requests(); len(got) != 1 || !strings.HasPrefix(got[0], "GET /x ") {
		t.Errorf("recorded %q", got)
	}
}
