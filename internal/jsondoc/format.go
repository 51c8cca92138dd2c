package jsondoc

import (
	"context"

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
	level := layout.Level
	last := End // the kind of the token before, End at the start
	for n := 1; ; n++ {
		token, err := s.Next()
		if err != nil {
			return nil, err
		}
		switch token.Kind {
		case End:
			return dst, nil
		case EndObject, EndArray:
			level--
			if last != BeginObject && last != BeginArray {
				dst = layout.newLine(dst, level)
			}
		default:
			switch last {
			case End, Name:
			case BeginObject, BeginArray:
				dst = layout.newLine(dst, level)
			default:
				dst = layout.newLine(append(dst, ','), level)
			}
		}
		dst = append(dst, token.Raw...)
		switch token.Kind {
		case BeginObject, BeginArray:
			level++
		case Name:
			dst = append(dst, ':')
			if layout.Indent > 0 {
				dst = append(dst, ' ')
			}
		}
		last = token.Kind
		if budget.Exceeded(dst) {
			return nil, budget.Failure()
		}
		if n%everyTokens == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

const spaces = "                                                                "

func (l Layout) newLine(dst []byte, level int) []byte {
	if l.Indent == 0 {
		return dst
	}
	dst = append(dst, '\n')
	width := l.Indent * level
	for ; width > len(spaces); width -= len(spaces) {
		dst = append(dst, spaces...)
	}
	return append(dst, spaces[:width]...)
}
