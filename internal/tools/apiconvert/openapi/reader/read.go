package reader

import (
	"iter"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Read reads an OpenAPI document of version from and resolves its local references. It upgrades doc to the newest
// version in place. Remote references are never followed. Bodies and parameters get an example value (package
// schema), so that every request can be sent as it is. An OpenAPI document holds no credentials, so each scheme that
// is used gets secret variables ({{bearerToken}}) instead.
//
// Read fails with invalid_source if there are no paths, webhooks or components, or if paths is not an object. Smaller
// mistakes cost a warning and the part that contains them. Read charges b for what it creates. Example values have a
// limit of their own, beyond which parts have no example.
func Read(doc *tree.Document, from versions.Version, b *budget.Budget, warnings *warning.List) (*request.API, error) {
	if err := hasParts(doc, from); err != nil {
		return nil, err
	}
	if err := versions.Raise(doc, from, b, warnings); err != nil {
		return nil, err
	}
	root := doc.Root
	r := &reader{
		root: root, refs: tree.NewReferences(root), warnings: warnings,
		api: &request.API{Described: true}, budget: b, values: tree.NewQuota(tree.NodesFor(b), b), room: openapi.ExampleBytes(b),
		folders: map[string]*request.Folder{}, servers: map[string]*request.Server{},
		credentials: map[string]*request.Auth{},
	}
	r.sampler = sample.New(r.refs, r.values)
	r.read()
	return r.api, nil
}

// hasParts rejects a document without anything to read.
func hasParts(doc *tree.Document, from versions.Version) error {
	root := doc.Root
	paths := root.Get("paths")
	if kind := paths.Kind(); kind != tree.Missing && kind != tree.Null && kind != tree.Object {
		return doc.Refuse(convert.Refuse(convert.InvalidSource,
			"The value of paths is not an object.",
			"Make paths an object whose names are paths, such as /users."), paths)
	}
	if paths.Kind() != tree.Object && from >= versions.V31 && root.Get("webhooks").Kind() != tree.Object &&
		root.Get("components").Kind() != tree.Object {
		return doc.Refuse(convert.Refuse(convert.InvalidSource,
			"The OpenAPI document has neither paths nor webhooks nor components.",
			"Add paths with at least one operation."), root)
	}
	return nil
}

type reader struct {
	root     *tree.Value
	refs     *tree.References
	warnings *warning.List
	api      *request.API

	budget  *budget.Budget
	values  *tree.Quota // for example values
	sampler *sample.Sampler
	room    int    // bytes of example text that may still be created
	printed []byte // buffer of pretty, reused for the next value

	folders     map[string]*request.Folder
	servers     map[string]*request.Server // by their JSON
	credentials map[string]*request.Auth   // by the name of their scheme
	taken       openapi.Unique             // variable names in use
	// authorization is the value for Authorization headers that are declared as parameters, which generators do in
	// each operation.
	authorization string
	severalKeys   bool
	defaults      []*request.Server      // servers of the root
	schemaNames   map[*tree.Value]string // created when XML needs them
}

func (r *reader) read() {
	var top *warning.Place
	r.extensions(r.root, top)
	r.info(r.root.Get("info"), top.Field("info"))
	if r.root.Has("$self") {
		r.warnings.AddMember(warning.SelfAddress, top.Field("$self"))
	}
	if r.root.Has("jsonSchemaDialect") {
		r.warnings.AddMember(warning.SchemaDialect, top.Field("jsonSchemaDialect"))
	}
	r.defaults = r.serverList(r.root.Get("servers"), top.Field("servers"))
	r.tags(r.root.Get("tags"), top.Field("tags"))
	r.severalKeys = r.hasSeveralKeys()
	r.api.Security = r.security(r.root.Get("security"), top.Field("security"))
	r.extensions(r.root.Get("components"), top.Field("components"))
	for template, item := range each(r.root.Get("paths"), top.Field("paths")) {
		if strings.HasPrefix(template, "x-") {
			r.warnings.Add(warning.Extensions, item.at)
			continue
		}
		r.pathItem(template, item)
	}
	for _, webhook := range each(r.root.Get("webhooks"), top.Field("webhooks")) {
		r.warnings.Add(warning.Webhooks, webhook.at)
	}
}

// part is a part of the document with its place.
type part struct {
	v  *tree.Value
	at *warning.Place
}

// each yields the members of an object or the elements of an array with their places.
func each(v *tree.Value, at *warning.Place) iter.Seq2[string, part] {
	return func(yield func(string, part) bool) {
		i := 0
		for name, value := range v.Members() {
			if !yield(name, part{value, at.Index(i)}) {
				return
			}
			i++
		}
		for i, value := range v.Elements() {
			if !yield("", part{value, at.Index(i)}) {
				return
			}
		}
	}
}

// objects yields the members or elements of v that are objects, with references resolved, and charges parts for each
// member or element.
func (r *reader) objects(v *tree.Value, at *warning.Place, parts int) iter.Seq2[string, part] {
	return func(yield func(string, part) bool) {
		for name, p := range each(v, at) {
			r.budget.Parts(parts)
			if p.v = r.resolve(p.v, p.at); p.v != nil && !yield(name, p) {
				return
			}
		}
	}
}

// info reads what the model supports and puts the rest into the description.
func (r *reader) info(info *tree.Value, at *warning.Place) {
	r.extensions(info, at)
	r.extensions(info.Get("contact"), at.Field("contact"))
	r.extensions(info.Get("license"), at.Field("license"))
	r.api.Title, r.api.Version = info.Get("title").Text(), info.Get("version").Text()
	r.api.Description = openapi.Paragraphs(
		info.Get("summary").Text(),
		info.Get("description").Text(),
		details("Terms of service", info, "termsOfService"),
		details("Contact", info.Get("contact"), "name", "url", "email"),
		details("License", info.Get("license"), "name", "identifier", "url"),
		r.externalDocs(r.root.Get("externalDocs"), (*warning.Place)(nil).Field("externalDocs")),
	)
}

// details returns the values of properties after a label, or "" if no property is set.
func details(label string, v *tree.Value, names ...string) string {
	var texts []string
	for _, name := range names {
		if text := v.Get(name).Text(); text != "" {
			texts = append(texts, text)
		}
	}
	if texts == nil {
		return ""
	}
	return label + ": " + strings.Join(texts, ", ")
}

func (r *reader) externalDocs(v *tree.Value, at *warning.Place) string {
	r.extensions(v, at)
	url, description := v.Get("url").Text(), v.Get("description").Text()
	switch {
	case url == "":
		return ""
	case description == "":
		return "See also: " + url
	}
	return "See also: " + strings.TrimRight(description, ". ") + " (" + url + ")"
}

// tags creates the folders for the tags of the document in order, except that each follows its parent (OpenAPI 3.2).
func (r *reader) tags(list *tree.Value, at *warning.Place) {
	positions := map[string]int{}
	for i, tag := range list.Elements() {
		r.budget.Parts(openapi.SmallParts)
		positions[tag.Get("name").Text()] = i
	}
	for i, tag := range list.Elements() {
		// From the tag up to the first known ancestor.
		var chain []int
		for at := i; ; {
			name := list.Element(at).Get("name").Text()
			if name == "" || r.folders[name] != nil || slices.Contains(chain, at) || len(chain) > maxFolders {
				break
			}
			chain = append(chain, at)
			parent, named := positions[list.Element(at).Get("parent").Text()]
			if !named {
				break
			}
			at = parent
		}
		for _, position := range slices.Backward(chain) {
			r.tag(list.Element(position), at.Index(position))
		}
		r.extensions(tag, at.Index(i))
	}
}

// maxFolders is the maximum nesting depth of folders.
const maxFolders = 32

func (r *reader) tag(tag *tree.Value, at *warning.Place) {
	f := r.newFolder(tag.Get("name").Text(), at)
	f.Description = openapi.Paragraphs(tag.Get("summary").Text(), tag.Get("description").Text(),
		r.externalDocs(tag.Get("externalDocs"), at.Field("externalDocs")))
	if tag.Has("kind") {
		r.warnings.AddMember(warning.TagHierarchy, at.Field("kind"))
	}
	f.Parent = r.folders[tag.Get("parent").Text()]
	if f.Parent == f {
		f.Parent = nil
	}
}

func (r *reader) newFolder(name string, at *warning.Place) *request.Folder {
	f := &request.Folder{Name: name, Place: at}
	r.folders[name] = f
	r.api.Folders = append(r.api.Folders, f)
	return f
}

// folder returns the folder of an operation, which is that of its first tag.
func (r *reader) folder(tags *tree.Value, at *warning.Place) *request.Folder {
	if tags.Len() > 1 {
		r.warnings.Add(warning.Tags, at.Field("tags"))
	}
	name := tags.Element(0).Text()
	if name == "" || r.folders[name] != nil {
		return r.folders[name]
	}
	return r.newFolder(name, at.Field("tags").Index(0))
}

// paid charges the budget for a parameter or field in its current state.
func (r *reader) paid(p *request.Parameter) {
	r.budget.Parts(openapi.ParameterParts)
	r.budget.Bytes(len(p.Name) + len(p.Value) + len(p.Description))
}

// resolve follows a reference and warns if it can't be resolved. It returns nil for anything but an object. The
// target is charged each time because it is read each time.
func (r *reader) resolve(v *tree.Value, at *warning.Place) *tree.Value {
	target, problem := r.refs.Follow(v)
	if target != v {
		ref, _ := tree.Ref(v)
		r.budget.Text(len(ref))
		r.budget.Parts(target.Len())
	}
	if f, unresolved := problems[problem]; unresolved {
		r.warnings.Add(f, at)
		return nil
	}
	if target.Kind() != tree.Object {
		if target.Kind() != tree.Missing && target.Kind() != tree.Null {
			r.warnings.Add(warning.Malformed, at)
		}
		return nil
	}
	return target
}

// problems maps unresolved references to warnings.
var problems = map[tree.Problem]warning.Feature{
	tree.Remote: warning.RemoteReference, tree.Broken: warning.BrokenReference, tree.Cyclic: warning.CyclicReference,
}

// extensions warns about extensions (x-…), which the model can't represent.
func (r *reader) extensions(v *tree.Value, at *warning.Place) {
	for _, name := range v.Names() {
		if strings.HasPrefix(name, "x-") {
			r.warnings.AddNamed(warning.Extensions, at, name)
		}
	}
}
