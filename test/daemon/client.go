package daemon

import (
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
)

// Dial connects to a TCP address from an address of the loopback network. An operation on the connection that hangs
// fails after Hang; the end of the test closes the connection.
func Dial(t testing.TB, from, address string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: Hang}
	connection := check.Value(dialer.Dial("tcp", address))(t)
	t.Cleanup(func() { connection.Close() })
	_ = connection.SetDeadline(time.Now().Add(Hang))
	return connection
}

// Client returns an HTTP client with an address of the loopback network. The end of the test closes its connections.
func Client(t testing.TB, from string) *http.Client {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	transport := &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 32}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: Hang}
}

// Dribble sends first, and then piece again and again with a pause between, until the connection is closed.
func Dribble(connection io.Writer, first, piece string, pause time.Duration) {
	_, err := io.WriteString(connection, first)
	for ; err == nil; time.Sleep(pause) {
		_, err = io.WriteString(connection, piece)
	}
}
