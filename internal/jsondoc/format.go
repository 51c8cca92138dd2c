package jsondoc

import (
	"context"
	"encoding/binary"

	"github.com/convertd/convertd/internal/convert"
)

// Layout says how Format writes white space.
type Layout struct {
	// Indent is the number of spaces per level, 0 to 8. With 0 the output is
	// one line without any spaces.
	Indent int
	// Level is the depth of the value itself; its first line is not
	// indented.
	Level int
	// Escaped writes the text as it is written within a JSON string, see
	// convert.Budget.Into.
	Escaped bool
}

// gaps are what is written between tokens.
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

// everyTokens is how often a loop over tokens asks whether the caller still
// waits: often enough to stop within a millisecond.
const everyTokens = 1024

// Format appends the text that s reads, from its start to its end, changing
// white space and nothing else: every token stays byte for byte. A member
// is on a line of its own as "name": value; empty arrays and objects are
// [] and {}; there is no final newline.
//
// The budget is asked whenever the output needs more room, and at its end. If
// it streams, the result is the rest of the output, that has not been drained.
func Format(ctx context.Context, dst []byte, s *Scanner, layout Layout, budget *convert.Budget) ([]byte, error) {
	table := layout.gaps()
	width := layout.Indent * layout.Level // spaces before a line
	out, n := dst[:cap(dst)], len(dst)
	last := End // the kind of the token before, End at the start
	for tokens := 1; ; tokens++ {
		kind, from, to := s.step()
		switch kind {
		case refused:
			return nil, s.err
		case End:
			if budget.Exceeded(out[:n]) {
				return nil, budget.Failure()
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
			if out, n, err = makeRoom(out[:n], room, len(s.text), from, budget); err != nil {
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

// put copies text[from:to] to the start of out, which has room for 32 bytes at
// least, and returns how long it is. Most tokens are short: 32 bytes are copied,
// however few are meant.
func put(out []byte, text string, from, to int) int {
	if to-from <= 32 && from+32 <= len(text) {
		copy(out[:16], text[from:from+16])
		copy(out[16:32], text[from+16:from+32])
	} else {
		copy(out, text[from:to])
	}
	return to - from
}

// putEscaped puts the string token that was read last, text[from:to], after the
// first n bytes of out as it is written within a JSON string, and returns out at its full
// length and how much of it is written then. Nearly all tokens have but their
// quotes to escape.
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

// gap is what is written between two tokens: up to three characters, then
// the spaces that a line begins with.
type gap struct {
	text   uint32 // the characters, the first in the lowest byte
	length uint8
	line   bool // spaces follow
}

// gaps holds the gap before a token by the kind of the token before and its
// own. The tables are larger than the kinds are many, so that indexes need no
// check.
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

// newGaps makes a table of the three gaps there are: between two values or
// members, between a bracket and what it contains, after a name.
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

// slack is room for a gap without its spaces and for the bytes that are
// written blindly after a token or after a line's spaces.
const slack = 3 + 8 + 32

// firstGuess is the room that an output begins with, if its text is not
// shorter.
const firstGuess = 8192

// makeRoom returns out at its full length and how much of it is written, with
// room for that many more bytes at least.
func makeRoom(out []byte, room, text, read int, budget *convert.Budget) ([]byte, int, error) {
	if budget.Exceeded(out) {
		return nil, 0, budget.Failure()
	}
	left, err := budget.Drain(out)
	if err != nil {
		return nil, 0, err
	}
	n := len(left)
	switch whole := left[:cap(left)]; {
	case len(whole)-n >= room:
		return whole, n, nil
	case budget.Streams():
		bigger := make([]byte, n+room+convert.Chunk)
		copy(bigger, left)
		return bigger, n, nil
	}
	return grow(left, room, text, read), n, nil
}

// grow returns out with room for that many more bytes at least. It expects
// the rest of the text to become longer as what has been read of it did,
// within reason: the first pages may be all indentation.
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
