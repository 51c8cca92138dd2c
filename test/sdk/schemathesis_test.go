package sdk

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// schemathesis runs all its checks against a server and returns its output and whether they passed.
func schemathesis(t *testing.T, address string) (string, bool) {
	t.Helper()
	const program = ".venv/bin/schemathesis"
	check.Installed(t, program, "make setup-all")
	run := exec.Command(program, "--config-file", "schemathesis.toml", "run", address+"/v1/openapi.yaml", "--url", address,
		"--checks", "all", "--max-examples", "50", "--seed", "1", "--continue-on-failure", "--no-color")
	run.Env = append(os.Environ(), "SCHEMATHESIS_HOOKS=", "HYPOTHESIS_STORAGE_DIRECTORY="+t.TempDir())
	out, err := run.CombinedOutput()
	return string(out), err == nil
}

// TestSchemathesis generates valid and invalid requests from the OpenAPI document and checks every response against it.
func TestSchemathesis(t *testing.T) {
	daemon.SecondTier(t)
	output, content := schemathesis(t, serve(t, "--rate-limit=0"))
	if !content || !strings.Contains(output, "Tested: ") {
		t.Errorf("%s", output)
	}
	t.Log(output[max(0, len(output)-400):])
}

// TestSchemathesisSees checks that a response that the document does not allow is reported.
func TestSchemathesisSees(t *testing.T) {
	daemon.SecondTier(t)
	for name, alter := range map[string]func(*http.Response, []byte) []byte{
		"another status": func(r *http.Response, body []byte) []byte {
			if r.StatusCode == http.StatusUnprocessableEntity {
				r.StatusCode = http.StatusTeapot
			}
			return body
		},
		"another member": func(_ *http.Response, body []byte) []byte {
			return bytes.Replace(body, []byte(`"warnings":`), []byte(`"extra":1,"warnings":`), 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			target := check.Value(url.Parse(serve(t, "--rate-limit=0")))(t)
			proxy := httputil.NewSingleHostReverseProxy(target)
			proxy.ModifyResponse = func(r *http.Response) error {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					return err
				}
				if r.Request.Method == http.MethodPost {
					body = alter(r, body)
				}
				r.Body = io.NopCloser(bytes.NewReader(body))
				r.ContentLength = int64(len(body))
				r.Header.Del("Content-Length")
				return nil
			}
			web := httptest.NewServer(proxy)
			defer web.Close()
			if output, content := schemathesis(t, web.URL); content {
				t.Errorf("content:\n%s", output)
			}
		})
	}
}
