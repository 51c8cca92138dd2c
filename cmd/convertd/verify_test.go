package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// TestVerifyReports checks that there is a report on every exit, and that it says what ended the run.
func TestVerifyReports(t *testing.T) {
	service := daemon.Start(t, binary, nil, daemon.Patient...)
	for name, c := range map[string]struct {
		args    []string
		code    int
		message string
	}{
		"nothing listens": {[]string{"http://127.0.0.1:1"}, exitUnavailable, "no response"},
		"nothing matches": {[]string{service.URL, "--only", "no such case"}, exitBadUsage, "no case&#39;s name matches"},
		"no cases":        {[]string{service.URL, "--cases", t.TempDir()}, exitBadUsage, "has no cases"},
		"no address":      {[]string{"convert.example.com"}, exitBadUsage, "must be a URL"},
		"no header":       {[]string{service.URL, "--header", "X-Api-Key"}, exitBadUsage, "NAME:VALUE"},
		"links elsewhere": {[]string{service.URL, "--base-url", "https://convert.example.com", "--only", "^jwt_decode twice"}, exitUnverified, "--base-url"},
	} {
		report := filepath.Join(t.TempDir(), "junit.xml")
		got := command("", append([]string{"verify", "--junit", report}, c.args...)...)
		text, _ := os.ReadFile(report)
		if got.code != c.code || !strings.Contains(string(text), "<failure") || !strings.Contains(string(text), c.message) {
			t.Errorf("%s: %+v\n%s", name, got, text)
		}
	}
}

// TestVerifyInterrupted checks that a run that a signal ends says so.
func TestVerifyInterrupted(t *testing.T) {
	asked := make(chan bool, 1000)
	deployment := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		asked <- true
		<-r.Context().Done()
	}))
	defer deployment.Close()
	command := exec.Command(binary, "verify", deployment.URL)
	var problems strings.Builder
	command.Stderr = &problems
	check.OK(t, command.Start())
	<-asked
	check.OK(t, daemon.Signal(command.Process, os.Interrupt))
	_ = command.Wait()
	if code := command.ProcessState.ExitCode(); code != exitInterrupted || problems.String() != "convertd: interrupted\n" {
		t.Errorf("exit code %d: %s", code, problems.String())
	}
}

// TestVerifyHeader checks that a key reaches the gateway and is never printed, even if the gateway repeats it.
func TestVerifyHeader(t *testing.T) {
	const key = "s3cret-of-mine"
	service := daemon.Start(t, binary, nil, daemon.Patient...)
	sent := 0
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Api-Key") != key {
			t.Error("a request without the key")
		}
		if sent++; strings.Contains(r.URL.Path, "openapi.json") {
			http.Redirect(w, r, service.URL, http.StatusTemporaryRedirect)
			return
		}
		w.Header().Set("X-Request-Id", key)
	}))
	defer gateway.Close()
	report := filepath.Join(t.TempDir(), "junit.xml")
	for _, url := range []string{gateway.URL, "http://127.0.0.1:1"} {
		got := command("", "verify", "--header", "X-Api-Key: "+key, "--junit", report, url)
		text, _ := os.ReadFile(report)
		if got.code != exitUnavailable || strings.Contains(got.out+got.err+string(text), key) {
			t.Errorf("%+v\n%s", got, text)
		}
	}
	bad := command("", "verify", "--header", key+"\n: x", gateway.URL)
	if sent == 0 || bad.code != exitBadUsage || strings.Contains(bad.out+bad.err, key) {
		t.Errorf("%d requests, %+v", sent, bad)
	}
}

// TestVerifyReportsSkippedCases checks the reasons in the summary.
func TestVerifyReportsSkippedCases(t *testing.T) {
	service := daemon.Start(t, binary, nil, daemon.Patient...)
	got := command("", "verify", "-q", "--proxied", "--rest-only", "--only", "Host|rate limit|does not arrive|^mcp ping|^an empty body", service.URL)
	for _, want := range []string{"(--proxied)", "--slow runs it", "--exhaust runs it", "(--rest-only)"} {
		if got.code != exitOK || !strings.Contains(got.out, "skipped: ") || !strings.Contains(got.out, want) {
			t.Errorf("no %q: %+v", want, got)
		}
	}
	if got := command("", "verify", "-q", "--exhaust", "--only", "^an empty body|rate limit", service.URL); !strings.Contains(got.out, "the deployment has no rate limit") {
		t.Errorf("%+v", got)
	}
}
