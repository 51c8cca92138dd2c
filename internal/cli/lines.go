package cli

import (
	"bufio"
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
}

// ReadLines yields the lines of a file, or of standard input for "-", in batches, without holding all of it. An error ends it;
// that of a line longer than most bytes is a *TooLarge.
func ReadLines(name string, stdin io.Reader, most int64) iter.Seq2[Batch, error] {
	return func(yield func(Batch, error) bool) {
		source, err := Open(name, stdin)
		if err != nil {
			yield(Batch{}, err)
			return
		}
		defer source.Close()
		reader := bufio.NewReaderSize(source, batch)
		first, next := 1, 1 // the numbers of the batch's first line and of the line that is read
		end := 0            // of the whole lines of text
		var text []byte
		for {
			part, err := reader.ReadSlice('\n')
			text = append(text, part...)
			long := int64(len(bytes.TrimSuffix(text[end:], []byte("\n")))) > most
			if !long && (err == nil || err == io.EOF) {
				end, next = len(text), next+1
			}
			if !long && (err == bufio.ErrBufferFull || err == nil && end < batch) {
				continue
			}
			if end > 0 && !yield(Batch{First: first, Text: convert.OwnedText(text[:end])}, nil) || err == io.EOF && !long {
				return
			}
			if long {
				err = &TooLarge{Name: name, Most: most, Line: next}
			}
			if err != nil {
				yield(Batch{}, err)
				return
			}
			text, first, end = make([]byte, 0, batch+batch/4), next, 0
		}
	}
}
