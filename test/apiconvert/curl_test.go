package apiconvert

import (
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/shelltest"
)

// run runs the shell commands, which call curl, without the user's own configuration.
func run(t *testing.T, text string) (stderr string) {
	t.Helper()
	shell := exec.Command("sh")
	shell.Stdin = strings.NewReader(text)
	shell.Dir = t.TempDir()
	shell.Env = append(os.Environ(), "HOME="+shell.Dir, "CURL_HOME="+shell.Dir, "no_proxy=*")
	var problems strings.Builder
	shell.Stderr = &problems
	_ = shell.Run()
	return problems.String()
}

var helped = regexp.MustCompile(`(?m)^ *(?:-., )?--([a-z0-9.-]+)( <)?`)

// TestOptionsAreTaken converts a command for Windows' command prompt with each option, and checks that the curl of this
// system accepts the result. Nothing is sent, since --version follows.
func TestOptionsAreTaken(t *testing.T) {
	help := check.Value(exec.Command("curl", "--help", "all").Output())(t)
	commands := map[string]string{}
	for _, m := range helped.FindAllStringSubmatch(string(help), -1) {
		commands[m[1]] = "@echo off\ncurl https://a.test/ --" + m[1]
		if m[2] != "" {
			commands[m[1]] += " x"
		}
	}
	if len(commands) < 200 {
		t.Fatalf("only %d options found", len(commands))
	}
	written := 0
	var all strings.Builder
	all.WriteString("curl() { command curl \"$@\" --version >/dev/null; }\n")
	for name, command := range commands {
		text, err := convertTo(source{name, "text/plain", command}, "curl")
		if err != nil {
			continue // --help, --version and the like send nothing
		}
		written++
		all.WriteString(text + "\n")
	}
	if problems := run(t, all.String()); strings.Contains(problems, "is unknown") || strings.Contains(problems, "is ambiguous") {
		t.Errorf("%s", problems)
	}
	if written < 200 {
		t.Errorf("only %d options were written", written)
	}
}

// received is a request as the server got it.
type received struct{ method, target, note, cookie, contentType, body string }

// TestCopiedRequestsAreSent checks that commands that browsers copy for Windows
// still send the same request after their conversion.
func TestCopiedRequestsAreSent(t *testing.T) {
	got := make(chan received, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- received{r.Method, r.RequestURI, r.Header.Get("X-Note"), r.Header.Get("Cookie"), r.Header.Get("Content-Type"), string(body)}
	}))
	defer server.Close()
	random := rand.New(rand.NewPCG(7, 8))
	for range 6 {
		r := shelltest.Request{
			URL: server.URL + "/a%20b?x=[0]&y=%7B1%7D", Method: "PUT", Type: "text/plain", Agent: "test",
			Headers: [][2]string{{"sec-ch-ua", `"Chromium";v="140"`}, {"x-note", "n" + strings.NewReplacer("\n", "", "\t", "", "{{", "").Replace(shelltest.Text(random.IntN, 6)) + "."}},
			Cookies: [][2]string{{"m", "2"}, {"n", "1"}},
			Body:    "t" + strings.ReplaceAll(shelltest.Text(random.IntN, 30), "{{", "") + ".",
		}
		want := received{"PUT", "/a%20b?x=[0]&y=%7B1%7D", r.Headers[1][1], "m=2; n=1", "text/plain", r.Body}
		texts := map[string]string{"PowerShell": shelltest.PowerShell(r)}
		for _, form := range shelltest.Forms {
			texts[form.Name] = form.Curl(r)
		}
		for name, copied := range texts {
			text, err := convertTo(source{name, "text/plain", copied}, "curl")
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			checkShell(t, name, text)
			problems := run(t, text)
			select {
			case g := <-got:
				if g != want {
					t.Errorf("%s: want %q\ngot %q", name, want, g)
				}
			default:
				t.Errorf("%s: nothing was sent: %s\n%s", name, problems, text)
			}
		}
	}
}
