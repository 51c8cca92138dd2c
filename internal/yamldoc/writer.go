package yamldoc

import (
	"context"
	"slices"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// everyTokens is how often FromJSON checks its context.
const everyTokens = 1024

// FromJSON appends the text that s reads, from its start to its end, as one YAML document that ends with one
// line feed. indent, 1 to 8, is the number of spaces per level of mappings, and of sequences inside mappings;
// the contents of a sequence are indented by the two characters of its dash.
//
// It keeps member order and the digits of numbers. FromJSON fails with the scanner's error, with limit's
// failure or its writer's, or with ctx's error. If the limit streams, the result is the rest that has not been
// drained. It does not check that numbers are safe: set s.RejectUnsafe for that.
func FromJSON(ctx context.Context, dst []byte, s *jsondoc.Scanner, indent int, limit *convert.OutputLimit) ([]byte, error) {
	w := writer{indent: indent, limit: limit}
	for n := 1; ; n++ {
		token, err := s.Next()
		if err != nil {
			return nil, err
		}
		if token.Kind == jsondoc.End {
			dst = w.finish(dst)
		} else {
			dst = w.token(dst, token)
		}
		if limit.Exceeded(dst) {
			return nil, limit.Failure()
		}
		if dst = w.drain(dst); w.err != nil {
			return nil, w.err
		}
		if token.Kind == jsondoc.End {
			return dst, nil
		}
		if n%everyTokens == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
}

// writer is the state of a document being written. Its methods pass the output on; between two tokens it ends
// without a line feed, because the code that writes the next line begins it.
type writer struct {
	indent int
	limit  *convert.OutputLimit
	err    error // from the limit's writer

	place place
	depth int // how many of the levels below are open
	open  [jsondoc.MaxDepth]level

	// content holds the text of the last string that had escapes.
	content []byte
	// held is the literal block that is still to be written, of that text.
	held block
}

// drain flushes dst if the output is streamed. Code still looks at an incomplete key, so drain is only called
// between tokens and inside a block.
func (w *writer) drain(dst []byte) []byte {
	if len(dst) >= convert.Chunk && w.err == nil {
		dst, w.err = w.limit.Drain(dst)
	}
	return dst
}

// place is what precedes the next value.
type place uint8

const (
	atStart       place = iota // nothing: it is the whole document
	behindDash                 // "- "
	behindKey                  // "key:"
	behindLongKey              // "? key", and ":" on the next line
)

// level is an open mapping or sequence.
type level struct {
	column   int // of its keys or dashes
	sequence bool
	inline   bool // its first entry goes on the line where the cursor is
	begun    bool // it has an entry
}

func (w *writer) token(dst []byte, t jsondoc.Token) []byte {
	switch t.Kind {
	case jsondoc.EndObject:
		return w.end(dst, "{}")
	case jsondoc.EndArray:
		return w.end(dst, "[]")
	}
	if w.held != (block{}) {
		dst = w.release(dst)
	}
	if t.Kind == jsondoc.Name {
		return w.key(w.entry(dst), t)
	}
	if w.depth > 0 && w.open[w.depth-1].sequence {
		dst = append(w.entry(dst), "- "...)
		w.place = behindDash
	}
	if t.Kind == jsondoc.BeginObject || t.Kind == jsondoc.BeginArray {
		w.begin(t.Kind == jsondoc.BeginArray)
		return dst
	}
	if w.place >= behindKey {
		dst = append(dst, ' ')
	}
	switch t.Kind {
	case jsondoc.String:
		return w.value(dst, t)
	case jsondoc.Number:
		return appendNumber(dst, t.Raw)
	}
	return append(dst, t.Raw...) // true, false and null are the same in YAML
}

// begin opens a mapping or sequence. It writes nothing, because an empty one looks different: the first entry
// writes the first line.
func (w *writer) begin(sequence bool) {
	column := 0
	switch w.place {
	case behindDash:
		column = w.open[w.depth-1].column + len("- ")
	case behindKey, behindLongKey:
		column = w.open[w.depth-1].column + w.indent
	}
	w.open[w.depth] = level{column: column, sequence: sequence, inline: w.place < behindKey}
	w.depth++
}

// end closes the innermost mapping or sequence; empty is its notation if it has no entries.
func (w *writer) end(dst []byte, empty string) []byte {
	w.depth--
	l := &w.open[w.depth]
	if l.begun {
		return dst
	}
	if !l.inline {
		dst = append(dst, ' ')
	}
	return append(dst, empty...)
}

// entry begins an entry of the innermost mapping or sequence, on a new line unless it is the first and the line
// has begun.
func (w *writer) entry(dst []byte) []byte {
	l := &w.open[w.depth-1]
	if l.begun || !l.inline {
		dst = appendLine(dst, l.column)
	}
	l.begun = true
	return dst
}

// longKey is the number of bytes from which a key is written with ?. Readers
// count characters, UTF-16 code units or bytes up to 1,024.
const longKey = 1000

// key writes a mapping's key and its colon.
func (w *writer) key(dst []byte, t jsondoc.Token) []byte {
	start := len(dst)
	dst = appendText(dst, w.decode(t))
	w.place = behindKey
	if len(dst)-start > longKey {
		dst = slices.Insert(dst, start, '?', ' ')
		dst = appendLine(dst, w.open[w.depth-1].column)
		w.place = behindLongKey
	}
	return append(dst, ':')
}

// finish ends the last line. A block that is held back would end with several line feeds, so its text is quoted
// instead.
func (w *writer) finish(dst []byte) []byte {
	if w.held != (block{}) {
		dst = appendQuoted(dst, w.decoded())
	}
	return append(dst, '\n')
}

const newLineAndSpaces = "\n                                                                "

// appendLine begins a line that is indented to the given column.
func appendLine(dst []byte, column int) []byte {
	n := min(column, len(newLineAndSpaces)-1)
	dst = append(dst, newLineAndSpaces[:1+n]...)
	for column -= n; column > 0; column -= n {
		n = min(column, len(newLineAndSpaces)-1)
		dst = append(dst, newLineAndSpaces[1:1+n]...)
	}
	return dst
}
