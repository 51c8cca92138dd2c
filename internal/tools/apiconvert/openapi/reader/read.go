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
	"github.com/convertd/convertd/internal/tools/apiconvert/schema"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Read reads a description of version from, local references included; doc is
// one of the newest version afterwards.
// Remote references are never followed. Bodies and parameters get an example
// value (package schema), so that every request can be sent as it is.
// Credentials are not in a description: each scheme that is used gets secret
// variables ({{bearerToken}}) in their place.
//
// It fails with invalid_source when there are no paths, webhooks or components
// or paths is no object; smaller mistakes cost the part they are in
// and a warning. What is made is paid from b; example values have bounds of
// their own, beyond which a part stays without one.
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
		api: &request.API{Described: true}, budget: b, values: tree.NewBudget(tree.NodesFor(b), b), room: openapi.ExampleBytes(b),
		folders: map[string]*request.Folder{}, servers: map[string]*request.Server{},
		credentials: map[string]*request.Auth{},
	}
	r.sampler = schema.NewSampler(r.refs, r.values)
	r.read()
	return r.api, nil
}

// hasParts refuses a description in which there is nothing to read.
func hasParts(doc *tree.Document, from versions.Version) error {
	root := doc.Root
	paths := root.Get("paths")
	if kind := paths.Kind(); kind != tree.Missing && kind != tree.Null && kind != tree.Object {
		return doc.Refuse(convert.Refuse(convert.InvalidSource,
			"The description's paths is not an object.",
			"Make paths an object whose names are paths, such as /users."), paths)
	}
	if paths.Kind() != tree.Object && from >= versions.V31 && root.Get("webhooks").Kind() != tree.Object &&
		root.Get("components").Kind() != tree.Object {
		return doc.Refuse(convert.Refuse(convert.InvalidSource,
			"The description has neither paths nor webhooks nor components.",
			"Add the member paths with at least one operation."), root)
	}
	return nil
}

// reader is the reading of one description.
type reader struct {
	root     *tree.Value
	refs     *tree.References
	warnings *warning.List
	api      *request.API

	budget  *budget.Budget
	values  *tree.Budget // for example values
	sampler *schema.Sampler
	room    int    // bytes of example text that may still be made
	printed []byte // the last text printed, to print the next one over it

	folders     map[string]*request.Folder
	servers     map[string]*request.Server // by their JSON
	credentials map[string]*request.Auth   // by the name of their scheme
	taken       openapi.Unique             // names of variables
	// authorization is what the header of that name is sent with where it is
	// described as a parameter, as generators do in each operation.
	authorization string
	defaults      []*request.Server      // those of the root
	schemaNames   map[*tree.Value]string // made when XML asks for it
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

// part is a part of the description with its place.
type part struct {
	v  *tree.Value
	at *warning.Place
}

// each yields the members of an object, or the elements of an array, with their
// places.
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

// objects yields the objects among the parts of v, references followed, and
// pays for each part.
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

// info takes over what the model has a place for and puts the rest into the
// description.
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

// details joins the texts of members behind a label; "" when there are none.
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

// tags makes the folders that the description lists, in its order, each after
// its parent (3.2).
func (r *reader) tags(list *tree.Value, at *warning.Place) {
	positions := map[string]int{}
	for i, tag := range list.Elements() {
		r.budget.Parts(openapi.SmallParts)
		positions[tag.Get("name").Text()] = i
	}
	for i, tag := range list.Elements() {
		// From the tag up to the first ancestor that is known.
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

// maxFolders is how deep folders may stand in one another.
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

// folder returns the folder of an operation: its first tag's.
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

// paid takes a parameter, or a field, as it is now into account.
func (r *reader) paid(p *request.Parameter) {
	r.budget.Parts(openapi.ParameterParts)
	r.budget.Bytes(len(p.Name) + len(p.Value) + len(p.Description))
}

// resolve follows a reference and tells where it leads nowhere. It returns nil
// for everything but an object. What it leads to is paid each time: it is gone
// through each time.
func (r *reader) resolve(v *tree.Value, at *warning.Place) *tree.Value {
	target, problem := r.refs.Follow(v)
	if target != v {
		ref, _ := tree.Ref(v)
		r.budget.Text(len(ref))
		r.budget.Parts(target.Len())
	}
	if f, told := problems[problem]; told {
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

// problems are what is told of references that lead nowhere.
var problems = map[tree.Problem]warning.Feature{
	tree.Remote: warning.RemoteReference, tree.Broken: warning.BrokenReference, tree.Cyclic: warning.CyclicReference,
}

// extensions tells that a part has members that only its author's tools know.
func (r *reader) extensions(v *tree.Value, at *warning.Place) {
	for _, name := range v.Names() {
		if strings.HasPrefix(name, "x-") {
			r.warnings.AddNamed(warning.Extensions, at, name)
		}
	}
}
