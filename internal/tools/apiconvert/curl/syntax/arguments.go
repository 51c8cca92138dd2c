package syntax

import (
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Word is a word after curl.
type Word struct {
	Text string
	// Open reports that the word is a single unquoted variable, which may expand to any number of words, or to none.
	Open bool
	// Unknown reports that the word is "$@" or the like.
	Unknown bool
}

// NewWord returns a word of a command as a Word with the given text.
func NewWord(text string, w script.Word) Word {
	single := len(w) == 1 && w[0].Kind != script.Literal
	return Word{text, single && !w[0].Quoted, single && w[0].Kind == script.Arguments}
}

// Argument is an option with its value, or an operand, which is a URL.
type Argument struct {
	*Option        // nil for an operand or an unknown option
	Written string // the option as written, with its dashes; "" for an operand
	On      bool   // false for --no-name
	Expand  bool   // --expand-name
	Missing bool   // the option needs a value, but there is no word after it

	Word    int  // the index of the word
	Operand Word // the word, for an operand
	Letter  int  // the offset of the letter in the word, for an option of one letter

	Value     string
	ValueWord int // the index of the word that ends with the value
	ValueFrom int // the offset of the value in that word
}

// Scanner splits the words after curl into arguments.
type Scanner struct {
	words    []Word
	next     int  // the index of the word after the one being read
	letter   int  // the offset of the next letter in the word being read; 0: it has been read
	operands bool // after --
}

// NewScanner returns a Scanner of the words after curl.
func NewScanner(words []Word) *Scanner { return &Scanner{words: words} }

// Insert inserts words before those that have not been read.
func (s *Scanner) Insert(words []Word) {
	s.words, s.next = append(words, s.words[s.next:]...), 0
}

// Scan returns the next argument. ok is false at the end.
func (s *Scanner) Scan() (a Argument, ok bool) {
	if s.letter > 0 {
		return s.short(), true
	}
	if s.next == len(s.words) {
		return Argument{}, false
	}
	s.next++
	w := s.words[s.next-1]
	switch text := w.Text; {
	case s.operands || !strings.HasPrefix(text, "-") || text == "-":
		return Argument{Word: s.next - 1, Operand: w}, true
	case text == "--":
		s.operands = true
		return s.Scan()
	case strings.HasPrefix(text, "--"):
		return s.long(text), true
	}
	s.letter = 1
	return s.short(), true
}

// long reads an option by its long name, which may begin with no- or expand-. The value is after = or in the next word.
func (s *Scanner) long(text string) Argument {
	name, value, joined := strings.Cut(text[2:], "=")
	a := Argument{Option: Long(name), Written: "--" + name, On: true, Word: s.next - 1}
	if rest, ok := strings.CutPrefix(name, "no-"); a.Option == nil && ok {
		if o := Long(rest); o != nil && !o.HasArgument {
			a.Option, a.On = o, false
		}
	}
	if rest, ok := strings.CutPrefix(name, "expand-"); a.Option == nil && ok {
		a.Option, a.Expand = Long(rest), true
	}
	switch {
	case a.Option == nil && !joined:
		s.skipUnknown()
	case a.Option == nil || !a.HasArgument:
	case joined:
		a.Value, a.ValueWord, a.ValueFrom = value, a.Word, len(text)-len(value)
	default:
		s.take(&a)
	}
	return a
}

// take reads the value of an option from the next word.
func (s *Scanner) take(a *Argument) {
	if a.Missing = s.next == len(s.words); !a.Missing {
		a.Value, a.ValueWord = s.words[s.next].Text, s.next
		s.next++
	}
}

// skipUnknown skips the word after an unknown option if it looks like its value, that is, neither an option nor a URL.
func (s *Scanner) skipUnknown() {
	if s.next == len(s.words) {
		return
	}
	if w := s.words[s.next]; !w.Open && !strings.HasPrefix(w.Text, "-") && !looksLikeURL(w.Text) {
		s.next++
	}
}

// looksLikeURL reports whether text is a URL rather than a value.
func looksLikeURL(text string) bool {
	host, _, _ := strings.Cut(text, "/")
	return strings.Contains(text, "://") || strings.HasPrefix(text, "{{") ||
		strings.HasPrefix(text, "localhost") || strings.HasPrefix(text, "www.") ||
		strings.Contains(text, "/") && strings.Contains(host, ".") ||
		strings.Contains(host, ".") && strings.Contains(host, ":")
}

// short reads one letter of a word. The first option with a value takes the rest of the word, or the next word.
func (s *Scanner) short() Argument {
	text := s.words[s.next-1].Text
	c, size := utf8.DecodeRuneInString(text[s.letter:])
	a := Argument{Option: Letter(c), Written: "-" + string(c), On: true, Word: s.next - 1, Letter: s.letter}
	switch s.letter += size; {
	case a.Option != nil && a.HasArgument && s.letter < len(text):
		a.Value, a.ValueWord, a.ValueFrom = text[s.letter:], a.Word, s.letter
		s.letter = 0
	case a.Option != nil && a.HasArgument:
		s.take(&a)
		s.letter = 0
	case s.letter == len(text):
		s.letter = 0
	}
	return a
}
