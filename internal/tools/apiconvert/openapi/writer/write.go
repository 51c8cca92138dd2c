package writer

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Write makes a description of the version. The result is always valid: unique
// operationIds, every path parameter declared, every operation with a response.
// Requests of the same path template and method become one operation, unless
// they go to unrelated servers.
//
// Whether a parameter is required is not known from a request; one that every
// request of its operation sends is written as required, so that reading the
// description gives the same requests again. Schemas are inferred from what the
// requests send; those of the model, which only a description has, are not
// used.
func Write(api *request.API, to versions.Version, b *budget.Budget, warnings *warning.List) (*tree.Value, error) {
	w := &writer{
		api: api, to: to, warnings: warnings,
		budget:      b,
		values:      tree.NewBudget(tree.NodesFor(b), b),
		variables:   newVariables(api.Variables, b),
		operations:  openapi.Unique{},
		schemes:     tree.NewObject(),
		schemeKeys:  map[string]string{},
		schemeNames: map[*request.Auth]string{},
		keys:        map[string]*request.Auth{},
		keyNames:    map[*request.Auth]string{},
		names:       openapi.Unique{},
		tags:        map[*request.Folder]string{},
		hosts:       map[*request.Server]*tree.Value{},
		first:       firstServer(api.Requests),
		untyped:     map[*tree.Value]bool{},
	}
	doc := &tree.Document{Root: w.document()}
	warnings.Written(doc.Root)
	if err := versions.Rewrite(doc, versions.Newest, to, b, warnings); err != nil {
		return nil, err
	}
	return doc.Root, nil
}

// writer is the writing of one description.
type writer struct {
	api      *request.API
	to       versions.Version
	warnings *warning.List
	budget   *budget.Budget
	values   *tree.Budget // for examples and inferred schemas

	variables   *variables
	operations  openapi.Unique // operationIds
	schemes     *tree.Value
	schemeKeys  map[string]string               // what a scheme says → its name
	schemeNames map[*request.Auth]string        // of credentials that requests share
	oauth2      map[*request.Auth]*request.Auth // the shared scheme of a credential
	keys        map[string]*request.Auth        // credentials among parameters
	keyNames    map[*request.Auth]string        // of their schemes
	names       openapi.Unique                  // of schemes
	tags        map[*request.Folder]string
	hosts       map[*request.Server]*tree.Value
	first       *request.Server      // that of the description, nil when no request has one
	common      string               // the requirement of the root, as JSON
	untyped     map[*tree.Value]bool // strings that stand for a variable of any type
	bodies      []*bodySchema        // written last
	empty       []string             // paths of requests that cannot be expressed
}

func (w *writer) document() *tree.Value {
	root := tree.NewObject().Set("openapi", str(versions.Newest.Text())).Set("info", w.info())
	groups := w.group()
	w.mergeOAuth2()
	setFilled(root, "servers", w.rootServer())
	setFilled(root, "tags", w.tagList())
	if required := w.rootSecurity(groups); required != nil {
		root.Set("security", required)
	}
	paths := tree.NewObject()
	for _, g := range groups {
		w.budget.Parts(openapi.RequestParts)
		item := paths.Get(g.template)
		if item == nil {
			item = tree.NewObject()
			paths.Set(g.template, item)
		}
		w.budget.Text(len(g.template))
		g.resource = naming.ResourceOf(g.template)
		g.put(item, w.operation(g))
	}
	if paths.Len() == 0 { // validators want one, operations or not
		for _, path := range w.empty {
			paths.Set(cmp.Or(path, "/"), tree.NewObject())
		}
		if paths.Len() == 0 {
			paths.Set("/", tree.NewObject())
		}
	}
	w.pathServers(paths)
	components := tree.NewObject()
	setFilled(components, "schemas", w.shareSchemas())
	setFilled(components, "securitySchemes", w.schemes)
	return setFilled(root.Set("paths", paths), "components", components)
}

func (w *writer) info() *tree.Value {
	title, version := strings.TrimSpace(w.api.Title), strings.TrimSpace(w.api.Version)
	if title == "" {
		title = w.inventedTitle()
		made := []string{"title", "version"}
		if version != "" {
			made = made[:1]
		}
		w.warnings.AddNamed(warning.AddedInfo, nil, made...)
	}
	info := setText(tree.NewObject().Set("title", str(title)), "description", w.api.Description)
	return info.Set("version", str(cmp.Or(version, "1.0.0")))
}

// inventedTitle names an API after whose servers its requests go to.
func (w *writer) inventedTitle() string {
	name, _, _ := strings.Cut(w.owner(w.first), ".")
	if len(name) < 3 || name == "api" { // nobody's name
		name = ""
	}
	return strings.TrimSpace(words.Pascal(words.Split(name)) + " API")
}

func str(text string) *tree.Value { return tree.NewString(text) }

// setText gives an object a member that says something.
func setText(o *tree.Value, name, text string) *tree.Value {
	if text != "" {
		o.Set(name, str(text))
	}
	return o
}

// setFilled gives an object a member with something in it.
func setFilled(o *tree.Value, name string, v *tree.Value) *tree.Value {
	if v.Len() > 0 {
		o.Set(name, v)
	}
	return o
}

// setTrue gives an object a member that is false where it is not said.
func setTrue(o *tree.Value, name string, is bool) *tree.Value {
	if is {
		o.Set(name, tree.NewBool(true))
	}
	return o
}

// tagList makes a tag per folder; a nested one is named after its parents,
// too. Folders of the same name become one tag.
func (w *writer) tagList() *tree.Value {
	list := tree.NewArray()
	known := map[string]*tree.Value{}
	for _, f := range w.api.Folders {
		name := w.tag(f)
		if f.Parent != nil {
			w.warnings.Add(warning.FolderNesting, f.Place)
		}
		if known[name] == nil {
			known[name] = tree.NewObject().Set("name", str(name))
			list.Append(known[name])
		}
		if !known[name].Has("description") {
			setText(known[name], "description", f.Description)
		}
	}
	return list
}

// tag is the name of a folder's tag.
func (w *writer) tag(f *request.Folder) string {
	if name, known := w.tags[f]; known {
		return name
	}
	name := cmp.Or(strings.TrimSpace(f.Name), "untitled")
	if f.Parent != nil {
		if parent := w.tag(f.Parent); len(parent) <= maxTag {
			name = parent + " / " + name
		}
	}
	w.tags[f] = name
	return name
}

// maxTag is how long the name of a parent may be that is repeated in those of
// its folders: folders can be nested as deep as a document.
const maxTag = 1000
