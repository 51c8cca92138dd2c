package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// heldWriter records the most bytes that were live while output was written, at the first write and at every 1024th.
type heldWriter struct{ writes, held int }

func (w *heldWriter) Write(p []byte) (int, error) {
	if w.writes++; w.writes%1024 == 1 {
		w.held = max(w.held, live())
	}
	return len(p), nil
}

// live returns how many bytes of the heap are in use.
func live() int {
	var memory runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&memory)
	return int(memory.HeapAlloc)
}

// TestBoundedMemory checks that a command allocates and holds a bounded multiple
// of its input, and holds much less when it writes output as it goes.
// Rule: LIM-5.
func TestBoundedMemory(t *testing.T) {
	const size = 4 << 20
	const long = 8 * size // for lines: what a command holds of them does not grow with the input
	record := func(int) string { return `{"id":1.50,"name":"Ada \"L\"","tags":["a","b",{}]},` }
	property := func(i int) string { return fmt.Sprintf(`"m%d":0,`, i) }
	line := func(int) string { return "[" + strings.Repeat(`"x",`, 20) + "0]\n" }
	repeat := func(text string) func(int) string { return func(int) string { return text } }
	for _, test := range []struct {
		name      string
		begin     string
		item      func(int) string
		end       string
		args      string
		allocated float64 // at most, in inputs; 0 is unlimited
		held      float64
		size      int
	}{
		{"records", "[", record, "0]", "run json_format", 3, 1.7, size},
		{"records from a pipe", "[", record, "0]", "run json_format -", 7, 3, size},
		{"records as YAML", "[", record, "0]", "run json_to_yaml", 3, 1.7, size},
		{"a pipeline", "[", record, "0]", "pipeline json_format json_to_yaml", 6, 5, size},
		{"properties of one object", "{", property, `"":0}`, "run json_format", 12, 3, size},
		{"properties as YAML", "{", property, `"":0}`, "run json_to_yaml", 12, 3, size},
		{"one string", `"`, repeat("é"), `"`, "run json_format", 6, 3, size},
		{"one string as YAML", `"`, repeat(`\n\u0001é`), `"`, "run json_to_yaml", 12, 5, size},
		{"a deep literal block", strings.Repeat(`{"a":`, 250) + `"`, repeat(`text\n`), `"` + strings.Repeat("}", 250), "run json_to_yaml --indent=1", 6, 3, size},
		{"one line", "[", record, "0]", "run json_format --lines -", 12, 3, size},
		{"lines", "", line, "", "run json_format --lines", 0, 0.5, long},
		{"lines from a pipe", "", line, "", "run json_format --lines -", 0, 0.5, long},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := []byte(test.begin)
			for i := 0; len(text) < test.size; i++ {
				text = append(text, test.item(i)...)
			}
			path := filepath.Join(t.TempDir(), "input.json")
			check.OK(t, os.WriteFile(path, append(text, test.end...), 0o600))
			text = nil
			file := check.Value(os.Open(path))(t)
			defer file.Close()
			args := strings.Fields(test.args)
			if args[len(args)-1] != "-" {
				args = append(args, path)
			}
			out, before := &heldWriter{}, live()
			var start, end runtime.MemStats
			runtime.ReadMemStats(&start)
			if code := run(t.Context(), args, streams{struct{ io.Reader }{file}, out, io.Discard}); code != exitOK {
				t.Fatalf("exit %d", code)
			}
			runtime.ReadMemStats(&end)
			allocated := float64(end.TotalAlloc-start.TotalAlloc) / float64(test.size)
			held := float64(out.held-before) / float64(test.size)
			t.Logf("%.2f inputs allocated, %.2f held", allocated, held)
			if test.allocated > 0 && allocated > test.allocated || held > test.held {
				t.Errorf("%.2f inputs were allocated, want at most %.2f; %.2f were held, want at most %.2f", allocated, test.allocated, held, test.held)
			}
		})
	}
}
