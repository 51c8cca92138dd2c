package verify

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/mcp"
)

// TestEveryRevisionHasItsCases: in each revision that the server speaks, the
// tools are listed, and each is called well and badly.
func TestEveryRevisionHasItsCases(t *testing.T) {
	c := check.Value(contract.Load())(t)
	names := []string{contract.Pipeline}
	for _, tool := range c.Tools() {
		names = append(names, tool.Name)
	}
	type trial struct {
		revision, method, tool string
		isError                bool
	}
	tried := map[trial]bool{}
	for _, c := range load(t) {
		if m := c.Request.MCP; m != nil {
			tool, _ := m.Params["name"].(string)
			tried[trial{c.revision, m.Method, tool, c.Response.MCP.IsError != nil && *c.Response.MCP.IsError}] = true
		}
	}
	for _, revision := range mcp.Revisions {
		wanted := []trial{{revision, "tools/list", "", false}}
		for _, name := range names {
			wanted = append(wanted, trial{revision, "tools/call", name, false}, trial{revision, "tools/call", name, true})
		}
		for _, w := range wanted {
			if !tried[w] {
				t.Errorf("no case: %+v", w)
			}
		}
	}
}

// TestWithoutAgents: a deployment without agents' door breaks one rule, and what
// was not verified is said; with RESTOnly no request is sent to it.
func TestWithoutAgents(t *testing.T) {
	calls := 0
	url := deployment(t, 0, func(r *http.Request, got *httptest.ResponseRecorder) {
		if r.URL.Path == mcpPath {
			calls++
			got.Code = http.StatusNotFound
			got.Body.Reset()
		}
	})
	failed, results := failures(t, Options{BaseURL: url, Direct: true, Only: regexp.MustCompile("^mcp|^json_format with")})
	ran := 0
	for _, r := range results {
		if r.Skipped == "" {
			ran++
		} else if r.Skipped != "the deployment has no /mcp (404)" {
			t.Errorf("%s: skipped: %s", r.Case.Name, r.Skipped)
		}
	}
	if len(failed) != 1 || calls != 2 || ran != 3 || len(results) < 50 {
		t.Errorf("%d calls of /mcp, %d cases ran of %d, failed %q", calls, ran, len(results), failed)
	}
	failed, results = failures(t, Options{BaseURL: url, RESTOnly: true, Only: regexp.MustCompile("^mcp")})
	if len(failed) > 0 || calls != 2 || !strings.Contains(results[0].Skipped, "--rest-only") {
		t.Errorf("%d calls of /mcp, failed %q, %+v", calls, failed, results[0])
	}
}

// TestInRevisions: what a case of MCP is sent as, in each revision.
func TestInRevisions(t *testing.T) {
	list, err := Load(fstest.MapFS{"a.yaml": {Data: []byte(`[{name: a, rule: b, revisions: ["2025-06-18", "2026-07-28"],
		request: {headers: {Mcp-Name: c}, mcp: {method: tools/call, params: {name: d}}}, response: {status: 200}}]`)}})
	if err != nil || len(list) != 2 {
		t.Fatal(err, list)
	}
	for i, want := range []struct {
		name, body string
		headers    map[string]string
	}{
		{"a (2025-06-18)", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"d"}}`,
			map[string]string{"MCP-Protocol-Version": "2025-06-18", "Mcp-Name": "c"}},
		{"a (2026-07-28)", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"d","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "c"}},
	} {
		text := check.Value(list[i].Request.body())(t)
		if diff := cmp.Diff(want.headers, list[i].Request.Headers); diff != "" || list[i].Name != want.name ||
			list[i].Request.Path != "/mcp" || !sameJSON([]byte(text), []byte(want.body)) {
			t.Errorf("%s: %s\n%s", list[i].Name, text, diff)
		}
	}
}

// TestJUnitOfAgents: the report has a test case for each revision, the broken ones as failures.
func TestJUnitOfAgents(t *testing.T) {
	url := deployment(t, 0, func(r *http.Request, got *httptest.ResponseRecorder) {
		if r.Header.Get("MCP-Protocol-Version") == "2025-06-18" && strings.Contains(got.Body.String(), `"isError":true`) {
			got.Body.Reset()
			_ = json.NewEncoder(got.Body).Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "result": map[string]any{}})
		}
	})
	results, err := Run(context.Background(), load(t), Options{BaseURL: url, Only: regexp.MustCompile("^mcp json_format rejects")})
	check.OK(t, err)
	var out strings.Builder
	check.OK(t, JUnit(&out, results))
	for _, want := range []string{`tests="3" failures="1"`, `name="mcp json_format rejects duplicate keys (2025-06-18)"`, `name="mcp json_format rejects duplicate keys (2026-07-28)"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report has no %s:\n%s", want, out.String())
		}
	}
}
