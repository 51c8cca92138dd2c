package reader

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// unsupported counts what a list of requests has no place for, whatever its format.
type unsupported struct {
	budget              *budget.Budget
	command             bool // the target is a script
	schemas, properties warning.Counted
	// uses holds, by the pointer of the component that is being visited, or "" outside them, the pointers that references
	// and requirements name.
	uses       map[string][]string
	visiting   string
	components []component // other than schemas
}

type component struct {
	pointer string
	value   *tree.Value
}

// unsupportedProperties are the properties of each kind that no target can hold; a command has no descriptions of
// parameters either.
var unsupportedProperties = map[shape.Kind]string{
	shape.Operation: "operationId", shape.RequestBody: "required", shape.Parameter: "description",
}

// Unsupported warns about what the targets that list requests have no place for in a document that was read: schemas,
// of which only examples remain, some properties, and components that nothing refers to.
func Unsupported(root *tree.Value, command bool, b *budget.Budget, warnings *warning.List) {
	u := unsupported{budget: b, command: command, uses: map[string][]string{}}
	u.visit(shape.Document, root)
	used := map[string]bool{}
	for queue := []string{""}; len(queue) > 0; queue = queue[1:] {
		if !used[queue[0]] {
			used[queue[0]] = true
			queue = append(queue, u.uses[queue[0]]...)
		}
	}
	warnings.AddCounted(warning.LostSchemas, "schema", u.schemas)
	warnings.AddCounted(warning.LostProperties, "property", u.properties)
	for _, c := range u.components {
		if !used[c.pointer] {
			warnings.Add(warning.LostUnusedComponents, c.value)
		}
	}
}

// saysExample reports whether an example says all that a schema does: its type.
func saysExample(schema *tree.Value) bool {
	kind := schema.Get("type").Text()
	return schema.Len() == 1 && kind != "" && kind != "object" && kind != "array"
}

// count counts properties that only a command has no place for.
func (u *unsupported) count(name string, n int) {
	for range n {
		if u.command {
			u.properties.Count(name, true)
		}
	}
}

// use records that the part being visited names another one.
func (u *unsupported) use(pointer string) {
	u.uses[u.visiting] = append(u.uses[u.visiting], pointer)
}

func (u *unsupported) visit(kind shape.Kind, v *tree.Value) {
	u.budget.Parts(openapi.SmallParts)
	if ref, is := tree.Ref(v); is {
		u.use(ref)
		if kind != shape.PathItem {
			return
		}
	}
	if kind == shape.Document || kind == shape.Operation {
		for _, requirement := range v.Get("security").Elements() {
			for name, scopes := range requirement.Members() {
				u.use("#/components/securitySchemes/" + tree.EscapePointer(name))
				u.count("scopes", scopes.Len())
			}
		}
	}
	if kind == shape.OauthFlow {
		u.count("scopes", v.Get("scopes").Len())
	}
	for c := range kind.Children(v) {
		if c.Member == nil || kind == shape.Document && c.Name == "webhooks" {
			continue
		}
		switch isReusable := kind == shape.Components; {
		case c.Kind == shape.Schema:
			if c.Value.Len() > 0 && (isReusable || !c.Value.Has("$ref")) && !saysExample(c.Value) {
				u.schemas.Count(c.Key, isReusable)
			}
		case c.Kind.Leaf() && kind == shape.OauthFlow:
			if c.Name != "scopes" {
				u.count(c.Name, 1)
			}
		case c.Kind.Leaf():
			if unsupportedProperties[kind] == c.Name && c.Value.Kind() != tree.False && (u.command || kind != shape.Parameter) {
				u.properties.Count(c.Name, true)
			}
		default:
			if isReusable {
				pointer := "#/components/" + c.Name + "/" + tree.EscapePointer(c.Key)
				u.components = append(u.components, component{pointer, c.Value})
				u.visiting = pointer
			}
			u.visit(c.Kind, c.Value)
			if isReusable {
				u.visiting = ""
			}
		}
	}
}
