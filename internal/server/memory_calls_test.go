package server

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime/debug"
	"strings"
	"sync"
	"testing"

	"github.com/convertd/convertd/gen"
	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/record"
)

// TestCallsShareNoText checks that the memory that a call releases for reuse (its strings, its output, its response)
// leaks nothing into another call, at any concurrency and size.
func TestCallsShareNoText(t *testing.T) {
	config := defaults()
	config.Listen, config.WorkSlots, config.QueueWait = "127.0.0.1:8080", 64, config.ExecTimeout
	s := check.Value(New(config, slog.New(record.NewJSONHandler(&converttest.Log{}, slog.LevelError))))(t)
	const pipeline = `{"version":1,"input":{"mediaType":"application/json","value":%s},"steps":[{"id":"a","tool":"json_to_yaml"}],"returnStepIds":["a"]}`
	var callers sync.WaitGroup
	for caller := range 8 {
		callers.Go(func() {
			for i := range 60 {
				words := strings.Repeat(fmt.Sprintf("\"caller %d, call %d \\\\ é\",", caller, i), 1+(caller*7+i*i)%300)
				text := "[" + strings.TrimSuffix(words, ",") + "]"
				lines := strings.NewReplacer(`",`, "\"\n", `"]`, "\"\n", "[", "").Replace(text)
				lines = "- " + strings.TrimSuffix(strings.ReplaceAll(lines, "\n", "\n- "), "- ")
				quoted, _ := json.Marshal(text)
				for _, call := range [...]struct{ path, body, want string }{
					{"/v1/tools/json_format", toolBody("application/json", text, `{"indent":0}`), text},
					{"/v1/tools/json_format", toolBody("application/json", text[1:], ""), ""}, // refused
					{"/v1/tools/json_to_yaml", toolBody("application/json", text, ""), lines},
					{"/v1/pipeline", fmt.Sprintf(pipeline, quoted), lines},
				} {
					checkText(t, s, call.path, call.body, call.want)
				}
			}
		})
	}
	callers.Wait()
}

// checkText makes a call and compares its output; "" means a rejection.
func checkText(t *testing.T, s *Server, path, body, want string) {
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8080"+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, r)
	if want == "" {
		if w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d", path, w.Code)
		}
		return
	}
	var got gen.PipelineResult
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Output.Value != want {
		t.Errorf("%s: status %d, %v: want %.60q, got %.60q", path, w.Code, err, want, got.Output.Value)
	}
	if strings.HasSuffix(path, "pipeline") && (got.Outputs == nil || (*got.Outputs)["a"].Value != want) {
		t.Errorf("%s: another output by its id: %.60v", path, got.Outputs)
	}
}

// TestBodiesReleaseMemory checks that what a call's body and response held is available again, however the call ends.
func TestBodiesReleaseMemory(t *testing.T) {
	config := defaults()
	config.Listen, config.WorkSlots = "127.0.0.1:8080", 2
	s := check.Value(New(config, slog.New(slog.DiscardHandler)))(t)
	const size = 1_000_000
	text := "[" + strings.Repeat("1", size-200) + "]"
	for name, call := range map[string]struct {
		path, body string
		unknown    bool // its length
		status     int
	}{
		"converted":                {"/v1/tools/json_format", toolBody("application/json", "["+strings.Repeat("1,", 400_000)+"1]", `{"indent":0}`), false, 200},
		"refused":                  {"/v1/tools/json_format", toolBody("application/json", text, ""), false, 422},
		"no JSON":                  {"/v1/tools/json_format", text[1:], false, 400},
		"too large":                {"/v1/tools/json_format", text + text, true, 413},
		"refused, of an agent's":   {"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"json_format","arguments":` + toolBody("application/json", text, "") + `}}`, false, 200},
		"no JSON, of an agent's":   {"/mcp", text[1:], false, 400},
		"too large, of an agent's": {"/mcp", text + text, true, 413},
	} {
		for i := range room(debug.SetMemoryLimit(-1), config.WorkSlots) / size {
			r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:8080"+call.path, strings.NewReader(call.body))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			if call.unknown {
				r.ContentLength = -1
			}
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code != call.status {
				t.Fatalf("%s, call %d: status %d, want %d: %.200s", name, i, w.Code, call.status, w.Body)
			}
		}
	}
}
