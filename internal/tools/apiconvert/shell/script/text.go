package script

import (
	"slices"
	"strings"
)

// ByteSet is a set of bytes.
type ByteSet [256]bool

// BytesOf returns the set of the bytes of text.
func BytesOf(text string) (set ByteSet) {
	for i := 0; i < len(text); i++ {
		set[text[i]] = true
	}
	return set
}

// NameLength returns the length of the name (XBD 3.216) that text begins with.
func NameLength(text string) int {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !IsNameStart(c) && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}

// IsNameStart reports whether a byte can begin a variable's name.
func IsNameStart(c byte) bool {
	return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// IsName reports whether text is the name of a variable (XBD 3.216).
func IsName(text string) bool { return text != "" && NameLength(text) == len(text) }

// IsBlank reports whether a byte is a blank or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// MaxToken limits how many bytes one lookahead reads, so that each lookahead takes constant time.
const MaxToken = 256

// SetOf returns the set of the blank-separated words in words, and of more.
func SetOf(words string, more ...string) map[string]bool {
	set := map[string]bool{}
	for _, word := range more {
		set[word] = true
	}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// NameLetters are the bytes that a name may contain.
const NameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// Sets that several readers share.
var (
	BlankBytes       = BytesOf(" \t")
	NameBytes        = BytesOf(NameLetters)
	CommandNameBytes = BytesOf(NameLetters + "-.")
)

// Declares are the commands that take assignments as arguments.
var Declares = SetOf("export readonly local declare typeset")

// Except returns the set of all bytes but those of text.
func Except(text string) ByteSet {
	set := BytesOf(text)
	for i := range set {
		set[i] = !set[i]
	}
	return set
}

// ContainsAny reports whether text contains any of the parts.
func ContainsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
