package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
)

// Stdin is the name of the standard input.
const Stdin = "-"

// Most is the largest input that may be allowed, in bytes.
const Most = jsondoc.MaxText

// TooLarge says that an input is larger than it may be.
type TooLarge struct {
	Name string
	Most int64 // bytes
	Line int   // of the input, when one line is too large
}

func (e *TooLarge) Error() string {
	what := Shown(e.Name)
	if e.Line > 0 {
		what = fmt.Sprintf("line %d of %s", e.Line, what)
	}
	return fmt.Sprintf("%s is larger than %s (--max-input)", what, Bytes(e.Most))
}

// Bytes writes a number of bytes for people, exactly.
func Bytes(n int64) string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if size := int64(1) << (30 - 10*i); n >= size && n%size == 0 {
			return fmt.Sprintf("%d %s", n/size, unit)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// Shown is an input's name for people.
func Shown(name string) string {
	if name == Stdin {
		return "standard input"
	}
	return name
}

// ErrNoFile is the error of an argument that is no file's name and looks like
// an input. It does not repeat it.
var ErrNoFile = errors.New("an argument is no file's name and looks like an input: it is not repeated here, since arguments stay in the shell's history; " +
	"give the input on standard input, as in convertd run TOOL <FILE")

// looks are the shapes of inputs: JSON and text of several lines, a token (its
// header is a JSON object in base64url), a number, a time, a header or a member
// of YAML, an address with a password, a command of any of the shells.
var looks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*[{\["]|[\r\n]|^Bearer |^e[yw][A-Za-z0-9_-]{8,}|^-?[0-9]+(\.[0-9]+)?$|^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]|^[A-Z][a-z]{2}, [0-9]{1,2} ` +
		`|^[A-Za-z0-9_-]+: |://[^/?#\s]*@|(?i:(?:^|[\s;&|(])(?:curl|curl\.exe|iwr|irm|invoke-webrequest|invoke-restmethod) )`)
})

// LooksLikeInput reports whether an argument looks like a text to convert
// rather than a file's name.
func LooksLikeInput(argument string) bool {
	return looks().MatchString(argument) || len(argument) > 120 && !strings.Contains(argument, "/")
}

// Open opens a file, or returns standard input for "-".
func Open(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == Stdin {
		return io.NopCloser(reader{ctx, stdin}), nil
	}
	file, err := waiting(ctx, func() (*os.File, error) { return os.Open(name) })
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

// waiting runs what may never end, such as the opening of a pipe that nobody
// writes to, until ctx ends.
func waiting[T any](ctx context.Context, do func() (T, error)) (T, error) {
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

// reader reads until ctx ends.
type reader struct {
	ctx  context.Context
	from io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	return waiting(r.ctx, func() (int, error) { return r.from.Read(p) })
}

// Read returns the text of a file, or of standard input for "-", of at most so
// many bytes: a *TooLarge says that there are more.
func Read(ctx context.Context, name string, stdin io.Reader, most int64) (string, error) {
	source, err := Open(ctx, name, stdin)
	if err != nil {
		return "", err
	}
	defer source.Close()
	room := 64 << 10
	if file, ok := source.(*os.File); ok {
		if info, err := file.Stat(); err == nil {
			if info.Size() > most {
				return "", &TooLarge{Name: name, Most: most}
			}
			room = int(info.Size()) + 1 // where the end shows
		}
	}
	data := make([]byte, 0, room)
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

// ReadFor is Read for a server, whose limit is its own: it reads no more than
// shows that the text is too long for the service.
func ReadFor(ctx context.Context, c *contract.Contract, name string, stdin io.Reader) (string, error) {
	source, err := Open(ctx, name, stdin)
	if err != nil {
		return "", err
	}
	defer source.Close()
	// One character more than the limit, of the longest kind.
	data, err := io.ReadAll(io.LimitReader(source, int64(c.Limits().RequestBytes+1)*utf8.UTFMax))
	return convert.OwnedText(data), err
}

// CheckUTF8 refuses a text that is not UTF-8 with a *Problem.
func CheckUTF8(c *contract.Contract, text string) error {
	f := contract.CheckText(text)
	if f == nil {
		return nil
	}
	p, err := decodeProblem(c.AppendProblem(nil, "", f))
	if err != nil {
		return f
	}
	p.Title = "Input is not text" // the code's own title is about a request
	return p
}
