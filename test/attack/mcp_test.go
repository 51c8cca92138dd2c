package attack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/mcp"
	"github.com/convertd/convertd/test/daemon"
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

// headers returns the headers of a message.
func (a agent) headers(method, name string, others ...string) []string {
	all := append([]string{"Accept", "application/json, text/event-stream", "MCP-Protocol-Version", a.version}, others...)
	if a.version >= stateless {
		all = append(all, "Mcp-Method", method, "Mcp-Name", name)
	}
	return all
}

// TestAgents sends /mcp what a hostile client may send in each protocol revision: messages that are large or deep, and
// sessions. The tests of internal/mcp have the small messages that a revision rejects.
func TestAgents(t *testing.T) {
	s := attack(t, append(daemon.Patient, "--base-url=https://convert.example.com")...)
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
	passes     bool // the protocol allows it; all others must be rejected
}

func isGood(got response) bool {
	return got.status == http.StatusOK && bytes.Contains(got.body, []byte(`"structuredContent"`)) && !bytes.Contains(got.body, []byte(`"isError":true`))
}

func (s *target) agentAttacks(t *testing.T, a agent) {
	good := a.call("json_format", goodBody)
	if got := s.post(t, "/mcp", good, a.headers("tools/call", "json_format")...); !isGood(got) {
		t.Fatalf("a good call: %d %.300s", got.status, got.body)
	}
	for _, test := range a.hostileMessages(good) {
		t.Run(test.name, func(t *testing.T) {
			s.rejectedOrGood(t, s.counted(t, "/mcp", test.body, test.headers...), test.passes)
		})
	}
	t.Run("2,000 sessions", func(t *testing.T) {
		for i := range 2000 {
			got := s.post(t, "/mcp", good, a.headers("tools/call", "json_format", "Mcp-Session-Id", fmt.Sprint(marker, i))...)
			if !isGood(got) || got.header.Get("Mcp-Session-Id") != "" {
				t.Fatalf("session %d: %d %.300s", i, got.status, got.body)
			}
		}
		s.checkHeld(t)
	})
	s.unharmed(t)
}

// hostileMessages returns the messages for every revision.
func (a agent) hostileMessages(good string) []hostileMessage {
	const tool = "json_format"
	with := func(others ...string) []string { return a.headers("tools/call", tool, others...) }
	headers := with()
	deep := strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000)
	return []hostileMessage{
		{"deep arguments", a.call(tool, deep), headers, false},
		{"deep arguments of an unknown tool", a.call(marker, deep), a.headers("tools/call", marker), false},
		{"deep _meta", a.message("tools/call", `"name":"`+tool+`","arguments":`+goodBody+`,"x":`+deep), headers, false},
		{"arguments without an end", a.call(tool, strings.Repeat("[", 500_000)), headers, false},
		{"2 MiB", a.call(tool, toolBody("application/json", strings.Repeat(" ", 2<<20), "")), headers, false},
		{"a large message that is not a call", a.message("ping", `"x":"`+strings.Repeat(marker, 40_000)+`"`), a.headers("ping", ""), false},
		{"a batch of 10,000", "[" + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, 10_000) + "1]", headers, false},
		{"an id of 100 KB", strings.Replace(good, `"id":1`, `"id":"`+strings.Repeat("a", 100_000)+`"`, 1), headers, false},
		{"an id of a million digits", strings.Replace(good, `"id":1`, `"id":`+strings.Repeat("9", 1_000_000), 1), headers, false},
		{"a method of 100 KB", a.message(strings.Repeat(marker, 6000), ""), headers, false},
		{"bytes that are not UTF-8", strings.Replace(good, tool, "\xff\xfe", 1), headers, false},
		{"arguments with an unknown property", a.call(tool, `{"ticket":"1"}`), headers, false},
		{"an Accept without JSON", good, with("Accept", "image/"+marker), true},
		{"a session of 4 KB", good, with("Mcp-Session-Id", strings.Repeat("s", 4096)), true},
		{"an event to resume from", good, with("Last-Event-ID", marker), true},
	}
}

// rejectedOrGood checks an agent's response: a result, or a rejection by the
// protocol or by the tool that contains none of the message.
func (s *target) rejectedOrGood(t *testing.T, got response, passes bool) {
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
