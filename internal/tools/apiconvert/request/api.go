// Package request is the neutral model between the formats: what an API
// description, a Postman collection and a list of curl commands say about
// requests, in one set of words. Readers make it, writers take it; it holds
// types and the few functions that define their conventions.
//
// Conventions, for every string unless its comment says otherwise:
//
//   - {{name}} stands for the variable of that name (VariableName says which
//     names are allowed). It is Postman's spelling; readers of other formats
//     write it for theirs ($NAME in shell text, {name} in an OpenAPI server).
//     Text of a source that happens to hold {{x}} is a variable, too.
//   - A value is as it is meant, not as it is encoded: a header's value without
//     quoting, a form field's without percent-encoding. The one exception is a
//     URL: its path and query are kept percent-encoded, as they are sent.
//   - Descriptions are CommonMark or plain text and are carried unchanged.
//   - "" is "not said" wherever an empty value means nothing of its own.
//
// A *tree.Value in the model belongs to the model: a reader that keeps its
// document clones it.
//
// The model holds what at least two of the formats can say. What only the
// source's format can say is lost, and the reader warns of it. A conversion
// within one format (a description to another version, a collection to v2.1)
// does not pass through the model but rewrites the tree.
package request

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// API is everything one source says.
type API struct {
	// Described says that the source describes requests (OpenAPI) rather than
	// lists some that were sent: the values in them are samples.
	Described bool

	Title       string // "" when the source has none (curl)
	Version     string // info.version, as written
	Description string

	// Servers are the different servers, in order of appearance; each
	// Request.Server points to one of them. Those no request points to are
	// alternatives that the source offers (OpenAPI's second server).
	Servers []*Server
	// Variables are those of the whole API: a collection's variables, shell
	// variables that no literal assignment resolves. Names are unique.
	Variables []*Variable
	// Resolved are variables whose values stand in the requests already: what
	// a shell script assigns. Only their names are of interest still: PASSWORD
	// says what its value is.
	Resolved []*Variable
	// Folders are all folders, each after its parent, in order of appearance,
	// empty ones included.
	Folders []*Folder
	// Security holds for requests whose own and whose folders' is nil; nil
	// says nothing.
	Security *Security
	// Requests are in the order of the source.
	Requests []*Request
	// Remarks are the comments of shell text behind the last request, parted by
	// empty lines.
	Remarks string
}

// Server is where requests go: scheme, authority and a base path.
type Server struct {
	// URL is without a slash at its end, query and fragment:
	// https://api.example.com/v1, https://{{region}}.example.com, {{baseUrl}},
	// /v1 (relative to where the description was found), example.com:8080 (a
	// curl URL without a scheme).
	URL         string
	Description string
	// Variables are those that URL names and this server defines. A name may
	// mean something else in another server.
	Variables []*Variable
}

// Variable is a name for a value that may change between environments.
type Variable struct {
	Name        string
	Value       string // current or default value; may hold other variables
	Enum        []string
	Description string
	Disabled    bool
	Invented    bool // the name is no one's: made for a secret
	Shell       bool // a variable of the shell script that is converted
	// Secret says that Value was, or is to be, a secret: Value is then "" and
	// writers write the target's placeholder for secrets.
	Secret bool
}

// Folder groups requests: a Postman folder, an OpenAPI tag.
type Folder struct {
	Name        string
	Description string
	Parent      *Folder   // nil at the top
	Security    *Security // nil: the parent's, at the top the API's
	Place       *warning.Place
}

// Request is one request as it can be sent, with what is known of its answers.
type Request struct {
	ID          string // operationId, "" if the source has none
	Name        string // summary, a Postman item's name, a comment above a command
	Description string
	Remarks     string  // comments of shell text that stand apart above it, parted by empty lines
	Folder      *Folder // nil: in none
	Deprecated  bool

	// Method is the token as it is sent, upper case for the standard ones
	// (RFC 9110, section 9). It may be any token: PURGE, QUERY.
	Method string
	// Server is one of API.Servers; nil when the source names none.
	Server *Server
	// Path begins with "/" or is empty. {name} is the path parameter of that
	// name in PathParameters, {{name}} a variable; SplitPath parts them. A
	// literal brace is percent-encoded.
	Path           string
	PathParameters []*Parameter
	// Patterns says that Path and Query hold curl's {a,b} and [1-3], braces and
	// all, and stand for several requests. Only shell text made of shell text
	// has them.
	Patterns bool
	// Query is in order, names may stand twice. Names and values are
	// percent-encoded as in a URL (a query is lossless only so): decode with
	// url.QueryUnescape to show them.
	Query    []*Parameter
	Fragment string // never sent; without "#"
	// Headers are in order, names may stand twice. Those that Cookies,
	// Security and a body's MediaType say are not repeated here.
	Headers []*Parameter
	Cookies []*Parameter

	// Security is nil when the request says nothing and its folders' or the
	// API's holds; see Effective.
	Security *Security

	// Bodies are the possible bodies, one per media type; the first is the one
	// that is sent. None: no body.
	Bodies    []*Body
	Responses []*Response

	// Transport says how the request is sent rather than what: named like
	// curl's long options without their dashes (insecure, location, max-time,
	// proxy, cert). The curl reader and writer use them all, Postman's those
	// that it has settings for.
	Transport []Option

	Place *warning.Place // in the source
}

// Option is a named setting.
type Option struct {
	Name  string
	Value string
	Bare  bool // takes no value
}

// Parameter is a named value: of the path, the query, a header, a cookie or a
// form field.
type Parameter struct {
	Name        string
	Value       string // the value sent, "" when there is none known
	Invented    bool   // Value is no one's: a sample that a schema allows
	Bare        bool   // a query parameter without "=": ?flag
	Description string
	Disabled    bool // the source writes the entry but does not send it (Postman)
	Optional    bool // the source says that it need not be sent (OpenAPI)
	Required    bool // the source says so; a path parameter always is
	Deprecated  bool

	// Schema describes the value in JSON Schema 2020-12 (as OpenAPI 3.1), nil
	// when the source has none. A reference at its top is resolved, deeper
	// ones may name what is not in the model: it is for describing (type,
	// enum, default), never needed for sending.
	Schema   *tree.Value
	Examples []*Example // named ones beside Value

	// Style and Explode are OpenAPI's serialization; Style "" is the default
	// of the place. Value is already serialized by them.
	Style   string
	Explode bool
}

// Sent reports whether a request sends the parameter: one that is neither
// disabled nor merely possible.
func (p *Parameter) Sent() bool { return !p.Disabled && !p.Optional }

// Example is a named sample of a value.
type Example struct {
	Name        string
	Description string
	Value       *tree.Value // as JSON; nil when only Text is known
	Text        string      // as sent; "" when only Value is known
}

// BodyKind says how a body is made.
type BodyKind uint8

// The kinds of body.
const (
	Raw        BodyKind = iota // Text, as it is sent
	URLEncoded                 // Fields, application/x-www-form-urlencoded
	Multipart                  // Fields, multipart/form-data
	File                       // the content of the file at Path, which is never read
	GraphQL                    // Query, GraphQLVariables, OperationName; sent as JSON
)

// Body is a request's or a response's body in one media type.
type Body struct {
	Kind BodyKind
	// MediaType is as in Content-Type, parameters included; "" when neither a
	// header nor the kind says it. The writer adds the kind's own.
	MediaType string
	// TypeGuessed says that MediaType stands nowhere in the source but
	// follows from the text, or the file's name: JSON sent by curl without a header.
	TypeGuessed bool
	Description string
	Required    bool

	Text string // of Raw
	// Label is the name of the example that Text is, "" when it has none.
	Label string
	// Document is the option that reads Text from a here-document in shell text,
	// or a File (data, data-binary, upload-file), "" for none. Only shell text made of shell text has it.
	Document string
	Fields   []*Field // of URLEncoded and Multipart
	Path     string   // of File, as written; "" when the source names none

	Query            string // of GraphQL
	GraphQLVariables string // JSON text
	OperationName    string

	// Schema describes the body as Parameter.Schema does, nil when unknown.
	Schema   *tree.Value
	Examples []*Example // named ones beside Text
}

// Field is an entry of a form.
type Field struct {
	Parameter
	// Files are the paths of the files to send, as written; none of them is
	// ever read. IsFile is true also when the path is not known.
	Files  []string
	IsFile bool
	// ValueFile is the path of a file whose content is the value of a field
	// that is no file (curl's name=<path); it is never read. Value is "" then.
	ValueFile   string
	FileName    string // the name sent, "" for the file's own
	ContentType string // of a multipart part, "" for the default
}

// Response is an answer that is described or was saved.
type Response struct {
	Name        string // of a saved response
	Saved       bool   // an answer that was given once, not the description of some
	Status      string // "200", "2XX", "default"; "" when not known
	Reason      string // the status text
	Description string
	Headers     []*Parameter
	Bodies      []*Body // one per media type; none: no body
	// Original is the request as it was saved with the response (Postman's
	// originalRequest), nil when it is the request itself. Its own Responses
	// are empty.
	Original *Request
}
