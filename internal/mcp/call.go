package mcp

import (
	"net/http"
	"slices"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/guard"
	"github.com/convertd/convertd/internal/jsondoc"
)

// isPlainCall reports whether a message is a tool call about which the
// protocol has nothing left to say: its version is one that is served, and
// from 2026-07-28 on _meta and headers are there and agree. Such a call, which
// is nearly every request, is answered without the SDK: for one small call the
// SDK parses ten or more times with a buffer of 32 KiB each, a hundred times
// the memory of the work itself. TestDirectIsTheSame holds the answers equal.
func isPlainCall(m message, header http.Header) bool {
	if m.method != "tools/call" || m.isNotification() {
		return false
	}
	version := header.Values("MCP-Protocol-Version")
	if m.era == "" {
		return len(version) == 0 || len(version) == 1 && version[0] < modern && slices.Contains(Versions, version[0])
	}
	name := header.Get("Mcp-Name")
	if decoded, ok := decodeName(name); ok {
		name = decoded
	}
	return m.era == modern && m.able && len(version) == 1 && version[0] == modern &&
		header.Get("Mcp-Method") == m.method && name == m.tool
}

// call answers a plain tool call.
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
	h.send(w, r, m, hold, http.StatusOK, h.server.appendResult(m, body, failure != nil))
}

// appendResult returns the answer to a tool call with this body, members in
// the SDK's order.
func (s *Server) appendResult(m message, body []byte, isError bool) []byte {
	out := make([]byte, 0, 512+len(m.id)+len(s.about)+2*len(body)+len(body)/4)
	out = append(append(append(out, `{"jsonrpc":"2.0","id":`...), m.id...), `,"result":{`...)
	if m.era >= modern {
		out = append(out, `"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":`...)
		out = append(append(out, s.about...), "},"...)
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
