// Package syntax contains what readers and writers of curl commands share: curl's options, names of variables, and the
// comments that the writer generates and the reader recognizes.
//
//	arguments.go  the options and URLs in the words of a command, and every option of curl's command line
//	names.go      variables of scripts and their names, and names that the user's environment may hold
//	quote.go      words of a shell
package syntax

import (
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// Comments that the writer generates and the reader parses.
const (
	// SetBefore begins the comment that names the variables without a value.
	SetBefore = "Set before use: "
	// RenamedFrom and RequiresJQ begin the other comments that Write puts above all commands.
	RenamedFrom = "Renamed, so that nothing of your environment is sent: "
	RequiresJQ  = "Requires jq, which takes values from responses."
	// IsKey follows the name of a variable that holds an API key but isn't marked as one.
	IsKey = " (API key)"
	// Deprecated is the comment on a deprecated request.
	Deprecated = "Deprecated."
	// Unsigned ends the comment on a request whose authentication curl doesn't support.
	Unsigned = " signs each request, which curl does not: add the Authorization header yourself."
)

// UploadFile is the value of request.Body.ReadBy for a file that -T sends.
const UploadFile = "upload-file"

// Negotiate is the scheme for which curl gets credentials from the system (RFC 4559).
const Negotiate = "Negotiate"

// Methods are those of RFC 9110, section 9.3, and PATCH, which servers accept only in upper case.
var Methods = strings.Fields("GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH")

// Comment appends text as a comment of one line.
func Comment(dst []byte, text string) []byte {
	dst = append(dst, "# "...)
	for _, c := range strings.TrimSpace(text) {
		if c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0 || c == '\u2028' || c == '\u2029' {
			c = ' '
		}
		dst = utf8.AppendRune(dst, c)
	}
	return append(dst, '\n')
}

// Needs appends the comments that say what a script needs: the variables to set, and how to pass the arguments, whose
// names by number are those of the variables they are assigned to.
func Needs(dst []byte, used []string, arguments map[string]string) []byte {
	const most = 99
	var names []string
	last := 0
	for _, name := range used {
		switch n, err := strconv.Atoi(name); {
		case err != nil:
			names = append(names, name)
		case n <= most:
			last = max(last, n)
		}
	}
	if len(names) > 0 {
		dst = Comment(dst, SetBefore+strings.Join(names, ", "))
	}
	if last > 0 {
		usage := "Usage: script.sh"
		for n := 1; n <= last; n++ {
			number := strconv.Itoa(n)
			usage += " " + cmp.Or(arguments[number], "ARG"+number)
		}
		dst = Comment(dst, usage)
	}
	return dst
}

// Escape percent-encodes the bytes for which special returns true, except in variables.
func Escape(text string, special func(byte) bool) string {
	return request.Encode(text, func(rest string) bool { return !special(rest[0]) })
}

// IsParameterName reports whether {name} in a path is a parameter with that name.
func IsParameterName(name string) bool { return parameterName().MatchString(name) }

var parameterName = expression.Lazy(`^[A-Za-z0-9_.-]*$`)
