package convert

import "unicode/utf8"

// MaxOutputCharacters is the largest output value of one call, in code
// points (the document's maxLength of an output value).
const MaxOutputCharacters = 2097152

// Budget says whether an output that is still growing has become too large.
// The zero value allows nothing; one Budget serves one output.
type Budget struct {
	characters int // code points that may still follow the counted bytes
	bytes      int // the whole output's limit in bytes
	counted    int // bytes of the output whose characters are counted
	enough     int // below this many bytes nothing can be exceeded
	limit      int // code points that were allowed at first
}

// NewBudget allows an output of the given number of code points and of bytes.
func NewBudget(characters, bytes int) *Budget {
	return &Budget{characters: characters, bytes: bytes, enough: min(characters, bytes), limit: characters}
}

// Characters is how many code points the whole output may have, as long as
// nothing of it has been counted.
func (b *Budget) Characters() int { return b.characters }

// Exceeded reports whether out, the whole output so far, is over the budget.
// out must not end inside a character. It is made to be asked after every
// token: as long as out has fewer bytes than the budget has characters, the
// answer is one comparison.
func (b *Budget) Exceeded(out []byte) bool {
	return len(out) > b.enough && b.recount(out)
}

// recount counts the characters that came since the last count. A code point
// has at least one byte, so nothing can be exceeded before that many more
// bytes have come; the total work stays linear in the output.
func (b *Budget) recount(out []byte) bool {
	b.characters -= utf8.RuneCount(out[b.counted:])
	b.counted = len(out)
	b.enough = min(len(out)+b.characters, b.bytes)
	return b.characters < 0 || len(out) > b.bytes
}

// Failure is the refusal of an output over its budget.
func (b *Budget) Failure() *Failure {
	return Refuse(OutputTooLarge,
		"The output would be larger than %d characters, or the outputs of the pipeline together too large.",
		"Send a smaller input, use a smaller indent, or split the input into several calls.", b.limit)
}
