// Package spans splits encoded text into its meaningful parts: the properties of JSON, the fields of forms, the
// elements of XML, each with its name. A Span is a byte range in the text, not a value of a parsed tree. Text outside
// of changed spans keeps its bytes, and the text may be truncated and contain variables.
//
// To add an encoding, add an Opener, its condition in OpenerOf and, if its values need decoding, a Codec.
//
//	{"a": "x&y", "b": 1  → a: x&y, b: 1
//
// In reading order: spans.go (spans and their openers; forms and queries), codec.go (encodings of values), json.go,
// option.go (arguments of curl), xml.go.
package spans
