// Package collection holds what reading, writing and rewriting Postman collections share: URLs split as Postman
// splits them (url.go), the kinds of authentication and the model's fields for their attributes (auth.go), and
// small values such as descriptions and versions (value.go).
// A new kind of authentication also needs an entry of authTypes (postman/rewrite_parts.go) and an AuthKind (package
// request).
//
//	u := collection.ParseURL("https://x.test/:id?a=b") // u.Host is x.test, u.Segments [":id"]
package collection
