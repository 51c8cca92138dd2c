package attack

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestForgedAddresses checks that no header gets a client a second quota.
func TestForgedAddresses(t *testing.T) {
	s := attack(t, "--rate-limit=1")
	for _, header := range []string{"X-Forwarded-For", "Forwarded", "X-Real-IP", "True-Client-IP", "CF-Connecting-IP", "X-Client-IP", "X-Cluster-Client-IP", "Fastly-Client-IP", "Via"} {
		limited := 0
		for i := range 20 {
			value := fmt.Sprintf("198.51.100.%d", i)
			if header == "Forwarded" {
				value = "for=" + value
			}
			got := s.post(t, "/v1/tools/json_format", goodBody, header, value)
			if got.status == http.StatusTooManyRequests {
				limited++
				if got.header.Get("Retry-After") == "" {
					t.Error("no Retry-After")
				}
				checkRefusal(t, got)
			}
		}
		if limited < 10 { // one a minute may pass
			t.Errorf("%s: only %d of 20 requests were refused", header, limited)
		}
	}
	// Unknown routes, methods and broken bodies use up the quota too.
	for _, path := range []string{"/v1/unknown", "/v1/tools/json_format"} {
		if got := s.post(t, path, "{"); got.status != http.StatusTooManyRequests {
			t.Errorf("%s: %d", path, got.status)
		}
	}
}

// TestForgedBehindProxy checks that addresses that the client put in front of a
// trusted proxy's own are ignored.
func TestForgedBehindProxy(t *testing.T) {
	s := attack(t, "--rate-limit=1", "--trusted-proxies=127.0.0.0/8")
	limited := 0
	for i := range 20 {
		forged := fmt.Sprintf("198.51.100.%d, 203.0.113.7", i)
		if s.post(t, "/v1/tools/json_format", goodBody, "X-Forwarded-For", forged).status == http.StatusTooManyRequests {
			limited++
		}
	}
	if limited < 10 {
		t.Errorf("only %d of 20 requests were refused", limited)
	}
	// An address in another spelling is the same client.
	for _, same := range []string{"::ffff:203.0.113.7", "203.0.113.7 "} {
		if got := s.post(t, "/v1/tools/json_format", goodBody, "X-Forwarded-For", same); got.status != http.StatusTooManyRequests {
			t.Errorf("%q: %d", same, got.status)
		}
	}
	for _, hostile := range []string{marker, strings.Repeat("1.1.1.1,", 1000), "127.0.0.1", "::1%" + marker, "999.1.1.1"} {
		if got := s.post(t, "/v1/tools/json_format", goodBody, "X-Forwarded-For", hostile); got.status != http.StatusOK && got.status != http.StatusTooManyRequests {
			t.Errorf("%.50q: %d", hostile, got.status)
		}
	}
}

// TestFlood checks that every one of thousands of addresses is served, both real
// ones of the loopback network and those that a proxy reports, and that memory
// stays bounded.
func TestFlood(t *testing.T) {
	s := attack(t, "--rate-limit=60", "--trusted-proxies=127.0.0.1/32")
	for i := range 500 {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 1, byte(i>>8), byte(i))}, Timeout: 5 * time.Second}
		connection, err := dialer.Dial("tcp", s.Address())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(connection, "GET /v1/unknown HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
		got, _ := io.ReadAll(connection)
		connection.Close()
		if !strings.Contains(string(got), " 404 ") {
			t.Fatalf("address %d: %.200s", i, got)
		}
	}
	const workers, each = 8, 2500
	var wrong atomic.Int64
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			for i := range each {
				address := fmt.Sprintf("2001:db8:%x:%x::1", worker, i)
				got := s.post(t, "/v1/tools/json_format", goodBody, "X-Forwarded-For", address)
				if got.status != http.StatusOK {
					wrong.Add(1)
				}
			}
		})
	}
	all.Wait()
	if n := wrong.Load(); n > 0 {
		t.Errorf("%d of %d addresses were not served", n, workers*each)
	}
	s.checkHeld(t)
	log := s.Log()
	if strings.Contains(log, "2001:db8") || strings.Contains(log, "127.1.0") {
		t.Error("the log contains addresses of clients")
	}
}
