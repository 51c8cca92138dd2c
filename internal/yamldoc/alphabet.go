package yamldoc

// Classes of bytes in scalars. A byte may be in several classes.
const (
	notPlain   uint8 = 1 << iota // not allowed in a plain scalar
	colon                        // allowed, unless a space or the end follows
	begins                       // can begin a plain scalar
	beginsWord                   // begins a word or number in some version of YAML
	notLiteral                   // not allowed in a literal block
	escaped                      // ASCII, and needs an escape in double quotes
	lead                         // first byte of characters that may need an escape
)

// classes are the classes of every byte.
var classes = func() (table [256]uint8) {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	for c := range table {
		table[c] = notPlain
	}
	for _, c := range []byte(letters + "0123456789 _-./+()=,;@$:'!?&%*") {
		table[c] = 0
	}
	for _, c := range []byte(letters + "_/$(") {
		table[c] |= begins
	}
	for _, c := range []byte("eEfFiInNoOtTyY") {
		table[c] |= beginsWord
	}
	table[':'] |= colon
	for c := range 0x20 {
		table[c] |= escaped | notLiteral
	}
	table['\n'] &^= notLiteral
	table['\t'] &^= notLiteral
	table['"'] |= escaped
	table['\\'] |= escaped
	table[0x7F] |= escaped | notLiteral
	// A fixed list, because calling needsEscape for every character would take some milliseconds at every start.
	for _, c := range []byte{0xC2, 0xD8, 0xE2, 0xEF, 0xF0, 0xF1, 0xF2, 0xF3, 0xF4} {
		table[c] |= lead
	}
	return table
}()

// skip returns the offset of the first byte at or after i that is in one of the classes of mask, or len(text)
// if there is none.
func skip(text string, i int, mask uint8) int {
	for ; i+8 <= len(text); i += 8 {
		eight := text[i : i+8]
		if (classes[eight[0]]|classes[eight[1]]|classes[eight[2]]|classes[eight[3]]|
			classes[eight[4]]|classes[eight[5]]|classes[eight[6]]|classes[eight[7]])&mask != 0 {
			break
		}
	}
	for i < len(text) && classes[text[i]]&mask == 0 {
		i++
	}
	return i
}

// needsEscape reports whether r, a character beyond ASCII, is written as an escape: the C1 controls, the line
// separators and the byte order mark, which versions of YAML treat differently; the noncharacters, which some
// readers reject; the bidirectional controls, which make a text look different from its content.
func needsEscape(r rune) bool {
	switch {
	case r < 0xA0: // C1
		return true
	case r == 0x061C, r == 0x200E, r == 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069: // bidirectional
		return true
	case r == 0x2028, r == 0x2029, r == 0xFEFF:
		return true
	}
	return r&0xFFFE == 0xFFFE || r >= 0xFDD0 && r <= 0xFDEF // noncharacters
}
