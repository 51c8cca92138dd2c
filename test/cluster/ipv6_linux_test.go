package cluster

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/proxy"
)

// TestOneIPv6Network checks that HAProxy counts the connections of an IPv6 /64 together. It runs itself in a network
// namespace, in which loopback has addresses of two such networks.
func TestOneIPv6Network(t *testing.T) {
	const inside = "CONVERTD_TEST_NAMESPACE"
	if os.Getenv(inside) == "" {
		run := exec.Command("unshare", "--net", "--map-root-user", "sh", "-c",
			`ip link set lo up && for a in fd00::1 fd00::2 fd00:0:0:1::1; do ip addr add $a/128 dev lo nodad; done && exec "$0" -test.run='^TestOneIPv6Network$'`, os.Args[0])
		run.Env = append(os.Environ(), inside+"=1")
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	address := listenIPv6(t)
	first := served(t, "fd00::1", address, mostConnections-10)
	second := served(t, "fd00::2", address, 100)
	other := served(t, "fd00:0:0:1::1", address, 100)
	if first != mostConnections-10 || second != 10 || other != 100 {
		t.Errorf("%d and %d connections of one network were served, and %d of another", first, second, other)
	}
}

// listenIPv6 runs HAProxy, without replicas, on an IPv6 address.
func listenIPv6(t *testing.T) (address string) {
	listener := check.Value(net.Listen("tcp", "[fd00::1]:0"))(t)
	listener.Close()
	nowhere := [3]string{"127.0.0.1:1", "127.0.0.1:2", "127.0.0.1:3"}
	proxy.All[0].Start(t, listener.Addr().String(), nowhere)
	return listener.Addr().String()
}

// served opens connections from an address, which stay open until the test ends,
// and returns how many of them get a response.
func served(t *testing.T, from, address string, n int) (served int) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	for range n {
		connection, err := dialer.Dial("tcp", address)
		if err != nil {
			continue // rejected
		}
		t.Cleanup(func() { connection.Close() })
		_, _ = io.WriteString(connection, "GET /healthz HTTP/1.1\r\nHost: convert.example.com\r\n\r\n")
		if _, err := http.ReadResponse(bufio.NewReader(connection), nil); err == nil {
			served++
		}
	}
	return served
}
