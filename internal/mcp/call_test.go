package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/tools"
)

// running serves the tools with the SDK alone, which runs them.
func running(t *testing.T, s *Server) string {
	t.Helper()
	server := sdk.NewServer(&sdk.Implementation{Name: "convertd", Title: contract.Title, Version: "1.0.0", WebsiteURL: "http://127.0.0.1:8080"},
		&sdk.ServerOptions{SupportedProtocolVersions: Revisions})
	for _, tool := range check.Value(describe(s.contract, append(s.contract.ToolNames(), contract.Pipeline)))(t) {
		server.AddTool(tool, func(ctx context.Context, request *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			body, failure := s.run(ctx, request.Params.Name, string(request.Params.Arguments))
			result := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: string(body)}}, IsError: failure != nil}
			if failure == nil {
				result.StructuredContent = json.RawMessage(body)
			}
			return result, nil
		})
	}
	web := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, &sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
	t.Cleanup(web.Close)
	return web.URL
}

// overStdio sends the message over standard input, after a handshake if the revision has one, and returns its response.
func overStdio(t *testing.T, s *Server, message string) []byte {
	t.Helper()
	in := strings.ReplaceAll(message, "\n", " ") + "\n"
	if !strings.Contains(message, stateless) {
		in = hello + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + in
	}
	responses := strings.Split(strings.TrimSpace(stdio(t, s, in, 1<<20)), "\n")
	return []byte(responses[len(responses)-1])
}

// TestDirectIsTheSame checks that responses over both transports equal those of the SDK when it runs the tools, whether
// the SDK checked the call before or not.
func TestDirectIsTheSame(t *testing.T) {
	s := newServer(t, tools.All())
	url, bySDK := serve(t, s).URL, running(t, s)
	h := s.HTTP(guard.Body{Limit: 1 << 20, Timeout: time.Minute})
	direct := 0
	judged := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		m, wrong := readMessage(string(text))
		if wrong != nil {
			t.Errorf("%s: %v", text, wrong)
		}
		if isPlainCall(m, r.Header) {
			direct++
		}
		hold := h.body.Memory.Hold(r)
		h.forward(w, r, m, &hold)
	}))
	defer judged.Close()
	plain := 0
	for _, file := range []string{"testdata/handshake.yaml", "testdata/stateless.yaml"} {
		var exchanges []exchange
		converttest.Data(t, file, &exchanges)
		for _, x := range exchanges {
			if m, wrong := readMessage(x.Send); wrong != nil || m.method != "tools/call" || x.Status != 200 || !s.tools[m.tool] {
				continue
			}
			plain++
			status, header, body := post(t, url, x)
			judgedStatus, judgedHeader, judgedBody := post(t, judged.URL, x)
			if status != judgedStatus || header.Get("Content-Type") != judgedHeader.Get("Content-Type") || !bytes.Equal(body, judgedBody) {
				t.Errorf("%s: status %d, %d: %s\nwhen the SDK has judged it: %s", x.Name, status, judgedStatus, body, judgedBody)
			}
			if name, ok := decodeName(x.Headers["Mcp-Name"]); ok { // which the SDK does not decode
				x.Headers["Mcp-Name"] = name
			}
			_, _, ofSDK := post(t, bySDK, x)
			var got, want any
			if json.Unmarshal(body, &got) != nil || json.Unmarshal(ofSDK, &want) != nil {
				t.Fatalf("%s: %s and %s", x.Name, body, ofSDK)
			}
			check.Equal(t, want, got, x.Name, "-SDK +direct")
			check.Equal(t, string(body), string(overStdio(t, s, x.Send)), x.Name, "-HTTP +stdio")
		}
	}
	if plain < 5 || direct != plain {
		t.Errorf("%d calls, %d of them plain", plain, direct)
	}
}

// TestRepeatedHeaders checks that a protocol header that appears twice is a mismatch, in every revision, for tool calls
// and other messages, whether the lines agree or not, and whichever matches the body.
func TestRepeatedHeaders(t *testing.T) {
	h := newServer(t, tools.All()).HTTP(guard.Body{Limit: 1 << 20, Timeout: time.Minute})
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for _, params := range []string{meta, `"x":1`} {
		for _, method := range []string{"tools/list", "ping", "tools/call"} {
			for name, values := range map[string][]string{
				"MCP-Protocol-Version": {"2026-07-28", "2025-06-18"},
				"Mcp-Method":           {method, "tools/call"},
				"Mcp-Name":             {"json_format", "json_to_yaml"},
			} {
				for _, pair := range [][]string{{values[0], values[1]}, {values[1], values[0]}, {values[0], values[0]}} {
					r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"`+method+`","params":{`+params+`}}`))
					r.Header.Set("Content-Type", "application/json")
					r.Header.Set("MCP-Protocol-Version", "2026-07-28")
					r.Header.Set("Mcp-Method", method)
					r.Header.Del(name)
					r.Header.Add(name, pair[0])
					r.Header.Add(name, pair[1])
					w := httptest.NewRecorder()
					h.ServeHTTP(w, r)
					if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), `"id":7,"error":{"code":-32020,`) {
						t.Errorf("%s, %s %q: %d %s", method, name, pair, w.Code, w.Body)
					}
				}
			}
		}
	}
}

// TestIsPlainCall checks that the SDK checks every call that the protocol could object to.
func TestIsPlainCall(t *testing.T) {
	good := message{id: "1", method: "tools/call", tool: "x", revision: stateless, capabilities: true}
	headers := map[string]string{"MCP-Protocol-Version": stateless, "Mcp-Method": "tools/call", "Mcp-Name": "x"}
	for _, test := range []struct {
		name   string
		change func(*message, map[string]string)
		plain  bool
	}{
		{"as it should be", func(*message, map[string]string) {}, true},
		{"an encoded name", func(_ *message, h map[string]string) { h["Mcp-Name"] = "=?base64?eA==?=" }, true},
		{"a revision with a handshake", func(m *message, h map[string]string) { m.revision = ""; h["MCP-Protocol-Version"] = "2025-11-25" }, true},
		{"no revision at all", func(m *message, h map[string]string) { m.revision = ""; delete(h, "MCP-Protocol-Version") }, true},
		{"another method", func(m *message, _ map[string]string) { m.method = "ping" }, false},
		{"a notification", func(m *message, _ map[string]string) { m.id = "" }, false},
		{"no capabilities", func(m *message, _ map[string]string) { m.capabilities = false }, false},
		{"_meta without headers", func(_ *message, h map[string]string) { clear(h) }, false},
		{"headers without _meta", func(m *message, _ map[string]string) { m.revision = "" }, false},
		{"another name", func(_ *message, h map[string]string) { h["Mcp-Name"] = "y" }, false},
		{"another method in the header", func(_ *message, h map[string]string) { h["Mcp-Method"] = "ping" }, false},
		{"an unknown revision", func(m *message, h map[string]string) {
			m.revision = "2031-01-01"
			h["MCP-Protocol-Version"] = "2031-01-01"
		}, false},
		{"an unknown old revision", func(m *message, h map[string]string) { m.revision = ""; h["MCP-Protocol-Version"] = "1999-01-01" }, false},
		{"two revisions", func(_ *message, h map[string]string) { h["MCP-Protocol-Version"] = "2025-11-25" }, false},
	} {
		m, header := good, http.Header{}
		given := map[string]string{}
		maps.Copy(given, headers)
		test.change(&m, given)
		for name, value := range given {
			header.Set(name, value)
		}
		if got := isPlainCall(m, header); got != test.plain {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}

// TestTooLarge checks that a message over the limit gets 413 with the problem document, rejected by its length or while
// it is read, and that the response has the request's id if that is in the part that was read.
// Rule: MCP-6.
func TestTooLarge(t *testing.T) {
	url := serve(t, newServer(t, tools.All())).URL
	const small = `{"jsonrpc":"2.0","method":"ping",`
	large := strings.Repeat("x", 1<<20)
	for start, want := range map[string]string{
		`"id":7,"params":{"x":"`:                 "7",
		`"id":"a\u0041","params":{"x":"`:         `"a\u0041"`,
		`"params":{"y":{},"id":7,"x":"`:          "null", // not the request's
		`"id":{"a":1},"params":{"x":"`:           "null",
		`"params":{"x":"é` + large + `"},"id":7`: "null", // after the part that is read
		// Numbers and characters that are cut off.
		`"x":"` + strings.Repeat("é", (envelopeBytes-len(small))/2) + `","id":7,"y":"`:                   "null",
		`"id":7,"x":"` + strings.Repeat("é", envelopeBytes/2):                                            "7",
		`"id":7,"xy":"` + strings.Repeat("é", envelopeBytes/2):                                           "7",
		`"x":"` + strings.Repeat("x", envelopeBytes-len(small+`"x":"","id":12`)) + `","id":123456,"y":"`: "null",
	} {
		text := small + start + large + `"}}`
		for _, body := range []io.Reader{strings.NewReader(text), io.MultiReader(strings.NewReader(text))} { // the second of unknown length
			response := check.Value(http.Post(url, "application/json", body))(t)
			body, _ := io.ReadAll(response.Body)
			response.Body.Close()
			if response.StatusCode != 413 || !bytes.HasPrefix(body, []byte(`{"jsonrpc":"2.0","id":`+want+`,"error":{"code":413,`)) || !bytes.Contains(body, []byte(`"request_too_large"`)) {
				t.Errorf("%.40s: want the id %s, got %d %.80s", start, want, response.StatusCode, body)
			}
		}
	}
}
