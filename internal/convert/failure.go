package convert

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Code is the machine-readable reason why a request failed. The list is closed; the document has the same list
// with each code's status and title.
type Code string

// The codes, in the order of their HTTP status.
const (
	MalformedJSON              Code = "malformed_json"
	HostRefused                Code = "host_refused"
	OriginRefused              Code = "origin_refused"
	UnknownRoute               Code = "unknown_route"
	MethodNotAllowed           Code = "method_not_allowed"
	BodyTimeout                Code = "body_timeout"
	RequestTooLarge            Code = "request_too_large"
	UnsupportedContentType     Code = "unsupported_content_type"
	UnsupportedContentEncoding Code = "unsupported_content_encoding"
	UnsupportedMediaType       Code = "unsupported_media_type"
	SchemaViolation            Code = "schema_violation"
	InvalidJSON                Code = "invalid_json"
	DuplicateKey               Code = "duplicate_key"
	UnsafeNumber               Code = "unsafe_number"
	InvalidUnicode             Code = "invalid_unicode"
	TooDeep                    Code = "too_deep"
	InvalidJWT                 Code = "invalid_jwt"
	EncryptedJWT               Code = "encrypted_jwt"
	InvalidTimestamp           Code = "invalid_timestamp"
	UnitRequired               Code = "unit_required"
	ZoneRequired               Code = "zone_required"
	TimestampOutOfRange        Code = "timestamp_out_of_range"
	UnrecognizedSource         Code = "unrecognized_source"
	InvalidSource              Code = "invalid_source"
	UnsupportedVersion         Code = "unsupported_version"
	TooComplex                 Code = "too_complex"
	OutputTooLarge             Code = "output_too_large"
	DuplicateStepID            Code = "duplicate_step_id"
	UnknownStepID              Code = "unknown_step_id"
	MediaTypeMismatch          Code = "media_type_mismatch"
	RateLimited                Code = "rate_limited"
	InternalError              Code = "internal_error"
	Overloaded                 Code = "overloaded"
	DeadlineExceeded           Code = "deadline_exceeded"
)

// Failure is the one error of the service: why a request failed and what to change. Only Step, the client's own
// id, contains bytes of the request. No method modifies a Failure, so a package can keep one for all requests.
type Failure struct {
	Code   Code
	Detail string // what is wrong, with the position in the artifact if known
	Hint   string // what to change

	// Path is a JSON Pointer (RFC 6901) into the request body, nil if the failure is not about the body. The
	// code that knows the request sets it, not the tools.
	Path *string
	// Step is the id of the pipeline step that failed, or "".
	Step string

	// Line and Column are the position in the artifact: 1-based, columns in code points; 0 if there is none.
	Line, Column int
}

func (f *Failure) Error() string { return string(f.Code) + ": " + f.Detail }

// fixed is a message written in our source. It is unexported, so outside this package only an untyped constant
// converts to it: a detail or a hint built from a request's bytes does not compile.
type fixed string

// ClientGone replaces the problem code in logs and metrics when the client has disconnected before the
// response. No response contains it.
const ClientGone = "client_gone"

// Reject returns a failure. The numbers fill the %d verbs of detail.
func Reject(code Code, detail, hint fixed, numbers ...int) *Failure {
	text := string(detail)
	if len(numbers) > 0 {
		args := make([]any, len(numbers))
		for i, n := range numbers {
			args[i] = n
		}
		text = fmt.Sprintf(text, args...)
	}
	return &Failure{Code: code, Detail: text, Hint: string(hint)}
}

// At returns a copy of f with the position of the byte offset in text: it sets Line and Column, and adds them to
// Detail instead of an earlier position. A line ends at LF, CR LF or a CR alone. At reads text up to offset once.
func (f *Failure) At(text string, offset int) *Failure {
	offset = min(offset, len(text))
	line, start := 1, 0
	for i := 0; i < offset; i++ {
		switch text[i] {
		case '\n':
			line, start = line+1, i+1
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				continue
			}
			line, start = line+1, i+1
		}
	}
	other := *f
	other.Line, other.Column = line, utf8.RuneCountInString(text[start:offset])+1
	other.Detail = strings.TrimSuffix(f.Detail, f.position()) + other.position()
	return &other
}

// position returns what At adds to Detail.
func (f *Failure) position() string { return fmt.Sprintf(" (line %d, column %d)", f.Line, f.Column) }

// Within returns a copy of f with another code, and with prefix and a space before its detail. It is for a
// failure inside a part of an artifact, such as a token's payload: prefix names the part, and Line and Column
// remain positions in it.
func (f *Failure) Within(code Code, prefix fixed) *Failure {
	other := *f
	other.Code = code
	other.Detail = string(prefix) + " " + f.Detail
	return &other
}

// WithCode returns a copy of f with another code, for tools that use the same code for all failures of a source.
func (f *Failure) WithCode(code Code) *Failure {
	other := *f
	other.Code = code
	return &other
}

// WithHint returns a copy of f with another hint, if the original would be misleading in this context.
func (f *Failure) WithHint(hint fixed) *Failure {
	other := *f
	other.Hint = string(hint)
	return &other
}

// WithSeconds returns a copy of f whose hint is to wait the given number of seconds.
func (f *Failure) WithSeconds(seconds string, then fixed) *Failure {
	other := *f
	unit := " seconds, "
	if seconds == "1" {
		unit = " second, "
	}
	other.Hint = "Wait " + seconds + unit + string(then) + "."
	return &other
}

// Below returns a copy of f whose hint has root, the path of the configured base URL, before the routes of /v1.
func (f *Failure) Below(root string) *Failure {
	other := *f
	other.Hint = strings.ReplaceAll(f.Hint, " /v1/", " "+root+"/v1/")
	return &other
}

// InBody returns a copy of f whose path is a JSON Pointer of members defined by the document and indexes.
func (f *Failure) InBody(pointer string) *Failure {
	other := *f
	other.Path = &pointer
	return &other
}

// Internal returns the failure for unexpected errors.
func Internal() *Failure {
	return Reject(InternalError,
		"The service failed unexpectedly.",
		"Try again. If it fails again, report the request id and the time, but not the input.")
}
