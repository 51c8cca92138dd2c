package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/mcp"
)

// records returns a JSON document of about size bytes: an array of objects
// with strings, numbers and a nested object, as APIs give them.
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

// sink is a ResponseWriter that keeps nothing.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }

// bare is the yardstick: a handler that decodes and re-encodes the envelope
// with encoding/json and does nothing else.
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

// BenchmarkCall measures whole calls in process: envelope, validation, tool,
// answer, with the log on and the quota off.
func BenchmarkCall(b *testing.B) {
	config := defaults()
	config.Listen = "127.0.0.1:8080"
	s, err := New(config, slog.New(slog.NewJSONHandler(io.Discard, nil)))
	if err != nil {
		b.Fatal(err)
	}
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
	for _, version := range mcp.Revisions {
		r := agentCall(version, "jwt_decode", string(jwt))
		b.Run("mcp/small/"+version, func(b *testing.B) { serve(b, s.Handler(), "/mcp", []byte(r.body), r.headers...) })
	}
}

// agentRequest is a call over MCP; headers are names and values in turns.
type agentRequest struct {
	body    string
	headers []string
}

// agentCall makes a call as a client of the protocol revision makes it.
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
