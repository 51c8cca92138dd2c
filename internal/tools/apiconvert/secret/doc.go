// Package secret recognizes secrets and replaces them by placeholders. It knows no format: the formats emit their
// strings as sites (package site), each with a role and a name, and Redact replaces the secrets among them.
//
//	r := secret.NewRedactor(budget)
//	variables := r.Redact(api.Sites) // names of new variables
//
// A secret is recognized
//   - by its position: the credentials of an authentication, cookies except
//     mere settings, the password in a URL, variables marked as secret;
//   - by its name: values of headers, parameters, fields, members and variables
//     whose name says so (names.go), payment cards by name and check digit;
//   - by its shape: tokens of known issuers, URLs whose holder may call them and account numbers, anywhere, also in
//     prose (shapes.go), what code assigns to such a name and the keys with which it
//     signs (assignment.go), what prose calls a password, and columns of tables (statement.go),
//     and what other commands than curl take as one (command.go).
//
// Text in a known encoding is opened into spans (package spans), each judged by its own name, recursively (judge.go).
// Only the bytes of the secret change. What was recognized once is then replaced everywhere, in each of its spellings
// (sweep.go, sweeper.go).
//
// A value that is a placeholder as a whole ({{token}}, <token>, YOUR_TOKEN, ***) is kept, in code and prose also $TOKEN;
// in a credential's place a value that only resembles one is a secret (placeholder.go). Commit hashes, UUIDs and other
// identifiers are kept: there is no entropy rule. Recognition is never complete. All work is linear in the length of the
// text.
//
// Files in reading order: secret.go, judge.go, names.go, placeholder.go, find.go, shapes.go, assignment.go, command.go,
// statement.go, sweep.go, sweeper.go.
package secret
