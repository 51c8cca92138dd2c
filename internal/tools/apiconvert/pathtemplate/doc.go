// Package pathtemplate turns the paths of recorded requests into path templates: /users/123 and /users/456 become
// /users/{userId}.
//
// The segments of all paths form a tree. A segment is open if it looks like an identifier, if a variable expanded to
// it, or if its author wrote a parameter or a placeholder. Other targets than OpenAPI documents only get the placeholders,
// and the variables of a script as path variables. Paths that differ only in open segments share a template, and a parameter
// has the same name in all of them.
//
// In reading order: template.go (the tree of segments), segment.go (which segments look like identifiers, and
// names of parameters).
package pathtemplate
