package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// lastResponses is how long the end of input waits for requests under way.
const lastResponses = 30 * time.Second

// mostPending is how many requests may wait for their responses; the next line is read when there are fewer. It bounds
// the memory that a client can use by sending faster than the tools work: the SDK's own queue is unbounded.
const mostPending = 16

// Stdio handles messages, one per line, from in to out until in or ctx ends. Every request gets a response, even if the
// input ends immediately after it. An invalid line gets an error, and the next one is handled. limit is the maximum
// length of a line in bytes. When ctx ends, Stdio abandons a pending read of in.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer, limit int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &lines{
		ctx:     ctx,
		server:  s,
		in:      bufio.NewReaderSize(in, 64<<10),
		out:     out,
		limit:   limit,
		pending: map[jsonrpc.ID]*underWay{},
	}
	c.fewer = sync.NewCond(&c.mu)
	session, err := s.sdk().Connect(ctx, c, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- session.Wait() }()
	select {
	case err := <-ended:
		if err != nil && !errors.Is(err, io.EOF) {
			return errors.New("standard input or output failed")
		}
	case <-ctx.Done():
	}
	return nil
}

// tickets holds the arguments of the tool calls that the SDK is handling.
type tickets struct {
	issued    atomic.Uint64
	arguments sync.Map // JSON, "" if absent, by ticket
}

// put stores the arguments of a call and returns the ticket that replaces them. leave removes them.
func (t *tickets) put(arguments string) (ticket string, leave func()) {
	number := t.issued.Add(1)
	t.arguments.Store(number, arguments)
	return `{"ticket":` + strconv.FormatUint(number, 10) + "}", func() { t.arguments.Delete(number) }
}

// take returns the arguments stored under a ticket, once.
func (t *tickets) take(ticket json.RawMessage) (arguments string, ok bool) {
	var put struct{ Ticket uint64 }
	if json.Unmarshal(ticket, &put) != nil {
		return "", false
	}
	waiting, ok := t.arguments.LoadAndDelete(put.Ticket)
	arguments, _ = waiting.(string)
	return arguments, ok
}

// lines is a connection of the SDK with one message per line, each parsed strictly before the SDK gets it.
type lines struct {
	ctx    context.Context
	server *Server
	in     *bufio.Reader
	limit  int
	// greeted is set after the client has sent initialize, or a request that needs no handshake. Only Read uses it.
	greeted bool

	mu      sync.Mutex
	out     io.Writer
	pending map[jsonrpc.ID]*underWay // the requests without a response
	fewer   *sync.Cond               // pending has shrunk, or the wait is over
	late    bool                     // the time for the last responses is over
}

// underWay is a request without a response.
type underWay struct {
	leave     func() // removes its arguments
	cancelled bool   // its client expects no response
}

// Connect is the SDK's Transport.
func (c *lines) Connect(context.Context) (sdk.Connection, error) { return c, nil }

// SessionID returns "": there is one client.
func (c *lines) SessionID() string { return "" }

// Close does nothing; the caller owns the streams.
func (c *lines) Close() error { return nil }

// Read returns the next message for the SDK, and io.EOF after the last response.
func (c *lines) Read(context.Context) (jsonrpc.Message, error) {
	for {
		c.await(mostPending - 1)
		line, err := c.line()
		switch {
		case errors.Is(err, errLong):
			c.reject(idOfStart(line), convert.Reject(convert.RequestTooLarge,
				"The line is longer than %d bytes.",
				tooLarge, c.limit))
			continue
		case err != nil && line == "":
			timer := time.AfterFunc(lastResponses, c.giveUp)
			defer timer.Stop()
			c.await(0)
			return nil, err
		case strings.TrimSpace(line) == "":
			continue
		}
		if m, ok := c.accept(line); ok {
			return m, nil
		}
	}
}

var errLong = errors.New("line too long")

// line reads up to the next line feed or the end of input. Of a line over the
// limit, not counting its end (LF or CR LF), it keeps the start.
func (c *lines) line() (string, error) {
	var text []byte
	size := 0
	for {
		part, err := c.in.ReadSlice('\n')
		if size += len(part); size <= c.limit+len("\r\n") || len(text) < startBytes {
			text = append(text, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if size > c.limit+len("\r\n") || len(bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))) > c.limit {
			return string(text[:min(len(text), startBytes)]), errLong // the next read meets the end of input
		}
		return string(text), err
	}
}

// accept checks a line and returns it in the form for the SDK. If it rejects the line, it sends the error itself.
func (c *lines) accept(line string) (jsonrpc.Message, bool) {
	m, wrong := readMessage(line)
	if wrong == nil && !m.isNotification() { // which gets no response here
		wrong = c.server.check(m)
	}
	c.greeted = c.greeted || m.method == "initialize" || m.revision != ""
	if wrong == nil && !c.greeted && strings.HasPrefix(m.method, "tools/") {
		wrong = errGreeting
	}
	if wrong != nil {
		c.fail(m, wrong)
		return nil, false
	}
	ticket, leave := "", func() {}
	if m.isCall() {
		ticket, leave = c.server.waiting.put(m.arguments.of(m.text))
	}
	text, failure := m.forSDK(ticket)
	if failure != nil {
		leave()
		c.reject(m.id, failure)
		return nil, false
	}
	decoded, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		leave()
		c.fail(m, errShape)
		return nil, false
	}
	request, ok := decoded.(*jsonrpc.Request)
	if ok && request.IsCall() && !c.begin(request.ID, leave) {
		leave()
		c.fail(m, errUsed)
		return nil, false
	}
	if ok && request.Method == "notifications/cancelled" {
		c.cancel(request.Params)
	}
	return decoded, true
}

// begin adds a request to pending. It returns false if one with this id is
// pending already, because the SDK would never respond to the second one.
func (c *lines) begin(id jsonrpc.ID, leave func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, used := c.pending[id]; used {
		return false
	}
	c.pending[id] = &underWay{leave: leave}
	return true
}

// cancel marks the cancelled request; the SDK stops its work.
func (c *lines) cancel(params json.RawMessage) {
	var of struct{ RequestID any }
	if json.Unmarshal(params, &of) != nil {
		return
	}
	id, err := jsonrpc.MakeID(of.RequestID)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if request := c.pending[id]; request != nil {
		request.cancelled = true
	}
}

// Write sends a response of the SDK, with only the code of an error. A cancelled
// request gets none, as the protocol requires.
func (c *lines) Write(_ context.Context, m jsonrpc.Message) error {
	if response, ok := m.(*jsonrpc.Response); ok {
		defer c.end(response.ID)
		if c.isCancelled(response.ID) {
			return nil
		}
		if response.Error != nil {
			m = &jsonrpc.Response{ID: response.ID, Error: fixed(response.Error)}
		}
	}
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	return c.write(text)
}

// fixed returns an error of the SDK with our message for its code.
func fixed(err error) *jsonrpc.Error {
	out := &jsonrpc.Error{Code: codeInternal}
	var given *jsonrpc.Error
	if errors.As(err, &given) {
		out.Code = given.Code
		if given.Code == http.StatusServiceUnavailable {
			out.Data = given.Data // the problem document
		}
	}
	out.Message = fixedText(out.Code)
	return out
}

func (c *lines) write(text []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
}

// end removes a request that has got its response.
func (c *lines) end(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if request, ok := c.pending[id]; ok {
		request.leave()
		delete(c.pending, id)
		c.fewer.Broadcast()
	}
}

func (c *lines) isCancelled(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	request := c.pending[id]
	return request != nil && request.cancelled
}

// await waits until at most this many requests are pending.
func (c *lines) await(most int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.pending) > most && !c.late {
		c.fewer.Wait()
	}
}

func (c *lines) giveUp() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.late = true
	c.fewer.Broadcast()
}

// fail sends a protocol error. If its write fails, so does the next response's, which ends the session.
func (c *lines) fail(m message, e *rpcError) {
	_ = c.write(appendError(nil, m.responseID(e), e.code, e.message, e.data(m)))
}

// reject sends a failure of the transport rather than of a tool.
func (c *lines) reject(id string, f *convert.Failure) {
	s := c.server
	status := contract.Status(f.Code).Status
	_ = c.write(appendError(nil, id, int64(status), f.Detail, s.problem(f, retrySeconds)))
}
