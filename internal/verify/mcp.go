package verify

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// mcpPath is where a deployment serves MCP (streamable HTTP).
const mcpPath = "/mcp"

// stateless is the first revision without a handshake: a request describes itself in its _meta and its headers.
const stateless = "2026-07-28"

// Message is a request or notification over MCP.
type Message struct {
	Method       string
	ID           any // 1 by default
	Params       map[string]any
	Notification bool // it has no id and gets no response
}

// Agents is what a response over MCP must be, in addition to what Expected says about the document inside.
type Agents struct {
	Error   int            // the code of a JSON-RPC error, 0 for a result
	IsError *bool          `yaml:"isError"` // whether a tool call's result contains a problem
	Result  map[string]any // members that the result has, with at least these members
	Tools   bool           // the list has exactly the tools of the built-in OpenAPI document
	Empty   bool           // no body
	Served  bool           // the case tests whether there is an MCP server at all
	REST    string         // the path of the call with the same bytes over REST
}

// over returns the request as it is sent in a revision, "" for the message alone. The case's own headers are kept.
func (r Request) over(revision string) Request {
	message := map[string]any{"jsonrpc": "2.0", "method": r.MCP.Method}
	if !r.MCP.Notification {
		message["id"] = r.MCP.id()
	}
	params := maps.Clone(r.MCP.Params)
	headers := map[string]string{}
	if revision != "" && r.MCP.Method != "initialize" {
		headers["MCP-Protocol-Version"] = revision
	}
	if revision >= stateless {
		headers["Mcp-Method"] = r.MCP.Method
		if name, ok := params["name"].(string); ok {
			headers["Mcp-Name"] = name
		}
		if params == nil {
			params = map[string]any{}
		}
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    revision,
			"io.modelcontextprotocol/clientCapabilities": map[string]any{},
		}
	}
	if params != nil {
		message["params"] = params
	}
	maps.Copy(headers, r.Headers)
	r.Path, r.Headers, r.JSON = mcpPath, headers, message
	return r
}

// id returns the id that the response must have.
func (m *Message) id() any {
	if m == nil || m.ID == nil {
		return 1
	}
	return m.ID
}

// inRevisions returns the case once for each of its revisions.
func (c Case) inRevisions() []Case {
	if c.Request.MCP == nil {
		return []Case{c}
	}
	if len(c.Revisions) == 0 {
		c.Request = c.Request.over("")
		return []Case{c}
	}
	var all []Case
	for _, revision := range c.Revisions {
		one := c
		one.Name += " (" + revision + ")"
		one.Request = c.Request.over(revision)
		one.revision = revision
		all = append(all, one)
	}
	return all
}

// servesAgents reports whether the deployment serves MCP. It sends one request.
func (r *runner) servesAgents(ctx context.Context) (bool, error) {
	if r.agents == nil {
		got, err := r.send(ctx, Request{MCP: &Message{Method: "ping"}}.over(""))
		if err != nil {
			return false, err
		}
		has := got.status != http.StatusNotFound
		r.agents = &has
	}
	return *r.agents, nil
}

// rpcResponse is a response of JSON-RPC 2.0.
type rpcResponse struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// callResult is the result of a tool call.
type callResult struct {
	IsError bool `json:"isError"`
	Content []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent"`
}

// compareAgents compares a response over MCP with what the case expects: the envelope, and inside it the response that
// REST has, which is also checked against the OpenAPI document.
func (r *runner) compareAgents(c Case, got received) (wrong faults) {
	want := c.Response.MCP
	if got.status != c.Response.Status {
		wrong.add("status: want %d, got %d: %s", c.Response.Status, got.status, beginning(got.body))
		return wrong
	}
	wrong = append(wrong, c.Response.compareHead(got)...)
	if session := got.header.Get("Mcp-Session-Id"); session != "" {
		wrong.add("the response begins a session")
	}
	if want.Empty {
		if len(got.body) > 0 {
			wrong.add("want no body, got %s", beginning(got.body))
		}
		return wrong
	}
	if mediaType := got.header.Get("Content-Type"); mediaType != "application/json" {
		wrong.add("Content-Type: want application/json, got %q", mediaType)
	}
	var a rpcResponse
	if err := json.Unmarshal(got.body, &a); err != nil || a.JSONRPC != "2.0" || (a.Error == nil) == (a.Result == nil) {
		wrong.add("the body is not a JSON-RPC response: %s", beginning(got.body))
		return wrong
	}
	if id, _ := json.Marshal(c.Request.MCP.id()); string(a.ID) != string(id) && (string(a.ID) != "null" || a.Error == nil) {
		wrong.add("id: want that of the request, %s, got %s", id, a.ID)
	}
	if a.Error != nil {
		if a.Error.Code != want.Error || a.Error.Message == "" {
			wrong.add("error: want code %d and a message, got %s", want.Error, beginning(got.body))
		} else if c.Response.Code != "" {
			wrong = append(wrong, r.inside(c, got, "", got.status, a.Error.Data)...)
		}
		return wrong
	}
	if want.Error != 0 {
		wrong.add("want the error %d, got a result: %s", want.Error, beginning(got.body))
		return wrong
	}
	return append(wrong, r.compareRPCResult(c, got, a.Result)...)
}

// compareRPCResult compares the result of a JSON-RPC response with what the case expects.
func (r *runner) compareRPCResult(c Case, got received, result json.RawMessage) (wrong faults) {
	want := c.Response.MCP
	var members map[string]any
	if err := json.Unmarshal(result, &members); err != nil {
		wrong.add("the result is not an object: %v", err)
		return wrong
	}
	if c.revision >= stateless && members["resultType"] != "complete" {
		wrong.add("resultType: want complete, got %v", members["resultType"])
	}
	for _, name := range slices.Sorted(maps.Keys(want.Result)) {
		if !includes(want.Result[name], members[name]) {
			wrong.add("result.%s: want at least %v, got %v", name, want.Result[name], members[name])
		}
	}
	if want.Tools {
		wrong = append(wrong, r.compareTools(result)...)
	}
	if want.IsError == nil {
		return wrong
	}
	var call callResult
	if err := json.Unmarshal(result, &call); err != nil || len(call.Content) != 1 || call.Content[0].Type != "text" {
		wrong.add("the result is not a tool call's with one text: %s", beginning(result))
		return wrong
	}
	if call.IsError != *want.IsError {
		wrong.add("isError: want %v, got %v: %s", *want.IsError, call.IsError, beginning(result))
		return wrong
	}
	text := []byte(call.Content[0].Text)
	status := http.StatusOK
	if call.IsError {
		var problem struct{ Status int }
		_ = json.Unmarshal(text, &problem) // inside reports what it is instead
		status = problem.Status
		if call.StructuredContent != nil {
			wrong.add("a rejected call has structuredContent")
		}
	} else if !sameJSON(text, call.StructuredContent) {
		wrong.add("structuredContent is not the text's value")
	}
	tool, _ := c.Request.MCP.Params["name"].(string)
	return append(wrong, r.inside(c, got, tool, status, text)...)
}

// inside compares the document inside a response over MCP with the case and with
// the OpenAPI document's operation, "" for any, as if it had come over REST.
func (r *runner) inside(c Case, got received, operation string, status int, document []byte) []string {
	header := got.header.Clone()
	header.Set("Content-Type", "application/json")
	if status != http.StatusOK {
		header.Set("Content-Type", "application/problem+json")
	}
	path, _ := r.description.operation(operation)
	if path == "" && operation != "" {
		return []string{"the OpenAPI document has no operation " + operation}
	}
	rest := received{Request{Path: path}, got.origin, status, header, document}
	expected := c
	expected.Response.Status, expected.Response.Headers = status, nil
	expected.Request.Path = path
	return append(r.described(rest.request, rest), r.compareResponse(expected, rest)...)
}

// compareREST sends a call's arguments over REST: the response must be the text, byte for byte (ANS-5).
func (r *runner) compareREST(ctx context.Context, c Case, got received) []string {
	var a struct{ Result callResult }
	if json.Unmarshal(got.body, &a) != nil || len(a.Result.Content) != 1 {
		return nil // reported already
	}
	rest, err := r.send(ctx, Request{Path: c.Response.MCP.REST, JSON: c.Request.MCP.Params["arguments"]})
	if err != nil {
		return []string{"no response over REST: " + err.Error()}
	}
	if text := a.Result.Content[0].Text; text != string(rest.body) {
		return []string{"the response differs from that over REST: " + firstDifference([]byte(text), rest.body)}
	}
	return nil
}

// includes reports whether a value equals the wanted one; an object may have more members.
func includes(want, got any) bool {
	members, ok := want.(map[string]any)
	if !ok {
		return fmt.Sprint(want) == fmt.Sprint(got)
	}
	object, ok := got.(map[string]any)
	for name, value := range members {
		member, has := object[name]
		ok = ok && has && includes(value, member)
	}
	return ok
}

func sameJSON(a, b []byte) bool {
	x, err := decodeJSON(a)
	y, errY := decodeJSON(b)
	return err == nil && errY == nil && reflect.DeepEqual(x, y)
}

func (c Case) isMCP() bool { return strings.HasPrefix(c.Request.Path, mcpPath) }
