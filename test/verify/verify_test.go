// Package verify tests convertd verify: a case reports each broken deployment of the
// catalogue and says what is wrong, and a sound deployment, bare or behind a proxy, passes.
package verify

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/server"
	"github.com/convertd/convertd/internal/verify"
	"github.com/convertd/convertd/test/daemon"
)

// fewest is the least number of breakages in the catalogue.
const fewest = 120

func catalogue(t *testing.T) []breakage {
	t.Helper()
	var list []breakage
	check.OK(t, yaml.UnmarshalWithOptions([]byte(check.File(t, "catalogue.yaml")), &list, yaml.Strict()))
	return list
}

// broken serves the real handler through a proxy that has the breakage.
func broken(t *testing.T, b breakage) string {
	t.Helper()
	web := httptest.NewUnstartedServer(nil)
	s, err := server.New(server.Config{
		Listen: web.Listener.Addr().String(), BaseURL: b.Flags.Public, RateLimit: b.Flags.RateLimit,
		AllowedHosts: []string{"127.0.0.1"}, WorkSlots: 4, QueueWait: daemon.Hang,
		BodyTimeout: daemon.Hang, ExecTimeout: daemon.Hang, Provider: "convertd", Version: "1.0.0",
	}, slog.New(slog.DiscardHandler))
	check.OK(t, err)
	web.Config.Handler = &hop{breakage: b, next: s.Handler(), cache: map[string]*httptest.ResponseRecorder{}}
	web.Start()
	t.Cleanup(web.Close)
	return web.URL
}

// builtin reads the cases once.
var builtin = sync.OnceValues(verify.Builtin)

// failures returns the messages of the failed cases, and the results.
func failures(t *testing.T, options verify.Options) (string, []verify.Result) {
	t.Helper()
	cases := check.Value(builtin())(t)
	ctx, cancel := context.WithTimeout(context.Background(), 2*daemon.Hang)
	defer cancel()
	results, _ := verify.Run(ctx, cases, options) // an error is a failed result too
	var text strings.Builder
	for _, r := range results {
		for _, failed := range r.Failed {
			text.WriteString(r.Case.Name + ": " + failed + "\n")
		}
	}
	return text.String(), results
}

// TestEveryBreakageIsReported runs the cases that a breakage names against a deployment that has it.
func TestEveryBreakageIsReported(t *testing.T) {
	list := catalogue(t)
	names := map[string]bool{}
	for _, b := range list {
		if names[b.Name] || b.Cases == "" || b.Says == "" {
			t.Errorf("%s: no name of its own, no cases, or nothing that they say", b.Name)
		}
		names[b.Name] = true
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			options := verify.Options{BaseURL: broken(t, b), Exhaust: b.Flags.Exhaust, Direct: true, Only: regexp.MustCompile(b.Cases)}
			if b.Hangs {
				options.MaxWait = time.Second
			}
			text, _ := failures(t, options)
			if !regexp.MustCompile(b.Says).MatchString(text) {
				t.Errorf("want %q, got %.2000s", b.Says, text)
			}
		})
	}
	if len(list) < fewest {
		t.Errorf("%d breakages, want %d", len(list), fewest)
	}
	t.Logf("%d breakages", len(list))
}

func sound(t *testing.T, options verify.Options) {
	t.Helper()
	text, results := failures(t, options)
	ran := 0
	for _, r := range results {
		if len(r.Warned) > 0 {
			text += r.Case.Name + ": " + strings.Join(r.Warned, "\n")
		}
		if r.Skipped == "" {
			ran++
		}
	}
	if text != "" || ran < 5 {
		t.Errorf("%d cases ran: %s", ran, text)
	}
	t.Logf("%d cases ran", ran)
}

// TestLaterMinorVersion checks that a later minor version may add but not remove (VER-4).
func TestLaterMinorVersion(t *testing.T) {
	served := func(from, to string) breakage {
		return breakage{Where: where{Path: "openapi.json"}, Response: &edit{Replace: []replacement{{`"version": "1.0.0"`, `"version": "1.1.0"`}, {from, to}}}}
	}
	only := regexp.MustCompile("^the OpenAPI document.s (version|schemas|limits)")
	more := served(`"maximum": 8`, `"maximum": 9`)
	text, results := failures(t, verify.Options{BaseURL: broken(t, more), Only: only})
	if text != "" || len(results[0].Warned) != 1 || !strings.Contains(results[0].Warned[0], "1.1.0") {
		t.Errorf("%s%q", text, results[0].Warned)
	}
	less := served(`"maximum": 8`, `"maximum": 7`)
	if text, _ := failures(t, verify.Options{BaseURL: broken(t, less), Only: only}); !strings.Contains(text, "want 8, got 7") {
		t.Errorf("%q", text)
	}
}

// TestPathMissingInLinks checks that a deployment below a path that its base URL lacks is reported.
func TestPathMissingInLinks(t *testing.T) {
	inside := check.Value(url.Parse(broken(t, breakage{})))(t)
	proxy := httptest.NewServer(http.StripPrefix("/tools", httputil.NewSingleHostReverseProxy(inside)))
	t.Cleanup(proxy.Close)
	only := regexp.MustCompile("^json_format (twice|rejects duplicate)|^the OpenAPI document.s servers")
	text, _ := failures(t, verify.Options{BaseURL: proxy.URL + "/tools", Direct: true, Only: only})
	for _, want := range []string{"provenance.editorUrl: want a link that begins with " + proxy.URL + "/tools/", "type: want a link", "/servers: want the deployment's own URL"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q, got %.2000s", want, text)
		}
	}
}
