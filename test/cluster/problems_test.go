//go:build unix

package cluster

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
	"github.com/convertd/convertd/test/proxy"
)

// TestProxyRefusals checks that the proxies' own error responses are problem documents too.
func TestProxyRefusals(t *testing.T) {
	for _, p := range proxy.All {
		t.Run(p.Name, func(t *testing.T) {
			c := newCluster(t, 1, "--drain=0s")
			c.startProxy(t, p, func(config, _ string) string {
				return strings.NewReplacer("timeout server 6s", "timeout server 1s", "proxy_read_timeout 6s", "proxy_read_timeout 1s",
					"timeout http-request 10s", "timeout http-request 1s").Replace(config)
			})
			address := c.address()
			if p.Name == "nginx" { // HAProxy's 400 cannot be changed, and it lets the replica refuse large bodies
				checkProblem(t, "no header line", wire(t, address, "GET / HTTP/1.1\r\nHost: convert.example.com\r\nnone\x01 at all\r\n\r\n"), 400, "")
				checkProblem(t, "3 MiB", wire(t, address, head+"Content-Length: 3145728\r\n\r\n"), 413, "request_too_large")
			}
			if p.Name == "haproxy" { // nginx closes the connection without a word
				checkProblem(t, "half a body", wire(t, address, head+"Content-Length: 4\r\n\r\n{}"), 408, "body_timeout")
			}
			for _, end := range []struct {
				name string
				do   func()
			}{
				{"no response", func() { c.replicas[0].Freeze(t) }},
				{"no listener", c.replicas[0].Kill},
			} {
				end.do()
				got := wire(t, address, head+"Content-Length: 2\r\n\r\n{}")
				checkProblem(t, end.name, got, 503, "overloaded")
				if got.Header.Get("Retry-After") != "1" {
					t.Errorf("Retry-After: %q", got.Header.Get("Retry-After"))
				}
			}
		})
	}
}

// wire sends a request verbatim and reads the response.
func wire(t *testing.T, address, request string) *http.Response {
	t.Helper()
	connection := daemon.Dial(t, "127.0.0.1", address)
	_, _ = io.WriteString(connection, request)
	return check.Value(http.ReadResponse(bufio.NewReader(connection), nil))(t)
}

func checkProblem(t *testing.T, name string, got *http.Response, status int, code string) {
	t.Helper()
	var problem struct {
		Type, Title, Code, Detail, Hint string
		Status                          int
	}
	err := json.NewDecoder(got.Body).Decode(&problem)
	if err != nil || got.StatusCode != status || problem.Status != status || problem.Code != code || problem.Title == "" || problem.Hint == "" ||
		got.Header.Get("Content-Type") != "application/problem+json" || got.Header.Get("Strict-Transport-Security") != "" {
		t.Errorf("%s: %d %v %+v %v", name, got.StatusCode, got.Header, problem, err)
	}
}

// TestStrictTransport checks that over TLS, and only there (see checkProblem),
// responses have Strict-Transport-Security.
func TestStrictTransport(t *testing.T) {
	for _, p := range proxy.All {
		t.Run(p.Name, func(t *testing.T) {
			c := newCluster(t, 1)
			c.startProxy(t, p, func(config, folder string) string {
				file, address := selfSigned(t, folder), c.address()
				return strings.NewReplacer(
					"bind "+address, "bind "+address+" ssl crt "+file,
					"listen "+address, "ssl_certificate "+file+"; ssl_certificate_key "+file+"; listen "+address+" ssl").Replace(config)
			})
			client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}, Timeout: daemon.Hang}
			defer client.CloseIdleConnections()
			for _, want := range []int{http.StatusOK, http.StatusServiceUnavailable} {
				r, _ := http.NewRequest(http.MethodPost, strings.Replace(c.url, "http", "https", 1)+"/v1/tools/json_format", strings.NewReader(good))
				r.Host = "convert.example.com"
				r.Header.Set("Content-Type", "application/json")
				response := check.Value(client.Do(r))(t)
				response.Body.Close()
				if response.StatusCode != want || response.Header.Get("Strict-Transport-Security") != "max-age=63072000" {
					t.Errorf("%d %v", response.StatusCode, response.Header)
				}
				c.replicas[0].Kill()
			}
		})
	}
}

// selfSigned writes a certificate and its key into one file.
func selfSigned(t *testing.T, folder string) string {
	t.Helper()
	private := check.Value(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"convert.example.com"}}
	certificate := check.Value(x509.CreateCertificate(rand.Reader, template, template, private.Public(), private))(t)
	key := check.Value(x509.MarshalPKCS8PrivateKey(private))(t)
	text := append(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...)
	file := filepath.Join(folder, "both.pem")
	check.OK(t, os.WriteFile(file, text, 0o600))
	return file
}
