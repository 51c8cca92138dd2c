package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// lastResponses is how long the end of input waits for calls under way.
const lastResponses = 30 * time.Second

// mostPending is how many tool calls may wait for their responses. It bounds the memory that a client can use by sending
// faster than the tools work: the next line is read when there are fewer.
const mostPending = 16

// Stdio handles messages, one per line, from in to out until in or ctx ends. Every request gets a response, even if the
// input ends immediately after it. An invalid line gets an error, and the next one is handled. limit is the maximum
// length of a line in bytes. When ctx ends, Stdio abandons a pending read of in.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer, limit int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &lines{
		server:  s,
		in:      bufio.NewReaderSize(in, 64<<10),
		out:     out,
		limit:   limit,
		pending: map[string]context.CancelFunc{},
		slots:   make(chan struct{}, mostPending),
		ended:   make(chan error, 1),
	}
	go func() { c.end(c.read(ctx)) }()
	select {
	case err := <-c.ended:
		if ctx.Err() == nil && !errors.Is(err, io.EOF) {
			return errors.New("standard input or output failed")
		}
	case <-ctx.Done():
	}
	return nil
}

// lines is a session with one message per line. It runs tool calls concurrently, and handles any other message before it
// reads the next line.
type lines struct {
	server *Server
	in     *bufio.Reader
	limit  int
	// greeted is set after the client has sent initialize, or a request that needs no handshake. Only read uses it.
	greeted bool
	slots   chan struct{} // one for each call under way
	ended   chan error    // why the session ended

	mu      sync.Mutex
	out     io.Writer
	pending map[string]context.CancelFunc // cancels the calls under way, by id
}

func (c *lines) end(err error) {
	select {
	case c.ended <- err:
	default: // it has ended already
	}
}

// read handles the lines until the input or ctx ends, and returns the input's error after the last response.
func (c *lines) read(ctx context.Context) error {
	for ctx.Err() == nil {
		line, err := c.line()
		switch {
		case errors.Is(err, errLong):
			c.write(c.server.rejection(idOfStart(line), convert.Reject(convert.RequestTooLarge,
				"The line is longer than %d bytes.",
				tooLarge, c.limit)))
		case err != nil && line == "":
			patience, cancel := context.WithTimeout(ctx, lastResponses)
			defer cancel()
			for range mostPending {
				c.takeSlot(patience)
			}
			return err
		case strings.TrimSpace(line) != "":
			c.handle(ctx, line)
		}
	}
	return ctx.Err()
}

// takeSlot waits for one of the slots, unless ctx ends first.
func (c *lines) takeSlot(ctx context.Context) bool {
	select {
	case c.slots <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
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

// handle handles the message in a line.
func (c *lines) handle(ctx context.Context, line string) {
	m, wrong := readMessage(line)
	if wrong == nil && m.isNotification() { // which gets no response
		c.cancel(m)
		return
	}
	if wrong == nil {
		wrong = c.server.check(m)
	}
	c.greeted = c.greeted || m.method == "initialize" || m.revision != ""
	if wrong == nil && !c.greeted && strings.HasPrefix(m.method, "tools/") {
		wrong = errGreeting
	}
	ctx, cancel := context.WithCancel(ctx)
	if wrong == nil && !c.begin(m.id, cancel) {
		wrong = errUsed
	}
	switch {
	case wrong != nil:
		c.write(wrong.response(m))
	case !m.isCall():
		c.respond(ctx, m)
		return
	case c.takeSlot(ctx):
		go func() {
			c.respond(ctx, m)
			<-c.slots
		}()
		return
	}
	cancel()
}

// begin adds a request to those under way. It returns false if one with this id is.
func (c *lines) begin(id string, cancel context.CancelFunc) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, used := c.pending[canonical(id)]
	if !used {
		c.pending[canonical(id)] = cancel
	}
	return !used
}

// cancel ends the work of a request that a notification cancels. The protocol requires that it gets no response.
func (c *lines) cancel(m message) {
	var of struct {
		Params struct{ RequestID json.RawMessage }
	}
	if m.method != "notifications/cancelled" || json.Unmarshal([]byte(m.text), &of) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.pending[canonical(string(of.Params.RequestID))]; cancel != nil {
		cancel()
	}
}

// canonical returns the form of an id that does not depend on how its characters are escaped.
func canonical(id string) string {
	var value any
	_ = json.Unmarshal([]byte(id), &value)
	text, _ := json.Marshal(value)
	return string(text)
}

// respond writes the response to a request, unless it has been cancelled.
func (c *lines) respond(ctx context.Context, m message) {
	response := c.server.respond(ctx, m)
	c.mu.Lock()
	defer c.mu.Unlock()
	cancelled := ctx.Err() != nil
	id := canonical(m.id)
	c.pending[id]()
	delete(c.pending, id) // before the client can use it again
	if !cancelled {
		c.writeLocked(response)
	}
}

// respond returns the response to a request that came without headers.
func (s *Server) respond(ctx context.Context, m message) (response []byte) {
	defer s.recovered(ctx, func() {
		response = appendError(nil, m.id, codeInternal, fixedText(codeInternal), nil)
	})
	r, _ := http.NewRequestWithContext(ctx, http.MethodPost, "/mcp", nil) // a valid path
	r.Header.Set("Content-Type", "application/json")
	if m.revision != "" {
		r.Header.Set("MCP-Protocol-Version", m.revision)
		r.Header.Set("Mcp-Method", m.method)
		r.Header.Set("Mcp-Name", m.tool)
	}
	if !isPlainCall(m, r.Header) {
		got, e, failure := s.ask(r, m)
		switch {
		case failure != nil:
			return s.rejection(m.id, failure)
		case e != nil:
			return e.response(m)
		case !m.isCall():
			return bytes.TrimSpace(got.body.Bytes())
		}
	}
	body, failure := s.run(ctx, m.tool, m.arguments.of(m.text))
	if failure != nil && failure.Code == convert.Overloaded {
		return appendError(nil, m.id, http.StatusServiceUnavailable, overloadedText, body)
	}
	return s.appendResult(m, body, failure != nil)
}

// writeLocked writes a line. An error ends the session.
func (c *lines) writeLocked(text []byte) {
	if _, err := c.out.Write(append(text, '\n')); err != nil {
		c.end(err)
	}
}

func (c *lines) write(text []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.writeLocked(text)
}

// rejection returns the response to what the transport rejects.
func (s *Server) rejection(id string, f *convert.Failure) []byte {
	return appendError(nil, id, int64(contract.Status(f.Code).Status), f.Detail, s.problem(f, retrySeconds))
}
