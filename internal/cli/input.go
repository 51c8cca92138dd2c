package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

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
func Open(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == Stdin {
		return io.NopCloser(reader{ctx, stdin}), nil
	}
	file, err := untilDone(ctx, func() (*os.File, error) { return os.Open(name) })
	if err != nil {
		if LooksLikeInput(name) {
			return nil, ErrNoFile
		}
		return nil, err
	}
	info, err := file.Stat()
	if err != nil || info.Mode().IsRegular() {
		return file, err
	}
	return struct {
		io.Reader
		io.Closer
	}{reader{ctx, file}, file}, nil
}

// untilDone calls do, which may block forever, such as opening a pipe that nobody
// writes to, and returns its result, or ctx's error once ctx ends.
func untilDone[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// reader is a reader that fails once ctx ends.
type reader struct {
	ctx  context.Context
	from io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	return untilDone(r.ctx, func() (int, error) { return r.from.Read(p) })
}

// Read returns the content of a file, or of standard input for "-". It fails with
// a *TooLarge if that is longer than most bytes.
func Read(ctx context.Context, name string, stdin io.Reader, most int64) (string, error) {
	source, err := Open(ctx, name, stdin)
	if err != nil {
		return "", err
	}
	defer source.Close()
	capacity := 64 << 10
	if file, ok := source.(*os.File); ok {
		if info, err := file.Stat(); err == nil {
			if info.Size() > most {
				return "", &TooLarge{Name: name, Most: most}
			}
			capacity = int(info.Size()) + 1 // one more, to see the end
		}
	}
	data := make([]byte, 0, capacity)
	for {
		if len(data) == cap(data) {
			data = append(make([]byte, 0, min(2*cap(data), int(most)+1)), data...)
		}
		n, err := source.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if int64(len(data)) > most {
			return "", &TooLarge{Name: name, Most: most}
		}
		if err == io.EOF {
			return convert.OwnedText(data), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// ReadFor is Read for an input that a server converts: it reads no more than it
// takes to see that the text is over the service's limit.
func ReadFor(ctx context.Context, c *contract.Contract, name string, stdin io.Reader) (string, error) {
	source, err := Open(ctx, name, stdin)
	if err != nil {
		return "", err
	}
	defer source.Close()
	// One character more than the limit, each as long as possible.
	data, err := io.ReadAll(io.LimitReader(source, int64(c.Limits().RequestBytes+1)*utf8.UTFMax))
	return convert.OwnedText(data), err
}

// bom is the byte order mark in UTF-8.
const bom = "\ufeff"

// CutBOM returns text without a byte order mark, and whether it had one.
func CutBOM(text string) (string, bool) { return strings.CutPrefix(text, bom) }

// CheckUTF8 returns a *Problem if text is not UTF-8. It recognizes UTF-16.
func CheckUTF8(c *contract.Contract, text string) error {
	const hint = "Convert it to UTF-8: iconv -f UTF-16 -t UTF-8 FILE, or in PowerShell: Get-Content -Raw FILE | Set-Content -Encoding UTF8 NEWFILE"
	f := contract.CheckText(text)
	switch utf16Order(text) {
	case "little":
		f = convert.Reject(convert.MalformedJSON, "The input is UTF-16 (little-endian).", hint).InBody("/input/value")
	case "big":
		f = convert.Reject(convert.MalformedJSON, "The input is UTF-16 (big-endian).", hint).InBody("/input/value")
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

// utf16Order returns the byte order of text that looks like UTF-16, "" for other
// text: it begins with a byte order mark, or with two ASCII characters.
func utf16Order(text string) string {
	if len(text) < 2 {
		return ""
	}
	ascii := func(i int) bool { return i < len(text) && text[i] != 0 && text[i] < utf8.RuneSelf }
	zero := func(i int) bool { return i < len(text) && text[i] == 0 }
	switch {
	case strings.HasPrefix(text, "\xff\xfe"), ascii(0) && zero(1) && ascii(2) && zero(3):
		return "little"
	case strings.HasPrefix(text, "\xfe\xff"), zero(0) && ascii(1) && zero(2) && ascii(3):
		return "big"
	}
	return ""
}
