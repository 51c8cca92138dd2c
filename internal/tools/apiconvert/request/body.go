package request

import "github.com/convertd/convertd/internal/tools/apiconvert/tree"

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
	// follows from the text: JSON sent by curl without a header.
	TypeGuessed bool
	Description string
	Required    bool

	Text string // of Raw
	// Label is the name of the example that Text is, "" when it has none.
	Label string
	// Document is the option that reads Text from a here-document in shell text,
	// or a File (data, data-binary), "" for none. Only shell text made of shell text has it.
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
