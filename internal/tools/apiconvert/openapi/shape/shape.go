package shape

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Kind is the kind of an object in an OpenAPI document or a collection, determined by its location. A rewrite changes a schema only
// where the version's specification has one.
type Kind uint8

const (
	Anything Kind = iota // data and extensions; not visited
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
	Encoding
	responses
	Response
	Example
	Link
	callback
	Tag
	ExternalDocs
	SecurityScheme
	OauthFlows
	OauthFlow
	Schema
	SchemaOrFlag
	SchemaList // a schema, or a list of schemas (items before JSON Schema 2020-12)
	Discriminator
	Xml
	Document20
	Paths20
	PathItem20
	Operation20
	Parameter20
	Items20
	Header20
	Responses20
	Response20
	Security20
	Reference

	// The kinds of a Postman collection.
	Item // the collection, a folder, a request's item, a request or its body
	CollectionInfo
	collectionVersion
	collectionText
	SavedResponse
	CollectionVariable
	CollectionAuth
	Event
	CollectionURL
	Userinfo
	GraphQL
	HeaderEntry
	CookieEntry
	QueryEntry
	FieldEntry
	Kinds
)

// kindNames has the names in shapes.txt, in the order of the constants.
var kindNames = strings.Fields(`anything text number flag document info license contact server serverVariable
	components paths pathItem operation parameter header requestBody mediaType encoding responses response example
	link callback tag externalDocs securityScheme oauthFlows oauthFlow schema schemaOrFlag schemaList discriminator
	xml document20 paths20 pathItem20 operation20 parameter20 items20 header20 responses20 response20 security20 reference
	item collectionInfo collectionVersion collectionText savedResponse collectionVariable collectionAuth event
	collectionURL userinfo graphQL headerEntry cookieEntry queryEntry fieldEntry`)

// container says how a property contains values of a kind.
type container uint8

const (
	One   container = iota
	List            // an array of values
	Named           // an object with author-defined names
)

// Content says what a scalar, or a value of kind Anything, means.
type Content uint8

const (
	Symbol Content = iota // part of the format: a keyword, a reference, an identifier
	Prose                 // text for people
	URL
	Data   // an example
	Choice // a default or an allowed value
	Path   // of a URL, or its host
	Body
)

// contentNames has the names in shapes.txt, in the order of the constants.
var contentNames = []string{"symbol", "prose", "url", "data", "choice", "path", "body"}

// Member is a property of a kind of object.
type Member struct {
	Of      Kind
	In      container
	Content Content
	Since   Version         // the first version that has it; Unknown for all
	Lost    warning.Feature // reported when it is dropped for an older version
}

// shape describes a kind of object. Properties that are neither listed nor an extension (x-…) are dropped with a
// warning, unless the kind is open.
type shape struct {
	Members map[string]*Member
	Rest    Member  // any other property, unless it is of kind Anything
	Open    Version // the first version that allows any other property
}

//go:embed shapes.txt
var shapesText string

// shapes holds the shapes by kind. They are parsed on first use.
var shapes = sync.OnceValue(func() *[Kinds]shape {
	all := readShapes(shapesText)
	return &all
})

// NamesEntries reports whether the warning about a lost map names its entries instead of the map.
func NamesEntries(lost warning.Feature) bool {
	return lost == warning.LostWebhooks || lost == warning.LostCallbacks || lost == warning.LostLinks
}

// losses lists the features that shapes.txt names by their codes.
var losses = []warning.Feature{
	warning.LostAdditionalOperations, warning.LostAuthDetails, warning.LostCallbacks, warning.LostConditionalSchema,
	warning.LostDefaultMapping, warning.LostDeprecated, warning.LostDeviceFlow, warning.LostDiscriminatorMapping, warning.LostEncoding,
	warning.LostExamples, warning.ChangedLicenseIdentifier, warning.LostLinks, warning.LostParameterStyle, warning.ChangedPathItems,
	warning.LostPathTexts, warning.LostSchemaAlternatives, warning.LostSchemaDialect, warning.LostKeyword, warning.LostSelf,
	warning.LostSerializedExamples, warning.LostServerNames, warning.LostServerTexts, warning.ChangedItemSchema, warning.LostSummary,
	warning.LostTagHierarchy, warning.ChangedTupleItems, warning.LostUnknownMembers, warning.LostWebhooks, warning.LostWriteOnly,
	warning.LostXmlNodes,
}

// readShapes parses shapes.txt. It panics on unknown names, because the table is part of the program.
func readShapes(text string) (all [Kinds]shape) {
	var of Kind
	for line := range strings.Lines(text) {
		names, is, isMember := strings.Cut(strings.TrimSpace(line), ": ")
		words := strings.Fields(names)
		switch {
		case len(words) == 0 || line[0] == '#':
		case isMember && words[0] == "*":
			all[of].Rest = readMember(is)
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

// readMember parses the definition that follows a property's name.
func readMember(text string) (m Member) {
	values, lost, _ := strings.Cut(text, ", ")
	in, of, contained := strings.Cut(values, " ")
	if !contained {
		of = in
	} else if m.In = Named; in == "list" {
		m.In = List
	}
	of, content, hasContent := strings.Cut(of, "/")
	if m.Of = Kind(position(kindNames, of)); hasContent {
		m.Content = Content(position(contentNames, content))
	} else if m.Of == Text {
		m.Content = Prose
	}
	since, code, reported := strings.Cut(lost, " ")
	if lost != "" {
		m.Since = Version(position(prefixes[:], since))
	}
	if reported {
		m.Lost = losses[slices.IndexFunc(losses, func(f warning.Feature) bool { return f.Code() == code })]
	}
	return m
}

func position(names []string, name string) int {
	i := slices.Index(names, name)
	if i < 0 {
		panic("shape: shapes.txt has the unknown name " + name)
	}
	return i
}

// Member returns the property of an object of kind k with the given name. It returns nil for an extension and a
// property that k doesn't define.
func (k Kind) Member(name string) *Member { return shapes()[k].member(name) }

func (s *shape) member(name string) *Member {
	if known := s.Members[name]; known != nil {
		return known
	}
	if s.Rest.Of == Anything || IsExtension(name) {
		return nil
	}
	return &s.Rest
}

// Shape returns the shape of objects of kind k.
func (k Kind) Shape() *shape { return &shapes()[k] }

// InCollection reports whether k is a kind of a Postman collection.
func (k Kind) InCollection() bool { return k >= Item }

// Leaf reports whether values of kind k contain no other objects.
func (k Kind) Leaf() bool { return k < Document }

// KindsIn30 maps kinds of Swagger 2.0 to those of OpenAPI 3.0, and KindsIn20 maps the other way.
var (
	KindsIn30 = map[Kind]Kind{Parameter20: Parameter, Response20: Response, PathItem20: PathItem, Items20: Schema}
	KindsIn20 = map[Kind]Kind{Parameter: Parameter20, RequestBody: Parameter20, Response: Response20, PathItem: PathItem20}
)

// reusable maps a kind to the property of components that holds it.
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

// Referable reports whether an object with $ref may replace one of kind k. The $ref of a path item or schema may have
// siblings.
func (k Kind) Referable() bool { return reusable()[k] != "" }

// Section returns the property of components that holds objects of kind k in every version since OpenAPI 3.0, or "".
func (k Kind) Section() string {
	if m := shapes()[Components].Members[reusable()[k]]; m == nil || m.Since > V30 {
		return ""
	}
	return reusable()[k]
}

// KeywordTypes maps a schema keyword to the only type that it applies to.
var KeywordTypes = map[string]string{
	"minLength": "string", "maxLength": "string", "pattern": "string", "contentEncoding": "string",
	"contentMediaType": "string", "items": "array", "prefixItems": "array", "minItems": "array", "maxItems": "array",
	"uniqueItems": "array", "properties": "object", "required": "object", "additionalProperties": "object",
	"patternProperties": "object", "minProperties": "object", "maxProperties": "object", "minimum": "number",
	"maximum": "number", "exclusiveMinimum": "number", "exclusiveMaximum": "number", "multipleOf": "number",
}

// IsExtension reports whether a property name is that of an extension (x-…).
func IsExtension(name string) bool { return strings.HasPrefix(name, "x-") }

// Child is a value within an object of a known kind: the value of a property, or an element or entry of a property
// that is a list or map.
type Child struct {
	Value *tree.Value
	Kind  Kind

	// The property: its name and its description, nil if the kind doesn't define it or the
	// value isn't what it should be.
	Property *tree.Value
	Name     string
	Member   *Member

	Entry int    // the position of the value in the property, or -1 for the property itself
	Key   string // the name of an entry of a map
}

// Children yields the children of v, an object of kind k, in order. The only changes allowed meanwhile are those to
// the yielded values.
func (k Kind) Children(v *tree.Value) iter.Seq[Child] {
	return func(yield func(Child) bool) {
		s := k.Shape()
		for name, value := range v.Members() {
			c := Child{Value: value, Property: value, Name: name, Member: s.member(name), Entry: -1}
			if c.Member != nil {
				c.Kind = c.Member.Of
			}
			if !c.each(func(c Child) bool {
				if !c.fits() {
					c.Kind, c.Member = Anything, nil
				}
				return yield(c)
			}) {
				return
			}
		}
	}
}

// fits reports whether the value may be one of its kind, at least for authors: a string often replaces an object.
func (c Child) fits() bool {
	switch {
	case c.Kind == Anything:
		return true
	case c.Member.In != One && c.Entry < 0:
		return false
	}
	return c.Value.Kind() != tree.Array && (c.Value.Kind() != tree.Object || !c.Kind.Leaf())
}

// each yields c, or its elements or entries.
func (c Child) each(yield func(Child) bool) bool {
	isSchema := c.Kind == SchemaOrFlag || c.Kind == SchemaList
	if isSchema {
		c.Kind = Schema
	}
	switch {
	case isSchema && c.Property.Kind() == tree.Array, c.Property.Kind() == tree.Array && c.Member != nil && c.Member.In == List:
		for c.Entry, c.Value = range c.Property.Elements() {
			if !yield(c) {
				return false
			}
		}
	case c.Property.Kind() == tree.Object && c.Member != nil && c.Member.In == Named:
		c.Entry = 0
		for c.Key, c.Value = range c.Property.Members() {
			if !yield(c) {
				return false
			}
			c.Entry++
		}
	default:
		return yield(c)
	}
	return true
}

// Version is a minor version of OpenAPI or Swagger. Patch releases don't change the format.
type Version uint8

// The versions.
const (
	Unknown Version = iota // an OpenAPI document of an unsupported version
	V20                    // Swagger 2.0
	V30                    // OpenAPI 3.0.x
	V31                    // OpenAPI 3.1.x
	V32                    // OpenAPI 3.2.x

	// Newest is the version that the reader and writer use.
	Newest = V32
)

// Text returns the value that writers use for the openapi property (swagger for V20).
func (v Version) Text() string {
	return [...]string{V20: "2.0", V30: "3.0.3", V31: "3.1.0", V32: "3.2.0"}[v]
}

var prefixes = [...]string{V20: "2.0", V30: "3.0", V31: "3.1", V32: "3.2"}

// Of returns the version that a document declares. ok is false if the document declares none. The version may be a
// number, as in unquoted YAML. A suffix such as -rc1 in 3.0.0-rc1 is ignored.
func Of(root *tree.Value) (v Version, ok bool) {
	for _, name := range []string{"openapi", "swagger", "swaggerVersion"} {
		text, isScalar := root.Get(name).Scalar()
		if !isScalar {
			continue
		}
		for version := V20; version <= V32; version++ {
			rest, found := strings.CutPrefix(text, prefixes[version])
			if found && (version == V20) == (name != "openapi") && (rest == "" || rest[0] == '.' || rest[0] == '-') {
				return version, true
			}
		}
		return Unknown, true
	}
	return Unknown, false
}
