package soak

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// call is a request, the status that it must get, and a part of the response. The
// response must be the same every time, byte for byte.
type call struct {
	name, path, body string
	headers          map[string]string // besides Content-Type
	status           int
	contains         string
}

// request returns the call as a request to the service at url.
func (c call) request(url string) *http.Request {
	r, err := http.NewRequest(http.MethodPost, url+c.path, strings.NewReader(c.body))
	if err != nil {
		panic(err) // the path is a constant
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range c.headers {
		r.Header.Set(name, value)
	}
	return r
}

// raw returns the call in its wire format.
func (c call) raw() string {
	var b strings.Builder
	fmt.Fprintf(&b, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n", c.path, len(c.body))
	for _, name := range slices.Sorted(maps.Keys(c.headers)) {
		fmt.Fprintf(&b, "%s: %s\r\n", name, c.headers[name])
	}
	return b.String() + "\r\n" + c.body
}

// tool returns a call of a tool over REST; options may be "".
func tool(name, mediaType, value, options, contains string) call {
	body := `{"input":{"mediaType":"` + mediaType + `","value":` + strconv.Quote(value) + `}`
	if options != "" {
		body += `,"options":` + options
	}
	return call{name: name, path: "/v1/tools/" + name, status: http.StatusOK, body: body + "}", contains: contains}
}

// hostile returns a call that its tool rejects with a code.
func hostile(c call, code string) call {
	c.name, c.status, c.contains = "hostile "+c.name, http.StatusUnprocessableEntity, `"code":"`+code+`"`
	return c
}

// agent returns a call over MCP with the same arguments, in a revision with or
// without a handshake; there a failure has status 200.
func agent(c call, tool, version string) call {
	if c.status != http.StatusOK {
		c.contains = strings.ReplaceAll(c.contains, `"`, `\"`) // in a text block, not in structuredContent
	}
	c.name, c.path, c.status = "MCP "+version+" "+c.name, "/mcp", http.StatusOK
	params := `"name":"` + tool + `","arguments":` + c.body
	c.headers = map[string]string{"MCP-Protocol-Version": version}
	if version >= "2026" {
		params += `,"_meta":{"io.modelcontextprotocol/protocolVersion":"` + version + `","io.modelcontextprotocol/clientCapabilities":{}}`
		c.headers["Mcp-Method"], c.headers["Mcp-Name"] = "tools/call", tool
	}
	c.body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + params + `}}`
	return c
}

const (
	jwt   = "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."
	shell = "curl -X POST https://api.example.com/v1/things?limit=5 -H 'Accept: application/json' -d '{\"name\":\"x\"}'"
)

// cases returns, for each tool, the first of its cases that succeeds and the first that fails.
func cases(t testing.TB) (all []call) {
	t.Helper()
	for _, described := range check.Value(contract.Load())(t).Tools() {
		file := filepath.Join("../../internal/tools", strings.ReplaceAll(described.Name, "_", ""), "testdata/cases.yaml")
		ran := map[bool]bool{}
		for _, one := range converttest.Load(t, file) {
			if fails := one.Code != ""; !ran[fails] {
				ran[fails] = true
				all = append(all, caseCall(t, described, one))
			}
		}
	}
	return all
}

func caseCall(t testing.TB, tool contract.Tool, one converttest.Case) call {
	t.Helper()
	c := call{name: tool.Name + ": " + one.Name, path: tool.Path, status: http.StatusOK}
	if one.Code != "" {
		c = hostile(c, string(one.Code))
	}
	input := map[string]any{"mediaType": cmp.Or(one.MediaType, tool.Accepts[0]), "value": one.Input}
	body := map[string]any{"input": input}
	if one.Options != nil {
		body["options"] = one.Options
	}
	c.body = string(check.Value(json.Marshal(body))(t))
	return c
}

// calls returns the mix, all equally often: valid, invalid and hostile calls, over REST, in pipelines and over MCP, and
// cases of each tool.
func calls(t testing.TB) []call {
	t.Helper()
	pipeline := call{
		name: "pipeline", path: "/v1/pipeline", status: http.StatusOK, contains: `"value":"header:\n  alg: none\npayload:\n  sub: \"1\"\n"`,
		body: `{"version":1,"input":{"mediaType":"application/jwt","value":"` + jwt + `"},"steps":[{"id":"a","tool":"jwt_decode"},{"id":"b","tool":"json_to_yaml"}],"returnStepIds":["a"]}`,
	}
	fails := call{
		name: "pipeline that fails", path: "/v1/pipeline", status: http.StatusUnprocessableEntity, contains: `"step":"a"`,
		body: `{"version":1,"input":{"mediaType":"application/json","value":"{\"a\":1,\"a\":2}"},"steps":[{"id":"a","tool":"json_format"},{"id":"b","tool":"json_to_yaml"}]}`,
	}
	format := tool("json_format", "application/json", `{"a":[1,2,{"b":null}],"c":"text"}`, `{"indent":0}`, `"value":"{\"a\":[1,2,{\"b\":null}],\"c\":\"text\"}"`)
	decode := tool("jwt_decode", "application/jwt", jwt, "", `\"alg\": \"none\"`)
	request := tool("api_convert", "text/plain", shell, `{"target":"openapi-3.1-yaml"}`, `"value":"openapi: \"3.1.0\"\ninfo:`)
	deep := hostile(tool("json_format", "application/json", strings.Repeat("[", 50_000), "", ""), "too_deep")
	dots := hostile(tool("jwt_decode", "application/jwt", strings.Repeat(".", 50_000), "", ""), "invalid_jwt")
	all := []call{
		format, decode, request, pipeline, fails, deep, dots,
		tool("json_to_yaml", "application/json", `{"on":"no","list":["1.10",true],"text":"a\\nb\\n"}`, "", `\"on\": \"no\"`),
		// A real leap second.
		tool("timestamp_to_iso", "text/plain", "2016-12-31T23:59:60.5+00:00", "", `"value":"2016-12-31T23:59:60.5Z"`),
		tool("timestamp_to_iso", "text/plain", "-0.5", `{"unit":"seconds"}`, `"value":"1969-12-31T23:59:59.5Z"`),
		tool("json_format", "application/json", "["+strings.Repeat(`{"name":"value","n":12345},`, 1500)+"1]", "", `\"n\": 12345`),
		tool("json_to_yaml", "application/json", "["+strings.Repeat(`"line of text",`, 3000)+"1]", "", `- line of text`),

		{name: "no JSON", path: "/v1/tools/json_format", body: "{", status: http.StatusBadRequest, contains: `"code":"malformed_json"`},
		{name: "no route", path: "/v1/tools/none", body: "{}", status: http.StatusNotFound, contains: `"code":"unknown_route"`},
		{name: "no schema", path: "/v1/pipeline", body: `{"version":2}`, status: http.StatusUnprocessableEntity, contains: `"code":"schema_violation"`},
		{name: "media type", path: "/v1/tools/json_format", body: `{"input":{"mediaType":"a/b","value":""}}`, status: http.StatusUnsupportedMediaType, contains: `"code":"unsupported_media_type"`},
		{name: "no JSON-RPC", path: "/mcp", body: `{"jsonrpc":"2.0"`, status: http.StatusBadRequest, contains: `"code":-32700`},

		hostile(tool("json_format", "application/json", strings.Repeat("9", 50_000), "", ""), "unsafe_number"),
		hostile(tool("json_to_yaml", "application/json", "{"+strings.Repeat(`"a":1,`, 5000)+`"z":1}`, "", ""), "duplicate_key"),
		hostile(tool("timestamp_to_iso", "text/plain", strings.Repeat("1", 50_000), "", ""), "unit_required"),
		hostile(tool("api_convert", "text/plain", "curl "+strings.Repeat("$(", 25_000), `{"target":"curl"}`, ""), "too_complex"),
		hostile(tool("api_convert", "application/yaml", "openapi: "+strings.Repeat("[", 5_000), `{"target":"postman-2.1"}`, ""), "too_complex"),
	}
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		all = append(all,
			agent(decode, "jwt_decode", version), agent(pipeline, "pipeline", version), agent(request, "api_convert", version),
			agent(fails, "pipeline", version), agent(deep, "json_format", version))
	}
	return append(all, cases(t)...)
}
