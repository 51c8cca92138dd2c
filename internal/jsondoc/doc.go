// Package jsondoc reads JSON (RFC 8259) strictly and writes its parts back,
// keeping what generic decoders lose: member order, number lexemes, string
// tokens.
//
// Words, as in RFC 8259: a text is one value; an object has members, each a
// name and a value; an array has elements. A token is one of the six
// structural characters, a string, a number or a literal name. Raw is a
// token's bytes as they are in the text.
//
// Beyond the grammar a Scanner refuses, always with the place: two members of
// one object with the same name (compared after unescaping), escapes that
// form no code point (lone surrogates), nesting deeper than MaxDepth and, if
// asked, numbers that a double-precision reader would change.
//
// Nothing here recurses on the input, and everything is linear in it.
package jsondoc

import "github.com/convertd/convertd/internal/convert"

// MaxText is the largest text that a Scanner reads, in bytes: it keeps places in
// 31 bits, twice the text's.
const MaxText = 1 << 30

// MaxDepth is how many arrays and objects may be open at once.
const MaxDepth = 256

// Kind says what a token is.
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
	// Escaped says that a Name or String holds at least one escape.
	Escaped bool
	// Raw is the token as it is in the text, a string's quotes included.
	Raw string
}

// Content returns the text that a Name or String token stands for. It copies
// only when there are escapes.
func (t Token) Content() string {
	if !t.Escaped {
		return t.Raw[1 : len(t.Raw)-1]
	}
	return convert.OwnedText(AppendContent(make([]byte, 0, len(t.Raw)+8), t.Raw))
}
