package mcp

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/tools"
)

// bytesPerTool limits the length of tools/list, which takes up space in the context of
// every client: 14,000 bytes for five tools and the pipeline.
const bytesPerTool = 14_000 / 6

// TestListOfTools checks that the list is small, deterministic, and portable to strict clients.
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
	most := bytesPerTool * (len(c.Tools()) + 1)
	t.Logf("%d bytes", len(first))
	if len(first) > most {
		t.Errorf("tools/list has %d bytes, at most %d are allowed: shorten descriptions in the OpenAPI document", len(first), most)
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
	check.JSON(t, first, &list)
	var names []string
	for _, tool := range list.Result.Tools {
		names = append(names, tool.Name)
		want := map[string]bool{"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}
		check.Equal(t, want, tool.Annotations, tool.Name, "annotations")
		if tool.Title == "" || len(tool.Description) < 100 {
			t.Errorf("%s: agents choose a tool by its summary (%q) and description, which needs at least 100 characters (it has %d)", tool.Name, tool.Title, len(tool.Description))
		}
		checkSchema(t, tool.Name, tool.InputSchema, true)
		checkSchema(t, tool.Name, tool.OutputSchema, true)
		if tool.Name == contract.Pipeline {
			checkStep(t, c.Tools(), tool.InputSchema)
		}
		if !strings.Contains(member(t, tool.OutputSchema, "properties", "provenance", "description").(string), "editorUrl") {
			t.Errorf("%s: provenance is not described", tool.Name)
		}
		if described := c.Tool(tool.Name); described != nil {
			checkTypes(t, described, tool.InputSchema, tool.OutputSchema)
		}
	}
	want := []string{contract.Pipeline}
	for _, tool := range tools.All() {
		want = append(want, tool.Name)
	}
	slices.Sort(want)
	check.Equal(t, want, names, "names")
}

// checkTypes checks that a tool's schemas have the media types that it takes and produces, and describe each option.
func checkTypes(t *testing.T, tool *contract.Tool, input, output map[string]any) {
	t.Helper()
	for _, option := range tool.Options {
		if got := member(t, input, "properties", "options", "properties", option.Name, "description"); got != option.Description || len(option.Description) < 15 {
			t.Errorf("%s: the option %s is described as %q", tool.Name, option.Name, got)
		}
	}
	var in, out struct {
		Properties map[string]struct {
			Properties struct{ MediaType struct{ Enum []string } }
		}
	}
	convertJSON(t, input, &in)
	convertJSON(t, output, &out)
	if !slices.Equal(in.Properties["input"].Properties.MediaType.Enum, tool.Accepts) {
		t.Errorf("%s: accepts %v", tool.Name, in)
	}
	if len(out.Properties["output"].Properties.MediaType.Enum) == 0 {
		t.Errorf("%s: produces nothing", tool.Name)
	}
}

// TestInstructions checks that the instructions contain the configured limits,
// the rate limit only if there is one, and where to read more.
func TestInstructions(t *testing.T) {
	limits := newServer(t, tools.All()).contract.Limits()
	for rate, want := range map[int]string{0: "of outputs a pipeline. Nothing is stored", 45: "of outputs a pipeline; 45 requests a minute for each address, and a refusal says how many seconds to wait"} {
		got := instructions(limits, Config{BaseURL: "https://example.com/tools", RateLimit: rate})
		for _, part := range []string{want, "1 MiB a request, 20 steps and 2 MiB", "provenance.editorUrl", "https://example.com/tools/problems", "https://example.com/tools/v1/openapi.json"} {
			if !strings.Contains(got, part) {
				t.Errorf("rate %d: no %q in %q", rate, part, got)
			}
		}
	}
	if got := instructions(limits, Config{}); strings.Contains(got, "editorUrl") || strings.Contains(got, "/problems") {
		t.Errorf("links without a base URL: %q", got)
	}
}

// checkStep checks that a step's schema has the id's pattern, each tool with its media types, and each option with the
// tools that accept it, wide enough for all.
func checkStep(t *testing.T, tools []contract.Tool, input map[string]any) {
	t.Helper()
	step := member(t, input, "properties", "steps", "items", "properties").(map[string]any)
	if member(t, step, "id", "pattern") != "^[A-Za-z0-9_-]{1,64}$" {
		t.Errorf("id: %v", step["id"])
	}
	description := member(t, step, "tool", "description").(string)
	options := member(t, step, "options", "properties").(map[string]any)
	count := map[string]bool{}
	for i, tool := range tools {
		types := tool.Name + ": " + strings.Join(tool.Accepts, ", ") + " to " + strings.Join(tool.Produces, ", ")
		if member(t, step, "tool", "enum").([]any)[i] != tool.Name || !strings.Contains(description, types) {
			t.Errorf("%s: %v", types, step["tool"])
		}
		for _, option := range tool.Options {
			count[option.Name] = true
			schema := member(t, options, option.Name).(map[string]any)
			_, filled := schema["default"]
			low, _ := schema["minimum"].(float64)
			high, _ := schema["maximum"].(float64)
			enum, _ := schema["enum"].([]any)
			if filled || int(low) > option.Minimum || int(high) < option.Maximum || len(enum) != len(option.Enum) ||
				!strings.Contains(schema["description"].(string), tool.Name) || !strings.Contains(schema["description"].(string), option.Description) ||
				option.Required && !strings.Contains(schema["description"].(string), "required") {
				t.Errorf("%s of %s: %v", option.Name, tool.Name, schema)
			}
		}
	}
	if len(options) != len(count) {
		t.Errorf("options: %v", options)
	}
	if _, has := member(t, step, "options").(map[string]any)["required"]; has {
		t.Error("an option of one tool is required of all")
	}
}

// member returns the value in a schema at this path of names.
func member(t *testing.T, schema map[string]any, names ...string) any {
	t.Helper()
	value := any(schema)
	for _, name := range names {
		object, _ := value.(map[string]any)
		if value = object[name]; value == nil {
			t.Fatalf("no %v in %v", names, schema)
		}
	}
	return value
}

// checkSchema walks a schema and reports what clients are known to reject.
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

// convertJSON converts a decoded value to another type.
func convertJSON(t *testing.T, value, into any) {
	t.Helper()
	text, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	check.OK(t, err)
}
