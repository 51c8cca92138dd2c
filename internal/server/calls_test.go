package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/gen"
	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/recipe"
	"github.com/convertd/convertd/internal/tools"
)

// TestExamplesOfTheDocument sends the request example of each operation and expects its response example.
// Rules: ANS-1, ANS-2.
func TestExamplesOfTheDocument(t *testing.T) {
	c := load(t)
	s := start(t, defaults(), tools.All())
	for _, example := range contracttest.Examples(t) {
		t.Run(example.Operation+"/"+example.Name, func(t *testing.T) {
			request, _ := json.Marshal(example.Request)
			got := s.post(t, example.Path, string(request))
			checkSuccess(t, c, example.Operation, got)
			var value any
			check.JSON(t, bytes.ReplaceAll(got.body, []byte(s.url), []byte("http://127.0.0.1:8080")), &value)
			check.Equal(t, example.Response, value, "-document +server")
		})
	}
}

// checkSuccess checks that a response is what the document promises for a success.
func checkSuccess(t testing.TB, c *contract.Contract, operation string, got reply) {
	t.Helper()
	if got.status != http.StatusOK {
		t.Fatalf("status %d: %s", got.status, got.body)
	}
	for _, item := range contracttest.Document(t).Paths.Map() {
		if item.Post.OperationID != operation {
			continue
		}
		var value any
		check.JSON(t, got.body, &value)
		if err := item.Post.Responses.Value("200").Value.Content["application/json"].Schema.Value.VisitJSON(value); err != nil {
			t.Errorf("breaks the document: %v", err)
		}
	}
	for name, want := range map[string]string{
		"Content-Type":           "application/json",
		"Content-Length":         fmt.Sprint(len(got.body)),
		"Cache-Control":          "no-store",
		"X-Content-Type-Options": "nosniff",
	} {
		if got.header.Get(name) != want {
			t.Errorf("%s: want %q, got %q", name, want, got.header.Get(name))
		}
	}
}

func pipelineResult(t testing.TB, c *contract.Contract, got reply) gen.PipelineResult {
	t.Helper()
	checkSuccess(t, c, contract.Pipeline, got)
	var result gen.PipelineResult
	decoder := json.NewDecoder(bytes.NewReader(got.body))
	decoder.DisallowUnknownFields()
	check.OK(t, decoder.Decode(&result))
	return result
}

// TestPipeline checks rules PIPE-1 and PIPE-9.
func TestPipeline(t *testing.T) {
	c := load(t)
	s := start(t, defaults(), tools.All())
	body := `{"version":1,"input":{"mediaType":"application/jwt","value":"eyJhbGciOiJub25lIn0.eyJhIjpbMSwyXX0."},
		"steps":[{"id":"d","tool":"jwt_decode"},{"id":"f","tool":"json_format","options":{"indent":0}},{"id":"y","tool":"json_to_yaml","options":{"indent":4}}]%s}`
	result := pipelineResult(t, c, s.post(t, "/v1/pipeline", fmt.Sprintf(body, `,"returnStepIds":["f","y"]`)))
	if want := "header:\n    alg: none\npayload:\n    a:\n        - 1\n        - 2\n"; result.Output.Value != want || result.Output.MediaType != "application/yaml" {
		t.Errorf("output: %q", result.Output)
	}
	want := gen.StepOutputs{
		"f": {MediaType: "application/json", Value: `{"header":{"alg":"none"},"payload":{"a":[1,2]}}`},
		"y": {MediaType: string(result.Output.MediaType), Value: result.Output.Value},
	}
	check.Equal(t, &want, result.Outputs, "outputs")
	if result.Steps == nil {
		t.Fatal("no steps")
	}
	check.Equal(t, []gen.StepRun{{ID: "d", Tool: "jwt_decode"}, {ID: "f", Tool: "json_format"}, {ID: "y", Tool: "json_to_yaml"}}, *result.Steps, "steps")
	if len(result.Warnings) != 2 || !strings.HasPrefix(result.Warnings[0], "d: not_verified: ") || !strings.HasPrefix(result.Warnings[1], "d: alg_none: ") {
		t.Errorf("warnings: %q", result.Warnings)
	}
	if want := s.url + "/editor#r=1&s=jwt_decode&s=json_format,indent:0&s=json_to_yaml,indent:4"; result.Provenance.EditorURL != want || result.Provenance.Tool != "pipeline" {
		t.Errorf("provenance: %+v", result.Provenance)
	}
	if steps, err := recipe.Parse(c, strings.SplitAfter(result.Provenance.EditorURL, "#")[1]); err != nil || len(steps) != 3 {
		t.Errorf("the link does not parse: %v", err)
	}
	if result = pipelineResult(t, c, s.post(t, "/v1/pipeline", fmt.Sprintf(body, ""))); result.Outputs != nil {
		t.Errorf("outputs without returnStepIds: %v", result.Outputs)
	}
	if result = pipelineResult(t, c, s.post(t, "/v1/pipeline", fmt.Sprintf(body, `,"returnStepIds":[]`))); result.Outputs == nil || len(*result.Outputs) != 0 {
		t.Errorf("outputs of no ids: %v", result.Outputs)
	}
	got := s.post(t, "/v1/pipeline", fmt.Sprintf(body, `,"returnStepIds":["f","y"]`))
	if again := s.post(t, "/v1/pipeline", fmt.Sprintf(body, `,"returnStepIds":["f","y"]`)); !bytes.Equal(got.body, again.body) {
		t.Error("not deterministic")
	}
}

func TestPipelineStopsAtTheFirstError(t *testing.T) {
	ran := 0
	s := start(t, defaults(), replaced("json_to_yaml", func(context.Context, convert.Input) (convert.Result, error) {
		ran++
		return convert.Result{}, nil
	}))
	steps := `{"id":"one","tool":"json_format"},{"id":"two","tool":"json_format"},{"id":"three","tool":"json_to_yaml"}`
	bad := strings.Replace(pipelineBody(steps, `"version":1`), `{\"`+secret+`\":1}`, `[1,]`, 1)
	p := checkProblem(t, s.url, s.post(t, "/v1/pipeline", bad), convert.InvalidJSON)
	if p.Step == nil || *p.Step != "one" || p.Path == nil || *p.Path != "/input/value" || ran != 0 {
		t.Errorf("step %v, path %v, later steps ran: %d", p.Step, p.Path, ran)
	}
	s = start(t, defaults(), replaced("jwt_decode", func(context.Context, convert.Input) (convert.Result, error) {
		return convert.Result{Value: `{"a":1,"a":2}`}, nil
	}))
	body := `{"version":1,"input":{"mediaType":"application/jwt","value":"x"},"steps":[{"id":"one","tool":"jwt_decode"},{"id":"two","tool":"json_format"}]}`
	p = checkProblem(t, s.url, s.post(t, "/v1/pipeline", body), convert.DuplicateKey)
	if p.Step == nil || *p.Step != "two" || p.Path == nil || *p.Path != "/steps/1" {
		t.Errorf("step %v, path %v", p.Step, p.Path)
	}
}

// TestPipelineBudget checks that the outputs of all steps count, returned or not.
func TestPipelineBudget(t *testing.T) {
	c := load(t)
	s := start(t, defaults(), tools.All())
	text := `"` + strings.Repeat("x", 700_000) + `"`
	body := func(steps int) string {
		value, _ := json.Marshal(text)
		return `{"version":1,"input":{"mediaType":"application/json","value":` + string(value) + `},"steps":[` + manySteps(steps) + `]}`
	}
	pipelineResult(t, c, s.post(t, "/v1/pipeline", body(2)))
	p := checkProblem(t, s.url, s.post(t, "/v1/pipeline", body(3)), convert.OutputTooLarge)
	if p.Step == nil || *p.Step != "s2" {
		t.Errorf("step: %v", p.Step)
	}
}

func TestCORS(t *testing.T) {
	config := defaults()
	config.AllowedOrigins = []string{"https://app.example"}
	s := start(t, config, tools.All())
	preflight := s.request(t, http.MethodOptions, "/v1/tools/json_format", "")
	preflight.Header.Set("Origin", "https://app.example")
	preflight.Header.Set("Access-Control-Request-Method", "POST")
	preflight.Header.Set("Access-Control-Request-Headers", "content-type")
	if got := s.send(t, preflight); got.status != http.StatusNoContent || got.header.Get("Access-Control-Allow-Origin") != "https://app.example" || got.header.Get("Access-Control-Max-Age") != "600" {
		t.Errorf("preflight: status %d, %v", got.status, got.header)
	}
	call := s.request(t, http.MethodPost, "/v1/tools/json_format", toolBody("application/json", "1", ""))
	call.Header.Set("Origin", "https://app.example")
	if got := s.send(t, call); got.status != 200 || got.header.Get("Access-Control-Allow-Origin") != "https://app.example" || got.header.Get("Access-Control-Expose-Headers") != "Etag, Ratelimit, Ratelimit-Policy, Retry-After, X-Request-Id" {
		t.Errorf("call: status %d, %v", got.status, got.header)
	}
}

// TestConfig checks that the error for an invalid value names the flag.
// Rule: ADDR-5.
func TestConfig(t *testing.T) {
	for flag, change := range map[string]func(*Config){
		"listen":          func(c *Config) { c.Listen = "8080" },
		"base-url":        func(c *Config) { c.BaseURL = "convert.example.com" },
		"allowed-hosts":   func(c *Config) { c.AllowedHosts = []string{"convert.example", "https://app.example"} },
		"allowed-origins": func(c *Config) { c.AllowedOrigins = []string{"https://*.example"} },
		"trusted-proxies": func(c *Config) { c.TrustedProxies = []string{"10.0.0.1"} },
		"rate-limit":      func(c *Config) { c.RateLimit = -1 },
		"max-connections": func(c *Config) { c.MaxConnections = 15 },
		"provider":        func(c *Config) { c.Provider = strings.Repeat("x", 201) },
		"work-slots":      func(c *Config) { c.WorkSlots = 0 },
		"queue-wait":      func(c *Config) { c.QueueWait = -time.Second },
		"body-timeout":    func(c *Config) { c.BodyTimeout = 0 },
		"exec-timeout":    func(c *Config) { c.ExecTimeout = 0 },
	} {
		config := defaults()
		change(&config)
		_, err := New(config, slog.New(slog.DiscardHandler))
		bad, ok := err.(*ConfigError)
		if !ok || bad.Flag != flag {
			t.Errorf("--%s: %v", flag, err)
		}
	}
	for host, good := range map[string]bool{"*": true, "Convert.Example:8443": true, "[2001:DB8::1]": true, "2001:db8::1": true,
		"*.example": false, "": false, "convert.example/tools": false, "a b": false, "convert.example:port": false} {
		config := defaults()
		config.AllowedHosts = []string{host}
		if err := config.Check(); (err == nil) != good {
			t.Errorf("--allowed-hosts %q: %v", host, err)
		}
	}
	for origin, good := range map[string]bool{"*": true, "https://App.Example:8443": true, "http://[::1]:80/": true, "app.example": false, "https://app.example:65536": false} {
		config := defaults()
		config.AllowedOrigins = []string{origin}
		if err := config.Check(); (err == nil) != good {
			t.Errorf("--allowed-origins %q: %v", origin, err)
		}
	}
	config := defaults()
	config.Provider = "caf\xe9" // would be in every response
	if config.Check() == nil {
		t.Error("a provider that is not UTF-8")
	}
}
