package shell

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// Source is a POSIX script as it is written: its words, comments and
// here-documents with their positions. Nothing in it is evaluated, so a variable
// stays a part of its word wherever it has a value.
type Source struct {
	Text     string // what the positions are in
	Blocks   []Block
	Commands []*Command
	// Tokens are in the order in which they end, so those within a substitution
	// are in front of the word around them.
	Tokens []*Token
	Notes  []Note
	// Functions are the names of the functions that it defines.
	Functions map[string]bool
}

// Block is a stretch of the text that is shell: all of it, or one that is fenced
// in Markdown or found among sentences.
type Block struct {
	From, To int
	Heading  string
}

// Token is a stretch of the text that has a meaning of its own.
type Token struct {
	Kind     TokenKind
	From, To int
	// Word is what a word, a default or a here-document says.
	Word Word
	// Name is the variable that a word is assigned to, Array the one of an array
	// that it is an element of.
	Name, Array string
	// Misquoted says that an operator in a word was read as text, as an & in a URL
	// is, so that a shell needs it quoted.
	Misquoted bool
	// With replaces a Fix.
	With string
	// Document is set for a DocumentToken.
	Document *Document
}

// TokenKind says what a Token is.
type TokenKind uint8

// The kinds of token.
const (
	WordToken     TokenKind = iota
	CommentToken            // with its #
	DefaultToken            // the literal word of ${NAME:-word}
	DocumentToken           // the lines of a here-document
	FixToken                // what was not meant for a shell: a prompt, a terminal's output
)

// Document is a here-document.
type Document struct {
	Command  *Command // that reads it
	End      string   // its closing word, without quotes
	From, To int      // where the closing word is announced
	Quoted   bool     // the closing word is quoted, so nothing is expanded
	// Inexact says that the lines differ from the text: tabs or prompts were
	// removed. The parts of Word then have no positions.
	Inexact bool
}

// Parse reads text, without carriage returns, as Read does. ok is false when part
// of it is written for another shell.
func Parse(text string, b *budget.Budget) (source *Source, ok bool, err error) {
	s := newState(text, b)
	s.parsed = &Source{Text: text}
	blocks := s.blocks(text)
	for _, b := range blocks {
		if dialectOf(b.info, text[b.start:b.end]) != posix {
			return nil, false, nil
		}
		commands, tokens := len(s.script.Commands), len(s.parsed.Tokens)
		if failure := s.block(b); failure != nil {
			if failure.Code != convert.InvalidSource || len(blocks) == 1 || Mentions(text[b.start:b.end]) {
				return nil, true, failure
			}
			s.scopes = nil // a block without requests was not shell
			s.script.Commands, s.parsed.Tokens = s.script.Commands[:commands], s.parsed.Tokens[:tokens]
			continue
		}
		s.parsed.Blocks = append(s.parsed.Blocks, Block{b.start, b.end, b.heading})
	}
	s.connect(0)
	s.parsed.Commands, s.parsed.Notes = s.script.Commands, s.script.Notes
	s.parsed.Functions = map[string]bool{}
	for _, f := range s.defined {
		s.parsed.Functions[f.name] = true
	}
	return s.parsed, true, nil
}

// isExact reports whether what is read has positions in the source.
func (r *reader) isExact() bool { return !r.derived || r.exact }

// record adds a token, whose positions are those of what is read.
func (r *reader) record(t *Token) {
	if r.parsed == nil || !r.isExact() {
		return
	}
	t.From, t.To = r.place(t.From), r.place(t.To)
	r.parsed.Tokens = append(r.parsed.Tokens, t)
}

// lastToken returns the word that was just read, nil when it has no position.
func (r *reader) lastToken() *Token {
	if n := len(r.parsed.Tokens); n > 0 && r.isExact() && r.parsed.Tokens[n-1].To == r.place(r.pos) {
		return r.parsed.Tokens[n-1]
	}
	return nil
}

// nameToken says that the word that was read from an offset on is the value of a
// variable.
func (r *reader) nameToken(from int, name string) {
	if r.parsed == nil {
		return
	}
	if t := r.lastToken(); t != nil && t.Kind == WordToken && t.From == r.place(from) {
		t.Name = strings.TrimSuffix(name, "+")
	}
}

// nameElement says that the word that was read from an offset on is an element of
// an array.
func (r *reader) nameElement(from int, name string) {
	if r.parsed == nil {
		return
	}
	if t := r.lastToken(); t != nil && t.Kind == WordToken && t.From == r.place(from) {
		t.Array = name
	}
}

// edit replaces what no shell was meant to read.
func (r *reader) edit(from, to int, with string) {
	if r.parsed == nil || from == to && with == "" {
		return
	}
	fix := Token{Kind: FixToken, From: from, To: to, With: with}
	if !slices.ContainsFunc(r.parsed.Tokens[max(0, len(r.parsed.Tokens)-2):], func(t *Token) bool {
		return t.Kind == FixToken && t.From == r.place(from) && t.To == r.place(to)
	}) {
		r.record(&fix)
	}
}

// locate gives the part that was just read its position.
func (r *reader) locate(f *fields, from int) {
	if n := len(f.parts); r.parsed != nil && r.isExact() && n > 0 && f.literal.Len() == 0 {
		if p := &f.parts[n-1]; p.Kind != Literal && p.To == 0 {
			p.From, p.To = r.place(from), r.place(r.pos)
		}
	}
}

// recordDefault records the word of ${NAME:-word} when it is written as it reads.
func (r *reader) recordDefault(from int, name string, word Word) {
	if text, ok := word.Literal(); r.parsed != nil && ok && text != "" && r.text[from:r.pos-1] == text {
		r.record(&Token{Kind: DefaultToken, From: from, To: r.pos - 1, Word: word, Name: name})
	}
}

// recordDocument records the lines of a here-document.
func (r *reader) recordDocument(d *document, from, length int, exact bool, word Word) {
	if r.parsed == nil {
		return
	}
	doc := &Document{Command: d.cmd, End: d.end, From: r.place(d.word[0]), To: r.place(d.word[1]), Quoted: d.verbatim, Inexact: !exact}
	if !exact {
		length = r.pos - from
	}
	r.record(&Token{Kind: DocumentToken, From: from, To: from + length, Word: word, Document: doc})
}

// closeDocument removes the blanks around the line that closes a here-document
// and ends at next.
func (r *reader) closeDocument(next int) {
	if r.parsed == nil {
		return
	}
	end := next
	if end > 0 && r.text[end-1] == '\n' {
		end--
	}
	start := strings.LastIndexByte(r.text[:end], '\n') + 1
	line := r.text[start:end]
	left := start + len(line) - len(strings.TrimLeft(line, " \t"))
	r.edit(start, left, "")
	r.edit(left+len(strings.Trim(line, " \t")), end, "")
}
