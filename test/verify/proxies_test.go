package verify

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/verify"
	"github.com/convertd/convertd/test/daemon"
)

var binary string

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

// TestSoundBehindProxies runs every case that a proxy does not answer itself
// behind the proxies of deploy/, each in front of three replicas.
func TestSoundBehindProxies(t *testing.T) {
	for _, name := range []string{"haproxy/haproxy.cfg", "nginx/convertd.conf"} {
		t.Run(filepath.Dir(name), func(t *testing.T) {
			t.Parallel()
			address := free(t)
			names := []string{"127.0.0.1:8080", address}
			for _, place := range []string{"127.0.0.1:8081", "127.0.0.1:8082", "127.0.0.1:8083"} {
				replica := daemon.Start(t, binary, nil, "--rate-limit=0", "--trusted-proxies=127.0.0.1/32", "--base-url=http://"+address)
				names = append(names, place, replica.Address())
			}
			text, err := os.ReadFile(filepath.Join("../../deploy", name))
			if err != nil {
				t.Fatal(err)
			}
			startProxy(t, filepath.Dir(name), strings.NewReplacer(names...).Replace(string(text)), address)
			sound(t, verify.Options{BaseURL: "http://" + address})
		})
	}
}

// startProxy starts haproxy or nginx with its configuration and waits until it
// listens.
func startProxy(t *testing.T, name, config, address string) {
	t.Helper()
	folder := t.TempDir()
	arguments := []string{"-db", "-f", folder + "/proxy.conf"}
	if name == "nginx" {
		config = "daemon off; pid " + folder + "/pid; error_log stderr crit; events {} http { access_log off;\n" +
			"client_body_temp_path " + folder + "/a; proxy_temp_path " + folder + "/b; fastcgi_temp_path " + folder +
			"/c; uwsgi_temp_path " + folder + "/d; scgi_temp_path " + folder + "/e;\n" + config + "}"
		arguments = []string{"-c", folder + "/proxy.conf", "-p", folder, "-e", "stderr"}
	}
	if err := os.WriteFile(folder+"/proxy.conf", []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		path = "/usr/sbin/" + name // Debian's place, which not every PATH has
	}
	command := exec.Command(path, arguments...)
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		t.Fatalf("%v\nRun `make setup` first: it installs haproxy and nginx.", err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
	})
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			connection.Close()
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
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
