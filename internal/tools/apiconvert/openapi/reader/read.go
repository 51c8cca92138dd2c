package reader

import (
	"iter"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Read reads an OpenAPI document of version from and resolves its local references. It upgrades doc to the newest
// version in place. Remote references are never followed. Bodies and parameters get an example value (package
// sample), so that every request can be sent as it is. An OpenAPI document holds no credentials, so each scheme that
// is used gets secret variables ({{bearerToken}}) instead.
//
// Read fails with invalid_source if there are no paths, webhooks or components, or if paths is not an object. Smaller
// mistakes cost a warning and the part that contains them. Read charges b for what it creates. Example values have a
// limit of their own, beyond which parts have no example.
func Read(doc *tree.Document, from versions.Version, b *budget.Budget, warnings *warning.List) (*request.API, error) {
	if err := hasParts(doc, from); err != nil {
		return nil, err
	}
	versions.Raise(doc, from, b, warnings)
	r := &reader{
		root: part{Value: doc.Root, at: doc.Root}, refs: tree.NewReferences(doc.Root), warnings: warnings,
		api: &request.API{Described: true}, budget: b, values: tree.NewQuota(tree.NodesFor(b), b),
		room:    openapi.ExampleBytes(b),
		folders: map[string]*request.Folder{}, servers: map[string]*request.Server{},
		credentials: map[string]credential{},
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
		return doc.Reject(convert.Reject(convert.InvalidSource,
			"The value of paths is not an object.",
			"Make paths an object whose names are paths, such as /users."), paths)
	}
	if paths.Kind() != tree.Object && from >= versions.V31 && root.Get("webhooks").Kind() != tree.Object &&
		root.Get("components").Kind() != tree.Object {
		return doc.Reject(convert.Reject(convert.InvalidSource,
			"The OpenAPI document has neither paths nor webhooks nor components.",
			"Add paths with at least one operation."), root)
	}
	return nil
}

type reader struct {
	root     part
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
	credentials map[string]credential      // by the name of their scheme
	taken       words.Unique               // variable names in use
	// authorization is the value for Authorization headers that are declared as parameters, which generators do in
	// each operation.
	authorization string
	schemes       part                   // of components
	keys          int                    // number of API keys among them; 0 until it is needed
	server        *request.Server        // of the root
	schemaNames   map[*tree.Value]string // created when XML needs them
}

func (r *reader) read() {
	r.info(r.root.field("info"))
	r.server = r.firstServer(r.root.field("servers"))
	r.tags(r.root.field("tags"))
	r.schemes = r.root.field("components").field("securitySchemes")
	r.api.Security = r.security(r.root.field("security"))
	for template, item := range r.root.field("paths").all {
		if !shape.IsExtension(template) {
			r.pathItem(template, item)
		}
	}
}

// part is a part of the document. A part that is missing has no Value.
type part struct {
	*tree.Value
	at *tree.Value // where warnings about it belong: the innermost value around it that was read
}

// inner returns a part within p.
func (p part) inner(v *tree.Value) part {
	p.Value = v
	if v.ID() >= 0 {
		p.at = v
	}
	return p
}

// field returns the value of a property.
func (p part) field(name string) part { return p.inner(p.Get(name)) }

// text returns the string or number that is the value of a property, or "".
func (p part) text(name string) string { return p.Get(name).Text() }

// all yields the members of an object or the elements of an array.
func (p part) all(yield func(string, part) bool) {
	for name, value := range p.Members() {
		if !yield(name, p.inner(value)) {
			return
		}
	}
	for _, value := range p.Elements() {
		if !yield("", p.inner(value)) {
			return
		}
	}
}

// follow follows a reference and warns if it leads to another document. It returns no value for anything but an object. The
// target is charged each time because it is read each time.
func (r *reader) follow(p part) part {
	target, problem := r.refs.Follow(p.Value)
	r.budget.Parts(openapi.ParameterParts + target.Len())
	if target != p.Value {
		r.budget.Text(len(p.text("$ref")))
	}
	if problem == tree.Remote {
		r.warnings.Add(warning.LostRemoteReference, p.at)
	}
	if problem != tree.None || target.Kind() != tree.Object {
		return part{at: p.at} // other problems were reported before
	}
	r.budget.Bytes(len(target.Get("description").Text()))
	return p.inner(target)
}

// objects yields the members or elements that are objects, with references followed.
func (r *reader) objects(p part) iter.Seq2[string, part] {
	return func(yield func(string, part) bool) {
		for name, value := range p.all {
			if o := r.follow(value); o.Value != nil && !yield(name, o) {
				return
			}
		}
	}
}

// info reads what the model supports and puts the rest into the description.
func (r *reader) info(info part) {
	contact, license := info.field("contact"), info.field("license")
	r.api.Title, r.api.Version = info.text("title"), info.text("version")
	r.api.Description = openapi.Paragraphs(
		info.text("summary"),
		info.text("description"),
		details("Terms of service", info, "termsOfService"),
		details("Contact", contact, "name", "url", "email"),
		details("License", license, "name", "identifier", "url"),
		externalDocs(r.root),
	)
}

// details returns the values of properties after a label, or "" if no property is set.
func details(label string, p part, names ...string) string {
	var texts []string
	for _, name := range names {
		if text := p.text(name); text != "" {
			texts = append(texts, text)
		}
	}
	if texts == nil {
		return ""
	}
	return label + ": " + strings.Join(texts, ", ")
}

// externalDocs returns the external documentation of an object as a sentence, or "".
func externalDocs(p part) string {
	docs := p.field("externalDocs")
	url, description := docs.text("url"), docs.text("description")
	switch {
	case url == "":
		return ""
	case description == "":
		return "See also: " + url
	}
	return "See also: " + strings.TrimRight(description, ". ") + " (" + url + ")"
}

// tags creates the folders for the tags of the document. They aren't nested (parent, OpenAPI 3.2).
func (r *reader) tags(list part) {
	for _, tag := range list.all {
		r.budget.Parts(openapi.SmallParts)
		if name := tag.text("name"); name != "" && r.folders[name] == nil {
			f := r.newFolder(name, tag.at)
			f.Description = openapi.Paragraphs(tag.text("summary"), tag.text("description"), externalDocs(tag))
		}
	}
}

func (r *reader) newFolder(name string, at *tree.Value) *request.Folder {
	f := &request.Folder{Name: name, Place: at}
	r.folders[name] = f
	r.api.Folders = append(r.api.Folders, f)
	return f
}

// folder returns the folder of an operation, which is that of its first tag.
func (r *reader) folder(tags part) *request.Folder {
	if tags.Len() > 1 {
		r.warnings.Add(warning.LostTags, tags.at)
	}
	name := tags.Element(0).Text()
	if name == "" || r.folders[name] != nil {
		return r.folders[name]
	}
	return r.newFolder(name, tags.inner(tags.Element(0)).at)
}

// paid charges the budget for a parameter or field in its current state.
func (r *reader) paid(p *request.Parameter) {
	r.budget.Parts(openapi.ParameterParts)
	r.budget.Bytes(len(p.Name) + len(p.Value) + len(p.Description))
}
