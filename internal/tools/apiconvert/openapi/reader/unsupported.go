package reader

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// unsupported finds what a list of requests has no place for, whatever its format.
type unsupported struct {
	budget              *budget.Budget
	warnings            *warning.List
	command             bool // the target is a script
	schemas, properties warning.Counted
	visited             map[*tree.Value]bool
	required            map[string]bool // scopes
	root                *tree.Value
	referenced          []reference // that are yet to be visited
}

type reference struct {
	kind    shape.Kind
	pointer string
}

// unsupportedProperties maps properties that no target can hold to the warning about them.
var unsupportedProperties = map[shape.Kind]map[string]warning.Feature{
	shape.Document: {
		"webhooks": warning.LostWebhooks, "$self": warning.LostSelf, "jsonSchemaDialect": warning.LostSchemaDialect,
	},
	shape.Tag:       {"kind": warning.LostTagHierarchy, "parent": warning.LostTagHierarchy},
	shape.Operation: {"callbacks": warning.LostCallbacks},
	shape.Parameter: {"content": warning.LostParameterContent},
	shape.Header:    {"content": warning.LostParameterContent},
	shape.MediaType: {"prefixEncoding": warning.LostEncoding, "itemEncoding": warning.LostEncoding},
	shape.Encoding:  {"headers": warning.LostEncoding, "encoding": warning.LostEncoding},
	shape.Response:  {"links": warning.LostLinks},
	shape.Example:   {"summary": warning.LostUnknownMembers, "description": warning.LostUnknownMembers},
	shape.SecurityScheme: {
		"description": warning.LostAuthDetails, "bearerFormat": warning.LostAuthDetails,
		"oauth2MetadataUrl": warning.LostAuthDetails, "deprecated": warning.LostDeprecated,
	},
}

// countedProperties are the properties of each kind that no target can hold either, but that most documents have; a
// command has no descriptions of parameters.
var countedProperties = map[shape.Kind]string{
	shape.Operation: "operationId", shape.RequestBody: "required", shape.Parameter: "description",
}

// Unsupported warns about what the targets that list requests have no place for in a document that was read: schemas,
// of which only examples remain, some properties, extensions, and components that nothing refers to.
func Unsupported(root *tree.Value, command bool, b *budget.Budget, warnings *warning.List) {
	u := unsupported{budget: b, warnings: warnings, root: root, command: command, visited: map[*tree.Value]bool{}, required: map[string]bool{}}
	u.visit(shape.Document, part{Value: root})
	for ; len(u.referenced) > 0; u.referenced = u.referenced[1:] {
		next := u.referenced[0]
		u.visit(next.kind, part{}.inner(root.Pointer(next.pointer)))
	}
	var unused []warning.Place
	for c := range shape.Components.Children(root.Get("components")) {
		switch {
		case c.Member == nil:
		case c.Kind == shape.Schema:
			u.schema(c)
		case !u.visited[c.Value]:
			unused = append(unused, c.Value)
		}
	}
	warnings.AddCounted(warning.LostSchemas, "schema", u.schemas)
	warnings.AddCounted(warning.LostProperties, "property", u.properties)
	warnings.AddPlaces(warning.LostUnusedComponents, unused)
}

// schema counts a schema unless an example says all that it does: its type.
func (u *unsupported) schema(c shape.Child) {
	kind := c.Value.Get("type").Text()
	scalar := c.Value.Len() == 1 && kind != "" && kind != "object" && kind != "array"
	if reusable := c.Name == "schemas"; c.Value.Len() > 0 && (reusable || !c.Value.Has("$ref")) && !scalar {
		u.schemas.Count(c.Key, reusable)
	}
}

// count counts properties that only a command has no place for.
func (u *unsupported) count(name string, n int) {
	for range n {
		if u.command {
			u.properties.Count(name, true)
		}
	}
}

// visit visits an object once. What is reusable is visited if a reference or a security requirement leads to it.
func (u *unsupported) visit(kind shape.Kind, p part) {
	u.budget.Parts(openapi.SmallParts)
	if u.visited[p.Value] {
		return
	}
	u.visited[p.Value] = true
	if ref, is := tree.Ref(p.Value); is {
		u.refer(kind, strings.TrimPrefix(ref, "#"))
		if kind != shape.PathItem {
			return
		}
	}
	if kind == shape.SecurityScheme && p.Has(openapi.SchemeMark) {
		return
	}
	for _, name := range p.Names() {
		if shape.IsExtension(name) {
			u.warnings.AddNamed(warning.LostExtensions, cmp.Or(p.at, u.root), name)
		}
	}
	if kind == shape.Document || kind == shape.Operation {
		for _, requirement := range p.Get("security").Elements() {
			for name, scopes := range requirement.Members() {
				u.refer(shape.SecurityScheme, "/components/securitySchemes/"+tree.EscapePointer(name))
				u.count("scopes", scopes.Len())
				for _, scope := range scopes.Elements() {
					u.required[scope.Text()] = true
				}
			}
		}
	}
	for c := range kind.Children(p.Value) {
		if c.Member != nil && kind != shape.Components {
			u.child(kind, p, c)
		}
	}
}

// refer makes sure that what a reference leads to is visited.
func (u *unsupported) refer(kind shape.Kind, pointer string) {
	u.budget.Text(len(pointer))
	u.referenced = append(u.referenced, reference{kind, percent.Decode(pointer)})
}

// child reports or counts a property, or visits the object that it holds.
func (u *unsupported) child(kind shape.Kind, p part, c shape.Child) {
	if lost, is := unsupportedProperties[kind][c.Name]; is && c.Value.Kind() != tree.False {
		if shape.NamesEntries(lost) {
			u.warnings.Add(lost, p.inner(c.Value).at)
			if ref, is := tree.Ref(c.Value); is {
				target := u.root.Pointer(percent.Decode(strings.TrimPrefix(ref, "#")))
				u.visited[target] = true
				u.warnings.Add(lost, target)
			}
			return // nothing is said about what is in it
		}
		u.warnings.AddNamed(lost, p.at, c.Name)
	}
	switch {
	case c.Kind == shape.Schema:
		u.schema(c)
	case kind == shape.OauthFlow && c.Kind.Leaf():
		u.count(c.Name, 1)
		if c.Name == "scopes" && !u.command && (c.Value.Text() != "" || !u.required[c.Key]) {
			u.warnings.AddNamed(warning.LostAuthDetails, p.at, c.Name)
		}
	case c.Kind.Leaf():
		if countedProperties[kind] == c.Name && c.Value.Kind() != tree.False && (u.command || kind != shape.Parameter) {
			u.properties.Count(c.Name, true)
		}
	default:
		u.visit(c.Kind, p.inner(c.Value))
	}
}
