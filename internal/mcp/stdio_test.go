package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools"
)

// hello begins a session of a revision with a handshake.
const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// stdio returns what the server writes to standard output for this input.
func stdio(t *testing.T, s *Server, in string, limit int) string {
	t.Helper()
	var out bytes.Buffer
	check.OK(t, s.Stdio(t.Context(), strings.NewReader(in), &out, limit))
	return out.String()
}

// TestStdio checks that every line gets a response, even an invalid one, although the input ends at once.
// Rule: MCP-10.
func TestStdio(t *testing.T) {
	var in strings.Builder
	in.WriteString(hello + "\n")
	in.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n\n")
	for i := range 100 {
		fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"json_format","arguments":%s}}`+"\n", i, someJSON)
		if i == 50 {
			in.WriteString(secret + "\n")
			in.WriteString(`{"jsonrpc":"2.0","id":"long","method":"ping","params":{"x":"` + strings.Repeat("x", 1<<20) + `"}}` + "\n")
			in.WriteString(`{"jsonrpc":"2.0","id":"unknown","method":"` + secret + `"}` + "\n")
		}
	}
	fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":"last","method":"ping"}`) // no line feed
	out := stdio(t, newServer(t, tools.All()), in.String(), 1<<20)
	seen := map[string]int{}
	for line := range strings.Lines(out) {
		var a struct {
			ID     json.RawMessage
			Result map[string]any
			Error  *struct{ Code int }
		}
		check.JSON(t, line, &a)
		key := string(a.ID)
		if a.Error != nil {
			key += fmt.Sprint(" ", a.Error.Code)
		}
		seen[key]++
	}
	for i := range 100 {
		if seen[fmt.Sprint(i)] != 1 {
			t.Errorf("request %d has %d responses", i, seen[fmt.Sprint(i)])
		}
	}
	for _, key := range []string{`"hello"`, `null -32700`, `"long" 413`, `"unknown" -32601`, `"last"`} {
		if seen[key] != 1 {
			t.Errorf("%s: %d responses", key, seen[key])
		}
	}
	if len(seen) != 105 || strings.Contains(out, secret) {
		t.Errorf("%d responses: %v", len(seen), seen)
	}
}

// TestStdioGreeting checks that a session of a revision with a handshake must begin with it, and gets an error
// otherwise. A request of a revision without a handshake is accepted.
func TestStdioGreeting(t *testing.T) {
	const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{%s}}` + "\n"
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	for in, want := range map[string]string{
		fmt.Sprintf(list, ""):                `"code":-32600,"message":"Invalid request: the first request of a session is initialize;`,
		fmt.Sprintf(list, meta):              `"tools":[`,
		hello + "\n" + fmt.Sprintf(list, ""): `"tools":[`,
		fmt.Sprintf(list, strings.Replace(meta, "2026-07-28", "2031-01-01", 1)): `"code":-32022,"message":"Unsupported protocol version.","data":{"requested":"2031-01-01","supported":["2026-07-28",`,
	} {
		if out := stdio(t, newServer(t, tools.All()), in, 1<<20); !strings.Contains(out, want) {
			t.Errorf("%s: %.300s", in, out)
		}
	}
}

// TestStdioLength checks that a line may be as long as a request, with either line ending.
// Rule: MCP-10.
func TestStdioLength(t *testing.T) {
	const limit = 1000
	for _, end := range []string{"\n", "\r\n", "", "\r"} {
		for more, want := range map[int]string{-1: `"id":"hello","result"`, 0: `"id":"hello","result"`, 1: `"id":"hello","error":{"code":413`} {
			line := hello + strings.Repeat(" ", limit+more-len(hello))
			if out := stdio(t, newServer(t, tools.All()), line+end, limit); !strings.Contains(out, want) || strings.Count(out, "\n") != 1 {
				t.Errorf("%d more, then %q: %.100s", more, end, out)
			}
		}
	}
}

// TestStdioCancelled checks that a cancelled call gets no response.
// Rule: MCP-10.
func TestStdioCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entered := make(chan struct{})
		s := newServer(t, replaced(func(ctx context.Context, _ convert.Input) (convert.Result, error) {
			entered <- struct{}{}
			<-ctx.Done()
			return convert.Result{}, ctx.Err()
		}))
		in, client := io.Pipe()
		var out bytes.Buffer
		done := make(chan error, 1)
		go func() { done <- s.Stdio(context.Background(), in, &out, 1<<20) }()
		send := func(line string) { _, _ = io.WriteString(client, line+"\n") }
		send(hello)
		for _, id := range []string{`1`, `"one"`, `2`} {
			send(`{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"json_format","arguments":` + someJSON + `}}`)
			<-entered
			send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"another"}}`)
			send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"enough"}}`)
		}
		client.Close()
		synctest.Wait()
		if len(done) == 0 {
			t.Fatal("still waiting for cancelled calls")
		}
		check.OK(t, <-done)
		if got := out.String(); strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":"hello"`) {
			t.Errorf("%.1000s", got)
		}
	})
}

// TestStdioInFlight checks that the server reads at most mostPending calls ahead of a client that sends faster than the
// tools work, and that it rejects an id in use.
func TestStdioInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var entered atomic.Int32
		leave := make(chan struct{})
		s := newServer(t, replaced(func(context.Context, convert.Input) (convert.Result, error) {
			entered.Add(1)
			<-leave
			return convert.Result{Value: "1"}, nil
		}))
		lines := []string{hello}
		for i := range 3 * mostPending {
			lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"json_format","arguments":%s}}`, i/2, someJSON))
		}
		in := &countedLines{lines: lines}
		var out bytes.Buffer
		done := make(chan error, 1)
		go func() { done <- s.Stdio(context.Background(), in, &out, 1<<20) }()
		synctest.Wait()
		// Every second line reuses the id of the previous one and is not queued.
		if read := in.read.Load(); read > 2*mostPending+2 {
			t.Errorf("%d lines were read while %d calls may wait", read, mostPending)
		}
		close(leave)
		check.OK(t, <-done)
		if n := strings.Count(out.String(), "earlier request with this id"); n < 4 {
			t.Errorf("an id in use was refused %d times", n)
		}
		if n := strings.Count(out.String(), "\n"); n != len(lines) {
			t.Errorf("%d responses to %d lines", n, len(lines))
		}
	})
}

// countedLines returns one line per read, like a pipe with a slow writer.
type countedLines struct {
	lines []string
	read  atomic.Int32
}

func (c *countedLines) Read(p []byte) (int, error) {
	i := int(c.read.Add(1)) - 1
	if i >= len(c.lines) {
		return 0, io.EOF
	}
	return copy(p, c.lines[i]+"\n"), nil
}

// TestStdioStops checks that the end of the context ends the session although the client keeps its side open.
func TestStdioStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, client := io.Pipe()
		defer client.Close()
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- newServer(t, tools.All()).Stdio(ctx, in, io.Discard, 1<<20) }()
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
