// Package postman rewrites Postman collections (v2.0 and v2.1) in place as v2.1 collections that the schema accepts.
// Its subpackages read a collection into the request model and write one from it.
//
//	collection → Rewrite → Sites (secrets) → Identify → collection
//	collection → reader.Read → request.API
//	request.API → writer.Write → collection
//
// Reading begins with rewriting: what both versions of the schema allow, and the older names and forms of exports, are
// normalized to one form, the only one that the reader supports. Parts of other types are dropped with a warning. Where the schema, the documentation and
// Postman itself disagree, Postman wins, as its SDK (npm postman-collection) shows it: the parts of a URL take
// precedence over its raw text, ":id.json" is the variable id, an authentication without a type is inherited.
//
// Example: {"url": "https://x.test/:id?a=b"} becomes {"url": {"raw": …, "host":
// ["x", "test"], "path": [":id"], "query": [{"key": "a", "value": "b"}], …}}.
//
// Files in reading order: rewrite.go (the members of each object), rewrite_parts.go (URLs, headers, bodies,
// authentication; how a value gets its type), sites.go (strings that may hold secrets, with the
// table of package shape, and those in scripts), identify.go (stable ids).
package postman
