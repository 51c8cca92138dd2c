// Package cluster runs three replicas of the real binary behind a real proxy,
// with a real Redis, all on loopback: the proxies' configurations are those in
// deploy/, with other addresses.
package cluster

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
)

var binary string

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

// cluster is a proxy, its replicas and their Redis.
type cluster struct {
	t         *testing.T // whose end ends all processes
	url       string     // of the proxy
	redis     string     // host:port
	redisRuns *exec.Cmd
	addresses [3]string
	replicas  [3]*daemon.Process
	args      []string
}

// proxy is one with a configuration in deploy/. A line of it that names
// 127.0.0.1:8080 to :8083 is rewritten.
type proxy struct {
	name, file string
	command    func(file, folder string) *exec.Cmd
}

var proxies = []proxy{
	{"haproxy", "haproxy/haproxy.cfg", func(file, _ string) *exec.Cmd {
		return exec.Command("haproxy", "-db", "-f", file)
	}},
	{"nginx", "nginx/convertd.conf", func(file, folder string) *exec.Cmd {
		whole := filepath.Join(folder, "nginx.conf")
		text := "daemon off; pid " + folder + "/pid; error_log stderr crit; events {} http { access_log off;\n" +
			"client_body_temp_path " + folder + "/a; proxy_temp_path " + folder + "/b; fastcgi_temp_path " + folder + "/c; uwsgi_temp_path " + folder + "/d; scgi_temp_path " + folder + "/e;\n" +
			"include " + file + "; }"
		_ = os.WriteFile(whole, []byte(text), 0o600)
		return exec.Command("nginx", "-c", whole, "-p", folder, "-e", "stderr")
	}},
}

// eachProxy runs a test behind every proxy, with a Redis and a drain too short
// for a proxy to notice.
func eachProxy(t *testing.T, rateLimit int, test func(*testing.T, *cluster)) {
	for _, proxy := range proxies {
		t.Run(proxy.name, func(t *testing.T) {
			c := newCluster(t, fmt.Sprintf("--rate-limit=%d", rateLimit), "--drain=100ms")
			c.startRedis(t)
			for i := range c.replicas {
				c.startReplica(t, i)
			}
			c.startProxy(t, proxy, nil)
			test(t, c)
		})
	}
}

// newCluster has the addresses of three replicas, which are not started yet,
// and their flags.
func newCluster(t *testing.T, flags ...string) *cluster {
	c := &cluster{t: t, args: append([]string{"--trusted-proxies=127.0.0.1/32", "--base-url=http://convert.example.com", "--shutdown-timeout=5s"}, flags...)}
	for i := range c.addresses {
		c.addresses[i] = free(t)
	}
	return c
}

// startProxy starts a proxy in front of the replicas; with change, which may be
// nil, its configuration is changed further.
func (c *cluster) startProxy(t *testing.T, p proxy, change func(config, folder, address string) string) {
	address := free(t)
	c.url = "http://" + address
	text, err := os.ReadFile(filepath.Join("../../deploy", p.file))
	if err != nil {
		t.Fatal(err)
	}
	config := strings.NewReplacer("127.0.0.1:8080", address, "127.0.0.1:8081", c.addresses[0], "127.0.0.1:8082", c.addresses[1], "127.0.0.1:8083", c.addresses[2]).Replace(string(text))
	folder, err := os.MkdirTemp("", "cluster")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if change != nil {
		config = change(config, folder, address)
	}
	file := filepath.Join(folder, "proxy.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, p.command(file, folder))
	within(t, "the proxy listens", func() bool {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			connection.Close()
		}
		return err == nil
	})
}

func (c *cluster) startRedis(t *testing.T) {
	if c.redis == "" {
		c.redis = free(t)
	}
	_, port, _ := net.SplitHostPort(c.redis)
	c.redisRuns = run(c.t, exec.Command("redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"))
}

// startReplica starts the i-th replica at its address and waits until it
// counts in Redis.
func (c *cluster) startReplica(t *testing.T, i int) {
	c.start(i, "--redis-url=redis://"+c.redis)
	within(t, "the replica counts in Redis", func() bool { return c.shared(t, i) })
}

// start starts the i-th replica at its address and waits until it listens.
func (c *cluster) start(i int, flags ...string) {
	flags = append(flags, "--listen="+c.addresses[i])
	c.replicas[i] = daemon.Start(c.t, binary, nil, append(flags, c.args...)...)
}

func (c *cluster) shared(t *testing.T, i int) bool {
	return c.replicas[i].Metric(t, "convertd_shared_quota_up") == 1
}

// run starts a process of ours that ends with the test.
func run(t *testing.T, command *exec.Cmd) *exec.Cmd {
	t.Helper()
	command.Env = append(os.Environ(), "PATH="+os.Getenv("PATH")+":/usr/sbin:/sbin")
	if path, err := exec.LookPath("/usr/sbin/" + filepath.Base(command.Args[0])); err == nil && command.Err != nil {
		command.Path, command.Err = path, nil
	}
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatalf("%v\nRun `make setup` first: it installs redis-server, haproxy and nginx.", err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		done := make(chan struct{})
		go func() { _ = command.Wait(); close(done) }()
		select {
		case <-done:
		case <-time.After(5 * time.Second):
			_ = command.Process.Kill()
		}
	})
	return command
}

func free(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func within(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not in time: %s", what)
		}
	}
}

// client is one machine of the loopback network.
type client struct{ *http.Client }

func (c *cluster) client(address string) client {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return client{&http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, network, to string) (net.Conn, error) {
				return dialer.DialContext(ctx, network, to)
			},
			MaxIdleConnsPerHost: 32,
		},
		Timeout: 20 * time.Second,
	}}
}
