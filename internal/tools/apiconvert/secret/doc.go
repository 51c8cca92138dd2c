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
//   - by its shape: tokens of known issuers, anywhere, also in prose (shapes.go),
//     and what code assigns to such a name (assignment.go).
//
// Text in a known encoding is opened into spans (package spans), each judged by its own name, recursively (open.go).
// Only the bytes of the secret change. What was recognized once is then replaced everywhere, in each of its spellings
// (sweep.go, sweeper.go).
//
// Placeholders that the author wrote ({{token}}, <token>, $TOKEN, ***, YOUR_TOKEN) are kept. So are commit
// hashes, UUIDs and other identifiers: there is no entropy rule. Recognition is never complete. All work is
// linear in the length of the text.
//
// Files in reading order: secret.go, judge.go, names.go, find.go, shapes.go,
// assignment.go, open.go, sweep.go, sweeper.go.
package secret
