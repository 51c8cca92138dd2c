package verify

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/server"
)

// change alters a response of the real service before it is sent.
type change func(r *http.Request, got *httptest.ResponseRecorder)

// hang is how long a test waits for something that must happen, on any machine.
const hang = 3 * time.Minute

// deployment starts the real service behind a proxy that alters its responses.
func deployment(t testing.TB, rate int, alter change) string {
	return deploymentOf(t, server.Config{RateLimit: rate, BodyTimeout: hang}, alter)
}

func deploymentOf(t testing.TB, config server.Config, alter change) string {
	t.Helper()
	web := httptest.NewUnstartedServer(nil)
	web.Listener.Close()
	web.Listener = check.Value(guard.Listen("127.0.0.1:0"))(t)
	config.Listen = web.Listener.Addr().String()
	web.Config.Handler = handler(t, config)
	if alter != nil {
		web.Config.Handler = altered(web.Config.Handler, alter)
	}
	// As the service listens: a client that gets a response before its body has arrived is not reset while it sends.
	connections := guard.LimitConnections(web.Listener, 0, false, nil)
	web.Listener, web.Config.ConnContext, web.Config.ConnState = connections, guard.ConnContext, guard.ConnState
	web.Start()
	t.Cleanup(web.Close)
	return web.URL
}

// handler is the real service.
func handler(t testing.TB, config server.Config) http.Handler {
	t.Helper()
	config.WorkSlots, config.QueueWait, config.ExecTimeout = 4, hang, hang
	config.Provider, config.Version = "convertd", "1.0.0"
	s := check.Value(server.New(config, slog.New(slog.DiscardHandler)))(t)
	return s.Handler()
}

// altered is a handler that alters every response except the OpenAPI document.
func altered(handler http.Handler, alter change) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		got := httptest.NewRecorder()
		handler.ServeHTTP(got, r)
		if !strings.Contains(r.URL.Path, "openapi") {
			r.Body = io.NopCloser(bytes.NewReader(body))
			alter(r, got)
		}
		maps.Copy(w.Header(), got.Header())
		w.Header().Del("Content-Length")
		w.WriteHeader(got.Code)
		_, _ = w.Write(got.Body.Bytes())
	}
}

func load(t testing.TB) []Case {
	t.Helper()
	return check.Value(Builtin())(t)
}

// failures runs the cases and returns what failed.
func failures(t testing.TB, options Options) (failed []string, results []Result) {
	t.Helper()
	results = check.Value(Run(context.Background(), load(t), options))(t)
	for _, r := range results {
		if len(r.Failed) > 0 {
			failed = append(failed, r.Case.Name+": "+strings.Join(r.Failed, "\n"))
		}
	}
	return failed, results
}

// TestServiceKeepsContract runs every case against the real service.
func TestServiceKeepsContract(t *testing.T) {
	failed, results := failures(t, Options{BaseURL: deployment(t, 100_000, nil), Direct: true})
	for _, r := range results {
		if r.Skipped != "" && r.Case.Needs != "exhaust" && r.Case.Needs != "slow" {
			t.Errorf("%s: skipped: %s", r.Case.Name, r.Skipped)
		}
	}
	var slow []string
	for _, c := range load(t) {
		if c.Needs == "slow" {
			slow = append(slow, regexp.QuoteMeta(c.Name))
		}
	}
	impatient := deploymentOf(t, server.Config{BodyTimeout: 300 * time.Millisecond}, nil)
	for _, options := range []Options{
		{BaseURL: impatient, Slow: true, Only: regexp.MustCompile("^(" + strings.Join(slow, "|") + ")$")},
		{BaseURL: deployment(t, 60, nil), Exhaust: true, Only: regexp.MustCompile("rate limit|Retry-After")},
	} {
		more, results := failures(t, options)
		failed = append(failed, more...)
		if len(results) == 0 {
			t.Errorf("no case is called %s", options.Only)
		}
	}
	for _, f := range failed {
		t.Error(f)
	}
}

// TestEveryCodeHasACase: each problem code is provoked by a case, but those
// that no request can provoke on a healthy deployment.
func TestEveryCodeHasACase(t *testing.T) {
	excused := map[string]string{
		"internal_error":    "an internal error",
		"overloaded":        "would need to overload the deployment",
		"deadline_exceeded": "no input is known that takes two seconds",
	}
	provoked := map[string]bool{}
	called := map[string]bool{}
	for _, c := range load(t) {
		provoked[c.Response.Code] = true
		called[c.Request.Path] = true
	}
	c := check.Value(contract.Load())(t)
	for _, p := range c.Problems() {
		code := p.Code
		if provoked[code] == (excused[code] != "") {
			t.Errorf("%s: a case provokes it: %v; excused: %q", code, provoked[code], excused[code])
		}
	}
	for _, tool := range c.Tools() {
		if !called[tool.Path] {
			t.Errorf("no case calls %s", tool.Path)
		}
	}
}

// TestGzip checks that a deployment behind a gateway that compresses is sound, and
// that one that compresses for clients that do not accept it is not.
func TestGzip(t *testing.T) {
	for _, encoding := range []string{"gzip", "br"} {
		url := deployment(t, 0, func(r *http.Request, got *httptest.ResponseRecorder) {
			if got.Header().Get("Content-Encoding") != "" {
				return // a page, which the service itself compresses
			}
			if encoding == "gzip" && !strings.Contains(r.Header.Get("Accept-Encoding"), encoding) {
				t.Error("the request does not accept gzip")
			}
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			_, _ = w.Write(got.Body.Bytes())
			_ = w.Close()
			if encoding == "gzip" {
				got.Body = &packed
			}
			got.Header().Set("Content-Encoding", encoding)
		})
		failed, _ := failures(t, Options{BaseURL: url, Only: regexp.MustCompile("^json_format (with|rejects)")})
		if (len(failed) == 0) != (encoding == "gzip") {
			t.Errorf("%s: %q", encoding, failed)
		}
	}
}

// TestRespectsRateLimit checks, on a fake clock, that the runner waits for one request's share of the window when the
// quota is used up, and for as long as Retry-After says.
func TestRespectsRateLimit(t *testing.T) {
	service := handler(t, server.Config{Listen: "127.0.0.1:80", BodyTimeout: hang})
	synctest.Test(t, func(t *testing.T) {
		var sent []time.Time
		limited := altered(service, func(_ *http.Request, got *httptest.ResponseRecorder) {
			sent = append(sent, time.Now())
			got.Header().Set("RateLimit", `"anonymous";r=0;t=60`)
			got.Header().Set("RateLimit-Policy", `"anonymous";q=3000;w=60`)
			if len(sent) == 3 {
				got.Code = http.StatusTooManyRequests
				got.Header().Set("Retry-After", "7")
			}
		})
		options := Options{BaseURL: "http://127.0.0.1", Only: regexp.MustCompile("^json_format (with|rejects)"), Client: &http.Client{Transport: inProcess{limited}}}
		if failed, _ := failures(t, options); len(failed) > 0 {
			t.Errorf("%q", failed)
		}
		for i := 1; i < len(sent); i++ {
			want := 20 * time.Millisecond
			if i == 3 {
				want = 7 * time.Second
			}
			if waited := sent[i].Sub(sent[i-1]); waited != want {
				t.Errorf("request %d came %v after the one before it, want %v", i+1, waited, want)
			}
		}
		if len(sent) < 4 {
			t.Errorf("%d requests", len(sent))
		}
	})
}

// inProcess is a transport that calls a handler directly.
type inProcess struct{ handler http.Handler }

func (p inProcess) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.RequestURI, request.RemoteAddr = request.URL.RequestURI(), "127.0.0.1:1"
	if request.Body == nil {
		request.Body = http.NoBody
	}
	response := httptest.NewRecorder()
	p.handler.ServeHTTP(response, request)
	return response.Result(), nil
}

func TestNoDescription(t *testing.T) {
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	for _, url := range []string{web.URL, "http://127.0.0.1:1", "nonsense"} {
		results, err := Run(context.Background(), load(t), Options{BaseURL: url})
		if !errors.Is(err, ErrNoDescription) || len(results) != 1 || results[0].Failed == nil {
			t.Errorf("%s: %v, %+v", url, err, results)
		}
	}
}

func TestLoadRejects(t *testing.T) {
	for name, text := range map[string]string{
		"unknown member": `[{name: a, rule: b, request: {path: /}, response: {status: 200, stauts: 1}}]`,
		"no rule":        `[{name: a, request: {path: /}, response: {status: 200}}]`,
		"twice":          `[{name: a, rule: b, request: {path: /}, response: {status: 200}}, {name: a, rule: b, request: {path: /}, response: {status: 200}}]`,
	} {
		if _, err := Load(fstest.MapFS{"a.yaml": {Data: []byte(text)}}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestJUnit(t *testing.T) {
	var out bytes.Buffer
	if err := JUnit(&out, []Result{
		{Case: Case{Name: `a "b" <c>`}, Took: 1500 * time.Millisecond},
		{Case: Case{Name: "d", Rule: "e"}, Failed: []string{"f", "\x1bg"}},
		{Case: Case{Name: "h"}, Skipped: "needs slow"},
	}); err != nil {
		t.Fatal(err)
	}
	const want = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="convertd contract" tests="3" failures="1" skipped="1" time="1.500">
  <testcase classname="contract" name="a &#34;b&#34; &lt;c&gt;" time="1.500">
  </testcase>
  <testcase classname="contract" name="d" time="0.000">
    <failure message="e">f&#xA;\x1bg</failure>
  </testcase>
  <testcase classname="contract" name="h" time="0.000">
    <skipped message="needs slow"></skipped>
  </testcase>
</testsuite>
`
	check.Equal(t, want, out.String(), "the report")
}
