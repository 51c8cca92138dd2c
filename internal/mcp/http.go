package mcp

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/guard"
)

// HTTP serves MCP's streamable HTTP: POST only, without sessions, each response one JSON document.
type HTTP struct {
	server *Server
	body   guard.Body
}

// HTTP returns the server as an http.Handler. The caller checks hosts, origins and the quota.
func (s *Server) HTTP(body guard.Body) *HTTP {
	return &HTTP{server: s, body: body}
}

// Reject responds to a request that a guard rejects with a JSON-RPC error object. Its code is the HTTP status and its
// data the problem document. Its id is null, because the message has not been read.
func (s *Server) Reject(w http.ResponseWriter, r *http.Request, f *convert.Failure) {
	s.reject(w, r, "", f)
}

// reject is Reject with the request's id, a JSON token, if known.
func (s *Server) reject(w http.ResponseWriter, r *http.Request, id string, f *convert.Failure) {
	guard.NoteCode(r.Context(), string(f.Code))
	status := contract.Status(f.Code).Status
	guard.AdviseRetry(w.Header(), status)
	writeError(w, status, id, int64(status), f.Detail, s.problem(f, w.Header().Get("Retry-After")))
}

// ServeHTTP handles one message.
func (h *HTTP) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s := h.server
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		s.Reject(w, r, convert.Reject(convert.MethodNotAllowed,
			"The route exists, but not for this method.",
			"POST one JSON-RPC message; there are no sessions and no streams to GET or DELETE."))
		return
	}
	ctx, slot := s.engine.Slot(r.Context())
	defer slot.Release()
	hold := h.body.Memory.Hold(r)
	defer hold.Release()
	withSlot := r
	if ctx != r.Context() {
		withSlot = r.WithContext(ctx)
	}
	body, err := h.body.Read(w, withSlot, &hold)
	if err == nil {
		err = slot.Acquire(ctx, len(body))
	}
	var failure *convert.Failure
	switch {
	case errors.As(err, &failure):
		id := ""
		if failure.Code == convert.RequestTooLarge {
			failure = failure.WithHint(tooLarge)
			id = idOfStart(convert.OwnedText(start(w, r, body)))
		}
		s.reject(w, r, id, failure)
		return
	case err != nil && r.Context().Err() != nil:
		guard.NoteGone(r.Context())
		return
	case err != nil: // a body cut short, or a broken chunked coding
		fail(w, r, message{}, errParse)
		return
	}
	m, wrong := readMessage(convert.OwnedText(body))
	direct := wrong == nil && isPlainCall(m, r.Header)
	version := r.Header.Get("MCP-Protocol-Version")
	if m.revision == "" {
		m.revision = version
	}
	if wrong == nil && (ambiguous(r.Header) || version != "" && version != m.revision) {
		wrong = errMismatch
	}
	if wrong == nil {
		wrong = s.check(m)
	}
	if wrong != nil {
		fail(w, r, m, wrong)
		return
	}
	if direct {
		h.call(w, withSlot, m, &hold)
	} else {
		h.forward(w, withSlot, m, &hold)
	}
}

// start returns the first bytes of a message that is too large, for its id: a client treats a response without an id as
// a connection failure. body is what was read of the message.
func start(w http.ResponseWriter, r *http.Request, body []byte) []byte {
	if len(body) > 0 || r.Header.Get("Expect") != "" { // a client that sent Expect has sent no body yet
		return body
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(startTime))
	body = make([]byte, startBytes)
	n, _ := io.ReadAtLeast(r.Body, body, startBytes)
	return body[:n]
}

// How much of a message that is too large is read for its id, and for how long.
const (
	startBytes = 1 << 10
	startTime  = time.Second
)

// ambiguous reports whether one of the protocol's headers appears more than once.
// Readers of different lines would see different messages.
func ambiguous(header http.Header) bool {
	return len(header["Mcp-Protocol-Version"]) > 1 || len(header["Mcp-Method"]) > 1 || len(header["Mcp-Name"]) > 1
}

// forward passes a message to the SDK and its response on to the client. The exception is a tool call to which the SDK
// has no objection; forward makes it itself.
func (h *HTTP) forward(w http.ResponseWriter, r *http.Request, m message, hold *guard.Hold) {
	response, e, failure := h.server.ask(r, m)
	switch {
	case failure != nil:
		h.server.reject(w, r, m.id, failure)
	case r.Context().Err() != nil:
		guard.NoteGone(r.Context())
	case e != nil:
		fail(w, r, m, e)
	case m.isCall():
		h.call(w, r, m, hold)
	case response.body.Len() == 0: // a notification has no response
		w.Header().Set("Cache-Control", "no-store")
		w.WriteHeader(response.status)
	default:
		h.send(w, r, m, hold, response.status, response.body.Bytes())
	}
}

// send sends a response, which counts as held until the client has read it.
func (h *HTTP) send(w http.ResponseWriter, r *http.Request, m message, hold *guard.Hold, status int, body []byte) {
	if f := hold.Take(len(body)); f != nil {
		overloaded(w, r, m, h.server.problem(f, retrySeconds))
		return
	}
	guard.WriteBody(w, status, guard.JSONType, body)
}

// revisionOf returns the revision that a message requests, if it is well formed. The protocol requires the response to
// repeat it; nothing else of a message is repeated.
func revisionOf(m message) string {
	if len(m.revision) <= 16 && strings.Trim(m.revision, "v0123456789.-") == "" {
		return m.revision
	}
	return "unknown"
}

const overloadedText = "The server is overloaded."

// overloaded responds to a call that got no work slot or no memory; problem says which.
func overloaded(w http.ResponseWriter, r *http.Request, m message, problem []byte) {
	guard.NoteCode(r.Context(), string(convert.Overloaded))
	guard.AdviseRetry(w.Header(), http.StatusServiceUnavailable)
	writeError(w, http.StatusServiceUnavailable, m.id, http.StatusServiceUnavailable, overloadedText, problem)
}

// protocolError is the recorded code of a request whose JSON-RPC error has no
// problem document; its HTTP status may be 200.
const protocolError = "protocol_error"

// fail responds with a protocol error.
func fail(w http.ResponseWriter, r *http.Request, m message, e *rpcError) {
	guard.NoteCode(r.Context(), protocolError)
	guard.WriteBody(w, e.status, guard.JSONType, e.response(m))
}

func writeError(w http.ResponseWriter, status int, id string, code int64, text string, data []byte) {
	guard.WriteBody(w, status, guard.JSONType, appendError(nil, id, code, text, data))
}
