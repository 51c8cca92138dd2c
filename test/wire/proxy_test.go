package wire

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// proxy records the requests of scripts.
type proxy struct{ *converttest.Proxy }

func listen(t *testing.T) proxy {
	return proxy{converttest.StartProxy(t, `(?i)^(sec-websocket-key|content-length: [0-9]+$)`)}
}

func (p proxy) environment() []string {
	return []string{"http_proxy=" + p.URL, "https_proxy=" + p.URL, "all_proxy=" + p.URL}
}

// run runs a script with curl and returns the requests that it sends, in order.
func (p proxy) run(t *testing.T, curl, text string, environment []string, arguments ...string) []string {
	t.Helper()
	dir := workDir(t)
	check.OK(t, os.Symlink(curl, filepath.Join(dir, "bin", "curl")))
	runIn(t, dir, text, environment, arguments...)
	return p.Requests()
}
