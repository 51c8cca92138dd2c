package convert

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// MaxOutputCharacters is the largest output value of one request, in code points (the document's maxLength of
// an output value).
const MaxOutputCharacters = 2097152

// Chunk is how many bytes of an output are worth writing.
const Chunk = 64 << 10

// OutputLimit reports whether a growing output has become too large, and passes it on in pieces if the output is
// streamed. The zero value allows nothing. An OutputLimit serves a single output.
type OutputLimit struct {
	characters int // code points that may still follow the counted bytes
	bytes      int // limit of the whole output in bytes
	counted    int // bytes of the output whose characters have been counted
	enough     int // nothing can be exceeded below this many bytes
	limit      int // code points allowed initially

	to io.Writer // the destination of a streamed output, or nil

	into    []byte // see Into
	escaped bool   // see Escaped
}

// NewOutputLimit allows an output of the given number of code points and of bytes.
func NewOutputLimit(characters, bytes int) *OutputLimit {
	return &OutputLimit{characters: characters, bytes: bytes, enough: min(characters, bytes), limit: characters}
}

// NewStream returns an OutputLimit whose output is written to w as the tool drains it. It limits what is held in
// memory, not the whole output.
func NewStream(w io.Writer, characters, bytes int) *OutputLimit {
	b := NewOutputLimit(characters, bytes)
	b.to = w
	return b
}

// NewInto returns an OutputLimit for an output that is appended to dst inside a JSON string.
func NewInto(dst []byte, characters, bytes int) *OutputLimit {
	b := NewOutputLimit(characters, bytes)
	b.into = dst
	return b
}

// Into returns where a tool may write its output directly, if it can: after the bytes already there, and
// escaped as the content of a JSON string, with the shortest escapes and without quotes. This avoids building
// and then copying a large output. It is nil if the output is needed as a value.
func (b *OutputLimit) Into() []byte { return b.into }

// Escaped declares that Exceeded will be called with Into followed by the escaped output.
func (b *OutputLimit) Escaped() {
	b.escaped, b.counted = true, len(b.into)
	b.enough += b.counted
	b.bytes += b.counted
}

// Streams reports whether Drain writes the output.
func (b *OutputLimit) Streams() bool { return b.to != nil }

// Drain writes out, the output since the last Drain, and returns it empty. If the output is not streamed, or out is
// shorter than a Chunk, it returns out unchanged. out must not end inside a character. The error is a *WriteError.
func (b *OutputLimit) Drain(out []byte) ([]byte, error) {
	if b.to == nil || len(out) < Chunk {
		return out, nil
	}
	if _, err := b.to.Write(out); err != nil {
		return nil, &WriteError{err}
	}
	b.characters, b.counted, b.enough = b.limit, 0, min(b.limit, b.bytes)
	return out[:0], nil
}

// WriteError reports that writing the output failed, which is not the fault of the request.
type WriteError struct{ Err error }

func (e *WriteError) Error() string { return fmt.Sprintf("the output cannot be written: %v", e.Err) }

func (e *WriteError) Unwrap() error { return e.Err }

// Characters returns how many code points the whole output may have, until some of it has been counted.
func (b *OutputLimit) Characters() int { return b.characters }

// Exceeded reports whether out, the whole output so far, is over the limit. out must not end inside a
// character. It is cheap enough to call after every token: while out has fewer bytes than the limit has
// characters, it is one comparison.
func (b *OutputLimit) Exceeded(out []byte) bool {
	return len(out) > b.enough && b.recount(out)
}

// recount counts the characters added since the last count. A code point has at least one byte, so nothing can
// be exceeded before that many more bytes are added; the total work stays linear in the output.
func (b *OutputLimit) recount(out []byte) bool {
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

// escaping returns how many of the bytes in the content of a JSON string, each a character, are only there
// because of escapes: 1 for \n, 5 for \u0001.
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

// Failure returns the failure for an output over its limit.
func (b *OutputLimit) Failure() *Failure {
	return Reject(OutputTooLarge,
		"The output would be larger than %d characters, or the outputs of the pipeline together would be too large.",
		"Send a smaller input, use a smaller indent, or split the input into several requests.", b.limit)
}
