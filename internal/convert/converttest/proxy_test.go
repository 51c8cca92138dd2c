package converttest

import (
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestProxy checks that a connection without a request is not recorded. The proxy reads one connection after the other,
// so the second one's response shows that the first has been read.
func TestProxy(t *testing.T) {
	p := StartProxy(t, "^$")
	c, err := net.Dial("tcp", strings.TrimPrefix(p.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	response, err := http.Get(p.URL + "/x")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if got := p.Requests(); len(got) != 1 || !strings.HasPrefix(got[0], "GET /x ") {
		t.Errorf("recorded %q", got)
	}
}
