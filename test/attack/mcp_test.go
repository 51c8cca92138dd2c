package attack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/mcp"
)

// stateless is the first revision without a handshake.
const stateless = "2026-07-28"

// agent is a client of one protocol revision.
type agent struct{ version string }

// message returns a request of the revision; params are JSON without the braces.
func (a agent) message(method, params string) string {
	if a.version >= stateless {
		if params != "" {
			params += ","
		}
		params += `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + a.version + `","io.modelcontextprotocol/clientCapabilities":{}}`
	}
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `}}`
}

func (a agent) call(tool, arguments string) string {
	return a.message("tools/call", `"name":"`+tool+`","arguments":`+arguments)
}

// headers returns the headers of a message; others replace those of the same name.
func (a agent) headers(method, name string, others ...string) []string {
	all := []string{"Accept", "application/json, text/event-stream", "MCP-Protocol-Version", a.version}
	if a.version >= stateless {
		all = append(all, "Mcp-Method", method)
		if name != "" {
			all = append(all, "Mcp-Name", name)
		}
	}
	for i := 0; i < len(others); i += 2 {
		for j := 0; j < len(all); j += 2 {
			if strings.EqualFold(all[j], others[i]) {
				all[j+1] = others[i+1]
				others[i+1] = ""
			}
		}
		if others[i+1] != "" {
			all = append(all, others[i], others[i+1])
		}
	}
	return all
}

// TestAgents sends /mcp what a hostile client may send in each protocol revision.
func TestAgents(t *testing.T) {
	s := attack(t, "--rate-limit=0", "--base-url=https://convert.example.com")
	for _, version := range mcp.Revisions {
		t.Run(version, func(t *testing.T) { s.agentAttacks(t, agent{version}) })
	}
	s.unharmed(t)
	s.releasesMemory(t)
}

// hostileMessage is a message that no client library sends.
type hostileMessage struct {
	name, body string
	headers    []string
	passes     bool // the protocol allows it; all others must be refused
}

// agentTool is the tool that all messages call.
const agentTool = "json_format"

func (a agent) good() string { return a.call(agentTool, goodBody) }

// with returns the headers of a valid call, some replaced by others.
func (a agent) with(others ...string) []string {
	return a.headers("tools/call", agentTool, others...)
}

func isGood(got response) bool {
	return got.status == http.StatusOK && bytes.Contains(got.body, []byte(`"structuredContent"`)) && !bytes.Contains(got.body, []byte(`"isError":true`))
}

func (s *target) agentAttacks(t *testing.T, a agent) {
	if got := s.post(t, "/mcp", a.good(), a.with()...); !isGood(got) {
		t.Fatalf("a good call: %d %.300s", got.status, got.body)
	}
	messages := a.hostileMessages()
	if a.version >= stateless {
		messages = append(messages, a.contradictions()...)
	}
	for _, test := range messages {
		t.Run(test.name, func(t *testing.T) {
			s.refusedOrGood(t, s.counted(t, "/mcp", test.body, test.headers...), test.passes)
		})
	}
	t.Run("2,000 sessions", func(t *testing.T) { s.manySessions(t, a) })
	t.Run("methods of sessions", func(t *testing.T) { s.sessionMethods(t, a) })
	s.unharmed(t)
}

// hostileMessages returns the messages for every revision.
func (a agent) hostileMessages() []hostileMessage {
	const tool = agentTool
	good, headers, with := a.good(), a.with(), a.with
	deep := strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)
	return []hostileMessage{
		{"a foreign origin", good, with("Origin", "https://"+marker+".example"), false},
		{"the origin null", good, with("Origin", "null"), false},
		{"deep arguments", a.call(tool, deep), headers, false},
		{"deep arguments of an unknown tool", a.call(marker, deep), a.headers("tools/call", marker), false},
		{"deep _meta", a.message("tools/call", `"name":"`+tool+`","arguments":`+goodBody+`,"x":`+deep), headers, false},
		{"arguments without an end", a.call(tool, strings.Repeat("[", 500_000)), headers, false},
		{"2 MiB", a.call(tool, toolBody("application/json", strings.Repeat(" ", 2<<20), "")), headers, false},
		{"a large message that is not a call", a.message("ping", `"x":"`+strings.Repeat(marker, 40_000)+`"`), a.headers("ping", ""), false},
		{"a batch", "[" + good + "," + good + "]", headers, false},
		{"a batch of 10,000", "[" + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, 10_000) + "1]", headers, false},
		{"an id of 100 KB", strings.Replace(good, `"id":1`, `"id":"`+strings.Repeat("a", 100_000)+`"`, 1), headers, false},
		{"an id of a million digits", strings.Replace(good, `"id":1`, `"id":`+strings.Repeat("9", 1_000_000), 1), headers, false},
		{"a method of 100 KB", a.message(strings.Repeat(marker, 6000), ""), headers, false},
		{"a duplicate name", strings.Replace(good, `"id":1`, `"id":1,"id":2`, 1), headers, false},
		{"bytes that are not UTF-8", strings.Replace(good, tool, "\xff\xfe", 1), headers, false},
		{"two values", good + good, headers, false},
		{"a response instead of a request", `{"jsonrpc":"2.0","id":1,"result":{"` + marker + `":1}}`, headers, false},
		{"a ticket of another call", a.call(tool, `{"ticket":"1"}`), headers, false},
		{"another version in the header", good, with("MCP-Protocol-Version", "2031-01-01"), false},
		{"an invalid version", good, with("MCP-Protocol-Version", marker), false},
		{"a content type that is not JSON", good, with("Content-Type", "text/plain"), false},
		{"an Accept without JSON", good, with("Accept", "image/"+marker), true},
		{"a session that does not exist", good, with("Mcp-Session-Id", marker), true},
		{"a session of 4 KB", good, with("Mcp-Session-Id", strings.Repeat("s", 4096)), true},
		{"two versions that differ", good, append(with(), "MCP-Protocol-Version", "2025-06-18"), false},
		{"two versions, the right one last", good, append([]string{"MCP-Protocol-Version", "2031-01-01"}, headers...), false},
		{"one version twice", good, append(with(), "MCP-Protocol-Version", a.version), false},
		{"two methods", good, append(with("Mcp-Method", "tools/call"), "Mcp-Method", "tools/list"), false},
		{"two tools", good, append(with("Mcp-Name", tool), "Mcp-Name", "json_to_yaml"), false},
		{"two tools, the right one last", good, append([]string{"Mcp-Name", "json_to_yaml"}, with("Mcp-Name", tool)...), false},
		{"two methods of a ping", a.message("ping", ""), append(a.headers("ping", "", "Mcp-Method", "ping"), "Mcp-Method", "tools/list"), false},
		{"an event to resume from", good, with("Last-Event-ID", marker), true},
	}
}

// contradictions returns valid messages whose headers contradict the body.
func (a agent) contradictions() []hostileMessage {
	const tool = agentTool
	good, with := a.good(), a.with
	return []hostileMessage{
		{"another method in the header", good, with("Mcp-Method", "tools/list"), false},
		{"another tool in the header", good, with("Mcp-Name", "json_to_yaml"), false},
		{"a tool in the header that is long", good, with("Mcp-Name", strings.Repeat(marker, 100)), false},
		{"broken base64 in the header", good, with("Mcp-Name", "=?base64?"+marker+"%?="), false},
		{"no method in the header", good, []string{"MCP-Protocol-Version", a.version, "Mcp-Name", tool}, false},
		{"no version in the header", good, []string{"Mcp-Method", "tools/call", "Mcp-Name", tool}, false},
		{"an older version in the header", good, with("MCP-Protocol-Version", "2025-06-18"), false},
	}
}

// manySessions checks that a client with a new session for every call uses no
// lasting memory.
func (s *target) manySessions(t *testing.T, a agent) {
	good, with := a.good(), a.with
	for i := range 2000 {
		if got := s.post(t, "/mcp", good, with("Mcp-Session-Id", fmt.Sprint(marker, i))...); !isGood(got) || got.header.Get("Mcp-Session-Id") != "" {
			t.Fatalf("session %d: %d %.300s", i, got.status, got.body)
		}
	}
	s.checkHeld(t)
}

// sessionMethods checks that the methods of sessions and a foreign Host are
// rejected.
func (s *target) sessionMethods(t *testing.T, a agent) {
	for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodOptions} {
		r, _ := http.NewRequest(method, s.URL+"/mcp", nil)
		r.Header.Set("Mcp-Session-Id", marker)
		r.Header.Set("Accept", "text/event-stream")
		if got := s.send(t, r); got.status != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", method, got.status)
		} else {
			checkRefusal(t, got)
		}
	}
	r, _ := http.NewRequest(http.MethodPost, s.URL+"/mcp", strings.NewReader(a.good()))
	r.Host = marker + ".example"
	r.Header.Set("Content-Type", "application/json")
	if got := s.send(t, r); got.status != http.StatusForbidden {
		t.Errorf("a foreign Host: %d", got.status)
	}
}

// refusedOrGood checks an agent's response: a result, or a rejection by the
// protocol or by the tool that contains none of the message.
func (s *target) refusedOrGood(t *testing.T, got response, passes bool) {
	t.Helper()
	var rpc struct {
		Error  *struct{ Code int64 }
		Result *struct{ IsError bool }
	}
	if err := json.Unmarshal(got.body, &rpc); err != nil || (rpc.Error == nil) == (rpc.Result == nil) {
		t.Fatalf("not a JSON-RPC response: %d %.300s", got.status, got.body)
	}
	if bytes.Contains(got.body, []byte(marker)) {
		t.Errorf("the response contains input: %.300s", got.body)
	}
	switch refused := rpc.Error != nil || rpc.Result.IsError; {
	case refused == passes:
		t.Errorf("%d %.300s", got.status, got.body)
	case refused && len(got.body) > 4096:
		t.Errorf("a refusal of %d bytes", len(got.body))
	case got.status >= 500:
		t.Errorf("status %d", got.status)
	}
}
