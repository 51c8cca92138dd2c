package convert

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// MaxOutputCharacters is the largest output value of one call, in code
// points (the document's maxLength of an output value).
const MaxOutputCharacters = 2097152

// Chunk is how many bytes of an output are worth giving to its writer.
const Chunk = 64 << 10

// Budget says whether an output that is still growing has become too large,
// and takes it in pieces where somebody wants it while it is made. The zero
// value allows nothing; one Budget serves one output.
type Budget struct {
	characters int // code points that may still follow the counted bytes
	bytes      int // the whole output's limit in bytes
	counted    int // bytes of the output whose characters are counted
	enough     int // below this many bytes nothing can be exceeded
	limit      int // code points that were allowed at first

	to io.Writer // takes the output while it is made, or nil

	into    []byte // see Into
	escaped bool   // see Escaped
}

// NewBudget allows an output of the given number of code points and of bytes.
func NewBudget(characters, bytes int) *Budget {
	return &Budget{characters: characters, bytes: bytes, enough: min(characters, bytes), limit: characters}
}

// NewStream is a budget whose output goes to w while it is made, as far as the
// tool gives it away; it bounds what is held, not the whole.
func NewStream(w io.Writer, characters, bytes int) *Budget {
	b := NewBudget(characters, bytes)
	b.to = w
	return b
}

// NewInto is a budget of an output that is appended to dst within a JSON string.
func NewInto(dst []byte, characters, bytes int) *Budget {
	b := NewBudget(characters, bytes)
	b.into = dst
	return b
}

// Into is where a tool that can may write its output: after what is there, and
// escaped as a JSON string holds it, by the shortest escapes, without the quotes.
// It spares a large output being built first and copied then. It is nil where the
// output is wanted as a value.
func (b *Budget) Into() []byte { return b.into }

// Escaped says that Exceeded will be called with what follows Into, not with
// the output that this is.
func (b *Budget) Escaped() {
	b.escaped, b.counted = true, len(b.into)
	b.enough += b.counted
	b.bytes += b.counted
}

// Streams reports whether Drain gives an output away.
func (b *Budget) Streams() bool { return b.to != nil }

// Drain gives out, the output since it was last given away, to the writer that
// takes it, and returns it empty. Without a writer, and with less than a Chunk,
// it returns out as it is. out must not end inside a character. The error is a
// *WriteError.
func (b *Budget) Drain(out []byte) ([]byte, error) {
	if b.to == nil || len(out) < Chunk {
		return out, nil
	}
	if _, err := b.to.Write(out); err != nil {
		return nil, &WriteError{err}
	}
	b.characters, b.counted, b.enough = b.limit, 0, min(b.limit, b.bytes)
	return out[:0], nil
}

// WriteError says that the output's writer failed, which is no fault of the
// call.
type WriteError struct{ Err error }

func (e *WriteError) Error() string { return fmt.Sprintf("the output cannot be written: %v", e.Err) }

func (e *WriteError) Unwrap() error { return e.Err }

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
	fresh := out[b.counted:]
	b.characters -= utf8.RuneCount(fresh)
	if b.escaped {
		more := escaping(fresh)
		b.characters += more
		b.bytes += more
	}
	b.counted = len(out)
	b.enough = min(len(out)+b.characters, b.bytes)
	return b.characters < 0 || len(out) > b.bytes
}

// escaping is how many bytes, each a character, of what is in a JSON string
// are there only because of its escapes: 1 of \n, 5 of \u0001.
func escaping(text []byte) (more int) {
	for i := bytes.IndexByte(text, '\\'); i >= 0 && i+1 < len(text); {
		length := 2
		if text[i+1] == 'u' {
			length = 6
		}
		more += length - 1
		next := bytes.IndexByte(text[i+length:], '\\')
		if next < 0 {
			break
		}
		i += length + next
	}
	return more
}

// Failure is the refusal of an output over its budget.
func (b *Budget) Failure() *Failure {
	return Refuse(OutputTooLarge,
		"The output would be larger than %d characters, or the outputs of the pipeline together too large.",
		"Send a smaller input, use a smaller indent, or split the input into several calls.", b.limit)
}
