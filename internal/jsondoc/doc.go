// Package jsondoc reads JSON (RFC 8259) strictly and writes it back, keeping what generic decoders lose: member
// order, number lexemes, string tokens.
//
// The terms are those of RFC 8259: a text is one value; an object has members, each with a name and a value; an
// array has elements. A token is one of the six structural characters, a string, a number or a literal name.
// Raw is a token's bytes as they are in the text.
//
// In addition to the grammar, a Scanner rejects, always with the position: two members of one object with the
// same name (compared after unescaping), escapes that are not a code point (lone surrogates), nesting deeper
// than MaxDepth and, on request, numbers that an IEEE 754 double can't represent exactly.
//
// Nothing here recurses on the input, and everything takes linear time.
package jsondoc

import "github.com/convertd/convertd/internal/convert"

// MaxText is the largest text that a Scanner reads, in bytes: it stores offsets of up to twice the text's
// length in 31 bits.
const MaxText = 1 << 30

// MaxDepth is how many arrays and objects may be nested.
const MaxDepth = 256

// Kind is the kind of a token.
type Kind uint8

// The kinds of token. Commas and colons are checked but not returned.
const (
	End Kind = iota // the text is complete
	BeginObject
	EndObject
	BeginArray
	EndArray
	Name // a member's name; its value follows
	String
	Number
	True
	False
	Null
)

// Token is one token of a text.
type Token struct {
	Kind Kind
	// Escaped reports whether a Name or String contains an escape.
	Escaped bool
	// Raw is the token as it is in the text, including a string's quotes.
	Raw string
}

// Content returns the decoded content of a Name or String token. It copies only when there are escapes.
func (t Token) Content() string {
	if !t.Escaped {
		return t.Raw[1 : len(t.Raw)-1]
	}
	return convert.OwnedText(AppendContent(make([]byte, 0, len(t.Raw)+8), t.Raw))
}
