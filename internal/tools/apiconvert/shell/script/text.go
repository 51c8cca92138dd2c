package script

import "strings"

// ByteSet is a set of bytes.
type ByteSet [256]bool

// BytesOf is the set of the bytes of a text.
func BytesOf(text string) (set ByteSet) {
	for i := 0; i < len(text); i++ {
		set[text[i]] = true
	}
	return set
}

// NameLength returns how many bytes of text form a name (XBD 3.216).
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

// IsBlank reports whether a byte is a blank or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// MaxToken bounds what one look at a text goes over, so that a look takes the same
// time everywhere.
const MaxToken = 256

// SetOf is the set of the words between blanks, and of some more.
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

// NameLetters are the bytes of names.
const NameLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// Sets that several readers need.
var (
	BlankBytes       = BytesOf(" \t")
	NameBytes        = BytesOf(NameLetters)
	CommandNameBytes = BytesOf(NameLetters + "-.")
	NumeralBytes     = BytesOf(NameLetters + "+-.")
	BareBytes        = Except(" \t\r\n;|)}&<>'\"$(`,")
)

// Except is the set of all bytes but some.
func Except(text string) ByteSet {
	set := BytesOf(text)
	for i := range set {
		set[i] = !set[i]
	}
	return set
}

// IsNameByte reports whether a byte can be in a variable's name.
func IsNameByte(c byte) bool { return NameBytes[c] }
