package server

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/mcp"
	"github.com/convertd/convertd/internal/tools"
)

// secret is planted in every bad request below; no response and no log line may contain it.
const secret = "ZqXw7Secret"

// refusals are requests that a server with default limits rejects, with the code and path of the problem.
var refusals = []struct {
	name, path, body string
	code             convert.Code
	at               string // the problem's path, "-" if it has none
}{
	{"empty body", "/v1/tools/json_format", "", convert.MalformedJSON, "-"},
	{"not JSON", "/v1/tools/json_format", secret, convert.MalformedJSON, "-"},
	{"trailing data", "/v1/tools/json_format", toolBody("application/json", "1", "") + secret, convert.MalformedJSON, "-"},
	{"duplicate member", "/v1/tools/json_format", `{"input":{"mediaType":"application/json","value":"1"},"input":{"mediaType":"application/json","value":"` + secret + `"}}`, convert.MalformedJSON, "-"},
	{"duplicate unknown member", "/v1/tools/json_format", `{"` + secret + `":1,"` + secret + `":2}`, convert.MalformedJSON, "-"},
	{"invalid UTF-8", "/v1/tools/json_format", `{"input":"` + secret + "\xff" + `"}`, convert.MalformedJSON, "-"},
	{"lone surrogate in the envelope", "/v1/tools/json_format", `{"input":{"mediaType":"application/json","value":"` + secret + `\ud800"}}`, convert.MalformedJSON, "-"},
	{"a body that is an array", "/v1/tools/json_format", `["` + secret + `"]`, convert.SchemaViolation, ""},
	{"well-formed, but thousands of values", "/v1/tools/json_format", "[" + strings.Repeat(`"`+secret+`",`, 5000) + "1]", convert.SchemaViolation, ""},
	{"null", "/v1/tools/json_format", `null`, convert.SchemaViolation, ""},
	{"no input", "/v1/tools/json_format", `{}`, convert.SchemaViolation, "/input"},
	{"no value", "/v1/tools/json_format", `{"input":{"mediaType":"application/json"}}`, convert.SchemaViolation, "/input/value"},
	{"unknown member", "/v1/tools/json_format", `{"input":{"mediaType":"application/json","value":"1"},"` + secret + `":1}`, convert.SchemaViolation, ""},
	{"unknown member of another case", "/v1/tools/json_format", `{"Input":{"mediaType":"application/json","value":"1"}}`, convert.SchemaViolation, ""},
	{"unknown member of the artifact", "/v1/tools/json_format", `{"input":{"mediaType":"application/json","value":"1","` + secret + `":1}}`, convert.SchemaViolation, "/input"},
	{"unknown option", "/v1/tools/json_format", toolBody("application/json", "1", `{"`+secret+`":1}`), convert.SchemaViolation, "/options"},
	{"options for a tool without", "/v1/tools/jwt_decode", toolBody("application/jwt", "x", `{"indent":1}`), convert.SchemaViolation, "/options"},
	{"value not a string", "/v1/tools/json_format", `{"input":{"mediaType":"application/json","value":{"a":1}}}`, convert.SchemaViolation, "/input/value"},
	{"value null", "/v1/tools/json_format", `{"input":{"mediaType":"application/json","value":null}}`, convert.SchemaViolation, "/input/value"},
	{"indent too large", "/v1/tools/json_format", toolBody("application/json", "1", `{"indent":9}`), convert.SchemaViolation, "/options/indent"},
	{"indent too small", "/v1/tools/json_to_yaml", toolBody("application/json", "1", `{"indent":0}`), convert.SchemaViolation, "/options/indent"},
	{"indent negative", "/v1/tools/json_format", toolBody("application/json", "1", `{"indent":-1}`), convert.SchemaViolation, "/options/indent"},
	{"indent a fraction", "/v1/tools/json_format", toolBody("application/json", "1", `{"indent":2.5}`), convert.SchemaViolation, "/options/indent"},
	{"indent a string", "/v1/tools/json_format", toolBody("application/json", "1", `{"indent":"2"}`), convert.SchemaViolation, "/options/indent"},
	{"indent huge", "/v1/tools/json_format", toolBody("application/json", "1", `{"indent":1e999}`), convert.SchemaViolation, "/options/indent"},
	{"unit unknown", "/v1/tools/timestamp_to_iso", toolBody("text/plain", "1", `{"unit":"`+secret+`"}`), convert.SchemaViolation, "/options/unit"},
	{"media type of another tool", "/v1/tools/json_format", toolBody("application/jwt", secret, ""), convert.UnsupportedMediaType, "/input/mediaType"},
	{"media type unknown", "/v1/tools/json_format", toolBody(secret, "1", ""), convert.UnsupportedMediaType, "/input/mediaType"},
	{"media type not a string", "/v1/tools/json_format", `{"input":{"mediaType":7,"value":"1"}}`, convert.SchemaViolation, "/input/mediaType"},
	{"invalid JSON", "/v1/tools/json_format", toolBody("application/json", "{"+secret, ""), convert.InvalidJSON, "/input/value"},
	{"duplicate key", "/v1/tools/json_format", toolBody("application/json", `{"`+secret+`":1,"`+secret+`":2}`, ""), convert.DuplicateKey, "/input/value"},
	{"unsafe number", "/v1/tools/json_to_yaml", toolBody("application/json", `{"`+secret+`":9007199254740993}`, ""), convert.UnsafeNumber, "/input/value"},
	{"lone surrogate", "/v1/tools/json_format", toolBody("application/json", `"`+secret+`\ud800"`, ""), convert.InvalidUnicode, "/input/value"},
	{"too deep", "/v1/tools/json_format", toolBody("application/json", strings.Repeat("[", 257)+strings.Repeat("]", 257), ""), convert.TooDeep, "/input/value"},
	{"output too large", "/v1/tools/json_format", toolBody("application/json", strings.Repeat("[", 250)+strings.Repeat("1,", 5000)+"1"+strings.Repeat("]", 250), `{"indent":8}`), convert.OutputTooLarge, "/input/value"},
	{"invalid JWT", "/v1/tools/jwt_decode", toolBody("application/jwt", secret, ""), convert.InvalidJWT, "/input/value"},
	{"encrypted JWT", "/v1/tools/jwt_decode", toolBody("application/jwt", "e30.a.b.c.d", ""), convert.EncryptedJWT, "/input/value"},
	{"invalid timestamp", "/v1/tools/timestamp_to_iso", toolBody("text/plain", secret, ""), convert.InvalidTimestamp, "/input/value"},
	{"unit required", "/v1/tools/timestamp_to_iso", toolBody("text/plain", "1700000000", ""), convert.UnitRequired, "/input/value"},
	{"zone required", "/v1/tools/timestamp_to_iso", toolBody("text/plain", "2023-11-14T22:13:20", ""), convert.ZoneRequired, "/input/value"},
	{"timestamp out of range", "/v1/tools/timestamp_to_iso", toolBody("text/plain", "9999999999999999", `{"unit":"seconds"}`), convert.TimestampOutOfRange, "/input/value"},
	{"pipeline: wrong version", "/v1/pipeline", pipelineBody(`{"id":"a","tool":"json_format"}`, `"version":2`), convert.SchemaViolation, "/version"},
	{"pipeline: no steps", "/v1/pipeline", pipelineBody("", `"version":1`), convert.SchemaViolation, "/steps"},
	{"pipeline: 21 steps", "/v1/pipeline", pipelineBody(manySteps(21), `"version":1`), convert.SchemaViolation, "/steps"},
	{"pipeline: no tool", "/v1/pipeline", pipelineBody(`{"id":"a"}`, `"version":1`), convert.SchemaViolation, "/steps/0/tool"},
	{"pipeline: unknown tool", "/v1/pipeline", pipelineBody(`{"id":"a","tool":"`+secret+`"}`, `"version":1`), convert.SchemaViolation, "/steps/0/tool"},
	{"pipeline: a step that is no object", "/v1/pipeline", pipelineBody(`1`, `"version":1`), convert.SchemaViolation, "/steps/0"},
	{"pipeline: bad step id", "/v1/pipeline", pipelineBody(`{"id":"a b","tool":"json_format"}`, `"version":1`), convert.SchemaViolation, "/steps/0/id"},
	{"pipeline: unknown option", "/v1/pipeline", pipelineBody(`{"id":"a","tool":"json_format","options":{"unit":"seconds"}}`, `"version":1`), convert.SchemaViolation, "/steps/0/options"},
	{"pipeline: option out of range", "/v1/pipeline", pipelineBody(`{"id":"a","tool":"json_format"},{"id":"b","tool":"json_to_yaml","options":{"indent":9}}`, `"version":1`), convert.SchemaViolation, "/steps/1/options/indent"},
	{"pipeline: duplicate id", "/v1/pipeline", pipelineBody(`{"id":"a","tool":"json_format"},{"id":"a","tool":"json_format"}`, `"version":1`), convert.DuplicateStepID, "/steps/1/id"},
	{"pipeline: unknown return id", "/v1/pipeline", pipelineBody(`{"id":"a","tool":"json_format"}`, `"version":1,"returnStepIds":["a","`+secret+`"]`), convert.UnknownStepID, "/returnStepIds/1"},
	{"pipeline: return id twice", "/v1/pipeline", pipelineBody(`{"id":"a","tool":"json_format"}`, `"version":1,"returnStepIds":["a","a"]`), convert.SchemaViolation, "/returnStepIds"},
	{"pipeline: first step's media type", "/v1/pipeline", pipelineBody(`{"id":"a","tool":"jwt_decode"}`, `"version":1`), convert.UnsupportedMediaType, "/input/mediaType"},
	{"pipeline: chain", "/v1/pipeline", pipelineBody(`{"id":"a","tool":"json_to_yaml"},{"id":"b","tool":"json_format"}`, `"version":1`), convert.MediaTypeMismatch, "/steps/1/tool"},
}

func pipelineBody(steps, rest string) string {
	return `{"input":{"mediaType":"application/json","value":"{\"` + secret + `\":1}"},"steps":[` + steps + `],` + rest + `}`
}

func manySteps(n int) string {
	steps := make([]string, n)
	for i := range steps {
		steps[i] = fmt.Sprintf(`{"id":"s%d","tool":"json_format"}`, i)
	}
	return strings.Join(steps, ",")
}

// TestRefusals checks rules REQ-11, ERR-5 and ERR-6.
func TestRefusals(t *testing.T) {
	s := start(t, defaults(), tools.All())
	for _, test := range refusals {
		t.Run(test.name, func(t *testing.T) {
			got := s.post(t, test.path, test.body)
			p := checkProblem(t, s.url, got, test.code)
			switch {
			case test.at == "-" && p.Path != nil:
				t.Errorf("path: want none, got %s", got.body)
			case test.at != "-" && (p.Path == nil || *p.Path != test.at):
				t.Errorf("path: want %q, got %s", test.at, got.body)
			}
			if strings.Contains(string(got.body), secret) {
				t.Errorf("echoes the input: %s", got.body)
			}
			if again := s.post(t, test.path, test.body); string(again.body) != string(got.body) {
				t.Errorf("not deterministic:\n%s\n%s", got.body, again.body)
			}
		})
	}
	if strings.Contains(s.log.String(), secret) {
		t.Errorf("the log holds input:\n%s", s.log.String())
	}
}

func TestRefusedBeforeTheBody(t *testing.T) {
	s := start(t, defaults(), tools.All())
	good := toolBody("application/json", "1", "")
	for _, test := range []struct {
		name   string
		change func(*http.Request)
		code   convert.Code
	}{
		{"foreign host", func(r *http.Request) { r.Host = secret + ".example" }, convert.HostRefused},
		{"foreign origin", func(r *http.Request) { r.Header.Set("Origin", "https://"+secret+".example") }, convert.OriginRefused},
		{"null origin", func(r *http.Request) { r.Header.Set("Origin", "null") }, convert.OriginRefused},
		{"a good origin and a foreign one", func(r *http.Request) {
			r.Header["Origin"] = []string{s.url, "https://evil.example"}
		}, convert.OriginRefused},
		{"unknown route", func(r *http.Request) { r.URL.Path = "/v1/tools/" + secret }, convert.UnknownRoute},
		{"trailing slash", func(r *http.Request) { r.URL.Path += "/" }, convert.UnknownRoute},
		{"unknown route, a method of their own", func(r *http.Request) { r.URL.Path, r.Method = "/v1/tools/"+secret, "ZQXW" }, convert.UnknownRoute},
		{"GET", func(r *http.Request) { r.Method = "GET" }, convert.MethodNotAllowed},
		{"a method of their own", func(r *http.Request) { r.Method = "ZQXW" }, convert.MethodNotAllowed},
		{"text/plain", func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, convert.UnsupportedContentType},
		{"no content type", func(r *http.Request) { r.Header.Del("Content-Type") }, convert.UnsupportedContentType},
		{"another charset", func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=latin1") }, convert.UnsupportedContentType},
		{"another parameter", func(r *http.Request) { r.Header.Set("Content-Type", "application/json; v="+secret) }, convert.UnsupportedContentType},
		{"a charset in pieces", func(r *http.Request) {
			r.Header.Set("Content-Type", `application/json; charset*0="utf-"; charset*1="8"`)
		}, convert.UnsupportedContentType},
		{"a charset in the encoding of mail", func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset*=utf-8''utf-8") }, convert.UnsupportedContentType},
		{"a charset twice", func(r *http.Request) { r.Header.Set("Content-Type", "application/json; charset=utf-8; charset=utf-8") }, convert.UnsupportedContentType},
		{"two good origins", func(r *http.Request) { r.Header["Origin"] = []string{s.url, s.url} }, convert.OriginRefused},
		{"a good origin with a path", func(r *http.Request) { r.Header.Set("Origin", "http://localhost/"+secret) }, convert.OriginRefused},
		{"gzip", func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, convert.UnsupportedContentEncoding},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := s.request(t, http.MethodPost, "/v1/tools/json_format", good)
			test.change(r)
			got := s.send(t, r)
			checkProblem(t, s.url, got, test.code)
			if strings.Contains(string(got.body), secret) {
				t.Errorf("echoes the request: %s", got.body)
			}
			if allow := got.header.Get("Allow"); test.code == convert.MethodNotAllowed && allow != "POST" {
				t.Errorf("Allow: %q", allow)
			}
		})
	}
	for name, change := range map[string]func(*http.Request){
		"charset":       func(r *http.Request) { r.Header.Set("Content-Type", `Application/JSON;charset="UTF-8"`) },
		"no parameter":  func(r *http.Request) { r.Header.Set("Content-Type", "application/json ; ;") },
		"own origin":    func(r *http.Request) { r.Header.Set("Origin", s.url) },
		"loopback name": func(r *http.Request) { r.Host = "localhost:1234" },
	} {
		r := s.request(t, http.MethodPost, "/v1/tools/json_format", good)
		change(r)
		if got := s.send(t, r); got.status != http.StatusOK {
			t.Errorf("%s: status %d: %s", name, got.status, got.body)
		}
	}
	if strings.Contains(s.log.String(), secret) {
		t.Errorf("the log holds input:\n%s", s.log.String())
	}
}

func TestTooLargeResponseIsReadable(t *testing.T) {
	c := load(t)
	s := start(t, defaults(), tools.All())
	limit := c.Limits().RequestBytes
	exact := toolBody("application/json", "", "")
	exact = toolBody("application/json", strings.Repeat(" ", limit-len(exact)-1)+"1", "")
	if len(exact) != limit {
		t.Fatal("the test is wrong")
	}
	if got := s.post(t, "/v1/tools/json_format", exact); got.status != http.StatusOK {
		t.Errorf("a body of exactly the limit: status %d: %.200s", got.status, got.body)
	}
	for _, size := range []int{limit + 1, 2 * limit, 6 * limit} {
		for _, chunked := range []bool{false, true} {
			r := s.request(t, http.MethodPost, "/v1/tools/json_format", strings.Repeat(" ", size))
			if chunked {
				r.ContentLength = -1
				r.Body = io.NopCloser(io.LimitReader(r.Body, int64(size)))
			}
			checkProblem(t, s.url, s.send(t, r), convert.RequestTooLarge)
		}
	}
}

func TestBodyTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := startInBubble(t, defaults(), tools.All())
		begin := time.Now()
		got := s.raw(t, "POST /v1/tools/json_format\nContent-Type: application/json\nContent-Length: 100\n\n{")
		checkProblem(t, s.url, got, convert.BodyTimeout)
		if !time.Now().Equal(begin.Add(defaults().BodyTimeout)) {
			t.Errorf("after %v", time.Since(begin))
		}
	})
}

// TestSlowTool checks that a tool may take as long as ExecTimeout allows, although
// the time limits of the body and of a response are shorter.
func TestSlowTool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := defaults()
		config.BodyTimeout, config.ExecTimeout = time.Second, 10*writeTimeout
		s := startInBubble(t, config, replaced("json_format", func(ctx context.Context, in convert.Input) (convert.Result, error) {
			time.Sleep(config.ExecTimeout - time.Second)
			return convert.Result{Value: in.Value}, ctx.Err()
		}))
		if got := s.post(t, "/v1/tools/json_format", toolBody("application/json", "1", "")); !strings.Contains(string(got.body), `"value":"1"`) {
			t.Errorf("status %d: %q", got.status, got.body)
		}
	})
}

// A body that breaks off while the client stays connected is the client's mistake.
func TestBrokenBody(t *testing.T) {
	s := start(t, defaults(), tools.All())
	got := s.raw(t, "POST /v1/tools/json_format\nContent-Type: application/json\nTransfer-Encoding: chunked\n\nno size\r\n")
	p := checkProblem(t, s.url, got, convert.MalformedJSON)
	if !strings.Contains(p.Detail, "transfer coding") {
		t.Errorf("the detail does not say why: %s", got.body)
	}
}

// TestRateLimit checks rules LIM-3 and LIM-4.
func TestRateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := defaults()
		config.RateLimit = 60
		s := startInBubble(t, config, tools.All())
		good := toolBody("application/json", "1", "")
		for i := range 60 {
			path := []string{"/v1/tools/json_format", "/v1/unknown", "/v1/tools/jwt_decode"}[i%3]
			got := s.post(t, path, good)
			if got.status == http.StatusTooManyRequests {
				t.Fatalf("request %d of 60 was refused", i+1)
			}
			if want := fmt.Sprintf(`"anonymous";r=%d;t=%d`, 59-i, i+1); got.header.Get("RateLimit") != want {
				t.Errorf("RateLimit after %d: %s", i+1, got.header.Get("RateLimit"))
			}
			if got.header.Get("RateLimit-Policy") != `"anonymous";q=60;w=60` {
				t.Errorf("RateLimit-Policy: %s", got.header.Get("RateLimit-Policy"))
			}
		}
		last := s.post(t, "/v1/tools/json_format", good)
		checkProblem(t, s.url, last, convert.RateLimited)
		if last.header.Get("Retry-After") != "1" {
			t.Errorf("Retry-After: %s", last.header.Get("Retry-After"))
		}
		for _, path := range []string{"/healthz", "/v1/openapi.json", "/v1/openapi.yaml"} {
			if got := s.send(t, s.request(t, http.MethodGet, path, "")); got.status != http.StatusOK {
				t.Errorf("%s uses the quota: status %d", path, got.status)
			}
		}
	})
}

// While the queue is full, a large request waits unread and is finally rejected: this one is not even JSON.
func TestFullQueueRefusesUnread(t *testing.T) {
	config := defaults()
	config.WorkSlots, config.QueueWait = 2, 100*time.Millisecond
	leave := make(chan struct{})
	s := start(t, config, replaced("json_format", func(context.Context, convert.Input) (convert.Result, error) {
		<-leave
		return convert.Result{Value: "1"}, nil
	}))
	var crowd sync.WaitGroup
	for range 30 { // more than can run and wait
		crowd.Go(func() {
			for {
				got := s.post(t, "/v1/tools/json_format", toolBody("application/json", strings.Repeat("1", 40_000), ""))
				if got.status == http.StatusOK {
					return
				}
				checkProblem(t, s.url, got, convert.Overloaded)
			}
		})
	}
	garbage := strings.Repeat("x", 40_000)
	for {
		got := s.post(t, "/v1/tools/json_to_yaml", garbage)
		if got.status == http.StatusServiceUnavailable {
			checkProblem(t, s.url, got, convert.Overloaded)
			break
		}
		checkProblem(t, s.url, got, convert.MalformedJSON) // it arrived at a moment when there was room
	}
	checkProblem(t, s.url, s.post(t, "/v1/tools/json_to_yaml", "x"), convert.MalformedJSON) // small ones have room
	close(leave)
	crowd.Wait()
	checkProblem(t, s.url, s.post(t, "/v1/tools/json_to_yaml", garbage), convert.MalformedJSON)
}

// TestInternalError checks rule ERR-8.
func TestInternalError(t *testing.T) {
	s := start(t, defaults(), replaced("json_format", func(_ context.Context, in convert.Input) (convert.Result, error) {
		if in.Value == "panic" {
			panic("panicking over " + secret)
		}
		return convert.Result{}, fmt.Errorf("an error with %s", secret)
	}))
	for _, value := range []string{"panic", "error"} {
		got := s.post(t, "/v1/tools/json_format", toolBody("application/json", value, ""))
		checkProblem(t, s.url, got, convert.InternalError)
		if strings.Contains(string(got.body)+s.log.String(), secret) {
			t.Error("a fault's text left the process")
		}
	}
	if got := s.post(t, "/v1/tools/json_to_yaml", toolBody("application/json", "1", "")); got.status != http.StatusOK {
		t.Errorf("after a panic: status %d", got.status)
	}
}

// fail panics with text. The numbers, which are an input's, would be in the output of debug.Stack.
//
//go:noinline
func fail(text string, numbers [2]uint64) {
	if numbers[0] != 0 {
		panic(text)
	}
}

// TestPanicsAreLogged checks that the log line of a panic in a tool has the request's id and the stack, at every front
// door, and nothing of the input.
func TestPanicsAreLogged(t *testing.T) {
	const number = 0x7a6b5c4d3e2f
	s := start(t, defaults(), replaced("json_format", func(_ context.Context, in convert.Input) (convert.Result, error) {
		fail("panicking over "+in.Value, [2]uint64{number, number})
		return convert.Result{}, nil
	}))
	call := toolBody("application/json", secret, "")
	agent := agentCall(mcp.Revisions[0], "json_format", call)
	agents := s.request(t, http.MethodPost, "/mcp", agent.body)
	for i := 0; i < len(agent.headers); i += 2 {
		agents.Header.Set(agent.headers[i], agent.headers[i+1])
	}
	for name, r := range map[string]*http.Request{
		"REST":       s.request(t, http.MethodPost, "/v1/tools/json_format", call),
		"a pipeline": s.request(t, http.MethodPost, "/v1/pipeline", `{"version":1,"input":{"mediaType":"application/json","value":"`+secret+`"},"steps":[{"id":"a","tool":"json_format"}]}`),
		"MCP":        agents,
	} {
		id := s.send(t, r).header.Get("X-Request-Id")
		var line struct{ Msg, ID, Stack string }
		for text := range strings.Lines(s.log.String()) {
			if strings.Contains(text, "panicked") && strings.Contains(text, id) {
				check.JSON(t, []byte(text), &line)
			}
		}
		if id == "" || line.Msg != "a tool panicked" || !strings.Contains(line.Stack, "internal/server.fail\n") {
			t.Errorf("%s: no line of request %q with its stack in the log:\n%s", name, id, s.log.String())
		}
	}
	if log := s.log.String(); strings.Contains(log, secret) || strings.Contains(log, fmt.Sprintf("%x", number)) {
		t.Errorf("the log contains input:\n%s", log)
	}
}

// TestOverload checks rules ERR-9 and ERR-10.
func TestOverload(t *testing.T) {
	config := defaults()
	config.WorkSlots, config.QueueWait = 1, 10*time.Millisecond
	entered, leave := make(chan struct{}), make(chan struct{})
	s := start(t, config, replaced("json_format", func(context.Context, convert.Input) (convert.Result, error) {
		close(entered)
		<-leave
		return convert.Result{Value: "1"}, nil
	}))
	first := make(chan reply, 1)
	go func() { first <- s.post(t, "/v1/tools/json_format", toolBody("application/json", "1", "")) }()
	<-entered
	got := s.post(t, "/v1/tools/json_to_yaml", toolBody("application/json", "1", ""))
	checkProblem(t, s.url, got, convert.Overloaded)
	if got.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After: %s", got.header.Get("Retry-After"))
	}
	close(leave)
	if got := <-first; got.status != http.StatusOK {
		t.Errorf("the call in the slot: status %d: %s", got.status, got.body)
	}
	for { // the slot is returned after the response has begun
		if got := s.post(t, "/v1/tools/json_to_yaml", toolBody("application/json", "1", "")); got.status == http.StatusOK {
			break
		}
	}
}

// TestDeadline checks rules ERR-9 and ERR-10.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		config := defaults()
		config.ExecTimeout = time.Second
		s := startInBubble(t, config, replaced("json_to_yaml", func(ctx context.Context, _ convert.Input) (convert.Result, error) {
			<-ctx.Done()
			return convert.Result{}, ctx.Err()
		}))
		p := checkProblem(t, s.url, s.post(t, "/v1/tools/json_to_yaml", toolBody("application/json", "1", "")), convert.DeadlineExceeded)
		if p.Path != nil {
			t.Errorf("nothing can be fixed at %s", *p.Path)
		}
		got := s.post(t, "/v1/pipeline", pipelineBody(`{"id":"first","tool":"json_format"},{"id":"slow","tool":"json_to_yaml"}`, `"version":1`))
		p = checkProblem(t, s.url, got, convert.DeadlineExceeded)
		if p.Step == nil || *p.Step != "slow" || p.Path != nil {
			t.Errorf("step: %s", got.body)
		}
	})
}
