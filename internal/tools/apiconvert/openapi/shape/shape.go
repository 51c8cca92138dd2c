package shape

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Kind is what an object of a description is, as its place says: a rewrite
// touches a schema only where the version's specification has a schema.
type Kind uint8

const (
	Anything Kind = iota // data and extensions: never looked into
	Text
	Number
	Flag
	Document
	Info
	License
	contact
	Server
	ServerVariable
	Components
	Paths
	PathItem
	Operation
	Parameter
	Header
	RequestBody
	MediaType
	encoding
	responses
	Response
	Example
	Link
	callback
	Tag
	ExternalDocs
	SecurityScheme
	oauthFlows
	OauthFlow
	Schema
	SchemaOrFlag
	SchemaList // one schema, or a list of them (items of JSON Schema before 2020-12)
	Discriminator
	Xml
	Document20
	paths20
	PathItem20
	operation20
	Parameter20
	Items20
	responses20
	Response20
	security20
	Kinds
)

// kindNames are those in shapes.txt, in the order of the constants.
var kindNames = strings.Fields(`anything text number flag document info license contact server serverVariable
	components paths pathItem operation parameter header requestBody mediaType encoding responses response example
	link callback tag externalDocs securityScheme oauthFlows oauthFlow schema schemaOrFlag schemaList discriminator
	xml document20 paths20 pathItem20 operation20 parameter20 items20 responses20 response20 security20`)

// container says how the values of a kind stand in a member.
type container uint8

const (
	One   container = iota
	List            // an array of them
	Named           // an object, the names being the author's
)

// Member is a member that objects of a kind have.
type Member struct {
	Of    Kind
	In    container
	Since Version         // the first version that has it, Unknown for all
	Lost  warning.Feature // told when it is left out for an older version
}

// shape is what a kind of object has. Members that neither it nor an extension
// (x-…) names are left out and told, unless it is open.
type shape struct {
	Members map[string]*Member
	Rest    Kind    // of all members beside those named, if not anything
	Open    Version // the first version in which it may have any other member
}

//go:embed shapes.txt
var shapesText string

// shapes are by kind; they are read when a description is first looked into.
var shapes = sync.OnceValue(func() *[Kinds]shape {
	all := readShapes(shapesText)
	return &all
})

// losses are the features that shapes.txt names by their codes.
var losses = []warning.Feature{
	warning.AdditionalOperations, warning.AuthDetails, warning.Callbacks, warning.ConditionalSchema,
	warning.DefaultMapping, warning.Deprecated, warning.DeviceFlow, warning.DiscriminatorMapping, warning.Encoding,
	warning.Examples, warning.LicenseIdentifier, warning.Links, warning.ParameterStyle, warning.PathItems,
	warning.PathTexts, warning.SchemaAlternatives, warning.SchemaDialect, warning.SchemaKeywords, warning.SelfAddress,
	warning.SerializedExamples, warning.ServerNames, warning.ServerTexts, warning.Streaming, warning.Summary,
	warning.TagHierarchy, warning.TupleItems, warning.UnknownMembers, warning.Webhooks, warning.WriteOnly,
	warning.XMLNodes,
}

// readShapes reads shapes.txt. It panics on what it does not know: the text is
// part of the program.
func readShapes(text string) (all [Kinds]shape) {
	var of Kind
	for line := range strings.Lines(text) {
		names, is, isMember := strings.Cut(strings.TrimSpace(line), ": ")
		words := strings.Fields(names)
		switch {
		case len(words) == 0 || line[0] == '#':
		case isMember && words[0] == "*":
			all[of].Rest = readMember(is).Of
		case isMember:
			m := readMember(is)
			for _, name := range words {
				all[of].Members[name] = &m
			}
		default:
			of = Kind(position(kindNames, words[0]))
			all[of].Members = map[string]*Member{}
			if len(words) == 3 {
				all[of].Open = Version(position(prefixes[:], words[2]))
			}
		}
	}
	return all
}

// readMember reads what stands behind a member's name.
func readMember(text string) (m Member) {
	values, lost, _ := strings.Cut(text, ", ")
	in, of, contained := strings.Cut(values, " ")
	if !contained {
		of = in
	} else if m.In = Named; in == "list" {
		m.In = List
	}
	m.Of = Kind(position(kindNames, of))
	since, code, told := strings.Cut(lost, " ")
	if lost != "" {
		m.Since = Version(position(prefixes[:], since))
	}
	if told {
		m.Lost = losses[slices.IndexFunc(losses, func(f warning.Feature) bool { return f.Code() == code })]
	}
	return m
}

func position(names []string, name string) int {
	i := slices.Index(names, name)
	if i < 0 {
		panic("versions: shapes.txt says " + name)
	}
	return i
}

// Member returns what stands under a name in an object of kind k. ok is false
// for what is never looked into.
func (k Kind) Member(name string) (m Member, ok bool) {
	if known := shapes()[k].Members[name]; known != nil {
		return *known, true
	}
	rest := shapes()[k].Rest
	return Member{Of: rest}, rest != Anything && !IsExtension(name)
}

// Shape returns what objects of kind k have.
func (k Kind) Shape() *shape { return &shapes()[k] }

// Leaf reports whether nothing of a kind is below.
func (k Kind) Leaf() bool { return k < Document }

// in30 and in20 are what parts of Swagger 2.0 have become in OpenAPI 3.0, and
// the other way round.
var (
	KindsIn30 = map[Kind]Kind{Parameter20: Parameter, Response20: Response, PathItem20: PathItem}
	KindsIn20 = map[Kind]Kind{Parameter: Parameter20, RequestBody: Parameter20, Response: Response20, PathItem: PathItem20}
)

// reusable are the members of components, by what they hold.
var reusable = sync.OnceValue(func() *[Kinds]string {
	var sections [Kinds]string
	for name, m := range shapes()[Components].Members {
		sections[m.Of] = name
	}
	for old, k := range KindsIn30 {
		sections[old] = sections[k]
	}
	sections[SchemaOrFlag] = sections[Schema]
	return &sections
})

// Referable reports whether an object with $ref may stand in place of one of
// the kind. A path item's and a schema's $ref may have other members beside it.
func (k Kind) Referable() bool { return reusable()[k] != "" }

// Section is the member of components that holds objects of the kind in every
// version since OpenAPI 3.0, "" if there is none.
func (k Kind) Section() string {
	if m := shapes()[Components].Members[reusable()[k]]; m == nil || m.Since > V30 {
		return ""
	}
	return reusable()[k]
}

// typed maps a keyword of a schema to the only type to whose values it applies.
var KeywordTypes = map[string]string{
	"minLength": "string", "maxLength": "string", "pattern": "string", "items": "array", "minItems": "array",
	"maxItems": "array", "uniqueItems": "array", "properties": "object", "required": "object",
	"additionalProperties": "object", "minProperties": "object", "maxProperties": "object", "minimum": "number",
	"maximum": "number", "exclusiveMinimum": "number", "exclusiveMaximum": "number", "multipleOf": "number",
}

// IsExtension reports whether a property of the name is an extension (x-…).
func IsExtension(name string) bool { return strings.HasPrefix(name, "x-") }
