package mcp

import "slices"

// Revisions are the revisions of the protocol that are served, newest first. A
// revision's name is the date of its publication. Over HTTP a request says it
// in MCP-Protocol-Version, over both transports in _meta or in a handshake.
var Revisions = []string{"2026-07-28", "2025-11-25", "2025-06-18"}

// stateless is the first revision without a handshake: every request has the
// revision and the client's capabilities in _meta, and over HTTP says the same
// in its headers (MCP-7 of docs/contract.md).
const stateless = "2026-07-28"

// isStateless reports whether a revision, "" for one that nobody said, has no
// handshake.
func isStateless(revision string) bool { return revision >= stateless }

// served reports whether there are answers in this revision.
func served(revision string) bool { return slices.Contains(Revisions, revision) }
