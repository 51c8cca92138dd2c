package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/engine"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/tools"
)

// newServer returns a server with these tools.
func newServer(t testing.TB, list []convert.Tool) *Server {
	t.Helper()
	return newImpatient(t, list, time.Minute)
}

// newImpatient returns a server in which a call waits for a work slot for this long.
func newImpatient(t testing.TB, list []convert.Tool, wait time.Duration) *Server {
	t.Helper()
	c := check.Value(contract.Load())(t)
	log := slog.New(slog.DiscardHandler)
	e, err := engine.New(c, list, engine.Config{
		BaseURL: "http://127.0.0.1:8080", Provider: "convertd", Version: "1.0.0",
		ExecTimeout: time.Minute, WorkSlots: 4, QueueWait: wait, Log: log,
	})
	check.OK(t, err)
	return check.Value(New(c, e, Config{BaseURL: "http://127.0.0.1:8080", Version: "1.0.0", Log: log}))(t)
}

func serve(t testing.TB, s *Server) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(s.HTTP(guard.Body{Limit: 1 << 20, Timeout: time.Minute}))
	t.Cleanup(server.Close)
	return server
}

// exchange is one message of a transcript and its response.
type exchange struct {
	Name     string            `yaml:"name"`
	Method   string            `yaml:"method"` // POST by default
	Headers  map[string]string `yaml:"headers"`
	Send     string            `yaml:"send"`
	Status   int               `yaml:"status"`
	Response string            `yaml:"response"` // JSON; "" for no body
}

const secret = "ZqXw7Secret"

// TestTranscripts plays the wire transcripts, testdata/*.yaml: one for each kind
// of revision, with and without a handshake, and one for what both reject.
func TestTranscripts(t *testing.T) {
	s := newServer(t, tools.All())
	url := serve(t, s).URL
	var names []string
	for _, tool := range s.contract.Tools() {
		names = append(names, tool.Name)
	}
	all := strings.Join(append(names, contract.Pipeline), ", ")
	for _, file := range check.Glob(t, "testdata/*.yaml") {
		var exchanges []exchange
		converttest.Data(t, file, &exchanges)
		for _, x := range exchanges {
			x.Response = strings.ReplaceAll(x.Response, "{tools}", all)
			t.Run(filepath.Base(file)+"/"+x.Name, func(t *testing.T) { play(t, url, x) })
		}
	}
}

func play(t *testing.T, url string, x exchange) {
	status, header, body := post(t, url, x)
	if status != x.Status {
		t.Errorf("status: want %d, got %d: %s", x.Status, status, body)
	}
	if bytes.Contains(body, []byte(secret)) {
		t.Errorf("echoes the message: %s", body)
	}
	if x.Response == "" {
		if len(body) != 0 || header.Get("Cache-Control") != "no-store" {
			t.Errorf("want no body and nothing to keep, got %v %s", header, body)
		}
		return
	}
	if header.Get("Content-Type") != "application/json" || header.Get("Mcp-Session-Id") != "" {
		t.Errorf("headers: %v", header)
	}
	var want, got any
	check.JSON(t, x.Response, &want)
	check.JSON(t, body, &got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-transcript +server:\n%s\n%s", diff, body)
	}
}

func post(t testing.TB, url string, x exchange) (int, http.Header, []byte) {
	t.Helper()
	method := x.Method
	if method == "" {
		method = http.MethodPost
	}
	r := check.Value(http.NewRequest(method, url, strings.NewReader(x.Send)))(t)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for name, value := range x.Headers {
		r.Header.Set(name, value)
	}
	response := check.Value(http.DefaultClient.Do(r))(t)
	defer response.Body.Close()
	body := check.Value(io.ReadAll(response.Body))(t)
	return response.StatusCode, response.Header, body
}

// callMessage returns a tools/call message of a revision with a handshake.
func callMessage(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

// toolResponse is the result of a tools/call.
type toolResponse struct {
	Result struct {
		IsError           bool
		Content           []struct{ Type, Text string }
		StructuredContent json.RawMessage
	}
	Error *struct {
		Code    int
		Message string
		Data    json.RawMessage
	}
}

func callTool(t testing.TB, url, tool, arguments string) toolResponse {
	t.Helper()
	_, _, body := post(t, url, exchange{Send: callMessage(tool, arguments)})
	var a toolResponse
	check.JSON(t, body, &a)
	return a
}

// replaced returns the list of tools with json_format replaced.
func replaced(do func(context.Context, convert.Input) (convert.Result, error)) []convert.Tool {
	list := slices.Clone(tools.All())
	for i := range list {
		if list[i].Name == "json_format" {
			list[i].Convert = do
		}
	}
	return list
}

const someJSON = `{"input":{"mediaType":"application/json","value":"1"}}`

// TestPanic checks that a panic in a tool fails only that call.
func TestPanic(t *testing.T) {
	url := serve(t, newServer(t, replaced(func(context.Context, convert.Input) (convert.Result, error) { panic(secret) }))).URL
	got := callTool(t, url, "json_format", someJSON)
	if !got.Result.IsError || !strings.Contains(got.Result.Content[0].Text, `"internal_error"`) || strings.Contains(got.Result.Content[0].Text, secret) {
		t.Errorf("%+v", got)
	}
	if got := callTool(t, url, "json_to_yaml", someJSON); got.Result.IsError {
		t.Errorf("the next call: %+v", got)
	}
}

// TestRecover checks that a panic in one of the SDK's goroutines fails only one request.
func TestRecover(t *testing.T) {
	s := newServer(t, tools.All())
	_, err := s.recover(func(context.Context, string, sdk.Request) (sdk.Result, error) { panic(secret) })(context.Background(), "ping", nil)
	var rpc *jsonrpc.Error
	if !errors.As(err, &rpc) || rpc.Code != codeInternal || strings.Contains(rpc.Message, secret) {
		t.Errorf("%v", err)
	}
}

// TestClientGone checks in every revision that the work stops when the client disconnects.
func TestClientGone(t *testing.T) {
	for _, revision := range Revisions {
		entered, stopped := make(chan struct{}), make(chan error, 1)
		server := serve(t, newServer(t, replaced(func(ctx context.Context, _ convert.Input) (convert.Result, error) {
			close(entered)
			<-ctx.Done()
			stopped <- ctx.Err()
			return convert.Result{}, ctx.Err()
		})))
		ctx, hangUp := context.WithCancel(context.Background())
		body := strings.Replace(callMessage("json_format", someJSON), `"arguments"`,
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"`+revision+`","io.modelcontextprotocol/clientCapabilities":{}},"arguments"`, 1)
		r, _ := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("MCP-Protocol-Version", revision)
		r.Header.Set("Mcp-Method", "tools/call")
		r.Header.Set("Mcp-Name", "json_format")
		go func() {
			if response, err := http.DefaultClient.Do(r); err == nil {
				response.Body.Close()
			}
		}()
		<-entered
		hangUp()
		if err := <-stopped; err != context.Canceled {
			t.Errorf("%s: the work ended with %v", revision, err)
		}
	}
}

// TestOverloaded checks that a lack of free slots is an error of the server, not of the call.
func TestOverloaded(t *testing.T) {
	entered, leave := make(chan struct{}, 8), make(chan struct{})
	url := serve(t, newImpatient(t, replaced(func(context.Context, convert.Input) (convert.Result, error) {
		entered <- struct{}{}
		<-leave
		return convert.Result{}, nil
	}), 10*time.Millisecond)).URL
	for range 4 {
		go func() {
			if response, err := http.Post(url, "application/json", strings.NewReader(callMessage("json_format", someJSON))); err == nil {
				response.Body.Close()
			}
		}()
	}
	for range 4 {
		<-entered
	}
	status, header, body := post(t, url, exchange{Send: callMessage("json_to_yaml", someJSON)})
	close(leave)
	var got toolResponse
	if err := json.Unmarshal(body, &got); err != nil || status != 503 || header.Get("Retry-After") == "" || got.Error == nil || got.Error.Code != 503 || !bytes.Contains(got.Error.Data, []byte(`"overloaded"`)) {
		t.Errorf("status %d, %v: %s", status, header, body)
	}
}

// TestGoClient makes a valid and an invalid call with the SDK's own client, which negotiates the revision.
func TestGoClient(t *testing.T) {
	url := serve(t, newServer(t, tools.All())).URL
	ctx := t.Context()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	session := check.Value(client.Connect(ctx, &sdk.StreamableClientTransport{Endpoint: url}, nil))(t)
	defer session.Close()
	list, err := session.ListTools(ctx, nil)
	if err != nil || len(list.Tools) != len(tools.All())+1 {
		t.Fatalf("tools: %v %v", list, err)
	}
	call := func(value string) *sdk.CallToolResult {
		result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "json_format", Arguments: map[string]any{
			"input": map[string]any{"mediaType": "application/json", "value": value},
		}})
		check.OK(t, err)
		return result
	}
	if bad := call("[1,"); !bad.IsError {
		t.Errorf("%+v", bad)
	}
	if good := call("[1]"); good.IsError || good.StructuredContent == nil {
		t.Errorf("%+v", good)
	}
}

func FuzzReadMessage(f *testing.F) {
	for _, seed := range []string{
		callMessage("json_format", someJSON),
		`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized","params":{"_meta":{"a":[1,{}]}}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`,
		`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"},"arguments":{},"name":"pipeline"}} `,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, wrong := readMessage(text)
		if wrong != nil {
			return
		}
		// What is accepted is one JSON object, and its parts are at the recorded offsets.
		var reference struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      any
				Arguments json.RawMessage
			}
		}
		if err := json.Unmarshal([]byte(text), &reference); err != nil && !strings.Contains(err.Error(), "cannot unmarshal") {
			t.Fatalf("accepts %q: %v", text, err)
		}
		if m.arguments.to > 0 && !json.Valid([]byte(m.arguments.of(text))) {
			t.Fatalf("arguments of %q: %q", text, m.arguments.of(text))
		}
		if forSDK, failure := m.forSDK(); failure == nil && !json.Valid(forSDK) {
			t.Fatalf("%q becomes %q", text, forSDK)
		}
	})
}

// TestLargeEnvelope checks that only a call's arguments may make a message large.
func TestLargeEnvelope(t *testing.T) {
	url := serve(t, newServer(t, tools.All())).URL
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 70_000) + `"}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized","params":{"x":"` + strings.Repeat("x", 70_000) + `"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"json_format","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","x":"` + strings.Repeat("x", 70_000) + `"}}}`,
	} {
		id := `"id":1,"error"`
		if !strings.Contains(message, `"id"`) {
			id = `"id":null,"error"`
		}
		if status, _, body := post(t, url, exchange{Send: message}); status != 413 || !bytes.Contains(body, []byte(`"request_too_large"`)) || !bytes.Contains(body, []byte(id)) {
			t.Errorf("%.60s: status %d: %s", message, status, body)
		}
	}
	large := strings.Replace(someJSON, `"value":"1"`, `"value":"`+strings.Repeat(" ", 1<<19)+`1"`, 1)
	if got := callTool(t, url, "json_format", large); got.Error != nil || got.Result.IsError {
		t.Errorf("a large call: %+v", got.Error)
	}
}
