package server

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools"
)

// service is a server on a real listener, and what it logged.
type service struct {
	url string
	log *lockedBuffer
}

// defaults is the configuration that the command line gives, but without a
// quota.
func defaults() Config {
	return Config{
		Listen:      "127.0.0.1:0",
		WorkSlots:   4,
		QueueWait:   100 * time.Millisecond,
		BodyTimeout: 5 * time.Second,
		ExecTimeout: 2 * time.Second,
		Provider:    "convertd",
		Version:     "1.0.0",
	}
}

// start runs a server until the test ends.
func start(t testing.TB, config Config, list []convert.Tool) service {
	t.Helper()
	listener, err := net.Listen("tcp", config.Listen)
	if err != nil {
		t.Fatal(err)
	}
	config.Listen = listener.Addr().String()
	log := &lockedBuffer{}
	s, err := assemble(config, slog.New(slog.NewJSONHandler(log, nil)), list)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	// A connection that the client has opened and not used counts as busy for
	// five seconds.
	go func() { done <- s.Serve(ctx, listener, nil, Stop{Grace: 20 * time.Second}) }()
	t.Cleanup(func() {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		stop()
		if err := <-done; err != nil {
			t.Errorf("the server did not stop cleanly: %v", err)
		}
	})
	return service{url: "http://" + config.Listen, log: log}
}

// answer is a response that has been read.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request and reads the response; it refuses to be redirected.
func (s service) send(t testing.TB, r *http.Request) answer {
	t.Helper()
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{response.StatusCode, response.Header, body}
}

func (s service) post(t testing.TB, path, body string) answer {
	t.Helper()
	return s.send(t, s.request(t, http.MethodPost, path, body))
}

func (s service) request(t testing.TB, method, path, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	return r
}

// problem is the problem document, decoded strictly.
type problem struct {
	Type, Title  string
	Status       int
	Code         convert.Code
	Detail, Hint string
	Path, Step   *string
}

// checkProblem holds an answer to everything that the contract and the document
// promise of an error.
// Rules: ERR-1, ERR-2, ERR-3, ERR-4.
func checkProblem(t testing.TB, base string, got answer, code convert.Code) problem {
	t.Helper()
	var p problem
	decoder := json.NewDecoder(bytes.NewReader(got.body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&p); err != nil {
		t.Fatalf("status %d, not a problem document: %v\n%s", got.status, err, got.body)
	}
	entry := contract.Status(code)
	switch {
	case p.Code != code:
		t.Errorf("code: want %s, got %s", code, got.body)
	case got.status != entry.Status || p.Status != entry.Status:
		t.Errorf("status: want %d, got %d, in the body %d", entry.Status, got.status, p.Status)
	case p.Type != base+"/problems/"+string(code) || p.Title != entry.Title:
		t.Errorf("type or title: %s", got.body)
	case p.Detail == "" || p.Hint == "":
		t.Errorf("no detail or no hint: %s", got.body)
	case got.header.Get("Content-Type") != "application/problem+json":
		t.Errorf("Content-Type: %s", got.header.Get("Content-Type"))
	}
	var value any
	_ = json.Unmarshal(got.body, &value)
	if err := contracttest.Document(t).Components.Schemas["Problem"].Value.VisitJSON(value); err != nil {
		t.Errorf("breaks the document: %v", err)
	}
	retry := got.header.Get("Retry-After")
	if wants := got.status == 429 || got.status == 503; wants != (retry != "") {
		t.Errorf("Retry-After is %q on status %d", retry, got.status)
	}
	return p
}

func load(t testing.TB) *contract.Contract {
	t.Helper()
	c, err := contract.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// replaced is the list of tools with one of them doing something else.
func replaced(name string, do func(context.Context, convert.Input) (convert.Result, error)) []convert.Tool {
	list := slices.Clone(tools.All())
	for i := range list {
		if list[i].Name == name {
			list[i].Convert = do
		}
	}
	return list
}

func toolBody(mediaType, value, options string) string {
	text, _ := json.Marshal(value)
	body := `{"input":{"mediaType":"` + mediaType + `","value":` + string(text) + `}`
	if options != "" {
		body += `,"options":` + options
	}
	return body + "}"
}
