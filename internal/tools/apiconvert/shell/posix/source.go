package posix

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Parse parses text into tokens. ok is false if part of it is written for
// another shell.
func Parse(text string, b *budget.Budget) (source *script.Source, ok bool, err error) {
	s := newState(text, b)
	s.parsed = &script.Source{Text: text}
	blocks := s.blocks(text)
	for _, b := range blocks {
		if paste.DialectOf(b.Info, text[b.Start:b.End]) != paste.POSIX {
			return nil, false, nil
		}
		commands, tokens := len(s.script.Commands), len(s.parsed.Tokens)
		if failure := s.block(b, (*Reader).Block); failure != nil {
			if failure.Code != convert.InvalidSource || len(blocks) == 1 || paste.Mentions(text[b.Start:b.End]) {
				return nil, true, failure
			}
			s.scopes = nil // a block without requests is not shell
			s.script.Commands, s.parsed.Tokens = s.script.Commands[:commands], s.parsed.Tokens[:tokens]
			continue
		}
		s.parsed.Blocks = append(s.parsed.Blocks, script.Block{From: b.Start, To: b.End, Heading: b.Heading})
	}
	s.connect(0)
	s.parsed.Commands, s.parsed.Notes = s.script.Commands, s.script.Notes
	s.parsed.Functions = map[string]bool{}
	for _, f := range s.defined {
		s.parsed.Functions[f.name] = true
	}
	return s.parsed, true, nil
}

// record adds a token whose offsets are relative to Text.
func (r *Reader) record(t *script.Token) {
	if r.parsed == nil || !r.exact {
		return
	}
	t.From, t.To = r.Place(t.From), r.Place(t.To)
	r.parsed.Tokens = append(r.parsed.Tokens, t)
}

// lastToken returns the word that was just read, or nil if it has no position.
func (r *Reader) lastToken() *script.Token {
	if n := len(r.parsed.Tokens); n > 0 && r.exact && r.parsed.Tokens[n-1].To == r.Place(r.Pos) {
		return r.parsed.Tokens[n-1]
	}
	return nil
}

// nameToken marks the word read from the given offset on as the value of a variable or as an element of an array.
func (r *Reader) nameToken(from int, variable, array string) {
	if r.parsed == nil {
		return
	}
	if t := r.lastToken(); t != nil && t.Kind == script.WordToken && t.From == r.Place(from) {
		t.Name, t.Array = strings.TrimSuffix(variable, "+"), array
	}
}

// edit records a replacement for something that isn't meant for a shell.
func (r *Reader) edit(from, to int, with string) {
	if r.parsed == nil || from == to && with == "" {
		return
	}
	fix := script.Token{Kind: script.FixToken, From: from, To: to, With: with}
	if !slices.ContainsFunc(r.parsed.Tokens[max(0, len(r.parsed.Tokens)-2):], func(t *script.Token) bool {
		return t.Kind == script.FixToken && t.From == r.Place(from) && t.To == r.Place(to)
	}) {
		r.record(&fix)
	}
}

// locate sets the position of the part that was just read.
func (r *Reader) locate(f *Fields, from int) {
	if n := len(f.parts); r.parsed != nil && r.exact && n > 0 && f.Literal.Len() == 0 {
		if p := &f.parts[n-1]; p.Kind != script.Literal && p.To == 0 {
			p.From, p.To = r.Place(from), r.Place(r.Pos)
		}
	}
}

// recordDefault records the word of ${NAME:-word} if its source is the same as its value.
func (r *Reader) recordDefault(from int, name string, word script.Word) {
	if text, ok := word.Literal(); r.parsed != nil && ok && text != "" && r.Text[from:r.Pos-1] == text {
		r.record(&script.Token{Kind: script.DefaultToken, From: from, To: r.Pos - 1, Word: word, Name: name})
	}
}

// recordDocument records the lines of a here-document.
func (r *Reader) recordDocument(d *document, from, length int, exact bool, word script.Word) {
	if r.parsed == nil {
		return
	}
	doc := &script.Document{Command: d.cmd, End: d.end, From: r.Place(d.word[0]), To: r.Place(d.word[1]), Quoted: d.verbatim, Inexact: !exact}
	if !exact {
		length = r.Pos - from
	}
	r.record(&script.Token{Kind: script.DocumentToken, From: from, To: from + length, Word: word, Document: doc})
}

// closeDocument records the removal of the blanks around the delimiter of a here-document that ends at next.
func (r *Reader) closeDocument(next int) {
	if r.parsed == nil {
		return
	}
	end := next
	if end > 0 && r.Text[end-1] == '\n' {
		end--
	}
	start := strings.LastIndexByte(r.Text[:end], '\n') + 1
	line := r.Text[start:end]
	left := start + len(line) - len(strings.TrimLeft(line, " \t"))
	r.edit(start, left, "")
	r.edit(left+len(strings.Trim(line, " \t")), end, "")
}
