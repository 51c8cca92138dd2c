package versions

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// kind is what an object of a description is, as its place says: a rewrite
// touches a schema only where the version's specification has a schema.
type kind uint8

const (
	anything kind = iota // data and extensions: never looked into
	text
	number
	flag
	document
	info
	license
	contact
	server
	serverVariable
	components
	paths
	pathItem
	operation
	parameter
	header
	requestBody
	mediaType
	encoding
	responses
	response
	example
	link
	callback
	tag
	externalDocs
	securityScheme
	oauthFlows
	oauthFlow
	schema
	schemaOrFlag
	schemaList // one schema, or a list of them (items of JSON Schema before 2020-12)
	discriminator
	xml
	document20
	paths20
	pathItem20
	operation20
	parameter20
	items20
	responses20
	response20
	security20
	kinds
)

// kindNames are those in shapes.txt, in the order of the constants.
var kindNames = strings.Fields(`anything text number flag document info license contact server serverVariable
	components paths pathItem operation parameter header requestBody mediaType encoding responses response example
	link callback tag externalDocs securityScheme oauthFlows oauthFlow schema schemaOrFlag schemaList discriminator
	xml document20 paths20 pathItem20 operation20 parameter20 items20 responses20 response20 security20`)

// container says how the values of a kind stand in a member.
type container uint8

const (
	one   container = iota
	list            // an array of them
	named           // an object, the names being the author's
)

// member is a member that objects of a kind have.
type member struct {
	of    kind
	in    container
	since Version         // the first version that has it, Unknown for all
	lost  warning.Feature // told when it is left out for an older version
}

// shape is what a kind of object has. Members that neither it nor an extension
// (x-…) names are left out and told, unless it is open.
type shape struct {
	members map[string]*member
	rest    kind    // of all members beside those named, if not anything
	open    Version // the first version in which it may have any other member
}

//go:embed shapes.txt
var shapesText string

// shapes are by kind; they are read when a description is first looked into.
var shapes = sync.OnceValue(func() *[kinds]shape {
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
func readShapes(text string) (all [kinds]shape) {
	var of kind
	for line := range strings.Lines(text) {
		names, is, isMember := strings.Cut(strings.TrimSpace(line), ": ")
		words := strings.Fields(names)
		switch {
		case len(words) == 0 || line[0] == '#':
		case isMember && words[0] == "*":
			all[of].rest = readMember(is).of
		case isMember:
			m := readMember(is)
			for _, name := range words {
				all[of].members[name] = &m
			}
		default:
			of = kind(position(kindNames, words[0]))
			all[of].members = map[string]*member{}
			if len(words) == 3 {
				all[of].open = Version(position(prefixes[:], words[2]))
			}
		}
	}
	return all
}

// readMember reads what stands behind a member's name.
func readMember(text string) (m member) {
	values, lost, _ := strings.Cut(text, ", ")
	in, of, contained := strings.Cut(values, " ")
	if !contained {
		of = in
	} else if m.in = named; in == "list" {
		m.in = list
	}
	m.of = kind(position(kindNames, of))
	since, code, told := strings.Cut(lost, " ")
	if lost != "" {
		m.since = Version(position(prefixes[:], since))
	}
	if told {
		m.lost = losses[slices.IndexFunc(losses, func(f warning.Feature) bool { return f.Code() == code })]
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

// member returns what stands under a name in an object of kind k. ok is false
// for what is never looked into.
func (k kind) member(name string) (m member, ok bool) {
	if known := shapes()[k].members[name]; known != nil {
		return *known, true
	}
	rest := shapes()[k].rest
	return member{of: rest}, rest != anything && !isExtension(name)
}

// leaf reports whether nothing of a kind is below.
func (k kind) leaf() bool { return k < document }

// in30 and in20 are what parts of Swagger 2.0 have become in OpenAPI 3.0, and
// the other way round.
var (
	in30 = map[kind]kind{parameter20: parameter, response20: response, pathItem20: pathItem}
	in20 = map[kind]kind{parameter: parameter20, requestBody: parameter20, response: response20, pathItem: pathItem20}
)

// reusable are the members of components, by what they hold.
var reusable = sync.OnceValue(func() *[kinds]string {
	var sections [kinds]string
	for name, m := range shapes()[components].members {
		sections[m.of] = name
	}
	for old, k := range in30 {
		sections[old] = sections[k]
	}
	sections[schemaOrFlag] = sections[schema]
	return &sections
})

// referable reports whether an object with $ref may stand in place of one of
// the kind. A path item's and a schema's $ref may have other members beside it.
func (k kind) referable() bool { return reusable()[k] != "" }

// section is the member of components that holds objects of the kind in every
// version since OpenAPI 3.0, "" if there is none.
func (k kind) section() string {
	if m := shapes()[components].members[reusable()[k]]; m == nil || m.since > V30 {
		return ""
	}
	return reusable()[k]
}
