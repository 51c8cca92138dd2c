package cli

import (
	"bytes"
	"io"
	"iter"

	"github.com/convertd/convertd/internal/convert"
)

// batch is how many bytes of lines one worker converts at a time.
const batch = 256 << 10

// Batch is some lines of an input.
type Batch struct {
	First int    // the number of the first line, from 1
	Text  string // whole lines; only the last line of the input may lack a line feed
	Err   error  // why there are no more lines; Text is "" then
}

// Lines yields the number and text of each line, without LF or CR LF.
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

// ReadLines yields the lines of an input in batches, without holding all of it. A
// line longer than most bytes ends it with a *TooLarge.
func ReadLines(name string, from io.Reader, most int64) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		first := 1
		var rest []byte // the beginning of an incomplete line
		for {
			text := make([]byte, len(rest), max(len(rest)+len(rest)/2, batch)+1)
			copy(text, rest)
			n, err := io.ReadFull(from, text[len(text):cap(text)])
			text = text[:len(text)+n]
			end, ended := len(text), err == io.EOF || err == io.ErrUnexpectedEOF
			if !ended { // the last line may be incomplete; rest has no line feed
				end = len(rest) + bytes.LastIndexByte(text[len(rest):], '\n') + 1
				if end == len(rest) {
					end = 0
				}
			}
			rest = text[end:]
			lines, long := within(text[:end], most)
			long = long || int64(len(rest)) > most
			if len(lines) > 0 {
				if !yield(Batch{First: first, Text: convert.OwnedText(lines)}) {
					return
				}
				first += bytes.Count(lines, []byte("\n"))
			}
			switch {
			case long:
				yield(Batch{First: first, Err: &TooLarge{Name: name, Most: most, Line: first}})
				return
			case ended:
				return
			case err != nil:
				yield(Batch{First: first, Err: err})
				return
			}
		}
	}
}

// within returns the lines before the first one that is longer than most bytes, and whether there is one.
func within(lines []byte, most int64) (before []byte, long bool) {
	if int64(len(lines)) <= most {
		return lines, false // usually: most is 1 GiB by default
	}
	end := 0
	for line := range bytes.Lines(lines) {
		if int64(len(bytes.TrimSuffix(line, []byte("\n")))) > most {
			return lines[:end], true
		}
		end += len(line)
	}
	return lines, false
}
