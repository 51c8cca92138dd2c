package cli

import (
	"bytes"
	"io"
	"iter"

	"github.com/convertd/convertd/internal/convert"
)

// batch is how many bytes of lines are done at once.
const batch = 256 << 10

// Batch is some lines of an input.
type Batch struct {
	First int    // number of the first line, from 1
	Text  string // whole lines; only the input's last may lack its line feed
	Err   error  // why there are no more lines, of a batch without Text
}

// Lines yields the number and text of each line, without its line feed or CR LF.
func (b Batch) Lines() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number, text := b.First, []byte(b.Text)
		for len(text) > 0 {
			line, rest, _ := bytes.Cut(text, []byte("\n"))
			line = bytes.TrimSuffix(line, []byte("\r"))
			if !yield(number, convert.OwnedText(line)) {
				return
			}
			number, text = number+1, rest
		}
	}
}

// ReadLines yields the lines of an input in batches, so that it is never held
// whole; a line longer than most bytes ends it with a *TooLarge.
func ReadLines(name string, from io.Reader, most int64) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		first := 1
		var rest []byte // the beginning of a line
		for {
			text := make([]byte, len(rest), max(len(rest)+len(rest)/2, batch)+1)
			copy(text, rest)
			n, err := io.ReadFull(from, text[len(text):cap(text)])
			text = text[:len(text)+n]
			end := len(text)
			if err == nil {
				// What is left of a line has no line feed before n.
				end = len(rest) + bytes.LastIndexByte(text[len(rest):], '\n') + 1
				if end == len(rest) {
					end = 0
				}
			}
			rest = text[end:]
			if lines := text[:end]; len(lines) > 0 {
				if !yield(Batch{First: first, Text: convert.OwnedText(lines)}) {
					return
				}
				first += bytes.Count(lines, []byte("\n"))
			}
			switch {
			case err == io.EOF || err == io.ErrUnexpectedEOF:
				return
			case err != nil:
				yield(Batch{First: first, Err: err})
				return
			case int64(len(rest)) > most:
				yield(Batch{First: first, Err: &TooLarge{Name: name, Most: most, Line: first}})
				return
			}
		}
	}
}
