package mcp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/convertd/convertd/internal/convert"
)

// lastAnswers is how long the end of input waits for calls under way.
const lastAnswers = 30 * time.Second

// Stdio answers messages, one a line, from in on out until in ends or ctx
// does. Every request is answered, those before an immediate end of input too;
// a bad line gets an error and the next is served. limit is the longest line,
// in bytes.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer, limit int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &lines{ctx: ctx, server: s, in: bufio.NewReaderSize(in, 64<<10), out: out, limit: limit}
	c.idle = sync.NewCond(&c.mu)
	session, err := s.sdk.Connect(ctx, c, nil)
	if err != nil {
		return err
	}
	if err := session.Wait(); err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
		return errors.New("standard input or output failed")
	}
	return nil
}

// lines is a connection of the SDK with one message a line and the guard in
// front of it.
type lines struct {
	ctx    context.Context
	server *Server
	in     *bufio.Reader
	limit  int

	mu      sync.Mutex
	out     io.Writer
	pending int        // requests without an answer
	leave   []func()   // give back the tickets of calls that were pending
	idle    *sync.Cond // pending has become 0
}

// Connect is the SDK's Transport.
func (c *lines) Connect(context.Context) (sdk.Connection, error) { return c, nil }

// SessionID is empty: there is one client.
func (c *lines) SessionID() string { return "" }

// Close has nothing to close; the streams are the caller's.
func (c *lines) Close() error { return nil }

// Read returns the next message that the guard accepts, and io.EOF behind the
// last answer.
func (c *lines) Read(context.Context) (jsonrpc.Message, error) {
	for {
		line, err := c.line()
		switch {
		case errors.Is(err, errLong):
			c.refuseLong()
			continue
		case err != nil && line == "":
			c.await()
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
// limit it keeps nothing.
func (c *lines) line() (string, error) {
	var text []byte
	long := false
	for {
		part, err := c.in.ReadSlice('\n')
		if long = long || len(text)+len(part) > c.limit+1; long {
			text = nil
		} else {
			text = append(text, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long && (err == nil || len(part) > 0):
			return "", errLong
		}
		return string(text), err
	}
}

// accept checks a line and returns it as the SDK takes it; what is refused is
// answered here.
func (c *lines) accept(line string) (jsonrpc.Message, bool) {
	m, wrong := readMessage(line)
	if wrong == nil && !m.isNotification() {
		wrong = c.server.check(m)
	}
	if wrong != nil {
		if wrong == errParse {
			m.id = ""
		}
		_ = c.write(appendError(nil, m.id, wrong.code, wrong.message, nil))
		return nil, false
	}
	text, leave := []byte(line), func() {}
	if m.method == "tools/call" && !m.isNotification() {
		var ticket string
		ticket, leave = c.server.admit(c.ctx, m)
		text = m.forSDK(ticket)
	}
	decoded, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		leave()
		_ = c.write(appendError(nil, m.id, codeInvalidRequest, errShape.message, nil))
		return nil, false
	}
	if !m.isNotification() {
		c.mu.Lock()
		c.pending++
		c.leave = append(c.leave, leave)
		c.mu.Unlock()
	}
	return decoded, true
}

// Write sends an answer of the SDK; of an error only the code is its own.
func (c *lines) Write(_ context.Context, m jsonrpc.Message) error {
	response, isResponse := m.(*jsonrpc.Response)
	if isResponse {
		defer c.answered()
		var rpc *jsonrpc.Error
		if response.Error != nil {
			code := int64(codeInternal)
			var data []byte
			if errors.As(response.Error, &rpc) {
				code, data = rpc.Code, nil
				if code == http.StatusServiceUnavailable {
					data = rpc.Data
				}
			}
			response = &jsonrpc.Response{ID: response.ID, Error: &jsonrpc.Error{Code: code, Message: fixedText(code), Data: data}}
			m = response
		}
	}
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	return c.write(text)
}

func (c *lines) write(text []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
}

// answered counts an answer.
func (c *lines) answered() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pending--
	if c.pending == 0 {
		for _, leave := range c.leave {
			leave()
		}
		c.leave = c.leave[:0]
		c.idle.Broadcast()
	}
}

// await waits until every request is answered.
func (c *lines) await() {
	timer := time.AfterFunc(lastAnswers, func() {
		c.mu.Lock()
		c.pending = 0
		c.idle.Broadcast()
		c.mu.Unlock()
	})
	defer timer.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.pending > 0 {
		c.idle.Wait()
	}
}

func (c *lines) refuseLong() {
	f := convert.Refuse(convert.RequestTooLarge,
		"The line is longer than %d bytes.",
		"Send at most 1 MiB a message; split the input into several calls.", c.limit)
	status := c.server.contract.Problem(f.Code).Status
	_ = c.write(appendError(nil, "", int64(status), f.Detail, c.server.contract.AppendProblem(nil, c.server.config.BaseURL, f)))
}
