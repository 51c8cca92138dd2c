package curl

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/curl/writer"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/extract"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// testCase is a script and its rewritten form.
type testCase struct {
	Text    string `yaml:"text"`
	Want    string `yaml:"want"`
	ToShell bool   `yaml:"toShell"` // with a script as the target
	Offline bool   `yaml:"offline"` // curl must not run it
	Differs string `yaml:"differs"` // why curl sends something else, if it does
}

func cases(tb testing.TB) []testCase {
	tb.Helper()
	var all []testCase
	converttest.Data(tb, "testdata/cases.yaml", &all)
	return all
}

func output() *convert.OutputLimit {
	return convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters)
}

func rewrite(tb testing.TB, text string, toShell bool) string {
	tb.Helper()
	api, err := Read(&extract.Script{Text: text}, toShell, nil, nil)
	if err != nil {
		tb.Fatalf("%q: %v", text, err)
	}
	out, err := writer.Write(nil, api, output(), nil, nil)
	if err != nil {
		tb.Fatalf("%q: %v", text, err)
	}
	return string(out)
}

func TestCases(t *testing.T) {
	for _, c := range cases(t) {
		got := rewrite(t, c.Text, c.ToShell)
		if diff := cmp.Diff(c.Want, got); diff != "" {
			t.Errorf("%s\n%s", c.Text, diff)
		}
		if diff := cmp.Diff(got, rewrite(t, got, c.ToShell)); diff != "" {
			t.Errorf("%s\nwritten again (-first +second):\n%s", c.Text, diff)
		}
	}
}

// TestCorpus reads the corpus scripts. Each must return the expected requests, also after it was written and read
// again.
func TestCorpus(t *testing.T) {
	var want map[string][]string
	converttest.Data(t, "testdata/corpus.yaml", &want)
	for name, text := range converttest.CorpusTexts(t, "apiconvert/curl/*") {
		var methods []string
		for _, r := range readAgain(t, text) {
			method, _, _ := strings.Cut(r.Request, " ")
			methods = append(methods, method)
		}
		if diff := cmp.Diff(want[name], methods); diff != "" {
			t.Errorf("%s: methods (-want +got):\n%s", name, diff)
		}
		got := rewrite(t, text, false)
		if strings.Contains(got, "\r") {
			continue // in pasted input, CR LF is a line end
		}
		if diff := cmp.Diff(got, rewrite(t, got, false)); diff != "" {
			t.Errorf("%s (-first +second):\n%s", name, diff)
		}
	}
}

// readAgain returns the requests of a script and checks that writing and reading them returns the same requests.
func readAgain(t *testing.T, text string) []testRequest {
	t.Helper()
	want := readCaseOf(text).Requests
	if got := rewrite(t, text, false); !strings.Contains(got, "\r") && !strings.Contains(got, "\n  --upload-file") {
		again := readCaseOf(got).Requests
		if diff := cmp.Diff(sent(want), sent(again)); diff != "" {
			t.Errorf("%s\nis written as\n%s\n(-want +got):\n%s", text, got, diff)
		}
	}
	return want
}

// sent returns requests without their comments and settings.
func sent(requests []testRequest) (all []testRequest) {
	for _, r := range requests {
		r.Comment, r.Settings = "", nil
		all = append(all, r)
	}
	return all
}

// TestWire checks that curl itself sends the same requests for a case and for its rewritten form.
func TestWire(t *testing.T) {
	curl := converttest.Program(t, "curl")
	proxy := converttest.StartProxy(t, `(?i)^(proxy-connection|content-length|expect|accept-encoding):`)
	for _, c := range cases(t) {
		if c.Offline {
			continue
		}
		want, got := run(t, curl, proxy, c.Text), run(t, curl, proxy, c.Want)
		diff := cmp.Diff(want, got)
		if diff != "" && c.Differs == "" || diff == "" && c.Differs != "" {
			t.Errorf("%s\ncurl sends (-text +written), %q:\n%s", c.Text, c.Differs, diff)
		}
	}
}

var encoded = strings.NewReplacer("+", "%20")

// run runs a script and returns what it sends, in order.
func run(t *testing.T, curl string, proxy *converttest.Proxy, text string) (sent []string) {
	t.Helper()
	cmd := exec.Command("sh")
	cmd.Dir = "testdata"
	cmd.Stdin = strings.NewReader(text)
	cmd.Env = []string{"PATH=" + filepath.Dir(curl) + ":/usr/bin:/bin", "http_proxy=" + proxy.URL, "all_proxy=" + proxy.URL, "HOME=/nonexistent"}
	if err := cmd.Run(); err != nil {
		t.Logf("%s: %v", text, err)
	}
	for _, request := range proxy.Requests() {
		sent = append(sent, encoded.Replace(request))
	}
	return sent
}

// FuzzRead checks that reading terminates, and that written requests are read as the same requests.
func FuzzRead(f *testing.F) {
	for _, c := range cases(f) {
		f.Add(c.Text)
	}
	for _, c := range readCases(f) {
		f.Add(c.Input)
	}
	for _, g := range hostile {
		f.Add(g.Text(10 * len(g[1])))
	}
	f.Fuzz(func(t *testing.T, text string) {
		api, err := Read(&extract.Script{Text: text}, false, nil, &warning.List{})
		if err != nil {
			return
		}
		out, err := writer.Write(nil, api, output(), nil, nil)
		if err != nil {
			return
		}
		again, err := Read(&extract.Script{Text: string(out)}, false, nil, nil)
		if err != nil {
			t.Fatalf("%q is written as\n%s\nwhich is refused: %v", text, out, err)
		}
		if len(again.Requests) != len(api.Requests) {
			t.Fatalf("%q: %d requests, written %d:\n%s", text, len(api.Requests), len(again.Requests), out)
		}
	})
}
