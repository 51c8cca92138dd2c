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
	// Level is how deep the value itself stands; its first line is not
	// indented.
	Level int
}

// everyTokens is how often a loop over tokens asks whether the caller still
// waits: often enough to stop within a millisecond.
const everyTokens = 1024

// Format appends the text that s reads, from its start to its end, changing
// white space and nothing else: every token stays byte for byte. A member
// stands on a line of its own as "name": value; empty arrays and objects are
// [] and {}; there is no final newline.
func Format(ctx context.Context, dst []byte, s *Scanner, layout Layout, budget *convert.Budget) ([]byte, error) {
	gaps := &lineGaps
	if layout.Indent == 0 {
		gaps = &compactGaps
	}
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
		if room := to - from + width + slack; len(out)-n < room {
			if budget.Exceeded(out[:n]) {
				return nil, budget.Failure()
			}
			out = grow(out[:n], room, len(s.text), from)
		}
		gap := gaps[last&15][kind&15]
		binary.LittleEndian.PutUint64(out[n:n+8:n+8], uint64(gap.text))
		n += int(gap.length)
		if gap.indented {
			for i := n; i < n+width; i += 8 {
				binary.LittleEndian.PutUint64(out[i:i+8:i+8], eightSpaces)
			}
			n += width
		}
		// Most tokens are short: 32 bytes are copied, however few are meant.
		if to-from <= 32 && from+32 <= len(s.text) {
			copy(out[n:n+16], s.text[from:from+16])
			copy(out[n+16:n+32], s.text[from+16:from+32])
		} else {
			copy(out[n:], s.text[from:to])
		}
		n += to - from
		if kind == BeginObject || kind == BeginArray {
			width += layout.Indent
		}
		last = kind
		if tokens%everyTokens == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// gap is what stands between two tokens: at most eight bytes, and behind them
// the spaces of a new line or none.
type gap struct {
	text     uint16
	length   uint8
	indented bool
}

var lineGaps, compactGaps = gapTable(gap{',' | '\n'<<8, 2, true}, gap{'\n', 1, true}, gap{':' | ' '<<8, 2, false}),
	gapTable(gap{',', 1, false}, gap{}, gap{':', 1, false})

func gapTable(comma, line, colon gap) (table [16][16]gap) {
	for last := End; last <= Null; last++ {
		for kind := End; kind <= Null; kind++ {
			closes := kind == EndObject || kind == EndArray
			switch last {
			case End:
			case Name:
				table[last][kind] = colon
			case BeginObject, BeginArray:
				if !closes {
					table[last][kind] = line
				}
			default:
				if closes {
					table[last][kind] = line
				} else {
					table[last][kind] = comma
				}
			}
		}
	}
	return table
}

// slack is how many bytes beyond a token's own the functions below may write
// to, blindly or as punctuation.
const slack = 64

// grow returns dst with room for at least so many more bytes. It expects the
// rest of the text to grow as what has been read of it did, within reason:
// the first pages of a text may be all indentation.
func grow(dst []byte, room, text, read int) []byte {
	more := min(2*text, firstGuess)
	if read > 0 {
		rest := text - read
		more = min(rest*len(dst)/read, 3*rest)
		more += more / 16
	}
	bigger := make([]byte, len(dst)+max(room, more, len(dst)/2))
	copy(bigger, dst)
	return bigger
}

const firstGuess = 8192
