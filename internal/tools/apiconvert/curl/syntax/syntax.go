// Package syntax has what readers and writers of curl commands share: curl's
// options, names of variables, and the comments that a writer makes and a reader
// knows again.
//
//	options.go      every option of curl's command line
//	names.go        variables of scripts and their names
//	environment.go  names that the user's environment may hold
package syntax

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

// The comments of a writer that a reader takes apart again.
const (
	// SetBefore begins the comment that names the variables without a value.
	SetBefore = "Set before use: "
	// IsKey follows the name of one that holds an API key and does not say so.
	IsKey = " (API key)"
	// Deprecated is the comment on a request that is.
	Deprecated = "Deprecated."
	// Unsigned is the end of the comment on a request whose authentication curl
	// cannot write.
	Unsigned = " signs each request, which curl does not: add the Authorization header yourself."
)

// UploadFile is the option that request.Body.Document names for a file that -T
// sends.
const UploadFile = "upload-file"

// Negotiate is the scheme whose credentials curl gets from the system (RFC 4559).
const Negotiate = "Negotiate"

// Methods are those of RFC 9110, section 9.3, and PATCH: no server knows them in
// lower case.
var Methods = strings.Fields("GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH")

// Comment appends a comment of one line.
func Comment(dst []byte, text string) []byte {
	dst = append(dst, "# "...)
	for _, c := range strings.TrimSpace(text) {
		if c < ' ' || c == 0x7f || c >= 0x80 && c < 0xa0 || c == '\u2028' || c == '\u2029' {
			c = ' '
		}
		dst = append(dst, string(c)...)
	}
	return append(dst, '\n')
}

// SingleQuoted appends a text in single quotes (XCU 2.2.2).
func SingleQuoted(dst []byte, text string) []byte {
	return append(append(append(dst, '\''), strings.ReplaceAll(text, "'", `'\''`)...), '\'')
}

// InName reports whether a byte behind $NAME would be read as a part of it, or as
// an index.
func InName(c byte) bool {
	return c == '_' || c == '[' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// Escape percent-encodes bytes outside of variables.
func Escape(text string, is func(byte) bool) string {
	return request.Encode(text, func(rest string) bool { return !is(rest[0]) })
}

// IsParameterName reports whether {name} in a path is a parameter of that name.
func IsParameterName(name string) bool { return parameterName().MatchString(name) }

var parameterName = expression.Lazy(`^[A-Za-z0-9_.-]*$`)
