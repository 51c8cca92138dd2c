package attack

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/test/daemon"
)

// TestDocuments sends each hostile document to its tool, through the pipeline and through MCP.
// Rules: ANS-6, ANS-7.
func TestDocuments(t *testing.T) {
	s := attack(t, daemon.Patient...)
	listener := watch(t)
	for i, d := range documents(listener.address) {
		if testing.Short() && i%8 != 0 {
			continue
		}
		t.Run(d.tool+"/"+d.name, func(t *testing.T) { s.sendDocument(t, d) })
	}
	s.releasesMemory(t)
	if n := listener.connections.Load(); n != 0 {
		t.Errorf("something connected to the address in a document, %d times", n)
	}
}

func (s *target) sendDocument(t *testing.T, d document) {
	value := d.value()
	if d.options == "" {
		d.options = "{}"
	}
	if room := 1<<20 - len(toolBody(d.mediaType, "", d.options)); len(quote(value))-2 > room {
		t.Fatalf("the document is %d bytes too long for a request", len(quote(value))-2-room)
	}
	single := s.fire(t, "/v1/tools/"+d.tool, toolBody(d.mediaType, value, d.options))
	if d.want != 0 && single.status != d.want {
		t.Errorf("status %d, want %d: %.300s", single.status, d.want, single.body)
	}
	step := `,"steps":[{"id":"a","tool":"` + d.tool + `","options":` + d.options + `}]}`
	for path, body := range map[string]string{
		"/v1/pipeline": `{"version":1,"input":{"mediaType":"` + d.mediaType + `","value":` + quote(value) + `}` + step,
		"/mcp":         toolCall(d.tool, toolBody(d.mediaType, value, d.options)),
	} {
		if len(body) <= 1<<20 {
			s.fire(t, path, body, "Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2025-06-18")
		}
	}
	s.unharmed(t)
}

// fire makes one hostile call, which must be rejected or converted within the bounds of counted.
func (s *target) fire(t *testing.T, path, body string, headers ...string) response {
	t.Helper()
	got := s.counted(t, path, body, headers...)
	if path == "/v1/pipeline" && bytes.Contains(got.body, []byte(`"deadline_exceeded"`)) {
		return got // a busy machine may need longer than the five seconds of any pipeline
	}
	if got.status != http.StatusOK {
		checkRefusal(t, got)
	} else if bytes.Contains(got.body, []byte("root:x:0")) {
		t.Error("the response contains a file of the server")
	}
	return got
}

// counted makes one call, which may not allocate or hold more than the limits for any call.
func (s *target) counted(t *testing.T, path, body string, headers ...string) response {
	t.Helper()
	before := s.Allocated(t)
	got := s.post(t, path, body, headers...)
	if allocated := s.Allocated(t) - before; allocated > maxAllocated {
		t.Errorf("allocated %d MiB", allocated>>20)
	}
	s.checkHeld(t)
	return got
}

// watched is a listener that nothing should connect to.
type watched struct {
	address     string
	connections atomic.Int64
}

func watch(t *testing.T) *watched {
	t.Helper()
	listener := check.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
	t.Cleanup(func() { listener.Close() })
	w := &watched{address: listener.Addr().String()}
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			w.connections.Add(1)
			connection.Close()
		}
	}()
	return w
}

// TestBlowUps checks that pipelines that would multiply their input are rejected.
func TestBlowUps(t *testing.T) {
	s := attack(t, daemon.Patient...)
	wide := "[" + strings.Repeat("[],", 150_000) + "[]]"
	deep := strings.Repeat("[", 200) + strings.Repeat("1,", 1000) + "1" + strings.Repeat("]", 200)
	for name, test := range map[string]struct {
		value string
		step  string
		want  int
	}{
		"20 steps of a wide document": {wide, `{"id":"s%d","tool":"json_format","options":{"indent":8}}`, http.StatusUnprocessableEntity},
		"20 steps of a deep document": {deep, `{"id":"s%d","tool":"json_format","options":{"indent":8}}`, http.StatusUnprocessableEntity},
		"20 small steps":              {"[1]", `{"id":"s%d","tool":"json_format","options":{"indent":8}}`, http.StatusOK},
	} {
		t.Run(name, func(t *testing.T) {
			var steps, ids []string
			for i := range 20 {
				steps = append(steps, fmt.Sprintf(test.step, i))
				ids = append(ids, fmt.Sprintf(`"s%d"`, i))
			}
			body := `{"version":1,"input":{"mediaType":"application/json","value":` + quote(test.value) +
				`},"steps":[` + strings.Join(steps, ",") + `],"returnStepIds":[` + strings.Join(ids, ",") + `]}`
			if got := s.fire(t, "/v1/pipeline", body); got.status != test.want {
				t.Errorf("status %d, want %d: %.300s", got.status, test.want, got.body)
			}
			s.unharmed(t)
		})
	}
	t.Run("many steps, ids and members", func(t *testing.T) {
		for _, body := range []string{
			`{"version":1,"input":{"mediaType":"application/json","value":"1"},"steps":[` + strings.Repeat(`{"id":"a","tool":"json_format"},`, 20_000) + `{"id":"a","tool":"json_format"}]}`,
			`{"version":1,"input":{"mediaType":"application/json","value":"1"},"steps":[{"id":"a","tool":"json_format"}],"returnStepIds":[` + strings.Repeat(`"a",`, 200_000) + `"a"]}`,
			`{"` + strings.Repeat(marker, 50_000) + `":1}`,
			`{"input":{"mediaType":"` + strings.Repeat(marker, 50_000) + `","value":"1"}}`,
			`{"input":{"mediaType":"application/json","value":"1"},"options":{"indent":` + strings.Repeat("9", 1<<19) + `}}`,
			`{"input":{"mediaType":"application/json","value":"1"},"options":` + strings.Repeat(`{"a":`, 100_000) + "1" + strings.Repeat("}", 100_000) + "}",
			strings.Repeat("[", 1<<20),
			strings.Repeat(`{"a":`, 1<<17),
			`{` + strings.Repeat(`"`+marker+`":1,`, 40_000) + `"x":1}`,
		} {
			for _, path := range []string{"/v1/pipeline", "/v1/tools/json_format"} {
				checkRefusal(t, s.fire(t, path, body))
			}
		}
		s.unharmed(t)
	})
	s.releasesMemory(t)
}
