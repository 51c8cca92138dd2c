// Package deploy checks the files of this folder against the service: the metrics that the dashboard and the alerts
// name, the flags that the manifests set, and an entry in the operator's page for each alert.
package deploy

import (
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

var binary string

func TestMain(m *testing.M) { daemon.Main(m, func(path string) { binary = path }) }

type alert struct {
	Alert, Expr         string
	For                 string            `yaml:",omitempty"`
	Labels, Annotations map[string]string `yaml:",omitempty"`
}

func alerts(t *testing.T) (all []alert) {
	t.Helper()
	var file struct {
		Groups []struct {
			Name  string
			Rules []alert
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(check.File(t, "prometheus/alerts.yaml")))
	decoder.KnownFields(true)
	check.OK(t, decoder.Decode(&file))
	for _, group := range file.Groups {
		all = append(all, group.Rules...)
	}
	return all
}

// expressions returns all PromQL expressions of the dashboard and the alerts.
func expressions(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, a := range alerts(t) {
		all["alert "+a.Alert] = a.Expr
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr, LegendFormat string }
		}
	}
	check.JSON(t, check.File(t, "grafana/convertd.json"), &dashboard)
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			all["panel "+panel.Title+" "+target.LegendFormat] = target.Expr
		}
	}
	return all
}

// TestMetricsExist checks that a service that has handled a request exports every metric that the dashboard and the
// alerts name, that one of them shows each of its own metrics, and that docs/operations.md explains it.
func TestMetricsExist(t *testing.T) {
	service := daemon.Start(t, binary, nil, "--redis-url=redis://127.0.0.1:1/0")
	for _, path := range []string{"/v1/unknown", "/healthz"} {
		response := check.Value(http.Get(service.URL + path))(t)
		response.Body.Close()
	}
	response := check.Value(http.Get(service.Admin + "/metrics"))(t)
	defer response.Body.Close()
	exported := check.Value(io.ReadAll(response.Body))(t)
	all := expressions(t)
	if len(all) < 20 {
		t.Fatalf("only %d expressions found", len(all))
	}
	names := regexp.MustCompile(`\b(?:convertd|process|go)_[a-z_]+`)
	used := map[string]bool{}
	for where, expression := range all {
		for _, name := range names.FindAllString(expression, -1) {
			used[name] = true
			if !regexp.MustCompile(`(?m)^` + name + `[ {]`).Match(exported) {
				t.Errorf("%s: there is no metric %s", where, name)
			}
		}
	}
	page := check.File(t, "../docs/operations.md")
	for _, match := range regexp.MustCompile(`(?m)^# TYPE (convertd_[a-z_]+) ([a-z]+)$`).FindAllStringSubmatch(string(exported), -1) {
		name := match[1]
		if !strings.Contains(page, "`"+name+"`") && !strings.Contains(page, "`"+name+"{") {
			t.Errorf("docs/operations.md does not explain %s", name)
		}
		if match[2] == "histogram" {
			name += "_bucket"
		}
		if !used[name] {
			t.Errorf("neither the dashboard nor an alert shows %s", name)
		}
	}
}

// TestCodesExist checks that the codes in expressions are codes of the OpenAPI
// document.
func TestCodesExist(t *testing.T) {
	document := check.File(t, "../openapi/openapi.yaml")
	for where, expression := range expressions(t) {
		for _, match := range regexp.MustCompile(`code=~?"([^"]+)"`).FindAllStringSubmatch(expression, -1) {
			for code := range strings.SplitSeq(match[1], "|") {
				if !strings.Contains(document, code) {
					t.Errorf("%s: the OpenAPI document has no code %s", where, code)
				}
			}
		}
	}
}

// TestStopTimes checks that a supervisor that stops the service waits until it
// has drained and its calls have finished.
func TestStopTimes(t *testing.T) {
	help := check.Value(exec.Command(binary, "serve", "--help").Output())(t)
	needs := time.Duration(0)
	for _, part := range []string{`(?s)--shutdown-timeout duration.*?\(default\s+([0-9]+s)\)`, `\(default:\s+([0-9]+s)\s+behind\s+trusted`} {
		match := regexp.MustCompile(part).FindSubmatch(help)
		if match == nil {
			t.Fatalf("the help has no %s", part)
		}
		d := check.Value(time.ParseDuration(string(match[1])))(t)
		needs += d
	}
	for file, setting := range map[string]string{
		"systemd/convertd.service":   `TimeoutStopSec=([0-9]+)`,
		"kubernetes/deployment.yaml": `terminationGracePeriodSeconds: ([0-9]+)`,
	} {
		match := regexp.MustCompile(setting).FindStringSubmatch(check.File(t, file))
		if match == nil {
			t.Fatalf("%s has no %s", file, setting)
		}
		if waits, _ := time.ParseDuration(match[1] + "s"); waits < needs+2*time.Second {
			t.Errorf("%s kills after %v; stopping may take %v", file, waits, needs)
		}
	}
}

// TestProxiesGiveUp checks that a proxy waits for a response as long as a request
// may be queued and executed, and no longer, because a frozen replica never
// responds.
func TestProxiesGiveUp(t *testing.T) {
	help := check.Value(exec.Command(binary, "serve", "--help").Output())(t)
	needs := 5 * time.Second // a pipeline
	match := regexp.MustCompile(`(?s)--queue-wait duration.*?\(default\s+([0-9]+s)\)`).FindSubmatch(help)
	if match == nil {
		t.Fatal("the help has no --queue-wait")
	}
	queued := check.Value(time.ParseDuration(string(match[1])))(t)
	for file, setting := range map[string]string{
		"haproxy/haproxy.cfg": `timeout server ([0-9]+s)`,
		"nginx/convertd.conf": `proxy_read_timeout ([0-9]+s)`,
	} {
		match := regexp.MustCompile(setting).FindStringSubmatch(check.File(t, file))
		if match == nil {
			t.Fatalf("%s has no %s", file, setting)
		}
		if waits, _ := time.ParseDuration(match[1]); waits != needs+queued {
			t.Errorf("%s waits %v for a response that needs at most %v", file, waits, needs+queued)
		}
	}
}

// TestProxiesProblems checks that the proxies' own problem documents have the
// shape, code, status and title of the OpenAPI document.
func TestProxiesProblems(t *testing.T) {
	var description struct {
		Components struct {
			Schemas struct {
				ProblemCode struct {
					Problems []struct {
						Code, Title string
						Status      int
					} `yaml:"x-problems"`
				} `yaml:"ProblemCode"`
			}
		}
	}
	check.OK(t, yaml.Unmarshal([]byte(check.File(t, "../openapi/openapi.yaml")), &description))
	type document struct {
		Type, Title, Code, Detail, Hint string
		Status                          int
	}
	for file, least := range map[string]int{"haproxy/haproxy.cfg": 4, "nginx/convertd.conf": 3} {
		texts := regexp.MustCompile(`'(\{.*\})'`).FindAllStringSubmatch(check.File(t, file), -1)
		if len(texts) < least {
			t.Errorf("%s has only %d problem documents", file, len(texts))
		}
		for _, text := range texts {
			var got document
			decoder := json.NewDecoder(strings.NewReader(text[1]))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&got); err != nil || got.Detail == "" || got.Hint == "" {
				t.Errorf("%s: %v %s", file, err, text[1])
			}
			want := document{Type: "about:blank", Title: "Bad Request", Status: 400}
			for _, p := range description.Components.Schemas.ProblemCode.Problems {
				if p.Code == got.Code {
					want = document{Type: "https://convert.example.com/problems/" + p.Code, Title: p.Title, Code: p.Code, Status: p.Status}
				}
			}
			want.Detail, want.Hint = got.Detail, got.Hint
			if got != want {
				t.Errorf("%s: %+v, not %+v", file, got, want)
			}
		}
	}
}

// TestOperatorsPage checks that the page explains each alert and each flag.
func TestOperatorsPage(t *testing.T) {
	page := check.File(t, "../docs/operations.md")
	for _, a := range alerts(t) {
		if !strings.Contains(page, "### "+a.Alert+"\n") {
			t.Errorf("docs/operations.md does not explain %s", a.Alert)
		}
	}
	for _, flag := range flags(t) {
		if !strings.Contains(page, "`"+flag+"`") {
			t.Errorf("docs/operations.md does not explain %s", flag)
		}
	}
}

// TestSettingsExist checks that the settings in the deployment files are flags of
// the command.
func TestSettingsExist(t *testing.T) {
	known := strings.Join(flags(t), " ") + " "
	for _, file := range []string{"Dockerfile", "kubernetes/kustomization.yaml", "kubernetes/deployment.yaml", "systemd/convertd.service", "haproxy/haproxy.cfg", "nginx/convertd.conf"} {
		text := check.File(t, file)
		for _, match := range regexp.MustCompile(`CONVERTD_([A-Z_]+)|\s(--[a-z]+-[a-z-]+)`).FindAllStringSubmatch(text, -1) {
			flag := match[2]
			if match[1] != "" {
				flag = "--" + strings.ReplaceAll(strings.ToLower(match[1]), "_", "-")
			}
			if !strings.Contains(known, flag+" ") && flag != "--cap-drop" && flag != "--read-only" {
				t.Errorf("%s sets %s, which is no flag", file, flag)
			}
		}
	}
}

// flags returns the flags of convertd serve.
func flags(t *testing.T) []string {
	t.Helper()
	help := check.Value(exec.Command(binary, "serve", "--help").Output())(t)
	var all []string
	for _, flag := range regexp.MustCompile(`--[a-z-]+`).FindAllString(string(help), -1) {
		if flag != "--help" && flag != "--version" {
			all = append(all, flag)
		}
	}
	if len(all) < 15 {
		t.Fatalf("only %d flags found", len(all))
	}
	return all
}
