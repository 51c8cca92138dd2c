package mcp

import (
	"net/http"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/jsondoc"
)

// isPlainCall reports whether a message is a tool call that the protocol cannot object to: its revision is served, and
// in a stateless revision _meta and the headers are present and agree. The SDK does not need to check such a call (see
// the package comment), which would take a small call from some 30 µs to 600 µs and more; TestDirectIsTheSame compares its
// responses with the SDK's.
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
