package posix

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// Parse parses text into tokens. ok is false if part of it is written for another shell, if several blocks or none are
// shell, or if Read corrects what a shell would read differently.
func Parse(text string, b *budget.Budget) (source *script.Source, ok bool, err error) {
	s := newState(text, b)
	s.parses = true
	ok, err = s.read([]func(*Reader){paste.POSIX: (*Reader).Block})
	if !ok || err != nil {
		return nil, ok, err
	}
	if len(s.blocks) != 1 || s.corrected {
		return nil, false, nil
	}
	block := s.blocks[0]
	source = &script.Source{
		Text: text, From: block.Start, To: block.End, Heading: block.Heading,
		Commands: s.script.Commands, Tokens: s.tokens, Functions: map[string]bool{},
	}
	for _, f := range s.defined {
		source.Functions[f.name] = true
	}
	return source, true, nil
}

// record adds a token whose offsets are relative to Text. It returns nil if they are not offsets in the source.
func (r *Reader) record(t *script.Token) *script.Token {
	if !r.parses || !r.exact {
		return nil
	}
	t.From, t.To = r.place(t.From), r.place(t.To)
	r.tokens = append(r.tokens, t)
	return t
}

// nameToken marks the word that was just read as the value of a variable or as an element of an array.
func (r *Reader) nameToken(variable, array string) {
	if r.token != nil {
		r.token.Name, r.token.Array = strings.TrimSuffix(variable, "+"), array
	}
}

// locate sets the position of the part that was just read.
func (r *Reader) locate(f *Fields, from int) {
	if n := len(f.parts); r.parses && r.exact && n > 0 && f.Literal.Len() == 0 {
		if p := &f.parts[n-1]; p.Kind != script.Literal && p.To == 0 {
			p.From, p.To = r.place(from), r.place(r.Pos)
		}
	}
}

// recordOperand records a literal or a quoted string in the operand of ${NAME:-operand}.
func (r *Reader) recordOperand(from int, inQuotes bool, word script.Word) {
	r.record(&script.Token{Kind: script.OperandToken, From: from, To: r.Pos, Word: word, InQuotes: inQuotes})
}

// recordDefault records a literal default, which begins at from, as a value of the variable, instead of its parts. Blanks
// outside of quotes separate words, which it keeps. In a function, $1 is no argument of the script, so its default
// belongs to no variable.
func (r *Reader) recordDefault(first, from int, name, op string, inQuotes bool, word script.Word) {
	text, literal := word.Literal()
	if !r.parses || !r.exact || op != "-" && op != "=" || !literal || text == "" ||
		!script.IsNameStart(name[0]) && r.Within()&script.Function != 0 {
		return
	}
	r.tokens = r.tokens[:first]
	r.record(&script.Token{
		Kind: script.OperandToken, From: from, To: r.Pos - 1, Word: word, Name: name, InQuotes: inQuotes,
	})
}

// recordDocument records the lines of a here-document.
func (r *Reader) recordDocument(d *document, from, length int, exact bool, word script.Word) {
	doc := &script.Document{
		End: d.end, From: r.place(d.word[0]), To: r.place(d.word[1]), Quoted: d.verbatim, Inexact: !exact,
		Input: len(d.cmd.Words) == 0 || d.cmd.CommandName() == "cat" && d.cmd.PipesInto == "|",
	}
	if !exact {
		length = r.Pos - from
	}
	r.record(&script.Token{Kind: script.DocumentToken, From: from, To: from + length, Word: word, Document: doc})
}
