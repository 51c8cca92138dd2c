package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/mcp"
	"github.com/convertd/convertd/internal/record"
)

// records returns a JSON document of about size bytes: an array of objects with
// strings, numbers and a nested object, as APIs return them.
func records(size int) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := 0; b.Len() < size-200; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"Person %d","email":"person.%d@example.com","active":%t,"score":%d.%02d,`+
			`"address":{"street":"%d Main Street","city":"Springfield","geo":[%d.123456,-%d.654321]},"note":"first line\nsecond \"line\""}`,
			i, i, i, i%2 == 0, i%100, i%97, i, i%90, i%180)
	}
	b.WriteByte(']')
	return b.String()
}

// sink is a ResponseWriter that discards everything.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }

// SetReadDeadline is for http.ResponseController.
func (s *sink) SetReadDeadline(time.Time) error { return nil }

// bare is the baseline: a handler that decodes and re-encodes the envelope with encoding/json and does nothing else.
func bare(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Input struct {
			MediaType string `json:"mediaType"`
			Value     string `json:"value"`
		} `json:"input"`
		Options map[string]any `json:"options"`
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, "bad", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"output": request.Input, "warnings": []string{}})
}

// BenchmarkCall measures complete calls in process: envelope, validation, tool,
// response, with the log on and the quota off.
func BenchmarkCall(b *testing.B) {
	config := defaults()
	config.Listen = "127.0.0.1:8080"
	s := check.Value(New(config, slog.New(record.NewJSONHandler(io.Discard, slog.LevelInfo))))(b)
	for _, size := range []struct {
		name  string
		bytes int
	}{{"2KB", 2 << 10}, {"4KiB", 4 << 10}, {"60KB", 60_000}, {"500KB", 500_000}, {"850KB", 850_000}} {
		body := []byte(toolBody("application/json", records(size.bytes), ""))
		for _, tool := range []string{"json_format", "json_to_yaml"} {
			b.Run(tool+"/"+size.name, func(b *testing.B) { serve(b, s.Handler(), "/v1/tools/"+tool, body) })
		}
		b.Run("bare/"+size.name, func(b *testing.B) { serve(b, http.HandlerFunc(bare), "/", body) })
	}
	jwt := []byte(toolBody("application/jwt", "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", ""))
	b.Run("jwt_decode/small", func(b *testing.B) { serve(b, s.Handler(), "/v1/tools/jwt_decode", jwt) })
	b.Run("bare/small", func(b *testing.B) { serve(b, http.HandlerFunc(bare), "/", jwt) })
	for _, c := range tinyCalls {
		b.Run(c.operation+"/tiny", func(b *testing.B) { serve(b, s.Handler(), c.path(), []byte(c.body)) })
	}
	for _, version := range mcp.Revisions {
		r := agentCall(version, "jwt_decode", string(jwt))
		b.Run("mcp/small/"+version, func(b *testing.B) { serve(b, s.Handler(), "/mcp", []byte(r.body), r.headers...) })
	}
}

// tinyCall is a call with a negligible conversion, so it measures the overhead of every call.
type tinyCall struct{ operation, body string }

func (c tinyCall) path() string {
	if c.operation == contract.Pipeline {
		return "/v1/pipeline"
	}
	return "/v1/tools/" + c.operation
}

var tinyCalls = []tinyCall{
	{"json_format", toolBody("application/json", `{"a":[1,2]}`, `{"indent":4}`)},
	{"json_to_yaml", toolBody("application/json", `{"a":[1,2]}`, "")},
	{"timestamp_to_iso", toolBody("text/plain", "1700000000", `{"unit":"seconds"}`)},
	{"api_convert", toolBody("text/plain", "curl https://example.com/", `{"target":"openapi-3.1-json"}`)},
	{"pipeline", `{"version":1,"input":{"mediaType":"application/json","value":"{\"a\":[1,2]}"},"steps":[{"id":"a","tool":"json_format"},{"id":"b","tool":"json_to_yaml"}],"returnStepIds":["a"]}`},
}

// BenchmarkConnection measures calls over one connection, including the work of net/http and the system.
func BenchmarkConnection(b *testing.B) {
	config := defaults()
	config.Listen = "127.0.0.1:0"
	for _, served := range []bool{true, false} {
		listener := check.Value(guard.Listen(config.Listen))(b)
		s := check.Value(New(config, slog.New(record.NewJSONHandler(io.Discard, slog.LevelInfo))))(b)
		name, calls := "bare/", tinyCalls[:1]
		if served {
			name, calls = "", tinyCalls
			ctx, stop := context.WithCancel(b.Context())
			b.Cleanup(stop)
			go func() { _ = s.Serve(ctx, listener, nil, Stop{}) }()
		} else {
			server := &http.Server{Handler: http.HandlerFunc(bare)}
			b.Cleanup(func() { server.Close() })
			go func() { _ = server.Serve(listener) }()
		}
		for _, c := range calls {
			b.Run(name+c.operation, func(b *testing.B) { overConnection(b, listener.Addr().String(), c) })
		}
		if !served {
			continue
		}
		for _, size := range []struct {
			name  string
			bytes int
		}{{"1KB", 1_000}, {"500KB", 500_000}} {
			c := tinyCall{"json_format", toolBody("application/json", records(size.bytes), "")}
			b.Run("json_format/"+size.name, func(b *testing.B) { overConnection(b, listener.Addr().String(), c) })
		}
	}
}

func overConnection(b *testing.B, address string, c tinyCall) {
	b.ReportAllocs()
	connection, err := net.Dial("tcp", address)
	check.OK(b, err)
	defer connection.Close()
	request := fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", c.path(), len(c.body), c.body)
	responses := bufio.NewReader(connection)
	for b.Loop() {
		if _, err := connection.Write(request); err != nil {
			b.Fatal(err)
		}
		length := 0
		for line := ""; line != "\r\n"; {
			if line, err = responses.ReadString('\n'); err != nil {
				b.Fatal(err)
			}
			if value, found := strings.CutPrefix(line, "Content-Length: "); found {
				length, _ = strconv.Atoi(strings.TrimSpace(value))
			}
		}
		if _, err := responses.Discard(length); err != nil || length == 0 {
			b.Fatal("no response", err)
		}
	}
}

// agentRequest is a call over MCP; headers alternates names and values.
type agentRequest struct {
	body    string
	headers []string
}

// agentCall returns a call as a client of the protocol version makes it.
func agentCall(version, tool, arguments string) agentRequest {
	if version < "2026" {
		return agentRequest{
			fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments),
			[]string{"MCP-Protocol-Version", version},
		}
	}
	return agentRequest{
		fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientCapabilities":{}}}}`, tool, arguments, version),
		[]string{"MCP-Protocol-Version", version, "Mcp-Method", "tools/call", "Mcp-Name", tool},
	}
}

func serve(b *testing.B, handler http.Handler, path string, body []byte, headers ...string) {
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	w := &sink{header: http.Header{}}
	for b.Loop() {
		r, _ := http.NewRequest(http.MethodPost, "http://127.0.0.1:8080"+path, bytes.NewReader(body))
		r.RemoteAddr = "127.0.0.1:1234"
		r.Header.Set("Content-Type", "application/json")
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		clear(w.header)
		w.status = http.StatusOK
		handler.ServeHTTP(w, r)
		if w.status != http.StatusOK {
			b.Fatal("status", w.status)
		}
	}
}
