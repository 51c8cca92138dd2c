package mcp

import "slices"

// Revisions are the supported revisions of the protocol, newest first. A revision is named after its publication date.
// Over HTTP a request names it in MCP-Protocol-Version, over both transports in _meta or in a handshake.
var Revisions = []string{"2026-07-28", "2025-11-25", "2025-06-18"}

// stateless is the first revision without a handshake: every request has the revision and the client's capabilities in
// _meta, and over HTTP repeats them in its headers (MCP-7 of docs/contract.md).
const stateless = "2026-07-28"

// isStateless reports whether a revision has no handshake; "" means that the client named none.
func isStateless(revision string) bool { return revision >= stateless }

// served reports whether the revision is supported.
func served(revision string) bool { return slices.Contains(Revisions, revision) }
