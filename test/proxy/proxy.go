// Package proxy runs the proxies of deploy/ for tests: their configurations, with
// different addresses, in front of three replicas on loopback.
package proxy

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// Proxy is a program with a configuration in deploy/, which listens on
// 127.0.0.1:8080 and expects replicas on ports 8081 to 8083.
type Proxy struct {
	Name, file string
	arguments  func(file, folder string) []string
	whole      func(config, folder string) string // the complete configuration file
	strip      [2]string                          // the line that keeps a base URL's path, and the one that strips it
}

// All lists the proxies of deploy/.
var All = []Proxy{
	{
		Name: "haproxy", file: "haproxy/haproxy.cfg",
		arguments: func(file, _ string) []string { return []string{"-db", "-f", file} },
		whole:     func(config, _ string) string { return config },
		strip:     [2]string{"# http-request replace-path ^/tools", "http-request replace-path ^/tools"},
	},
	{
		Name: "nginx", file: "nginx/convertd.conf",
		arguments: func(file, folder string) []string { return []string{"-c", file, "-p", folder, "-e", "stderr"} },
		whole: func(config, folder string) string {
			return "daemon off; pid " + folder + "/pid; error_log stderr crit; events {} http { access_log off;\n" +
				"client_body_temp_path " + folder + "/a; proxy_temp_path " + folder + "/b; fastcgi_temp_path " + folder +
				"/c; uwsgi_temp_path " + folder + "/d; scgi_temp_path " + folder + "/e;\n" + config + "}"
		},
		strip: [2]string{"proxy_pass http://convertd;", "proxy_pass http://convertd/;"},
	},
}

// Change edits a configuration.
type Change func(config, folder string) string

// Public replaces the configuration's base URL.
func Public(baseURL string) Change {
	return func(config, _ string) string {
		return strings.ReplaceAll(config, "https://convert.example.com", baseURL)
	}
}

// Below serves the replicas below /tools only, and with strips removes that prefix
// from the path, as the configuration's own comments describe.
func (p Proxy) Below(strips bool) Change {
	return func(config, _ string) string {
		config = strings.Replace(config, "location / {", "location /tools/ {", 1)
		if !strips {
			return config
		}
		if !strings.Contains(config, p.strip[0]) {
			panic("deploy/" + p.file + " does not have " + p.strip[0])
		}
		return strings.Replace(config, p.strip[0], p.strip[1], 1)
	}
}

// Start runs the proxy at address in front of three replicas and waits until it listens. The proxy ends with the test.
func (p Proxy) Start(t testing.TB, address string, replicas [3]string, changes ...Change) {
	t.Helper()
	text := check.File(t, filepath.Join("../../deploy", p.file)) // from any folder of test/
	config := strings.NewReplacer("127.0.0.1:8080", address, "127.0.0.1:8081", replicas[0],
		"127.0.0.1:8082", replicas[1], "127.0.0.1:8083", replicas[2]).Replace(text)
	folder := check.Value(os.MkdirTemp("", "proxy"))(t)
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil { // nginx's workers may run as another user
		t.Fatal(err)
	}
	for _, change := range changes {
		config = change(config, folder)
	}
	file := filepath.Join(folder, "proxy.conf")
	check.OK(t, os.WriteFile(file, []byte(p.whole(config, folder)), 0o600))
	Run(t, exec.Command(p.Name, p.arguments(file, folder)...))
	daemon.Await(t, p.Name+" listens", func() bool {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			connection.Close()
		}
		return err == nil
	})
	for _, name := range "abcde" { // a body written to disk, against the configuration's promise, fails
		os.RemoveAll(filepath.Join(folder, string(name)))
	}
}

// Run starts a process that ends with the test. Debian installs some programs outside an ordinary user's PATH.
func Run(t testing.TB, command *exec.Cmd) *exec.Cmd {
	t.Helper()
	if errors.Is(command.Err, exec.ErrNotFound) {
		if path, err := exec.LookPath("/usr/sbin/" + command.Args[0]); err == nil {
			command.Path, command.Err = path, nil
		}
	}
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatalf("%v\nInstall redis-server, haproxy and nginx with `make setup-all`.", err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		kill := time.AfterFunc(5*time.Second, func() { _ = command.Process.Kill() })
		defer kill.Stop()
		_ = command.Wait()
	})
	return command
}

// StartRedis runs a Redis server at address. It ends with the test.
func StartRedis(t testing.TB, address string) *exec.Cmd {
	t.Helper()
	_, port, _ := net.SplitHostPort(address)
	return Run(t, exec.Command("redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", t.TempDir()))
}

// Ports of servers: systems take those of clients from higher ranges (Linux from 32768), one of which sometimes took the
// address of a server before it listened.
const firstPort, lastPort = 20_000, 32_000

// Free returns an unused loopback address.
func Free(t testing.TB) string {
	t.Helper()
	for range 100 {
		address := fmt.Sprintf("127.0.0.1:%d", firstPort+rand.IntN(lastPort-firstPort))
		if listener, err := net.Listen("tcp", address); err == nil {
			check.OK(t, listener.Close())
			return address
		}
	}
	t.Fatal("100 ports are in use")
	return ""
}
