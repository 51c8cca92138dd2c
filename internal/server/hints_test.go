package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools"
)

// hint is the part of a code's hint that tells a client how to get from the
// document's wrong example to the right one. cmd/convertd tests the command line's.
type hint struct{ REST, MCP, Shell string }

// TestEveryHint gets each problem code of the document over REST and MCP, checks that the hint names what changes
// between the document's wrong and right examples, and then sends the right one.
func TestEveryHint(t *testing.T) {
	var hints map[convert.Code]hint
	converttest.Data(t, "testdata/hints.yaml", &hints)
	for _, p := range load(t).Problems() {
		t.Run(p.Code, func(t *testing.T) {
			code := convert.Code(p.Code)
			want, ok := hints[code]
			if !ok {
				t.Fatal("testdata/hints.yaml has no entry for this code")
			}
			if want.MCP == "" {
				want.MCP = want.REST
			}
			synctest.Test(t, func(t *testing.T) {
				followed(t, code, p.Wrong, p.Right, want.REST)
			})
			synctest.Test(t, func(t *testing.T) {
				followed(t, code, overMCP(p.Wrong), overMCP(p.Right), want.MCP)
			})
		})
	}
}

// followed sends a request that is rejected with a code, checks the hint, and sends the request that follows it.
func followed(t *testing.T, code convert.Code, wrong, right, want string) {
	s, restore := inTrouble(t, code)
	got := s.raw(t, wholeExample(wrong))
	if code == convert.RateLimited {
		got = s.raw(t, wholeExample(wrong))
	}
	if hint := hintOf(got.body); !strings.Contains(hint, want) {
		t.Errorf("status %d: the hint does not say %q: %s", got.status, want, got.body)
	}
	restore()
	if seconds, err := strconv.Atoi(got.header.Get("Retry-After")); err == nil {
		time.Sleep(time.Duration(seconds) * time.Second)
	}
	if got := s.raw(t, wholeExample(right)); got.status != http.StatusOK || strings.Contains(string(got.body), `"isError":true`) || strings.Contains(string(got.body), `"error":{`) {
		t.Errorf("the request that follows the hint: status %d: %s", got.status, got.body)
	}
}

// inTrouble starts a service that is in the state in which it returns a code. restore ends that state.
func inTrouble(t *testing.T, code convert.Code) (s service, restore func()) {
	config, list := defaults(), tools.All()
	restore = func() {}
	switch code {
	case convert.RateLimited:
		config.RateLimit = 1
	case convert.InternalError:
		list = once(func(context.Context) { panic("a bug") })
	case convert.DeadlineExceeded:
		config.ExecTimeout = time.Second
		list = once(func(ctx context.Context) { <-ctx.Done() })
	case convert.Overloaded:
		config.WorkSlots, config.QueueWait = 1, 0
		busy := make(chan struct{})
		list = once(func(context.Context) { <-busy })
		s = startInBubble(t, config, list)
		head, body, _ := strings.Cut(call, "\n\n")
		s.dial(t).send(head, body)
		synctest.Wait()
		return s, func() {
			close(busy)
			synctest.Wait()
		}
	}
	return startInBubble(t, config, list), restore
}

// call is a request that always succeeds.
const call = "POST /v1/tools/json_format\nContent-Type: application/json\n\n" + `{"input": {"mediaType": "application/json", "value": "[1,2]"}}`

// once returns the tools with a json_format whose first call fails: do returns when its context ends, or panics.
func once(do func(context.Context)) []convert.Tool {
	var format convert.Tool
	for _, tool := range tools.All() {
		if tool.Name == "json_format" {
			format = tool
		}
	}
	first := true
	return replaced("json_format", func(ctx context.Context, in convert.Input) (convert.Result, error) {
		if first {
			first = false
			do(ctx)
			if ctx.Err() != nil {
				return convert.Result{}, ctx.Err()
			}
		}
		return format.Convert(ctx, in)
	})
}

// wholeExample completes an example that the document only outlines.
func wholeExample(text string) string {
	_, request, outlined := strings.Cut(text, ":\n\n")
	switch {
	case strings.Contains(text, "250,000 more"):
		return strings.Replace(text, "… 250,000 more", strings.Repeat("[1],", 150_000)+"[1]]", 1)
	case !strings.HasPrefix(text, "…"):
		return text
	case outlined:
		return request
	}
	return call
}

// overMCP returns a request of the REST API as an agent sends it.
func overMCP(text string) string {
	text = wholeExample(text)
	head, body, _ := strings.Cut(text, "\n\n")
	line, headers, _ := strings.Cut(head, "\n")
	method, path, _ := strings.Cut(line, " ")
	if path == "/v1/openapi.json" { // a request without a call
		method, path, headers = "POST", "/v1/tools/json_format", "Content-Type: application/json\n"+headers
		_, body, _ = strings.Cut(call, "\n\n")
	}
	if method == http.MethodGet {
		return "GET /mcp"
	}
	name := strings.TrimPrefix(strings.TrimPrefix(path, "/v1/"), "tools/")
	text = fmt.Sprintf("POST /mcp\n%s\n\n", headers) + `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":` + body
	if json.Valid([]byte(body)) || strings.Contains(body, "},}") {
		text += "}}"
	}
	return text
}

// hintOf returns the hint of a problem document, in a JSON-RPC message or not, or
// the message of a JSON-RPC error without one.
func hintOf(body []byte) string {
	var got struct {
		Hint  string
		Error struct {
			Message string
			Data    struct{ Hint string }
		}
		Result struct{ Content []struct{ Text string } }
	}
	_ = json.Unmarshal(body, &got)
	for _, content := range got.Result.Content {
		return hintOf([]byte(content.Text))
	}
	for _, hint := range []string{got.Hint, got.Error.Data.Hint, got.Error.Message} {
		if hint != "" {
			return hint
		}
	}
	return ""
}
