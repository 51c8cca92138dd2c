// Package curlcmd turns the curl commands of a shell text into the HTTP
// requests that they send. It knows every option of curl (up to 8.22); it
// opens no file and sends nothing.
//
// Two conventions hold in every string of a Request:
//
//   - {{name}} stands for a shell variable, or for what cannot be known from
//     the text: {{command_1}} is the output of the script's first unknown
//     command substitution, {{file_1}} the content of its first file that
//     stands among other data. Result.Variables lists them. The same text
//     written by the user, as in Postman, is kept and means the same.
//   - {name} in a URL is a path parameter: curl's own globbing would only take
//     the braces away.
//
// A Request is what goes over the wire where the text tells it: the URL with
// the query of -G and --url-query, the headers of -A, -e, -b, --json and -r
// beside those of -H, the body with all -d joined. Secrets are not looked for
// here; a Setting says where its option keeps one.
package curlcmd

import "github.com/convertd/convertd/internal/tools/apiconvert/shell"

// Result is what the curl commands of a text send.
type Result struct {
	// Requests are in the order of the text. Each URL of a command and each
	// part behind --next is a request of its own.
	Requests []Request
	// Variables are the {{name}}s that come from the words of curl commands,
	// in the order in which they are first used; those that the user wrote in
	// braces are not among them.
	Variables []Variable
	// Expanded are the variables of the script whose literal values stand in
	// the requests instead of their names.
	Expanded []shell.Expanded
	// Trailing are the comments behind the last command.
	Trailing string
	// Notes are about the text as a whole.
	Notes []Note
}

// Variable is a {{name}} of the requests.
type Variable struct {
	Name string
	// Default is the value the script uses when the variable is not set.
	Default    string
	HasDefault bool
	// Kind is shell.Variable for one that the user sets; the others are worked
	// out or read when the script runs.
	Kind shell.Kind
}

// Request is one HTTP request.
type Request struct {
	// Place says where in the text the request stands.
	Place Place
	// Comment is what the comment above the command says; Apart are those above
	// it that stand apart, before the first request of the command.
	Comment, Apart string

	// Method is what curl sends: -X as written, else what the other options
	// make of it.
	Method string
	// Pattern says that URL holds curl's {a,b} and [1-3], as written, and stands
	// for all that they make.
	Pattern bool
	// URL is absolute unless it begins with a {{name}}; it has no userinfo
	// and no fragment.
	URL     string
	Headers []Header
	Auth    Auth
	Body    Body

	// Settings are the options that do not shape the request, in the order of
	// the command.
	Settings []Setting
	// Notes say what of the command is not in the fields above, each once.
	Notes []Note
}

// Place is where a request stands: all numbers begin at 1.
type Place struct {
	Command   int // the number of the curl command in the text
	Operation int // 1, and one more behind each --next
	URL       int // which of the operation's URLs
	Offset    int // the byte of the text where the command begins
}

// Header is a header field that the command sets or takes away.
type Header struct {
	Name, Value string
	// Removed says that the command keeps curl from sending the field
	// ("Name:"). A field that is sent empty ("Name;") is not removed.
	Removed bool
	// Option is the long name of the option it comes from.
	Option string
}

// Auth is how the request authenticates, as far as curl works it out itself.
// An Authorization header among the Headers is not repeated here.
type Auth struct {
	Scheme         Scheme
	User, Password string
	HasPassword    bool   // else curl asks for one
	Token          string // of Bearer
	// Signature is the argument of --aws-sigv4: provider1[:provider2[:region[:service]]].
	Signature string
}

// Scheme is an authentication scheme.
type Scheme string

// The schemes.
const (
	NoAuth    Scheme = ""
	Basic     Scheme = "basic"
	Digest    Scheme = "digest"
	NTLM      Scheme = "ntlm"
	Negotiate Scheme = "negotiate"
	Bearer    Scheme = "bearer"
	AWSSigV4  Scheme = "aws-sigv4"
	AnyAuth   Scheme = "any" // one that the server offers
)

// Body is what the request carries.
type Body struct {
	Kind BodyKind
	// Text is the Data as sent, a {{file_1}} standing for each file in it.
	Text string
	// Parts are what the -d options each add to the Data.
	Parts []DataPart
	// Fields are those of a Form.
	Fields []FormField
	// Path is the name of the File: "-" is a standard input that is not known.
	Path string
	// ContentType is the media type on the wire, "" for none; a Form has no
	// boundary in it unless the command set one.
	ContentType string
	// Implied says that ContentType is curl's own doing and no header's.
	Implied bool
	// Document is the text of the here-document that Text was made of, "" for
	// none; it differs where curl takes line ends away.
	Document string
	// JSON says that Text is a JSON object or array, whatever ContentType
	// says; a {{name}} in place of a value does not matter.
	JSON bool
}

// BodyKind says what a Body is.
type BodyKind uint8

// The kinds of body.
const (
	NoBody BodyKind = iota
	Data            // -d and its like, --json, an upload of known text
	Form            // -F
	File            // a file's content and nothing else
)

// DataPart is what one option adds to the data.
type DataPart struct {
	Option string // its long name
	// Name is that of --data-urlencode name=content or name@file.
	Name string
	// Text is as sent: encoded, without the line ends that -d removes from
	// what it reads.
	Text string
	// Document is the text of a here-document that was read, as it stands there.
	Document string
	// File is the name of a file that is read, "-" for a standard input that
	// is not known; Text is empty then.
	File string
}

// FormField is one part of a multipart/form-data body.
type FormField struct {
	Name string
	// Value is the text of a field without files.
	Value string
	// Files are the files of the field; Reference is a file whose content is
	// the field's value ("<file").
	Files     []FormFile
	Reference string
	// ContentType is that of ";type=", "" when none is written.
	ContentType string
	// FileName is that of ";filename=" on a field that is no file.
	FileName string
	Headers  []Header
}

// FormFile is a file of a form field.
type FormFile struct {
	Path string
	// Text is the content when the path is "-" and standard input is known.
	Text        string
	HasText     bool
	FileName    string // what the server is told: ";filename=" or the path's last element
	ContentType string // of ";type="
	Headers     []Header
}

// Setting is an option that does not shape the request itself.
type Setting struct {
	Option string // the long name
	Value  string // its argument, "" when it takes none
	Off    bool   // written as --no-option
	Secret bool   // the argument holds a secret, or may
}

// Note is something a user may want to be told.
type Note struct {
	Kind NoteKind
	// Feature is a stable name, one of those below.
	//
	// Lost, from the options: authentication, automatic_referer,
	// ca_certificate, client_certificate, config_file, connection, cookie_file,
	// etag, expand_function, form_encoder, haproxy_protocol, header_file, hsts,
	// insecure, line_endings, name_resolution, nested_form, netrc, proxy,
	// redirects, redirects_trusted, request_signature, request_target, resume,
	// time_condition, tls, transfer_encoding, url_file; from the URL: protocol
	// (none of HTTP), url_pattern (of too many URLs); from the shell:
	// arguments, arithmetic, command_output, condition, file_content, loop,
	// no_url, other_commands, output (piped or redirected),
	// parameter_expansion, process_substitution, standard_input.
	//
	// Changed, from the options: argument_missing, form_ignored,
	// form_part_ignored, header_ignored, method_conflict (options that curl
	// refuses together), query_cut, query_ignored; from the URL: scheme (none
	// was written), url_blank, url_pattern (one that curl would refuse); from
	// the shell: ampersand, continuation, not_unicode, parenthesis,
	// placeholder; from the text as a whole: here_document, markdown, prompts.
	Feature string
	// Option is the long name of the option it is about, if it is about one.
	// For UnknownOption it is what the user wrote, letters, digits, dots and
	// dashes only, at most 40 of them.
	Option string
	// About is what else it is about, when that has a plain name: what reads the
	// output or the file it goes to, a command other than curl.
	About string
	// Place is where it stands, for a note that no request has: Command is 0 for
	// what is no curl command.
	Place Place
}

// NoteKind says what a Note tells.
type NoteKind uint8

// The kinds of note.
const (
	// Lost is a feature that changes what is sent, where or whom it is sent
	// to, or what is trusted, and that the Request does not hold.
	Lost NoteKind = iota
	// Changed is text that was read in another way than the shell or curl
	// would have read it.
	Changed
	// UnknownOption is an option that curl does not have.
	UnknownOption
)

// Code is the stable code of a warning made of the note.
func (n Note) Code() string {
	switch n.Kind {
	case Lost:
		return "lost." + n.Feature
	case Changed:
		return "changed." + n.Feature
	}
	return "unknown_option"
}
