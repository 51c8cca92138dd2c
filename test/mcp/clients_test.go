package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

const (
	goodCall = `{"input":{"mediaType":"application/json","value":"{\"a\":1}"}}`
	badCall  = `{"input":{"mediaType":"application/json","value":"{\"a\":1,\"a\":2}"}}`
)

// TestInspector checks that the Inspector reports nothing about the tools' schemas, and that its calls have the
// expected results, in both eras and over both transports.
func TestInspector(t *testing.T) {
	url := serve(t)
	for _, target := range [][]string{
		{url + "/mcp", "--transport", "http", "--protocol-era", "modern"},
		{url + "/mcp", "--transport", "http", "--protocol-era", "legacy"},
		{binary, "mcp", "--transport", "stdio", "--protocol-era", "legacy"},
	} {
		inspect := func(arguments ...string) output {
			return node(t, "mcp-inspector", append(append([]string{"--cli"}, target...), arguments...)...)
		}
		name := strings.Join(target[1:], " ")
		list := inspect("--strict", "--method", "tools/list")
		if list.code != 0 || list.stderr != "" || !strings.Contains(list.stdout, `"pipeline"`) {
			t.Errorf("%s: tools/list: exit %d\n%s%.500s", name, list.code, list.stderr, list.stdout)
		}
		good := inspect("--method", "tools/call", "--tool-name", "json_format", "--tool-args-json", goodCall)
		if good.code != 0 || !strings.Contains(good.stdout, `"structuredContent"`) {
			t.Errorf("%s: a good call: exit %d\n%s%s", name, good.code, good.stderr, good.stdout)
		}
		// Exit code 5 is a result with isError.
		bad := inspect("--method", "tools/call", "--tool-name", "json_format", "--tool-args-json", badCall)
		if bad.code != 5 || !strings.Contains(bad.stdout, "duplicate_key") {
			t.Errorf("%s: a bad call: exit %d\n%s%s", name, bad.code, bad.stderr, bad.stdout)
		}
	}
}

// TestTypeScriptClients checks that the current and the previous TypeScript SDK list the tools, make a valid call, and
// show what is wrong with an invalid one instead of throwing an exception.
func TestTypeScriptClients(t *testing.T) {
	out := node(t, "node", "client.ts", serve(t)+"/mcp", binary, goodCall, badCall)
	if out.code != 0 {
		t.Fatalf("exit %d\n%s%s", out.code, out.stdout, out.stderr)
	}
	decoder := json.NewDecoder(strings.NewReader(out.stdout))
	for _, want := range []string{"1 over HTTP", "2 legacy over HTTP", "2 auto over HTTP", "2 pinned over HTTP", "1 over stdio", "2 over stdio"} {
		var got struct {
			Client    string
			Tools     []string
			Good, Bad struct {
				IsError           bool
				Content           []struct{ Text string }
				StructuredContent json.RawMessage
			}
		}
		if err := decoder.Decode(&got); err != nil {
			t.Fatalf("%s: %v\n%s", want, err, out.stdout)
		}
		var text, structured any
		var problem struct{ Code, Hint string }
		switch {
		case got.Client != want || len(got.Tools) < 2:
			t.Errorf("%s: %s lists %v", want, got.Client, got.Tools)
		case got.Good.IsError || json.Unmarshal([]byte(got.Good.Content[0].Text), &text) != nil ||
			json.Unmarshal(got.Good.StructuredContent, &structured) != nil || fmt.Sprint(text) != fmt.Sprint(structured):
			t.Errorf("%s: a good call: %+v", want, got.Good)
		case !got.Bad.IsError || got.Bad.StructuredContent != nil ||
			json.Unmarshal([]byte(got.Bad.Content[0].Text), &problem) != nil || problem.Code != "duplicate_key" || problem.Hint == "":
			t.Errorf("%s: a bad call: %+v", want, got.Bad)
		}
	}
}
