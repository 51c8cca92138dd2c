// Package postman reads Postman collections (v2.0 and v2.1) into the request
// model, writes them from it as v2.1, and rewrites a collection as a v2.1
// collection without the model in between.
//
// Reading begins with rewriting: all that old versions, other programs and
// hands spell differently is brought into one form first, so that the reader
// knows that form only.
//
// Where Postman's schema, its documentation and what Postman does disagree,
// what Postman does is followed, as its SDK (npm postman-collection) shows it:
// the parts of an address win over its text, ":id.json" is the variable id,
// an authentication without a type is inherited.
package postman
