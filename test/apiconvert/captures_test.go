package apiconvert

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
)

// tokens is a server that hands out a new token with each response, and records what it receives.
type tokens struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
}

func newTokens(t *testing.T) *tokens {
	s := &tokens{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *tokens) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	one := fmt.Sprintf("%s %s %s %q", r.Method, r.RequestURI, r.Header.Get("Content-Type"), body)
	for _, name := range []string{"Authorization", "Cookie", "X-A", "X-B", "X-C", "X-D", "X-E", "X-Id", "X-Old"} {
		if value := r.Header.Get(name); value != "" {
			one += " " + name + ": " + value
		}
	}
	s.seen = append(s.seen, one)
	n := len(s.seen)
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"access_token":"token-%d","id":%d,"data":{"a-b":"b%d","items":[{"name":"n%d","id":3},{"id":"i%d"}]}}`, n, n, n, n, n)
}

// received returns what the server received since the last call.
func (s *tokens) received() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	seen := s.seen
	s.seen = nil
	return seen
}

// bash runs a script without the user's own configuration.
func (s *tokens) bash(t *testing.T, script string) []string {
	t.Helper()
	shell := exec.Command("bash", "-euo", "pipefail")
	shell.Stdin = strings.NewReader(script)
	shell.Dir = t.TempDir()
	shell.Env = append(os.Environ(), "HOME="+shell.Dir, "CURL_HOME="+shell.Dir, "no_proxy=*")
	if out, err := shell.CombinedOutput(); err != nil {
		t.Errorf("bash: %v\n%s\n%s", err, out, script)
	}
	return s.received()
}

// newman runs a collection with Postman's runner.
func (s *tokens) newman(t *testing.T, collection string) []string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "collection.json")
	check.OK(t, os.WriteFile(file, []byte(collection), 0o600))
	runner := exec.Command("node_modules/.bin/newman", "run", file, "--color", "off", "--disable-unicode")
	runner.Env = append(os.Environ(), "no_proxy=*")
	if out, err := runner.CombinedOutput(); err != nil {
		t.Errorf("newman: %v\n%s\n%s", err, out, collection)
	}
	return s.received()
}

// TestCaptures runs a script and the collection that it is converted to. Both use tokens from the responses, so the
// requests are the same only if the collection takes them from the same responses.
func TestCaptures(t *testing.T) {
	check.Installed(t, "node_modules/.installed", "make setup-all")
	var cases []struct {
		Name     string   `yaml:"name"`
		Text     string   `yaml:"text"`
		Lines    []string `yaml:"lines"`
		Captured []string `yaml:"captured"`
		OpenAPI  []string `yaml:"openapi"`
	}
	converttest.Data(t, "../../internal/tools/apiconvert/testdata/captures.yaml", &cases)
	s := newTokens(t)
	for _, c := range cases {
		if c.Captured != nil {
			continue // the collection lacks values
		}
		t.Run(c.Name, func(t *testing.T) {
			script := strings.ReplaceAll(c.Text, "http://h.test", s.URL)
			want := s.bash(t, script)
			got := s.newman(t, check.Value(convertTo(source{c.Name, "text/plain", script}, "postman-2.1"))(t))
			check.Equal(t, want, got)
		})
	}
}

// TestCapturedScripts runs a collection and the script that it is converted to.
func TestCapturedScripts(t *testing.T) {
	check.Installed(t, "node_modules/.installed", "make setup-all")
	var cases []documenttest.Captured
	converttest.Data(t, "../../internal/tools/apiconvert/testdata/captured.yaml", &cases)
	s := newTokens(t)
	for _, c := range cases {
		if c.Unset {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			collection := c.Collection(s.URL)
			script := check.Value(convertTo(source{c.Name, "application/json", collection}, "curl"))(t)
			want := s.newman(t, collection)
			var set strings.Builder // what the header says to set
			for _, v := range c.Variable {
				fmt.Fprintf(&set, "%s='%s'\n", v["key"], v["value"])
			}
			check.Equal(t, want, s.bash(t, set.String()+script))
		})
	}
}
