package shell

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/cmd"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/powershell"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// readers read a block, by dialect.
var readers = []func(*posix.Reader){
	paste.POSIX:      (*posix.Reader).Block,
	paste.Cmd:        cmd.Block,
	paste.PowerShell: powershell.Block,
	paste.JavaScript: reject,
}

// reject rejects a JavaScript fetch call, which is not shell.
func reject(r *posix.Reader) {
	r.Fail(r.Pos, convert.Reject(convert.UnrecognizedSource,
		"The script is a fetch call in JavaScript, which is not supported.", paste.CopyAsBash))
}

// Normalize returns text without a byte order mark, and with LF for CR LF.
func Normalize(text string) string {
	return strings.TrimSuffix(strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n"), "\r")
}

// Read finds the simple commands of text, which must be valid UTF-8 and normalized, and evaluates what a shell would
// substitute into them. The error is a *convert.Failure: InvalidSource, with the position, for an unterminated quote,
// substitution or here-document; TooComplex beyond the limits of package posix.
func Read(text string, b *budget.Budget) (*script.Script, error) { return posix.Read(text, b, readers) }

// Parse parses POSIX shell as it is written: it records positions and evaluates nothing. text must be normalized. ok is
// false if a part of it is written for another shell, or if several blocks or none are shell.
func Parse(text string, b *budget.Budget) (source *script.Source, ok bool, err error) {
	return posix.Parse(text, b)
}

// Mentions reports whether text contains a word that may introduce a request for Read.
func Mentions(text string) bool { return paste.Mentions(text) }
