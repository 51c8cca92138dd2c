package mcp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/jsondoc"
)

// isPlainCall reports whether a message is a tool call that the protocol cannot object to: its revision is served, and
// in a stateless revision _meta and the headers are present and agree. The SDK does not need to check such a call (see
// the package comment), which would take a small call from some 30 µs and 7 KB to 600 µs and 310 to 440 KB;
// TestDirectIsTheSame compares its responses with the SDK's.
func isPlainCall(m message, header http.Header) bool {
	if !m.isCall() {
		return false
	}
	version := header.Values("MCP-Protocol-Version")
	if m.revision == "" {
		return len(version) == 0 || len(version) == 1 && served(version[0]) && !isStateless(version[0])
	}
	name := header.Get("Mcp-Name")
	if decoded, ok := decodeName(name); ok {
		name = decoded
	}
	return isStateless(m.revision) && served(m.revision) && m.capabilities && len(version) == 1 && version[0] == m.revision &&
		header.Get("Mcp-Method") == m.method && name == m.tool
}

// call makes a tool call and responds with its result.
func (h *HTTP) call(w http.ResponseWriter, r *http.Request, m message, hold *guard.Hold) {
	body, failure := h.server.run(r.Context(), m.tool, m.arguments.of(m.text))
	switch {
	case r.Context().Err() != nil:
		guard.NoteGone(r.Context())
		return
	case failure == nil:
	case failure.Code == convert.Overloaded:
		overloaded(w, r, m, body)
		return
	default:
		guard.NoteCode(r.Context(), string(failure.Code))
	}
	response := h.server.appendResult(m, body, failure != nil)
	h.send(w, r, m, hold, http.StatusOK, response)
}

// appendResult returns the response to a tool call with this body, with its members in the SDK's order.
func (s *Server) appendResult(m message, body []byte, isError bool) []byte {
	out := make([]byte, 0, 512+len(m.id)+len(s.serverInfo)+2*len(body)+len(body)/4)
	out = append(append(append(out, `{"jsonrpc":"2.0","id":`...), m.id...), `,"result":{`...)
	if isStateless(m.revision) {
		out = append(out, `"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":`...)
		out = append(append(out, s.serverInfo...), "},"...)
	}
	if isError {
		out = append(out, `"isError":true,`...)
	}
	out = jsondoc.AppendString(append(out, `"content":[{"type":"text","text":`...), convert.OwnedText(body))
	out = append(out, "}]"...)
	if !isError {
		out = append(append(out, `,"structuredContent":`...), body...)
	}
	return append(out, "}}"...)
}

// ask passes a message to the SDK, without a call's arguments. It returns the SDK's response or, if that is an error, only
// the error's code, with our message.
func (s *Server) ask(r *http.Request, m message) (*recorder, *rpcError, *convert.Failure) {
	body, failure := m.forSDK()
	if failure != nil {
		return nil, nil, failure
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	inner := r.Clone(ctx)
	inner.Body = io.NopCloser(bytes.NewReader(body))
	inner.ContentLength = int64(len(body))
	// The response is always one JSON document, whatever else a client accepts.
	inner.Header.Set("Accept", "application/json, text/event-stream")
	inner.Header.Del("Mcp-Session-Id")
	if name, ok := decodeName(inner.Header.Get("Mcp-Name")); ok {
		inner.Header.Set("Mcp-Name", name)
	}
	response := &recorder{header: http.Header{}, status: http.StatusOK}
	s.protocol.ServeHTTP(response, inner)
	var rpc struct{ Error struct{ Code int64 } }
	_ = json.Unmarshal(response.body.Bytes(), &rpc) // some responses have no body, or one that is not JSON
	if response.status < 300 && rpc.Error.Code == 0 {
		return response, nil, nil
	}
	if rpc.Error.Code == 0 {
		rpc.Error.Code = codeInvalidRequest
		if version := r.Header.Get("MCP-Protocol-Version"); version != "" && !served(version) {
			rpc.Error.Code = codeUnsupportedRevision
		}
	}
	if rpc.Error.Code == codeInvalidRequest && m.isNotification() && strings.HasPrefix(m.method, "notifications/") {
		return &recorder{status: http.StatusAccepted}, nil, nil // a notification unknown to the SDK; this server needs none
	}
	return nil, &rpcError{rpc.Error.Code, fixedText(rpc.Error.Code), response.status}, nil
}

// recorder buffers the SDK's response for inspection.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *recorder) Header() http.Header         { return a.header }
func (a *recorder) WriteHeader(status int)      { a.status = status }
func (a *recorder) Write(p []byte) (int, error) { return a.body.Write(p) }
func (a *recorder) Flush()                      {}

// decodeName decodes the encoded form of Mcp-Name, =?base64?…?=.
func decodeName(value string) (string, bool) {
	encoded, prefixed := strings.CutPrefix(value, "=?base64?")
	encoded, suffixed := strings.CutSuffix(encoded, "?=")
	if !prefixed || !suffixed {
		return "", false
	}
	name, err := base64.StdEncoding.DecodeString(encoded)
	return string(name), err == nil
}
