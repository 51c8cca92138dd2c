package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/tools"
)

// TestListOfTools: small, deterministic, and portable to strict clients.
// Rules: MCP-2, MCP-11.
func TestListOfTools(t *testing.T) {
	s := newServer(t, tools.All())
	c, url := s.contract, serve(t, s).URL
	message := exchange{
		Send: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{` +
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		Headers: map[string]string{"MCP-Protocol-Version": stateless, "Mcp-Method": "tools/list"},
	}
	_, _, first := post(t, url, message)
	for range 5 {
		if _, _, again := post(t, serve(t, newServer(t, tools.All())).URL, message); !bytes.Equal(first, again) {
			t.Fatal("not deterministic")
		}
	}
	t.Logf("%d bytes", len(first))
	if len(first) > 12_000 {
		t.Errorf("%d bytes, want at most 12,000", len(first))
	}
	var list struct {
		Result struct {
			Tools []struct {
				Name, Title, Description  string
				InputSchema, OutputSchema map[string]any
				Annotations               map[string]bool
			}
		}
	}
	if err := json.Unmarshal(first, &list); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Result.Tools {
		names = append(names, tool.Name)
		want := map[string]bool{"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
		if diff := cmp.Diff(want, tool.Annotations); diff != "" {
			t.Errorf("%s: annotations: %s", tool.Name, diff)
		}
		if tool.Title == "" || len(tool.Description) < 100 {
			t.Errorf("%s: title or description", tool.Name)
		}
		checkSchema(t, tool.Name, tool.InputSchema, true)
		checkSchema(t, tool.Name, tool.OutputSchema, true)
		if described := c.Tool(tool.Name); described != nil {
			var in, out struct {
				Properties map[string]struct {
					Properties struct{ MediaType struct{ Enum []string } }
				}
			}
			convertJSON(t, tool.InputSchema, &in)
			convertJSON(t, tool.OutputSchema, &out)
			if !slices.Equal(in.Properties["input"].Properties.MediaType.Enum, described.Accepts) {
				t.Errorf("%s: accepts %v", tool.Name, in)
			}
			if len(out.Properties["output"].Properties.MediaType.Enum) == 0 {
				t.Errorf("%s: produces nothing", tool.Name)
			}
		}
	}
	want := []string{contract.Pipeline}
	for _, tool := range tools.All() {
		want = append(want, tool.Name)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names: %s", diff)
	}
}

// checkSchema walks a schema for what clients are known to refuse.
func checkSchema(t *testing.T, name string, schema map[string]any, root bool) {
	t.Helper()
	for _, keyword := range []string{"$ref", "const", "discriminator", "nullable", "anyOf", "allOf", "example"} {
		if _, has := schema[keyword]; has {
			t.Errorf("%s: a schema has %s", name, keyword)
		}
	}
	if _, has := schema["oneOf"]; root && (has || schema["type"] != "object" || schema["additionalProperties"] != false) {
		t.Errorf("%s: the root is no closed object: %v", name, schema)
	}
	for _, member := range schema {
		switch member := member.(type) {
		case map[string]any:
			checkSchema(t, name, member, false)
		case []any:
			for _, item := range member {
				if item, ok := item.(map[string]any); ok {
					checkSchema(t, name, item, false)
				}
			}
		}
	}
}

// convertJSON decodes a value that has been decoded before into another type.
func convertJSON(t *testing.T, value, into any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
