package jsondoc

import (
	"context"
	"encoding/binary"

	"github.com/convertd/convertd/internal/convert"
)

// Layout controls the white space that Format writes.
type Layout struct {
	// Indent is the number of spaces per level, 0 to 8. With 0 the output is one line without any spaces.
	Indent int
	// Level is the depth of the value itself; its first line is not indented.
	Level int
	// Escaped writes the output as the content of a JSON string, see convert.OutputLimit.Into.
	Escaped bool
}

// gaps returns what to write between tokens.
func (l Layout) gaps() *gaps {
	switch {
	case l.Indent == 0:
		return &compactGaps
	case l.Escaped:
		return &escapedGaps
	default:
		return &lineGaps
	}
}

// everyTokens is how often a loop over tokens checks its context: often enough to stop within a millisecond.
const everyTokens = 1024

// Format appends the text that s reads, from its start to its end, and changes only white space: every token
// stays byte for byte the same. Each member is on its own line as "name": value; empty arrays and objects are
// [] and {}; there is no final newline.
//
// Format checks the limit whenever the output needs more room, and at its end. If the limit streams, the
// result is the rest of the output that has not been drained.
func Format(ctx context.Context, dst []byte, s *Scanner, layout Layout, limit *convert.OutputLimit) ([]byte, error) {
	table := layout.gaps()
	width := layout.Indent * layout.Level // spaces before a line
	out, n := dst[:cap(dst)], len(dst)
	last := End // the kind of the previous token, End at the start
	for tokens := 1; ; tokens++ {
		kind, from, to := s.step()
		switch kind {
		case refused:
			return nil, s.err
		case End:
			if limit.Exceeded(out[:n]) {
				return nil, limit.Failure()
			}
			return out[:n], nil
		case EndObject, EndArray:
			width -= layout.Indent
		}
		room := to - from + width + slack
		if layout.Escaped {
			room += to - from
		}
		if len(out)-n < room {
			var err error
			if out, n, err = makeRoom(out[:n], room, len(s.text), from, limit); err != nil {
				return nil, err
			}
		}
		gap := table[last&15][kind&15]
		binary.LittleEndian.PutUint64(out[n:n+8:n+8], uint64(gap.text))
		n += int(gap.length)
		if gap.line {
			for i := n; i < n+width; i += 8 {
				binary.LittleEndian.PutUint64(out[i:i+8:i+8], eightSpaces)
			}
			n += width
		}
		if layout.Escaped && (kind == Name || kind == String) {
			out, n = s.putEscaped(out, n, from, to)
		} else {
			n += put(out[n:], s.text, from, to)
		}
		if kind == BeginObject || kind == BeginArray {
			width += layout.Indent
		}
		last = kind
		if tokens%everyTokens == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// put copies text[from:to] to the start of out, which has room for at least 32 bytes, and returns its length.
// It copies 32 bytes even for shorter tokens, because most tokens are short.
func put(out []byte, text string, from, to int) int {
	if to-from <= 32 && from+32 <= len(text) {
		copy(out[:16], text[from:from+16])
		copy(out[16:32], text[from+16:from+32])
	} else {
		copy(out, text[from:to])
	}
	return to - from
}

// putEscaped writes the last string token, text[from:to], after the first n bytes of out, escaped as the
// content of a JSON string. It returns out at its full length and how much of it is written. Nearly all tokens
// have only their quotes to escape.
func (s *Scanner) putEscaped(out []byte, n, from, to int) ([]byte, int) {
	out[n], out[n+1] = '\\', '"'
	n += 2
	if s.escaped {
		longer := AppendEscaped(out[:n], s.text[from+1:to-1])
		longer = append(longer, `\"`...)
		return longer[:cap(longer)], len(longer)
	}
	n += put(out[n:], s.text, from+1, to-1)
	out[n], out[n+1] = '\\', '"'
	return out, n + 2
}

// gap is what to write between two tokens: up to three characters, then the spaces that indent a line.
type gap struct {
	text   uint32 // the characters, the first in the lowest byte
	length uint8
	line   bool // spaces follow
}

// gaps holds the gap before a token by the kinds of the previous token and of this one. The tables are larger
// than the number of kinds, so that indexing needs no bounds check.
type gaps [16][16]gap

var (
	lineGaps = newGaps(
		gap{',' | '\n'<<8, 2, true},
		gap{'\n', 1, true},
		gap{':' | ' '<<8, 2, false})
	escapedGaps = newGaps(
		gap{',' | '\\'<<8 | 'n'<<16, 3, true},
		gap{'\\' | 'n'<<8, 2, true},
		gap{':' | ' '<<8, 2, false})
	compactGaps = newGaps(
		gap{',', 1, false},
		gap{},
		gap{':', 1, false})
)

// newGaps returns a table of three gaps: between two values or members, between a bracket and its content, and
// after a name.
func newGaps(comma, inside, colon gap) (table gaps) {
	for last := BeginObject; last <= Null; last++ {
		for kind := BeginObject; kind <= Null; kind++ {
			opened := last == BeginObject || last == BeginArray
			closes := kind == EndObject || kind == EndArray
			switch {
			case last == Name:
				table[last][kind] = colon
			case opened && closes: // {} and []
			case opened || closes:
				table[last][kind] = inside
			default:
				table[last][kind] = comma
			}
		}
	}
	return table
}

// slack is room for a gap without its spaces and for the bytes written past a token or a line's spaces.
const slack = 3 + 8 + 32

// firstGuess is the initial room for the output of a text that is not shorter.
const firstGuess = 8192

// makeRoom returns out at its full length, with room for at least that many more bytes, and how much of it is written.
func makeRoom(out []byte, room, text, read int, limit *convert.OutputLimit) ([]byte, int, error) {
	if limit.Exceeded(out) {
		return nil, 0, limit.Failure()
	}
	left, err := limit.Drain(out)
	if err != nil {
		return nil, 0, err
	}
	n := len(left)
	switch buffer := left[:cap(left)]; {
	case len(buffer)-n >= room:
		return buffer, n, nil
	case limit.Streams():
		bigger := make([]byte, n+room+convert.Chunk)
		copy(bigger, left)
		return bigger, n, nil
	}
	return grow(left, room, text, read), n, nil
}

// grow returns out with room for at least that many more bytes. It extrapolates from how much the text has
// grown so far, within limits: the first pages may be mostly indentation.
func grow(out []byte, room, text, read int) []byte {
	more := min(2*text, firstGuess)
	if read > 0 {
		rest := text - read
		more = min(rest*len(out)/read, 3*rest)
		more += more / 16
	}
	bigger := make([]byte, len(out)+max(room, more, len(out)/8))
	copy(bigger, out)
	return bigger
}
