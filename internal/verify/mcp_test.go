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

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/mcp"
)

var agentsOnly = regexp.MustCompile("^mcp ")

// TestEveryRevisionHasItsCases: in each revision that the server speaks, the
// tools are listed, and each is called well and badly.
func TestEveryRevisionHasItsCases(t *testing.T) {
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
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
			tried[trial{c.revision, m.Method, tool, c.Answer.MCP.IsError != nil && *c.Answer.MCP.IsError}] = true
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

// TestABrokenAgentsDoorIsSeen: what a deployment can do wrong over MCP fails a
// case.
func TestABrokenAgentsDoorIsSeen(t *testing.T) {
	see(t, agentsOnly, []breakage{
		{"another status", func(_ *http.Request, got *httptest.ResponseRecorder) {
			if got.Code == 405 {
				got.Code = 200
			}
		}, "status: want 405, got 200"},
		{"a session", func(_ *http.Request, got *httptest.ResponseRecorder) { got.Header().Set("Mcp-Session-Id", "1") }, "begins a session"},
		{"a stream", func(_ *http.Request, got *httptest.ResponseRecorder) {
			got.Header().Set("Content-Type", "text/event-stream")
		}, "Content-Type: want application/json"},
		{"no Allow", func(_ *http.Request, got *httptest.ResponseRecorder) { got.Header().Del("Allow") }, "header Allow"},
		{"a body for a notification", func(_ *http.Request, got *httptest.ResponseRecorder) {
			if got.Code == 202 {
				got.Body.WriteString("{}")
			}
		}, "want no body"},
		{"another protocol", replace(`"jsonrpc":"2.0"`, `"jsonrpc":"1.0"`), "not one JSON-RPC answer"},
		{"another id", replace(`"id":1,`, `"id":2,`), "id: want that of the request, got 2"},
		{"one revision for all", replace(`"protocolVersion":"2025-06-18"`, `"protocolVersion":"2025-11-25"`), "result.protocolVersion: want at least 2025-06-18"},
		{"no tools declared", replace(`"capabilities":{"tools":{}}`, `"capabilities":{}`), "result.capabilities"},
		{"a revision less", replace(`"2026-07-28","2025-11-25","2025-06-18"`, `"2026-07-28"`), "result.supportedVersions"},
		{"no result type", replace(`"resultType":"complete",`, ``), "resultType: want complete"},
		{"a tool less", replace(`"name":"api_convert"`, `"name":"api"`), "api_convert is missing"},
		{"a tool without a schema", replace(`"outputSchema":{`, `"schema":{`), "or one of its schemas"},
		{"no isError", replace(`"isError":true,`, ``), "isError: want true, got false"},
		{"isError everywhere", replace(`"content":[{`, `"isError":true,"content":[{`), "isError: want false, got true"},
		{"two texts", replace(`"content":[{`, `"content":[{"type":"text","text":""},{`), "one text"},
		{"a problem with structuredContent", replace(`"isError":true,`, `"isError":true,"structuredContent":{},`), "a refused call has structuredContent"},
		{"another structuredContent", replace(`"structuredContent":{"output":{"mediaType":"application/json"`, `"structuredContent":{"output":{"mediaType":"text/json"`), "structuredContent is not the text's value"},
		{"another output", replace(`\"value\":\"`, `\"value\":\" `), "output (-want +got)"},
		{"another member", replace(`{\"output\":`, `{\"extra\":1,\"output\":`), "breaks the description"},
		{"another code", replace(`\"code\":\"duplicate_key\"`, `\"code\":\"invalid_json\"`), "want duplicate_key, got invalid_json"},
		{"no step", replace(`,\"step\":`, `,\"step_\":`), "step"},
		{"another error", replace(`"code":-32602`, `"code":-32000`), "error: want code -32602"},
		{"no problem in the error", replace(`"data":{"type"`, `"data_":{"type"`), "not an answer"},
		{"an echo", replace(`Unknown tool`, `Unknown tool canary_tool`), "repeats"},
	})
}

// TestWithoutAgents: a deployment that serves REST only is not broken; what was
// not verified is said.
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
	if len(failed) > 0 || calls != 1 || ran != 2 || len(results) < 50 {
		t.Errorf("%d calls of /mcp, %d cases ran of %d, failed %q", calls, ran, len(results), failed)
	}
}

// TestInRevisions: what a case of MCP is sent as, in each revision.
func TestInRevisions(t *testing.T) {
	list, err := Load(fstest.MapFS{"a.yaml": {Data: []byte(`[{name: a, rule: b, revisions: ["2025-06-18", "2026-07-28"],
		request: {headers: {Mcp-Name: c}, mcp: {method: tools/call, params: {name: d}}}, answer: {status: 200}}]`)}})
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
		text, err := list[i].Request.body()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.headers, list[i].Request.Headers); diff != "" || list[i].Name != want.name ||
			list[i].Request.Path != "/mcp" || !sameJSON([]byte(text), []byte(want.body)) {
			t.Errorf("%s: %s\n%s", list[i].Name, text, diff)
		}
	}
}

// TestJUnitOfAgents: the report has a test case for each revision, the broken
// ones as failures.
func TestJUnitOfAgents(t *testing.T) {
	url := deployment(t, 0, func(r *http.Request, got *httptest.ResponseRecorder) {
		if r.Header.Get("MCP-Protocol-Version") == "2025-06-18" && strings.Contains(got.Body.String(), `"isError":true`) {
			got.Body.Reset()
			_ = json.NewEncoder(got.Body).Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "result": map[string]any{}})
		}
	})
	results, err := Run(context.Background(), load(t), Options{BaseURL: url, Only: regexp.MustCompile("^mcp json_format refuses")})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := JUnit(&out, results); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`tests="3" failures="1"`, `name="mcp json_format refuses duplicate keys (2025-06-18)"`, `name="mcp json_format refuses duplicate keys (2026-07-28)"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report has no %s:\n%s", want, out.String())
		}
	}
}
