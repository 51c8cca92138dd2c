package shell

import (
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/cmd"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/paste"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/posix"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/powershell"
	"github.com/convertd/convertd/internal/tools/apiconvert/shell/script"
)

// readers read a block in each dialect.
var readers = []func(*posix.Reader){
	paste.POSIX:      (*posix.Reader).Block,
	paste.Cmd:        cmd.Block,
	paste.PowerShell: powershell.Block,
	paste.JavaScript: refuse,
}

// refuse fails for a call of fetch, which is not of a shell.
func refuse(r *posix.Reader) {
	r.Fail(r.Pos, convert.Refuse(convert.UnrecognizedSource,
		"The text is a call of fetch in JavaScript, which is not converted.", paste.CopyAsBash))
}

// Read finds the simple commands of text, which must be valid UTF-8, and evaluates
// what a shell would put into them. The error is a *convert.Failure: InvalidSource,
// with the place, for a quote, a substitution or a here-document that does not end;
// TooComplex beyond the bounds of package posix.
func Read(text string, b *budget.Budget) (*script.Script, error) { return posix.Read(text, b, readers) }

// Parse reads POSIX text, without carriage returns, as it is written: with positions,
// and with nothing evaluated. ok is false when part of it is for another shell.
func Parse(text string, b *budget.Budget) (source *script.Source, ok bool, err error) {
	return posix.Parse(text, b)
}

// Mentions reports whether a text holds a word that Read could find a request by.
func Mentions(text string) bool { return paste.Mentions(text) }
