package yamldoc

import (
	"testing"
	"unicode/utf8"
)

// The bytes marked as leading bytes are those of the characters that need an escape.
func TestLeadBytes(t *testing.T) {
	var want [256]bool
	for r := rune(0x80); r <= utf8.MaxRune; r++ {
		if needsEscape(r) && utf8.ValidRune(r) {
			want[string(r)[0]] = true
		}
	}
	for c, class := range classes {
		if got := class&lead != 0; got != want[c] {
			t.Errorf("byte %#02x: %v, want %v", c, got, want[c])
		}
	}
}
