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

// lastAnswers is how long the end of input waits for calls under way.
const lastAnswers = 30 * time.Second

// mostPending is how many requests may wait for their answers; the next line
// is read when there are fewer. It bounds the memory that a client can take by
// sending faster than the tools work: the SDK's own queue has no bound.
const mostPending = 16

// Stdio answers messages, one a line, from in on out until in ends or ctx
// does. Every request is answered, those before an immediate end of input too;
// a bad line gets an error and the next is served. limit is the longest line,
// in bytes. When ctx ends, a read of in that is under way is abandoned.
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

// tickets hold the arguments of the tool calls that are in the SDK's hands.
type tickets struct {
	issued    atomic.Uint64
	arguments sync.Map // JSON, "" when there are none, by ticket
}

// put lets the arguments of a call wait, and returns the arguments that stand
// in their place; leave takes them away again.
func (t *tickets) put(arguments string) (ticket string, leave func()) {
	number := t.issued.Add(1)
	t.arguments.Store(number, arguments)
	return `{"ticket":` + strconv.FormatUint(number, 10) + "}", func() { t.arguments.Delete(number) }
}

// take returns the arguments that wait under a ticket, once.
func (t *tickets) take(ticket json.RawMessage) (arguments string, ok bool) {
	var put struct{ Ticket uint64 }
	if json.Unmarshal(ticket, &put) != nil {
		return "", false
	}
	waiting, ok := t.arguments.LoadAndDelete(put.Ticket)
	arguments, _ = waiting.(string)
	return arguments, ok
}

// lines is a connection of the SDK with one message a line, each read strictly
// before the SDK gets it.
type lines struct {
	ctx    context.Context
	server *Server
	in     *bufio.Reader
	limit  int
	// greeted says that the client has sent initialize, or a request that needs
	// none. Only Read uses it.
	greeted bool

	mu      sync.Mutex
	out     io.Writer
	pending map[jsonrpc.ID]*underWay // the requests without an answer
	fewer   *sync.Cond               // pending has become smaller, or the wait is over
	late    bool                     // the time for last answers is over
}

// underWay is a request without an answer.
type underWay struct {
	leave     func() // gives back its ticket
	cancelled bool   // its client waits for no answer
}

// Connect is the SDK's Transport.
func (c *lines) Connect(context.Context) (sdk.Connection, error) { return c, nil }

// SessionID is empty: there is one client.
func (c *lines) SessionID() string { return "" }

// Close has nothing to close; the streams are the caller's.
func (c *lines) Close() error { return nil }

// Read returns the next message that the SDK may see, and io.EOF after the
// last answer.
func (c *lines) Read(context.Context) (jsonrpc.Message, error) {
	for {
		c.await(mostPending - 1)
		line, err := c.line()
		switch {
		case errors.Is(err, errLong):
			c.refuse(idOfStart(line), convert.Refuse(convert.RequestTooLarge,
				"The line is longer than %d bytes.",
				tooLarge, c.limit))
			continue
		case err != nil && line == "":
			timer := time.AfterFunc(lastAnswers, c.giveUp)
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
// limit, its end (LF or CR LF) not counted, it keeps the start.
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
			return string(text[:min(len(text), startBytes)]), errLong // the end of input is met by the next call
		}
		return string(text), err
	}
}

// accept checks a line and returns it as the SDK takes it; what is refused is
// answered here.
func (c *lines) accept(line string) (jsonrpc.Message, bool) {
	m, wrong := readMessage(line)
	if wrong == nil && !m.isNotification() { // which nobody answers here
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
		c.refuse(m.id, failure)
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

// begin notes a request. It is false when one with this id waits for its
// answer, which the SDK would then never give.
func (c *lines) begin(id jsonrpc.ID, leave func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, used := c.pending[id]; used {
		return false
	}
	c.pending[id] = &underWay{leave: leave}
	return true
}

// cancel notes which request is taken back; the SDK ends its work.
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

// Write sends an answer of the SDK; of an error only the code is its own. A
// request that was taken back gets none, as the protocol asks.
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

// fixed returns an error of the SDK with our words for its code.
func fixed(err error) *jsonrpc.Error {
	out := &jsonrpc.Error{Code: codeInternal}
	var given *jsonrpc.Error
	if errors.As(err, &given) {
		out.Code = given.Code
		if given.Code == http.StatusServiceUnavailable {
			out.Data = given.Data // our own problem document
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

// end forgets a request that has been answered.
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

// await waits until at most so many requests are without an answer.
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

// fail answers with a protocol error. A write that fails ends the next
// answer's, and with it the session.
func (c *lines) fail(m message, e *rpcError) {
	_ = c.write(appendError(nil, m.answerID(e), e.code, e.message, e.data(m)))
}

// refuse answers with a failure that is the transport's, not a tool's.
func (c *lines) refuse(id string, f *convert.Failure) {
	s := c.server
	status := contract.Status(f.Code).Status
	_ = c.write(appendError(nil, id, int64(status), f.Detail, s.problem(f, retrySeconds)))
}
