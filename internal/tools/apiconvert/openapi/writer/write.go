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

// Write returns an OpenAPI document of version to. The result is always valid: operationIds are unique, every path
// parameter is declared, and every operation has a response. Requests with the same path template and method become
// one operation, unless they go to unrelated servers.
//
// A request doesn't say whether a parameter is required. A parameter that every request of an operation sends is
// written as required, so that reading the document returns the same requests again. Schemas are inferred from what
// the requests send. The model comes from a collection, a script or recorded traffic: documents are rewritten instead, so what
// only they have (schemas, ids, names and descriptions of credentials, several alternatives) is not used.
func Write(api *request.API, to versions.Version, b *budget.Budget, warnings *warning.List) *tree.Value {
	w := &writer{
		api: api, warnings: warnings, budget: b,
		values:      tree.NewQuota(tree.NodesFor(b), b),
		variables:   newVariables(api.Variables, b),
		operations:  words.Unique{},
		schemes:     tree.NewObject(),
		schemeKeys:  map[string]string{},
		schemeNames: map[*request.Auth]string{},
		keys:        map[string]*request.Auth{},
		names:       words.Unique{},
		tags:        map[*request.Folder]string{},
		hosts:       map[*request.Server]*tree.Value{},
		untyped:     map[*tree.Value]bool{},
	}
	w.main = w.mainServer()
	doc := &tree.Document{Root: w.document()}
	for _, v := range api.Variables {
		if v.Description != "" && (v.Secret || !v.Written) { // other variables are those of a server
			warnings.AddNamed(warning.LostParameterDescriptions, nil, v.Name)
		}
	}
	api.ReportReplaced(warnings)
	warnings.Written(doc)
	versions.Rewrite(doc, versions.Newest, to, b, warnings)
	return doc.Root
}

type writer struct {
	api      *request.API
	warnings *warning.List
	budget   *budget.Budget
	values   *tree.Quota // for examples and inferred schemas

	variables   *variables
	operations  words.Unique // operationIds
	schemes     *tree.Value
	schemeKeys  map[string]string        // scheme name by content
	schemeNames map[*request.Auth]string // of credentials that requests share
	keys        map[string]*request.Auth // API keys among the parameters
	names       words.Unique             // scheme names
	tags        map[*request.Folder]string
	hosts       map[*request.Server]*tree.Value
	main        *request.Server      // server of the document; nil if no request has one
	security    *tree.Value          // requirements of the document
	untyped     map[*tree.Value]bool // strings that replace a variable of any type
	bodies      []*bodySchema        // written last
	unshown     warning.Counted      // samples of recorded traffic that aren't examples
}

func (w *writer) document() *tree.Value {
	root := tree.NewObject().Set("openapi", str(versions.Newest.Text())).Set("info", w.info())
	groups := w.group()
	setFilled(root, "servers", w.servers(w.main))
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
		g.resource = naming.ResourceOf(g.template)
		g.addTo(item, w.operation(g))
	}
	if paths.Len() == 0 { // validators require a path
		w.warnings.Add(warning.LostOperations, nil)
		paths.Set("/", tree.NewObject())
	}
	pathServers(paths)
	components := tree.NewObject()
	setFilled(components, "schemas", w.shareSchemas())
	w.warnings.AddCounted(warning.LostSamples, "sample", w.unshown)
	setFilled(components, "securitySchemes", w.schemes)
	return setFilled(root.Set("paths", paths), "components", components)
}

func (w *writer) info() *tree.Value {
	title, version := strings.TrimSpace(w.api.Title), strings.TrimSpace(w.api.Version)
	if title == "" {
		title = w.defaultTitle()
		added := []string{"title", "version"}
		if version != "" {
			added = added[:1]
		}
		w.warnings.AddNamed(warning.AddedInfo, nil, added...)
	}
	info := tree.NewObject().Set("title", str(title)).SetText("description", w.api.Description)
	return info.Set("version", str(cmp.Or(version, "1.0.0")))
}

// defaultTitle returns a title for an API after the owner of its servers.
func (w *writer) defaultTitle() string {
	name, _, _ := strings.Cut(w.owner(w.main), ".")
	if len(name) < 3 || name == "api" { // not a name
		name = ""
	}
	return strings.TrimSpace(words.Pascal(words.Split(name)) + " API")
}

func str(text string) *tree.Value { return tree.NewString(text) }

// setFilled sets a member unless v is empty.
func setFilled(o *tree.Value, name string, v *tree.Value) *tree.Value {
	if v.Len() > 0 {
		o.Set(name, v)
	}
	return o
}

// setTrue sets a member that defaults to false.
func setTrue(o *tree.Value, name string, value bool) {
	if value {
		o.Set(name, tree.NewBool(true))
	}
}

// tagList returns a tag for each folder. The tag of a nested folder includes the names of its parents. Folders with
// the same name share a tag.
func (w *writer) tagList() *tree.Value {
	list := tree.NewArray()
	known := map[string]*tree.Value{}
	for _, f := range w.api.Folders {
		name := w.tag(f)
		if f.Parent != nil {
			w.warnings.Add(warning.ChangedFolderNesting, f.Place)
		}
		if known[name] == nil {
			known[name] = tree.NewObject().Set("name", str(name))
			list.Append(known[name])
		}
		if !known[name].Has("description") {
			known[name].SetText("description", f.Description)
		}
	}
	return list
}

func (w *writer) tag(f *request.Folder) string {
	if name, known := w.tags[f]; known {
		return name
	}
	name := cmp.Or(strings.TrimSpace(f.Name), "untitled")
	if f.Parent != nil {
		switch parent := w.tag(f.Parent); {
		case isParameter(name): // of a collection that follows the paths
			name = parent
		case len(parent) <= maxTag:
			name = parent + " / " + name
		}
	}
	w.tags[f] = name
	return name
}

// isParameter reports whether a folder is named after a path parameter: {petId}.
func isParameter(name string) bool {
	parts := request.SplitPath(name)
	return len(parts) == 1 && parts[0].Kind != request.LiteralPart
}

// maxTag is the maximum length of a parent's tag that is repeated in the tags of its folders. Folders may be nested
// as deep as a document.
const maxTag = 1000
