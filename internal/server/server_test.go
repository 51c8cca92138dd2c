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
	"sync"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/tools"
)

// service is a running server and its log.
type service struct {
	url       string
	log       *converttest.Log
	dialer    func() (net.Conn, error)
	transport *http.Transport
}

// defaults is the command line's default configuration, without a quota.
func defaults() Config {
	return Config{
		Listen:      "127.0.0.1:0",
		WorkSlots:   4,
		QueueWait:   time.Minute, // on a busy machine nothing is rejected or cut off by mistake
		BodyTimeout: writeTimeout / 2,
		ExecTimeout: time.Minute,
		Provider:    "convertd",
		Version:     "1.0.0",
	}
}

// start runs a server on loopback until the test ends.
func start(t testing.TB, config Config, list []convert.Tool) service {
	t.Helper()
	listener := check.Value(guard.Listen(config.Listen))(t)
	config.Listen = listener.Addr().String()
	return startOn(t, config, list, listener, func() (net.Conn, error) { return net.Dial("tcp", config.Listen) })
}

// startInBubble runs a server on in-memory connections until the test ends. In a
// synctest bubble all its timeouts use the bubble's clock.
func startInBubble(t testing.TB, config Config, list []convert.Tool) service {
	t.Helper()
	config.Listen = "127.0.0.1:8080"
	listener := newPipes()
	return startOn(t, config, list, listener, listener.dial)
}

func startOn(t testing.TB, config Config, list []convert.Tool, listener net.Listener, dial func() (net.Conn, error)) service {
	t.Helper()
	log := &converttest.Log{}
	s := check.Value(assemble(config, slog.New(slog.NewJSONHandler(log, nil)), list))(t)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	// A connection that the client has opened but not used counts as busy for five seconds.
	go func() { done <- s.Serve(ctx, listener, nil, Stop{Grace: 5 * time.Minute}) }()
	transport := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return dial() }}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		stop()
		if err := <-done; err != nil {
			t.Errorf("the server did not stop cleanly: %v", err)
		}
	})
	return service{"http://" + config.Listen, log, dial, transport}
}

// pipes is a listener for in-memory connections.
type pipes struct {
	waiting chan net.Conn
	closed  chan struct{}
	once    sync.Once
}

func newPipes() *pipes { return &pipes{waiting: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.waiting:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.closed) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial() (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.waiting <- server:
		return client, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// reply is a response with its body read.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request and reads the response. It does not follow redirects.
func (s service) send(t testing.TB, r *http.Request) reply {
	t.Helper()
	response, err := s.transport.RoundTrip(r)
	return read(t, response, err)
}

// read reads the body of a response and closes it.
func read(t testing.TB, response *http.Response, err error) reply {
	t.Helper()
	check.OK(t, err)
	defer response.Body.Close()
	body := check.Value(io.ReadAll(response.Body))(t)
	return reply{response.StatusCode, response.Header, body}
}

func (s service) post(t testing.TB, path, body string) reply {
	t.Helper()
	return s.send(t, s.request(t, http.MethodPost, path, body))
}

func (s service) request(t testing.TB, method, path, body string) *http.Request {
	t.Helper()
	r := check.Value(http.NewRequest(method, s.url+path, strings.NewReader(body)))(t)
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

// checkProblem checks that a response is what the contract and the document promise for an error.
// Rules: ERR-1, ERR-2, ERR-3, ERR-4.
func checkProblem(t testing.TB, base string, got reply, code convert.Code) problem {
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
	return check.Value(contract.Load())(t)
}

// replaced returns the list of tools with one of them replaced.
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
