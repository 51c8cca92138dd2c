package mcp

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/tools"
)

// TestDirectIsTheSame: the answers to plain calls, which are made without the
// SDK, are those of the SDK.
func TestDirectIsTheSame(t *testing.T) {
	s := newServer(t, tools.All())
	url := serve(t, s).URL
	h := s.HTTP(guard.Body{Limit: 1 << 20, Timeout: time.Second})
	direct := 0
	viaSDK := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
	defer viaSDK.Close()
	plain := 0
	for _, file := range []string{"testdata/legacy.yaml", "testdata/modern.yaml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var exchanges []exchange
		if err := yaml.Unmarshal(text, &exchanges); err != nil {
			t.Fatal(err)
		}
		for _, x := range exchanges {
			if m, wrong := readMessage(x.Send); wrong != nil || m.method != "tools/call" || x.Status != 200 || !s.tools[m.tool] {
				continue
			}
			plain++
			status, header, body := post(t, url, x)
			sdkStatus, sdkHeader, sdkBody := post(t, viaSDK.URL, x)
			var got, want any
			if json.Unmarshal(body, &got) != nil || json.Unmarshal(sdkBody, &want) != nil {
				t.Fatalf("%s: %s and %s", x.Name, body, sdkBody)
			}
			if diff := cmp.Diff(want, got); diff != "" || status != sdkStatus || header.Get("Content-Type") != sdkHeader.Get("Content-Type") {
				t.Errorf("%s: status %d, %d: -SDK +direct\n%s", x.Name, status, sdkStatus, diff)
			}
		}
	}
	if plain < 5 || direct != plain {
		t.Errorf("%d calls, %d of them plain", plain, direct)
	}
}

// TestHeadersTwice: a header of the protocol that is there twice is a mismatch,
// in every revision, for calls and for what is none, whether the lines agree or
// not and whichever says what the body says.
func TestHeadersTwice(t *testing.T) {
	h := newServer(t, tools.All()).HTTP(guard.Body{Limit: 1 << 20, Timeout: time.Second})
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for _, params := range []string{meta, `"x":1`} {
		for _, method := range []string{"tools/list", "ping"} {
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

// TestIsPlainCall: anything that the protocol could object to is the SDK's to
// judge.
func TestIsPlainCall(t *testing.T) {
	good := message{id: "1", method: "tools/call", tool: "x", era: modern, able: true}
	headers := map[string]string{"MCP-Protocol-Version": modern, "Mcp-Method": "tools/call", "Mcp-Name": "x"}
	for _, test := range []struct {
		name   string
		change func(*message, map[string]string)
		plain  bool
	}{
		{"as it should be", func(*message, map[string]string) {}, true},
		{"an encoded name", func(_ *message, h map[string]string) { h["Mcp-Name"] = "=?base64?eA==?=" }, true},
		{"the handshake era", func(m *message, h map[string]string) { m.era = ""; h["MCP-Protocol-Version"] = "2025-11-25" }, true},
		{"no version at all", func(m *message, h map[string]string) { m.era = ""; delete(h, "MCP-Protocol-Version") }, true},
		{"another method", func(m *message, _ map[string]string) { m.method = "ping" }, false},
		{"a notification", func(m *message, _ map[string]string) { m.id = "" }, false},
		{"no capabilities", func(m *message, _ map[string]string) { m.able = false }, false},
		{"_meta without headers", func(_ *message, h map[string]string) { clear(h) }, false},
		{"headers without _meta", func(m *message, _ map[string]string) { m.era = "" }, false},
		{"another name", func(_ *message, h map[string]string) { h["Mcp-Name"] = "y" }, false},
		{"another method in the header", func(_ *message, h map[string]string) { h["Mcp-Method"] = "ping" }, false},
		{"an unknown version", func(m *message, h map[string]string) { m.era = "2031-01-01"; h["MCP-Protocol-Version"] = "2031-01-01" }, false},
		{"an unknown old version", func(m *message, h map[string]string) { m.era = ""; h["MCP-Protocol-Version"] = "1999-01-01" }, false},
		{"two versions", func(_ *message, h map[string]string) { h["MCP-Protocol-Version"] = "2025-11-25" }, false},
	} {
		m, header := good, http.Header{}
		given := map[string]string{}
		for name, value := range headers {
			given[name] = value
		}
		test.change(&m, given)
		for name, value := range given {
			header.Set(name, value)
		}
		if got := isPlainCall(m, header); got != test.plain {
			t.Errorf("%s: %v", test.name, got)
		}
	}
}
