package cli

import (
	"io"
	"os"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

// Stdin is the name of the standard input.
const Stdin = "-"

// Read returns the text of a file, or of standard input for "-". It reads no
// more than shows that the text is too long for the service. A text that is
// not UTF-8 is refused with a *Problem, and returned for its Explain.
func Read(c *contract.Contract, name string, stdin io.Reader) (string, error) {
	source := stdin
	if name != Stdin {
		file, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer file.Close()
		source = file
	}
	// One character more than the limit, of the longest kind.
	most := int64(c.Limits().RequestBytes+1) * utf8.UTFMax
	data, err := io.ReadAll(io.LimitReader(source, most))
	if err != nil {
		return "", err
	}
	text := convert.OwnedText(data)
	if len(data) < int(most) && !utf8.ValidString(text) {
		return text, notUTF8(c, text)
	}
	return text, nil
}

func notUTF8(c *contract.Contract, text string) error {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	f := convert.Refuse(convert.MalformedJSON,
		"The input is not UTF-8.",
		"Convert the input to UTF-8, with iconv for example.").At(text, at).InBody("/input/value")
	p, err := decodeProblem(c.AppendProblem(nil, "", f))
	if err != nil {
		return f
	}
	p.Title = "Input is not text" // the code's own title is about a request
	return p
}
