package request

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// API is the content of one source.
type API struct {
	// Described reports that the source describes requests (OpenAPI) rather than lists requests that were sent:
	// the values in them are samples.
	Described bool
	// Recorded reports that the source records all traffic (HAR): requests repeat, and no author chose them.
	Recorded bool

	Title       string // "" when the source has none (curl)
	Version     string // info.version, as written
	Description string

	// Servers are the distinct servers, in order of appearance; each Request.Server points to one of them.
	// Servers that no request points to are alternatives offered by the source (OpenAPI's second server).
	Servers []*Server
	// Variables are those of the whole API: a collection's variables, and shell variables that no literal
	// assignment resolves. Names are unique.
	Variables []*Variable
	// Resolved are variables whose values are already substituted in the requests: those that a shell script
	// assigns. Only their names still matter: PASSWORD indicates a secret.
	Resolved []*Variable
	// Filled are the variables, by value, that were written after a slash outside of the requests: in another variable.
	Filled map[string]string
	// Folders are all folders in order of appearance, each after its parent, including empty ones.
	Folders []*Folder
	// Security applies to requests that have no Security of their own or of a folder; nil means unspecified.
	Security *Security
	// Requests are in the order of the source.
	Requests []*Request
	// Uncaptured are the variables that Request.Captures doesn't have although the script sets them.
	Uncaptured []Uncaptured
}

// Server is the destination of requests: scheme, authority and a base path.
type Server struct {
	// URL has no trailing slash, query or fragment: https://api.example.com/v1, https://{{region}}.example.com,
	// {{baseUrl}}, /v1 (relative to where the document was found), example.com:8080 (a curl URL without a
	// scheme).
	URL         string
	Description string
	// Variables are those that URL uses and this server defines. A name may mean something else in another
	// server.
	Variables []*Variable
	Place     warning.Place // in a document; nil if requests name the server
}

// Variable is a name for a value that may change between environments.
type Variable struct {
	Place       warning.Place
	Name        string
	Value       string // current or default value; may contain other variables
	Enum        []string
	Description string
	Disabled    bool
	Invented    bool // the name was generated, for a secret
	Shell       bool // a variable of the shell script being converted
	// Secret reports that Value was, or will be, a secret: Value is then "" and writers write the target's
	// placeholder for secrets.
	Secret bool
	// Written reports that the output refers to the variable, Replaced that the output has its value instead; writers
	// set them.
	Written, Replaced bool
}

// ReportReplaced reports the variables of a collection that the output has the values of.
func (a *API) ReportReplaced(warnings *warning.List) {
	for _, v := range a.Variables {
		if v.Replaced && v.Place != nil {
			warnings.AddNamed(warning.ChangedVariables, v.Place, v.Name)
		}
	}
}

// Folder groups requests: a Postman folder, an OpenAPI tag.
type Folder struct {
	Name        string
	Description string
	Parent      *Folder   // nil at the top
	Security    *Security // nil: inherited from the parent, at the top from the API
	Place       warning.Place
}

// Request is one request that can be sent, and its known responses.
type Request struct {
	ID          string // operationId, "" if the source has none
	Name        string // summary, a Postman item's name, a comment above a command
	Description string
	Folder      *Folder // nil if it is in no folder
	Deprecated  bool

	// Method is the token as it is sent, upper case for the standard ones
	// (RFC 9110, section 9). It may be any token: PURGE, QUERY.
	Method string
	// Server is one of API.Servers; nil when the source names none.
	Server *Server
	// Path begins with "/" or is empty. {name} is the path parameter of that name in PathParameters, {{name}} a
	// variable; SplitPath separates them. A literal brace is percent-encoded.
	Path string
	// Filled are the variables, by value, of a script that were written in Path.
	Filled         map[string]string
	PathParameters []*Parameter
	// Patterns reports that Path and Query contain curl's {a,b} and [1-3], including the braces, and expand to
	// several requests. Only conversions from curl to curl set it.
	Patterns bool
	// Query is in order and may repeat names. Names and values are percent-encoded as in a URL, because
	// decoding a query loses information: decode with url.QueryUnescape to show them.
	Query    []*Parameter
	Fragment string // never sent; without "#"
	// Headers are in order and may repeat names. They exclude what Cookies, Security and a body's MediaType
	// express.
	Headers []*Parameter
	Cookies []*Parameter

	// Security is nil when the request specifies none and inherits that of its folders or the API; see
	// Effective.
	Security *Security

	// Bodies are the possible bodies, one per media type; the first is sent. If it is empty, there is no body.
	Bodies    []*Body
	Responses []*Response
	// Captures are the variables that later requests take from the response.
	Captures []Capture

	// Transport says how the request is sent rather than what is sent. Options are named like curl's long
	// options without their dashes (insecure, location, max-time, proxy, cert). The curl reader and writer use
	// them all, Postman's those that Postman has settings for.
	Transport []Option

	Place warning.Place // in the source
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
	Value       string // the value sent, "" if unknown
	Invented    bool   // Value is generated: a sample that a schema allows
	Bare        bool   // a query parameter without "=": ?flag
	Description string
	Disabled    bool // the source has the entry but doesn't send it (Postman)
	Optional    bool // the source says that it may be omitted (OpenAPI)
	Required    bool // the source says so; a path parameter always is required
	Deprecated  bool

	// Schema describes the value in JSON Schema 2020-12 (as in OpenAPI 3.1), nil when the source has none. A
	// reference at its top is resolved; deeper ones may refer to what is not in the model. Use it to describe
	// the value (type, enum, default), never to send it.
	Schema   *tree.Value
	Examples []*Example // named examples in addition to Value

	Style string // OpenAPI's serialization of Value; "" is the default of the location
}

// Segment returns a path parameter as a variable in its style: ;id={{id}} for matrix, .{{id}} for label.
func (p *Parameter) Segment() string {
	switch p.Style {
	case "matrix":
		return ";" + p.Name + "={{" + p.Name + "}}"
	case "label":
		return ".{{" + p.Name + "}}"
	}
	return "{{" + p.Name + "}}"
}

// Sent reports whether a request sends the parameter: it is neither disabled nor optional.
func (p *Parameter) Sent() bool { return !p.Disabled && !p.Optional }

// Example is a named sample of a value.
type Example struct {
	Name  string
	Value *tree.Value // as JSON; nil if only Text is known
	Text  string      // as sent; "" if only Value is known
}

// BodyKind is the kind of a body.
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
	// MediaType is the Content-Type, including parameters; "" when neither a header nor the kind determines it.
	// The writer adds the kind's own.
	MediaType string
	// TypeGuessed reports that MediaType is not in the source but derived from the content or the file's name:
	// JSON that curl sends without a header.
	TypeGuessed bool

	Text string // for Raw
	// Label is the name of the example whose value is Text, "" if it has none.
	Label string
	// ReadBy is the curl option that reads a File (data, data-binary, upload-file), or "". Only conversions from
	// curl to curl set it.
	ReadBy string
	Fields []*Field // for URLEncoded and Multipart
	Path   string   // for File, as written; "" when the source names none

	Query            string // for GraphQL
	GraphQLVariables string // a JSON document
	OperationName    string

	// Schema describes the body as Parameter.Schema does, nil when unknown.
	Schema   *tree.Value
	Examples []*Example // named examples in addition to Text
}

// Field is an entry of a form.
type Field struct {
	Parameter
	// Files are the paths of the files to send, as written; the files are never read. IsFile is also true when
	// the path is unknown.
	Files  []string
	IsFile bool
	// ValueFile is the path of a file whose content is the value of a field that is not a file (curl's
	// name=<path); it is never read. Value is then "".
	ValueFile   string
	FileName    string // the name sent, "" for the file's own
	ContentType string // for a multipart part, "" for the default
}

// Response is a response that is described or was saved.
type Response struct {
	Name        string // of a saved response
	Saved       bool   // a response that was received, not a description
	Status      string // "200", "2XX", "default"; "" if unknown
	Reason      string // the status text
	Description string
	Headers     []*Parameter
	Bodies      []*Body // one per media type; empty if there is no body
	// Original is the request that was saved with the response (Postman's originalRequest), nil when it is the
	// request itself. Its own Responses are empty.
	Original *Request
}

// ReasonPhrase returns the reason phrase of a three-digit status code (RFC 9110, section 15, and the IANA
// registry), or "".
func ReasonPhrase(status string) string { return reasons[status] }

var reasons = map[string]string{
	"100": "Continue", "101": "Switching Protocols",
	"200": "OK", "201": "Created", "202": "Accepted", "203": "Non-Authoritative Information", "204": "No Content",
	"205": "Reset Content", "206": "Partial Content", "207": "Multi-Status",
	"300": "Multiple Choices", "301": "Moved Permanently", "302": "Found", "303": "See Other", "304": "Not Modified",
	"307": "Temporary Redirect", "308": "Permanent Redirect",
	"400": "Bad Request", "401": "Unauthorized", "402": "Payment Required", "403": "Forbidden", "404": "Not Found",
	"405": "Method Not Allowed", "406": "Not Acceptable", "407": "Proxy Authentication Required",
	"408": "Request Timeout", "409": "Conflict", "410": "Gone", "411": "Length Required",
	"412": "Precondition Failed", "413": "Content Too Large", "414": "URI Too Long",
	"415": "Unsupported Media Type", "416": "Range Not Satisfiable", "417": "Expectation Failed",
	"421": "Misdirected Request", "422": "Unprocessable Content", "423": "Locked", "424": "Failed Dependency",
	"425": "Too Early", "426": "Upgrade Required", "428": "Precondition Required", "429": "Too Many Requests",
	"431": "Request Header Fields Too Large", "451": "Unavailable For Legal Reasons",
	"500": "Internal Server Error", "501": "Not Implemented", "502": "Bad Gateway", "503": "Service Unavailable",
	"504": "Gateway Timeout", "505": "HTTP Version Not Supported", "507": "Insufficient Storage",
	"511": "Network Authentication Required",
}

// Bare reports whether a response says no more than its status.
func (r *Response) Bare() bool {
	text := strings.TrimRight(strings.TrimSpace(r.Description), ".")
	switch {
	case len(r.Bodies) > 0 || len(r.Headers) > 0:
		return false
	case text == "" || strings.EqualFold(text, "Response") || strings.EqualFold(text, "Default response"):
		return true
	}
	return strings.EqualFold(text, ReasonPhrase(r.Status))
}
