package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/printable"
)

// Stdin is the file name that means standard input.
const Stdin = "-"

// Most is the highest limit for the size of an input, in bytes.
const Most = jsondoc.MaxText

// TooLarge is the error of an input that is larger than allowed.
type TooLarge struct {
	Name string
	Most int64 // bytes
	Line int   // the line that is too large, 0 for the whole input
}

func (e *TooLarge) Error() string {
	what := Shown(e.Name)
	if e.Line > 0 {
		what = fmt.Sprintf("line %d of %s", e.Line, what)
	}
	return fmt.Sprintf("%s is larger than %s (--max-input)", what, Bytes(e.Most))
}

// Bytes formats a number of bytes for people, exactly.
func Bytes(n int64) string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if size := int64(1) << (30 - 10*i); n >= size && n%size == 0 {
			return fmt.Sprintf("%d %s", n/size, unit)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// Shown returns an input's name for people, on one line.
func Shown(name string) string {
	if name == Stdin {
		return "standard input"
	}
	return printable.Line(name)
}

// ErrNoFile is the error of an argument that names no file and looks like an input. It does not repeat the argument.
// The command line adds an example of its command.
var ErrNoFile = errors.New("an argument looks like an input, and no file has that name; it is not shown, because arguments stay in the shell's history. " +
	"Pass the input on standard input")

// inputLike matches what looks like an input: JSON, text of several lines, a token (its header is a JSON object in
// base64url), a number, a time, a header or a YAML property, a URL with a password, a command of any shell.
var inputLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*[{\["]|[\r\n]|^Bearer |^e[yw][A-Za-z0-9_-]{8,}|^-?[0-9]+(\.[0-9]+)?$|^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]|^[A-Z][a-z]{2}, [0-9]{1,2} ` +
		`|^[A-Za-z0-9_-]+: |://[^/?#\s]*@|(?i:(?:^|[\s;&|(])(?:curl|curl\.exe|iwr|irm|invoke-webrequest|invoke-restmethod) )`)
})

// LooksLikeInput reports whether an argument looks like text to convert rather than a file name.
func LooksLikeInput(argument string) bool {
	return inputLike().MatchString(argument) || len(argument) > 120 && !strings.ContainsAny(argument, "/"+string(filepath.Separator))
}

// Open opens a file, or returns standard input for "-".
func Open(name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == Stdin {
		return io.NopCloser(stdin), nil
	}
	file, err := os.Open(name)
	if err != nil && LooksLikeInput(name) {
		return nil, ErrNoFile
	}
	return file, err
}

// Read returns the content of a file, or of standard input for "-". If that is longer than most bytes, it fails with a
// *TooLarge and returns the beginning.
func Read(name string, stdin io.Reader, most int64) (string, error) {
	source, err := Open(name, stdin)
	if err != nil {
		return "", err
	}
	defer source.Close()
	var data bytes.Buffer
	if file, ok := source.(*os.File); ok {
		if info, err := file.Stat(); err == nil {
			data.Grow(int(min(info.Size(), most)) + bytes.MinRead) // it is read without a second copy
		}
	}
	_, err = data.ReadFrom(io.LimitReader(source, most+1))
	if int64(data.Len()) > most {
		err = &TooLarge{Name: name, Most: most}
	}
	return convert.OwnedText(data.Bytes()), err
}

// bom is the byte order mark in UTF-8.
const bom = "\ufeff"

// CutBOM returns text without a byte order mark, and whether it had one.
func CutBOM(text string) (string, bool) { return strings.CutPrefix(text, bom) }

// CheckUTF8 returns a *Problem if text is not UTF-8. UTF-16 begins with a byte order mark or with an ASCII character, one of
// whose bytes is zero.
func CheckUTF8(c *contract.Contract, text string) error {
	const hint = "Convert it to UTF-8: iconv -f UTF-16 -t UTF-8 FILE, or in PowerShell: Get-Content -Raw FILE | Set-Content -Encoding UTF8 NEWFILE"
	f := contract.CheckText(text)
	if start := text[:min(2, len(text))]; start == "\xff\xfe" || start == "\xfe\xff" || strings.Contains(start, "\x00") {
		f = convert.Reject(convert.MalformedJSON, "The input is UTF-16.", hint).InBody("/input/value")
	}
	if f == nil {
		return nil
	}
	p, err := decodeProblem(c.AppendProblem(nil, "", f))
	if err != nil {
		return f
	}
	p.Title = "Input is not UTF-8" // the code's own title is about a request
	return p
}
