package jsondoc

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// Scanner reads the tokens of one text in order. The text must be valid
// UTF-8.
type Scanner struct {
	// RefuseUnsafe makes numbers that SafeNumber does not accept an error.
	// Set it before the first token.
	RefuseUnsafe bool
	// SawUnsafe says that such a number has been read.
	SawUnsafe bool

	text string
	pos  int
	next state
	// open holds one entry for each open array or object: for an object the
	// number of names on the stack when it began, for an array inArray.
	open  []int
	names names
}

// state says what may come next.
type state uint8

const (
	wantValue     state = iota // a value and nothing else
	wantElement                // after '[': a value or ']'
	wantName                   // after '{': a name or '}'
	wantArrayNext              // after an element: ',' or ']'
	wantNameNext               // after a member: ',' or '}'
	wantEnd                    // after the text's one value: nothing
)

const inArray = -1

// NewScanner returns a scanner at the start of text.
func NewScanner(text string) *Scanner {
	return &Scanner{text: text}
}

// Depth is the number of arrays and objects that are open.
func (s *Scanner) Depth() int { return len(s.open) }

// Offset is the byte offset just behind the last token (behind a name: its
// colon).
func (s *Scanner) Offset() int { return s.pos }

// Next returns the next token, with Kind End when the text is complete. The
// error is a *convert.Failure with the place; after it the scanner must not
// be used again.
func (s *Scanner) Next() (Token, error) {
	i := skipSpace(s.text, s.pos)
	switch s.next {
	case wantElement:
		if i < len(s.text) && s.text[i] == ']' {
			return s.end(i, EndArray)
		}
	case wantName:
		if i < len(s.text) && s.text[i] == '}' {
			return s.end(i, EndObject)
		}
		return s.name(i)
	case wantArrayNext:
		if i >= len(s.text) {
			return s.fail(i, unfinished())
		}
		if s.text[i] == ']' {
			return s.end(i, EndArray)
		}
		if s.text[i] != ',' {
			return s.misplaced(i, convert.Refuse(convert.InvalidJSON,
				"A comma or the end of the array is missing.",
				"Write a comma between two elements and ] behind the last."))
		}
		i = skipSpace(s.text, i+1)
	case wantNameNext:
		if i >= len(s.text) {
			return s.fail(i, unfinished())
		}
		if s.text[i] == '}' {
			return s.end(i, EndObject)
		}
		if s.text[i] != ',' {
			return s.misplaced(i, convert.Refuse(convert.InvalidJSON,
				"A comma or the end of the object is missing.",
				"Write a comma between two members and } behind the last."))
		}
		return s.name(skipSpace(s.text, i+1))
	case wantEnd:
		if i < len(s.text) {
			return s.misplaced(i, convert.Refuse(convert.InvalidJSON,
				"More text follows the JSON value.",
				"Send exactly one JSON value; put several into an array."))
		}
		return Token{Kind: End}, nil
	}
	return s.value(i)
}

// value reads a value, or the beginning of one, at i.
func (s *Scanner) value(i int) (Token, error) {
	if i >= len(s.text) {
		return s.fail(i, unfinished())
	}
	switch c := s.text[i]; c {
	case '"':
		end, escaped, err := scanString(s.text, i)
		if err != nil {
			return Token{}, err
		}
		s.after(end)
		return Token{Kind: String, Escaped: escaped, Raw: s.text[i:end]}, nil
	case '{':
		return s.begin(i, BeginObject, wantName, s.names.len())
	case '[':
		return s.begin(i, BeginArray, wantElement, inArray)
	case 't':
		return s.literal(i, "true", True)
	case 'f':
		return s.literal(i, "false", False)
	case 'n':
		return s.literal(i, "null", Null)
	default:
		if c != '-' && !isDigit(c) {
			return s.fail(i, noValue(s.text[i:]))
		}
		return s.number(i)
	}
}

// noValue is the refusal of rest, which begins no JSON value.
func noValue(rest string) *convert.Failure {
	if strings.HasPrefix(rest, "\uFEFF") {
		return convert.Refuse(convert.InvalidJSON,
			"A byte order mark stands where a JSON value is expected.",
			"Save or send the text as UTF-8 without a byte order mark.")
	}
	return convert.Refuse(convert.InvalidJSON,
		"A JSON value is expected here.",
		"Write a string in double quotes, a number, true, false, null, an object or an array; JSON has no comments, single quotes, trailing commas or NaN.")
}

func (s *Scanner) number(i int) (Token, error) {
	n := scanNumber(s.text, i)
	if n.bad {
		return s.fail(n.end, badNumber())
	}
	raw := s.text[i:n.end]
	if !n.plainlySafe() && !SafeNumber(raw) {
		if n.end < len(s.text) && !endsNumber(s.text[n.end]) {
			return s.fail(n.end, badNumber())
		}
		s.SawUnsafe = true
		if s.RefuseUnsafe {
			return s.fail(i, convert.Refuse(convert.UnsafeNumber,
				"A number would change its value in a reader that uses double precision.",
				"Write the number as a string, or keep integers within ±9007199254740991 and other numbers to 17 significant digits that a double holds."))
		}
	}
	s.after(n.end)
	return Token{Kind: Number, Raw: raw}, nil
}

func badNumber() *convert.Failure {
	return convert.Refuse(convert.InvalidJSON,
		"A number is not written as JSON asks.",
		"Write digits with no leading zero, plus sign, separators or hexadecimal, and digits on both sides of a decimal point and behind an exponent's e.")
}

// endsNumber reports whether c may stand right behind a number.
func endsNumber(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r', ',', ']', '}':
		return true
	}
	return false
}

func (s *Scanner) literal(i int, word string, kind Kind) (Token, error) {
	end := i + len(word)
	if end > len(s.text) || s.text[i:end] != word {
		return s.fail(i, convert.Refuse(convert.InvalidJSON,
			"A bare word is not a JSON value.",
			"Only true, false and null, in lower case, stand without quotes."))
	}
	s.after(end)
	return Token{Kind: kind, Raw: word}, nil
}

// name reads a member's name and its colon at i.
func (s *Scanner) name(i int) (Token, error) {
	if i >= len(s.text) {
		return s.fail(i, unfinished())
	}
	if s.text[i] != '"' {
		return s.fail(i, convert.Refuse(convert.InvalidJSON,
			"A member's name is expected here.",
			"Write each name in double quotes, and no comma behind the last member."))
	}
	end, escaped, err := scanString(s.text, i)
	if err != nil {
		return Token{}, err
	}
	token := Token{Kind: Name, Escaped: escaped, Raw: s.text[i:end]}
	colon := skipSpace(s.text, end)
	if colon >= len(s.text) {
		return s.fail(colon, unfinished())
	}
	if s.text[colon] != ':' {
		return s.fail(colon, convert.Refuse(convert.InvalidJSON,
			"The colon behind a member's name is missing.",
			"Write a colon between each name and its value."))
	}
	if !s.names.add(s.open[len(s.open)-1], token.Content()) {
		return s.fail(i, convert.Refuse(convert.DuplicateKey,
			"A member name stands twice in one object.",
			"Remove or rename one of the two members; names are compared after unescaping."))
	}
	s.pos, s.next = colon+1, wantValue
	return token, nil
}

func (s *Scanner) begin(i int, kind Kind, next state, entry int) (Token, error) {
	if len(s.open) == MaxDepth {
		return s.fail(i, convert.Refuse(convert.TooDeep,
			"Arrays and objects are nested deeper than %d levels.",
			"Flatten the document or convert its parts one by one.", MaxDepth))
	}
	s.open = append(s.open, entry)
	s.pos, s.next = i+1, next
	return Token{Kind: kind, Raw: s.text[i : i+1]}, nil
}

func (s *Scanner) end(i int, kind Kind) (Token, error) {
	last := len(s.open) - 1
	if base := s.open[last]; base != inArray {
		s.names.drop(base)
	}
	s.open = s.open[:last]
	s.after(i + 1)
	return Token{Kind: kind, Raw: s.text[i : i+1]}, nil
}

// after sets what may follow a complete value that ends at end.
func (s *Scanner) after(end int) {
	s.pos = end
	switch {
	case len(s.open) == 0:
		s.next = wantEnd
	case s.open[len(s.open)-1] == inArray:
		s.next = wantArrayNext
	default:
		s.next = wantNameNext
	}
}

func (s *Scanner) fail(at int, f *convert.Failure) (Token, error) {
	return Token{}, f.At(s.text, at)
}

// misplaced refuses what stands at i, behind a value, where f says what would
// have been right. Right behind a number it is the number that is not JSON:
// 0x1F, 1_000, 1.2.3.
func (s *Scanner) misplaced(i int, f *convert.Failure) (Token, error) {
	if i == s.pos && isDigit(s.text[i-1]) && !endsNumber(s.text[i]) {
		f = badNumber()
	}
	return s.fail(i, f)
}

func unfinished() *convert.Failure {
	return convert.Refuse(convert.InvalidJSON,
		"The JSON text ends before its value is complete.",
		"Send the whole document: one JSON value with every string, array and object closed.")
}

// skipSpace returns the offset of the first byte at or behind i that is not
// white space (RFC 8259, section 2).
func skipSpace(text string, i int) int {
	for i < len(text) {
		c := text[i]
		if c > ' ' {
			return i
		}
		switch c {
		case ' ':
			// Indented documents are mostly runs of spaces.
			for i+8 <= len(text) && load64(text, i) == eightSpaces {
				i += 8
			}
			if i < len(text) && text[i] == ' ' {
				i++
			}
		case '\n', '\t', '\r':
			i++
		default:
			return i
		}
	}
	return i
}
