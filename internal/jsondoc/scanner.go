package jsondoc

import (
	"strings"
	"sync"

	"github.com/convertd/convertd/internal/convert"
)

// Scanner reads the tokens of one text in order. The text must be valid UTF-8.
type Scanner struct {
	// RejectUnsafe rejects numbers for which SafeNumber is false. Set it before the first token.
	RejectUnsafe bool
	// SawUnsafe reports whether such a number has been read.
	SawUnsafe bool

	text  string
	pos   int     // after the last token (after a name: its colon)
	next  state   // what may follow there
	in    frame   // the innermost open array or object
	outer []frame // those around it, and the text itself
	names names   // of all open objects

	escaped bool  // of the last name or string
	err     error // why the last step failed

	// decode enables decoding strings while they are checked, which avoids reading a large string twice.
	decode  bool
	content string // of the last string
	arena   []byte // holds the contents of strings with escapes
}

// frame is an open array or object, or the text itself.
type frame struct {
	after state // what may follow a value in it
	names scope // of an object
}

// state is what may come next.
type state uint8

const (
	wantValue     state = iota // a value and nothing else
	wantElement                // after '[': a value or ']'
	wantName                   // after '{': a name or '}'
	wantArrayNext              // after an element: ',' or ']'
	wantNameNext               // after a member: ',' or '}'
	wantEnd                    // after the text's one value: nothing
)

// NewScanner returns a scanner at the start of text, which must have at most MaxText bytes. Callers should
// Release it when they are done.
func NewScanner(text string) *Scanner {
	s := scanners.Get().(*Scanner)
	s.text, s.names.text = text, text
	s.in = frame{after: wantEnd}
	return s
}

// NewContentScanner is like NewScanner for readers that need the decoded content of strings, see Content.
func NewContentScanner(text string) *Scanner {
	s := NewScanner(text)
	s.decode = true
	return s
}

// Content returns the decoded content of the last String token. Without escapes it shares the text's memory.
func (s *Scanner) Content() string { return s.content }

// scanners is a pool of released scanners with room for most texts: a small request uses three or four of them.
var scanners = sync.Pool{New: func() any {
	return &Scanner{outer: make([]frame, 0, 16), names: names{stack: make([]span, 0, 64)}}
}}

// keptNames is the largest stack of names, in spans, that a released scanner keeps.
const keptNames = 1024

// Release makes the scanner's memory available to another one. Afterwards neither the scanner nor what it
// returned, except tokens, may be used.
func (s *Scanner) Release() {
	if cap(s.names.stack) > keptNames {
		return
	}
	*s = Scanner{outer: s.outer[:0], names: names{stack: s.names.stack[:0]}}
	scanners.Put(s)
}

// Contents returns the memory of the contents with escapes. Pass it to Recycle when none of them is in use any more.
func (s *Scanner) Contents() []byte { return s.arena }

// keptArena is the largest arena, in bytes, that is reused: that of a whole request.
const keptArena = 1<<20 + 8

var arenas sync.Pool

// Recycle makes the memory that Contents returned available to other scanners.
func Recycle(contents []byte) {
	if contents != nil && cap(contents) <= keptArena {
		contents = contents[:0]
		arenas.Put(&contents)
	}
}

// newArena returns an empty slice with room for the given number of bytes.
func newArena(bytes int) []byte {
	if recycled, ok := arenas.Get().(*[]byte); ok && cap(*recycled) >= bytes {
		return *recycled
	}
	return make([]byte, 0, bytes)
}

// Depth returns the number of open arrays and objects.
func (s *Scanner) Depth() int { return len(s.outer) }

// Offset returns the byte offset just after the last token (after a name: its colon).
func (s *Scanner) Offset() int { return s.pos }

// Next returns the next token, with Kind End when the text is complete. The error is a *convert.Failure with
// the position; after an error the scanner must not be used again.
func (s *Scanner) Next() (Token, error) {
	kind, from, to := s.step()
	if kind == refused {
		return Token{}, s.err
	}
	escaped := s.escaped && (kind == Name || kind == String)
	return Token{Kind: kind, Escaped: escaped, Raw: s.text[from:to]}, nil
}

// refused is the kind that step returns on failure.
const refused Kind = 0xFF

// step reads the next token and returns its bounds. It leaves in s whether a string has escapes, and the error:
// step runs once for every few bytes of a text, and its results stay in registers.
func (s *Scanner) step() (kind Kind, from, to int) {
	i := skipSpace(s.text, s.pos)
	if i >= len(s.text) {
		return s.endOfText(i)
	}
	c := s.text[i]
	switch s.next {
	case wantArrayNext:
		if c == ']' {
			return s.end(i, EndArray)
		}
		if c != ',' {
			return s.misplaced(i, convert.Reject(convert.InvalidJSON,
				"A comma or the end of the array is missing.",
				"Separate elements with commas and end the array with ]."))
		}
		i = skipSpace(s.text, i+1)
	case wantNameNext:
		if c == '}' {
			return s.end(i, EndObject)
		}
		if c != ',' {
			return s.misplaced(i, convert.Reject(convert.InvalidJSON,
				"A comma or the end of the object is missing.",
				"Separate members with commas and end the object with }."))
		}
		return s.name(skipSpace(s.text, i+1))
	case wantElement:
		if c == ']' {
			return s.end(i, EndArray)
		}
	case wantName:
		if c == '}' {
			return s.end(i, EndObject)
		}
		return s.name(i)
	case wantEnd:
		return s.misplaced(i, convert.Reject(convert.InvalidJSON,
			"Unexpected characters after the JSON value.",
			"Send exactly one JSON value; put several values in an array."))
	}
	return s.value(i)
}

// value reads a value, or the start of one, at i.
func (s *Scanner) value(i int) (Kind, int, int) {
	if i >= len(s.text) {
		return s.endOfText(i)
	}
	switch c := s.text[i]; c {
	case '"':
		if s.decode {
			return s.decodedString(i)
		}
		end, escaped, f := scanString(s.text, i)
		if f != nil {
			return s.fail(end, f)
		}
		s.escaped = escaped
		return s.scalar(i, end, String)
	case '{':
		return s.begin(i, BeginObject)
	case '[':
		return s.begin(i, BeginArray)
	case 't':
		if strings.HasPrefix(s.text[i:], "true") {
			return s.scalar(i, i+4, True)
		}
	case 'f':
		if strings.HasPrefix(s.text[i:], "false") {
			return s.scalar(i, i+5, False)
		}
	case 'n':
		if strings.HasPrefix(s.text[i:], "null") {
			return s.scalar(i, i+4, Null)
		}
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return s.number(i)
	}
	return s.fail(i, noValue(s.text[i:], strings.TrimSpace(s.text[:i]) == ""))
}

// decodedString reads the string at i and decodes it. All contents with escapes share one arena: together they
// are no longer than the text.
func (s *Scanner) decodedString(i int) (Kind, int, int) {
	end := plain(s.text, i+1)
	if end < len(s.text) && s.text[end] == '"' {
		s.content = s.text[i+1 : end]
		return s.scalar(i, end+1, String)
	}
	if s.arena == nil {
		s.arena = newArena(len(s.text) - i + 8)
	}
	from := len(s.arena)
	arena, end := appendContent(s.arena, s.text, i)
	if end < 0 {
		at, _, f := scanString(s.text, i)
		return s.fail(at, f)
	}
	s.arena, s.content = arena, convert.OwnedText(arena[from:])
	return s.scalar(i, end, String)
}

// name reads a member's name and its colon at i.
func (s *Scanner) name(i int) (Kind, int, int) {
	if i >= len(s.text) {
		return s.endOfText(i)
	}
	if s.text[i] != '"' {
		return s.fail(i, convert.Reject(convert.InvalidJSON,
			"A member name is expected here.",
			"Put each member name in double quotes, and remove a trailing comma."))
	}
	end, escaped, f := scanString(s.text, i)
	if f != nil {
		return s.fail(end, f)
	}
	colon := skipSpace(s.text, end)
	if colon >= len(s.text) {
		return s.endOfText(colon)
	}
	if s.text[colon] != ':' {
		return s.fail(colon, convert.Reject(convert.InvalidJSON,
			"A colon is missing after a member name.",
			"Write a colon between each name and its value."))
	}
	content := span{int32(i + 1), int32(end - 1)}
	if escaped {
		content = s.names.unescape(s.text[i:end])
	}
	if !s.names.add(&s.in.names, content) {
		return s.duplicate(Token{Kind: Name, Escaped: escaped, Raw: s.text[i:end]}, i)
	}
	s.pos, s.next, s.escaped = colon+1, wantValue, escaped
	return Name, i, end
}

func (s *Scanner) number(i int) (Kind, int, int) {
	n := scanNumber(s.text, i)
	if n.integer == 0 {
		return s.fail(n.end, badNumber())
	}
	if !n.triviallyExact() && !n.roundTrips(s.text) && !SafeNumber(s.text[i:n.end]) {
		if n.end < len(s.text) && looksNumeric(s.text[n.end]) {
			return s.fail(n.end, badNumber())
		}
		s.SawUnsafe = true
		if s.RejectUnsafe {
			return s.fail(i, convert.Reject(convert.UnsafeNumber,
				"Not every parser keeps this number: it is an integer beyond ±9007199254740991, or an IEEE 754 double changes it.",
				"Write the number as a string, as an integer within ±9007199254740991, or with at most 15 significant digits."))
		}
	}
	return s.scalar(i, n.end, Number)
}

// scalar completes a token that is a whole value.
func (s *Scanner) scalar(from, to int, kind Kind) (Kind, int, int) {
	s.pos, s.next = to, s.in.after
	return kind, from, to
}

func (s *Scanner) begin(i int, kind Kind) (Kind, int, int) {
	if len(s.outer) == MaxDepth {
		return s.fail(i, convert.Reject(convert.TooDeep,
			"Arrays and objects are nested deeper than %d levels.",
			"Flatten the document, or convert its parts one by one.", MaxDepth))
	}
	s.outer = append(s.outer, s.in)
	if kind == BeginObject {
		s.in = frame{after: wantNameNext, names: s.names.begin()}
		s.next = wantName
	} else {
		s.in = frame{after: wantArrayNext}
		s.next = wantElement
	}
	s.pos = i + 1
	return kind, i, i + 1
}

func (s *Scanner) end(i int, kind Kind) (Kind, int, int) {
	if kind == EndObject {
		s.names.drop(s.in.names)
	}
	last := len(s.outer) - 1
	s.in, s.outer = s.outer[last], s.outer[:last]
	return s.scalar(i, i+1, kind)
}

// endOfText handles the end of the text at i: End, or a failure if it is too early.
func (s *Scanner) endOfText(i int) (Kind, int, int) {
	if s.next != wantEnd {
		return s.fail(i, unfinished())
	}
	s.pos = i
	return End, i, i
}

func (s *Scanner) fail(at int, f *convert.Failure) (Kind, int, int) {
	s.err = f.At(s.text, at)
	return refused, 0, 0
}

// misplaced rejects what follows a value at i; f is the failure that says what was expected. If it continues a
// number that JSON doesn't allow, that is reported instead.
func (s *Scanner) misplaced(i int, f *convert.Failure) (Kind, int, int) {
	if i == s.pos && isDigit(s.text[i-1]) && looksNumeric(s.text[i]) {
		f = badNumber()
	}
	return s.fail(i, f)
}

func unfinished() *convert.Failure {
	return convert.Reject(convert.InvalidJSON,
		"The JSON ends before its value is complete.",
		"Send the complete document, with every string, array and object closed.")
}

func badNumber() *convert.Failure {
	return convert.Reject(convert.InvalidJSON,
		"The number is not valid JSON.",
		"Write it without a leading zero, plus sign, separators or hexadecimal digits, and with digits on both sides of a decimal point and after an exponent's e.")
}

// looksNumeric reports whether c, directly after a number, looks like part of it: 0x1F, 1_000, 1.2.3, 12px, a
// digit of another script.
func looksNumeric(c byte) bool {
	letter := c | 0x20
	return letter >= 'a' && letter <= 'z' || isDigit(c) || c == '.' || c == '_' || c == '+' || c == '-' || c >= 0x80
}

// beginsYAML reports whether a text begins with a key of a block mapping (YAML 1.2.2, section 8.2.2).
func beginsYAML(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	key, value, isPair := strings.Cut(strings.TrimSuffix(line, "\r"), ":")
	return isPair && !strings.ContainsAny(key, " \t\"{") && (value == "" || value[0] == ' ')
}

// noValue returns the failure for rest, which doesn't begin a JSON value. whole says that nothing is before it.
func noValue(rest string, whole bool) *convert.Failure {
	if whole && beginsYAML(rest) {
		return convert.Reject(convert.InvalidJSON,
			"Expected a JSON value; this looks like YAML.",
			"Convert it to JSON first, for example with yq -o=json. No tool of this service turns YAML into JSON.")
	}
	if c := rest[0] | 0x20; c >= 'a' && c <= 'z' {
		return convert.Reject(convert.InvalidJSON,
			"A word without quotes is not a JSON value.",
			"Write strings in double quotes. Only true, false and null, in lower case, have none.")
	}
	if strings.HasPrefix(rest, "\uFEFF") {
		return convert.Reject(convert.InvalidJSON,
			"Expected a JSON value, found a byte order mark.",
			"Save or send the document as UTF-8 without a byte order mark.")
	}
	return convert.Reject(convert.InvalidJSON,
		"Expected a JSON value.",
		"Write a string in double quotes, a number, true, false, null, an object or an array. JSON has no comments, single quotes, trailing commas or NaN.")
}
