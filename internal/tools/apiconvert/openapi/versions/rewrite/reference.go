package rewrite

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// References are resolved once, in the source. A rewrite then moves values, and at the end every reference gets the
// pointer that its value has by then. So definitions can move to components, names can change and schemas can be
// nested without tracking the references to them.

// Target is the target of a reference.
type Target struct {
	Value   *tree.Value // nil if there is a problem
	Problem tree.ReferenceProblem
	Pointer string // the JSON Pointer in the source
	kind    shape.Kind
	// identified is set if the reference uses the URI or anchor of a schema.
	identified bool
}

// reference is a string in the tree that holds a reference.
type reference struct {
	text *tree.Value
	kind shape.Kind // of the target, Anything in an extension
}

// visit calls f for every reference within v, an object of kind k, and charges for each. It changes nothing. Objects
// in seen are skipped, and visited ones are added; seen may be nil.
func (r *Rewriter) visit(v *tree.Value, k shape.Kind, seen map[*tree.Value]bool, f func(reference)) {
	if v.Kind() != tree.Object || k.Leaf() || seen[v] {
		return
	}
	if seen != nil {
		seen[v] = true
	}
	note := func(text *tree.Value, k shape.Kind) {
		if text.Kind() == tree.String {
			r.Budget.Text(len(text.Text()))
			f(reference{text, k})
		}
	}
	if k.Referable() {
		note(v.Get("$ref"), k)
	}
	switch k {
	case shape.Schema:
		note(v.Get("$dynamicRef"), shape.Schema)
	case shape.Discriminator:
		for _, text := range v.Get("mapping").Members() {
			note(text, shape.Discriminator)
		}
	case shape.Link:
		note(v.Get("operationRef"), shape.Operation)
	}
	for c := range k.Children(v) {
		if c.Member == nil && shape.IsExtension(c.Name) {
			r.visitExtension(c.Value, f)
		}
		if c.Value.Len() > 0 && !c.Kind.Leaf() {
			r.Within(c.Value, func() { r.visit(c.Value, c.Kind, seen, f) })
		}
	}
}

// visitExtension calls f for every reference into the document within an extension.
func (r *Rewriter) visitExtension(v *tree.Value, f func(reference)) {
	if ref, isRef := tree.Ref(v); isRef && strings.HasPrefix(ref, "#/") {
		r.Budget.Text(len(ref))
		f(reference{v.Get("$ref"), shape.Anything})
	}
	r.Budget.Text(v.Len())
	for _, inner := range v.Values() {
		r.visitExtension(inner, f)
	}
}

// Collect resolves every reference of the source, including those in parts that can only be reached through
// references (in an extension or an unknown property).
func (r *Rewriter) Collect(root shape.Kind) {
	r.follow = tree.NewReferences(r.Doc.Root)
	seen := map[*tree.Value]bool{}
	note := func(ref reference) {
		content := ref.text.Text()
		if t, known := r.Targets[content]; known && (t.kind != shape.Anything || ref.kind == shape.Anything) {
			return
		}
		t := r.resolve(ref)
		r.Budget.Text(len(content) + len(t.Pointer))
		if t.kind = ref.kind; t.kind == shape.Discriminator {
			t.kind = shape.Schema // a mapping names schemas
		}
		r.Targets[content] = t
		if t.Problem == tree.Remote && !r.Raising && t.kind != shape.PathItem && t.kind != shape.PathItem20 {
			r.Warn(warning.ChangedRemoteReference)
		}
		if t.Value != nil && t.kind.Referable() && !visits(root, t.Pointer) {
			r.Extras = append(r.Extras, Part{t.Value, t.kind})
		}
	}
	r.visit(r.Doc.Root, root, nil, note)
	for i := 0; i < len(r.Extras); i++ {
		r.visit(r.Extras[i].Value, r.Extras[i].Kind, seen, note)
	}
}

// resolve finds the target of a reference, without following further references.
func (r *Rewriter) resolve(ref reference) Target {
	content := ref.text.Text()
	base, fragment, _ := strings.Cut(content, "#")
	if base != "" {
		if ref.kind == shape.Discriminator && !strings.ContainsAny(content, "#/") {
			pointer := "/components/schemas/" + tree.EscapePointer(content)
			if v := r.Doc.Root.Pointer(pointer); canBe(v, shape.Schema) {
				return Target{Value: v, Pointer: pointer}
			}
		}
		if base != r.Doc.Root.Get("$self").Text() {
			if at, ok := r.identified()[base]; ok && (fragment == "" || fragment[0] == '/') {
				if v := at.Value.Pointer(fragment); canBe(v, ref.kind) {
					return Target{Value: v, Pointer: at.Pointer + fragment, identified: true}
				}
			}
			return Target{Problem: tree.Remote}
		}
	}
	fragment = percent.Decode(fragment)
	v := r.Doc.Root.Pointer(fragment)
	switch {
	case v == nil:
		at := r.identified()["#"+fragment]
		if !canBe(at.Value, shape.Schema) {
			return Target{Problem: tree.Broken}
		}
		return Target{Value: at.Value, Pointer: at.Pointer, identified: true}
	case !canBe(v, ref.kind):
		return Target{Problem: tree.Broken}
	}
	probe := tree.NewObject().Set("$ref", tree.NewString("#"+(&url.URL{Path: fragment}).EscapedPath()))
	if _, problem := r.follow.Follow(probe); problem == tree.Cyclic {
		return Target{Problem: tree.Cyclic}
	}
	return Target{Value: v, Pointer: fragment}
}

// canBe reports whether v may be an object of kind k; a schema may also be true or false.
func canBe(v *tree.Value, k shape.Kind) bool {
	return v.Kind() == tree.Object || k == shape.Schema && IsFlag(v)
}

// identified returns the schemas that have a URI of their own: by their $id, and by "#" and their $anchor. The first
// schema with an $id or $anchor wins where references stay as they are. Where they become JSON Pointers, an $id or $anchor
// that several schemas have identifies none, since the $id around a reference decides which one.
func (r *Rewriter) identified() map[string]Target {
	if r.ids != nil {
		return r.ids
	}
	r.ids = map[string]Target{}
	r.WalkPointers(r.Doc.Root, func(v *tree.Value, pointer func() string) {
		for _, name := range []string{"$anchor", "$dynamicAnchor", "$id"} {
			id := strings.TrimSuffix(v.Get(name).Text(), "#")
			if id != "" && name != "$id" {
				id = "#" + id
			}
			known, again := r.ids[id]
			switch {
			case id == "":
			case !again:
				r.ids[id] = Target{Value: v, Pointer: pointer()}
			case known.Value != v && name != "$dynamicAnchor" && (r.To < shape.V31 || r.Raising):
				r.ids[id] = Target{}
			}
		}
	})
	return r.ids
}

// WalkPointers calls f for every value within v, with a function that returns its JSON Pointer.
func (r *Rewriter) WalkPointers(v *tree.Value, f func(v *tree.Value, pointer func() string)) {
	var tokens []string
	pointer := func() string {
		var b strings.Builder
		for _, token := range tokens {
			b.WriteByte('/')
			b.WriteString(tree.EscapePointer(token))
		}
		r.Budget.Bytes(b.Len())
		return b.String()
	}
	var walk func(v *tree.Value)
	walk = func(v *tree.Value) {
		r.Budget.Parts(1)
		f(v, pointer)
		tokens = append(tokens, "")
		for name, value := range v.Members() {
			tokens[len(tokens)-1] = name
			walk(value)
		}
		for i, element := range v.Elements() {
			tokens[len(tokens)-1] = strconv.Itoa(i)
			walk(element)
		}
		tokens = tokens[:len(tokens)-1]
	}
	walk(v)
}

// visits reports whether a walk by the shapes visits the location of a JSON Pointer.
func visits(k shape.Kind, pointer string) bool {
	in := shape.One
	for _, token := range strings.Split(pointer, "/")[1:] {
		switch {
		case in != shape.One:
			in = shape.One
			continue
		case k == shape.SchemaList && token != "" && token[0] >= '0' && token[0] <= '9':
			continue
		case k == shape.SchemaList || k == shape.SchemaOrFlag:
			k = shape.Schema
		}
		m := k.Member(tree.UnescapePointer(token))
		if m == nil {
			return false
		}
		k, in = m.Of, m.In
	}
	return in == shape.One && k >= shape.Document
}

// Deref follows references from v. It returns nil if they don't resolve or lead out of the document.
func (r *Rewriter) Deref(v *tree.Value) *tree.Value {
	for range MaxChain {
		ref, ok := tree.Ref(v)
		if !ok {
			return v
		}
		r.Budget.Text(len(ref))
		v = r.Targets[ref].Value
	}
	return nil
}

// MaxChain is the maximum length of a chain of references.
const MaxChain = 32

// Restore sets every reference to the pointer of its target, in three steps:
//
//  1. It collects the references that don't lead to their targets any more.
//  2. Targets that are no longer in the tree become components. References within them are collected, too.
//  3. Each reference gets the pointer that its target has now, unless it uses a URI or anchor that the version supports.
func (r *Rewriter) Restore() {
	if len(r.Targets) == 0 {
		return
	}
	var uses []reference
	seen := map[*tree.Value]bool{} // outside the tree
	collect := func(v *tree.Value, k shape.Kind, seen map[*tree.Value]bool) {
		r.visit(v, k, seen, func(ref reference) {
			if t := r.Targets[ref.text.Text()]; t.Value != nil && !r.leadsTo(ref, t) {
				uses = append(uses, ref)
			}
		})
	}
	collect(r.Doc.Root, RootKind(r.To), nil)
	for _, p := range r.Extras {
		collect(p.Value, p.Kind, seen)
	}
	if len(uses) == 0 {
		return
	}
	pointers := r.pointers()
	var missing []Target
	for i := 0; i < len(uses); i++ {
		t := r.Targets[uses[i].text.Text()]
		if _, placed := pointers[t.Value]; !placed && t.kind.Section() != "" {
			pointers[t.Value] = "" // found below
			missing = append(missing, t)
			collect(t.Value, t.kind, seen)
		}
	}
	if len(missing) > 0 {
		r.addComponents(missing)
		pointers = r.pointers()
	}
	for _, use := range uses {
		t := r.Targets[use.text.Text()]
		if pointer, placed := pointers[t.Value]; placed && !(t.identified && r.To >= shape.V31 && !r.Raising) {
			use.text.Become(r.String("#" + (&url.URL{Fragment: pointer}).EscapedFragment()))
		}
	}
}

// leadsTo reports whether a reference is a JSON Pointer, or is in a mapping, which allows other forms, and leads to its
// target.
func (r *Rewriter) leadsTo(ref reference, t Target) bool {
	r.Budget.Text(len(t.Pointer))
	plain := ref.kind == shape.Discriminator || strings.HasPrefix(ref.text.Text(), "#/")
	return plain && r.Doc.Root.Pointer(t.Pointer) == t.Value
}

// pointers returns the pointer that each target in the tree has now.
func (r *Rewriter) pointers() map[*tree.Value]string {
	wanted, found := map[*tree.Value]bool{}, map[*tree.Value]string{}
	for _, t := range r.Targets {
		wanted[t.Value] = true
	}
	r.WalkPointers(r.Doc.Root, func(v *tree.Value, pointer func() string) {
		if wanted[v] {
			found[v] = pointer()
		}
	})
	return found
}

// addComponents adds targets to the components. Each is named after the last segment of its old pointer.
func (r *Rewriter) addComponents(targets []Target) {
	parent := r.Doc.Root
	if r.To > shape.V20 {
		parent = ObjectAt(parent, "components")
	}
	for _, t := range targets {
		name := t.kind.Section()
		if r.To == shape.V20 && name == "schemas" {
			name = "definitions"
		}
		section := ObjectAt(parent, name)
		last := t.Pointer[strings.LastIndexByte(t.Pointer, '/')+1:]
		section.Set(r.FreeName(section, ComponentName(tree.UnescapePointer(last))), t.Value)
	}
}

// ComponentName replaces the characters that component names may not have: they match ^[a-zA-Z0-9._-]+$ (OpenAPI
// 3.0.3, section 4.7.7).
func ComponentName(name string) string {
	clean := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-' {
			return c
		}
		return '_'
	}, name)
	if clean == "" {
		return "_"
	}
	return clean
}

// FreeName returns name, with a number appended if the object has a member of that name.
func (r *Rewriter) FreeName(object *tree.Value, name string) string {
	return r.Numbers.Free(name, "_", object.Has)
}
