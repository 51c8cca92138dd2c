package versions

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// References are resolved once, on the source. A rewrite then moves values, and
// in the end every reference gets the address that its value has by then. So
// definitions move to components, names change and schemas are nested without
// a list of what is referred to.

// target is what the text of a reference names.
type target struct {
	value   *tree.Value // nil with a problem
	problem tree.Problem
	pointer string // the JSON Pointer it had in the source
	kind    kind
}

// reference is a place in the tree that holds the text of a reference.
type reference struct {
	text *tree.Value
	kind kind // of what it names
}

// visit calls f for every reference within v, which is of kind k, and pays for
// them. It changes nothing. seen, if not nil, holds objects not to visit again.
func (r *rewriter) visit(v *tree.Value, k kind, seen map[*tree.Value]bool, f func(reference)) {
	switch {
	case k.leaf():
		return
	case k == schemaOrFlag, k == schemaList:
		k = schema
		r.elements(v, k, seen, f)
	}
	if v.Kind() != tree.Object || seen[v] {
		return
	}
	if seen != nil {
		seen[v] = true
	}
	note := func(text *tree.Value, k kind) {
		if text.Kind() == tree.String {
			r.budget.Text(len(text.Text()))
			f(reference{text, k})
		}
	}
	if k.referable() {
		note(v.Get("$ref"), k)
	}
	switch k {
	case schema:
		note(v.Get("$dynamicRef"), schema)
	case discriminator:
		for _, text := range v.Get("mapping").Members() {
			note(text, discriminator)
		}
	case link:
		note(v.Get("operationRef"), operation)
	}
	each(v, func(i int, name string, value *tree.Value) {
		if value.Len() == 0 {
			return
		}
		m, known := k.member(name)
		if !known || m.in == one && m.of.leaf() {
			return
		}
		r.enter(name, i)
		switch m.in {
		case one:
			r.visit(value, m.of, seen, f)
		case list:
			r.elements(value, m.of, seen, f)
		case named:
			each(value, func(i int, _ string, entry *tree.Value) {
				r.enter("", i)
				r.visit(entry, m.of, seen, f)
				r.leave()
			})
		}
		r.leave()
	})
}

// elements visits those of an array.
func (r *rewriter) elements(v *tree.Value, k kind, seen map[*tree.Value]bool, f func(reference)) {
	for i, element := range v.Elements() {
		r.enter("", i)
		r.visit(element, k, seen, f)
		r.leave()
	}
}

// collect resolves every reference of the source, those within the parts that
// only references lead to (an extension, a member of no version) included.
func (r *rewriter) collect(root kind) {
	r.follow = tree.NewReferences(r.doc.Root)
	seen := map[*tree.Value]bool{}
	note := func(ref reference) {
		content := ref.text.Text()
		if _, known := r.targets[content]; known {
			return
		}
		t := r.resolve(ref)
		r.budget.Text(len(content) + len(t.pointer))
		if t.kind = ref.kind; t.kind == discriminator {
			t.kind = schema // which a mapping names
		}
		r.targets[content] = t
		if t.problem == tree.Remote && !r.raising {
			r.w.Add(warning.RemoteKept, r.place())
		}
		if t.value != nil && t.kind.referable() && !reaches(root, t.pointer) {
			r.extras = append(r.extras, part{t.value, t.kind})
		}
	}
	r.visit(r.doc.Root, root, nil, note)
	for i := 0; i < len(r.extras); i++ {
		r.visit(r.extras[i].value, r.extras[i].kind, seen, note)
	}
}

// resolve finds what a reference names, one step far.
func (r *rewriter) resolve(ref reference) target {
	content := ref.text.Text()
	base, fragment, _ := strings.Cut(content, "#")
	if base != "" {
		if ref.kind == discriminator && !strings.ContainsAny(content, "#/") {
			pointer := "/components/schemas/" + tree.EscapePointer(content)
			if v := r.doc.Root.Pointer(pointer); canBe(v, schema) {
				return target{value: v, pointer: pointer}
			}
		}
		if base != r.doc.Root.Get("$self").Text() {
			if at, ok := r.identified()[base]; ok && (fragment == "" || fragment[0] == '/') {
				if v := at.value.Pointer(fragment); v != nil {
					return target{value: v, pointer: at.pointer + fragment}
				}
			}
			return target{problem: tree.Remote}
		}
	}
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	v := r.doc.Root.Pointer(fragment)
	switch {
	case v == nil:
		return r.named(fragment)
	case !canBe(v, ref.kind):
		return target{problem: tree.Broken}
	}
	probe := tree.NewObject().Set("$ref", tree.NewString("#"+(&url.URL{Path: fragment}).EscapedPath()))
	if _, problem := r.follow.Follow(probe); problem == tree.Cyclic {
		return target{problem: tree.Cyclic}
	}
	return target{value: v, pointer: fragment}
}

// named finds what a fragment names that is no JSON Pointer from the root on: an
// anchor, or a definition of a pasted JSON Schema, where #/$defs/A counts from
// that schema's root.
func (r *rewriter) named(fragment string) target {
	name, within := fragment, ""
	if tokens := strings.SplitN(fragment, "/", 4); len(tokens) == 4 {
		within = "/" + tokens[3]
		name = strings.TrimSuffix(fragment, within)
	}
	at := r.identified()["#"+name]
	v := at.value.Pointer(within)
	if !canBe(v, schema) {
		return target{problem: tree.Broken}
	}
	return target{value: v, pointer: at.pointer + within}
}

// canBe reports whether v may be something of the kind: an object, or true or
// false for a schema.
func canBe(v *tree.Value, k kind) bool {
	return v.Kind() == tree.Object || k == schema && isFlag(v)
}

// identified returns the schemas that have an address of their own: by their
// $id, by "#" and their $anchor, and by "#" and the pointer that a definition has
// within its component, if no other has one of that name.
func (r *rewriter) identified() map[string]target {
	if r.ids != nil {
		return r.ids
	}
	r.ids = map[string]target{}
	r.walkPointers(r.doc.Root, func(v *tree.Value, pointer func() string) {
		for _, name := range []string{"$anchor", "$dynamicAnchor", "$id"} {
			id := strings.TrimSuffix(v.Get(name).Text(), "#")
			if id != "" && name != "$id" {
				id = "#" + id
			}
			if id != "" && r.ids[id].value == nil {
				r.ids[id] = target{value: v, pointer: pointer()}
			}
		}
	})
	for component, s := range r.doc.Root.Get("components").Get("schemas").Members() {
		for _, section := range []string{"$defs", "definitions"} {
			for name, definition := range s.Get(section).Members() {
				within := "/" + section + "/" + tree.EscapePointer(name)
				t := target{value: definition, pointer: "/components/schemas/" + tree.EscapePointer(component) + within}
				if _, twice := r.ids["#"+within]; twice {
					t = target{}
				}
				r.ids["#"+within] = t
			}
		}
	}
	return r.ids
}

// walkPointers calls f for every value within v with a function that makes its
// JSON Pointer.
func (r *rewriter) walkPointers(v *tree.Value, f func(v *tree.Value, pointer func() string)) {
	var tokens []string
	pointer := func() string {
		var b strings.Builder
		for _, token := range tokens {
			b.WriteByte('/')
			b.WriteString(tree.EscapePointer(token))
		}
		r.budget.Bytes(b.Len())
		return b.String()
	}
	var walk func(v *tree.Value)
	walk = func(v *tree.Value) {
		r.budget.Parts(1)
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

// reaches reports whether a walk by the shapes comes to the place that a JSON
// Pointer names.
func reaches(k kind, pointer string) bool {
	in := one
	for _, token := range strings.Split(pointer, "/")[1:] {
		switch {
		case in != one:
			in = one
			continue
		case k == schemaList && token != "" && token[0] >= '0' && token[0] <= '9':
			continue
		case k == schemaList || k == schemaOrFlag:
			k = schema
		}
		m, known := k.member(tree.UnescapePointer(token))
		if !known {
			return false
		}
		k, in = m.of, m.in
	}
	return in == one && k >= document
}

// reference deals with v, an object with $ref. done is false when what stands
// beside the $ref is walked like any other object's members.
func (s *step) reference(v *tree.Value, k kind, ref string) (keep, done bool) {
	beside := k == schema || k == pathItem || k == pathItem20
	problem := s.targets[ref].problem
	switch {
	case problem == tree.Broken || problem == tree.Cyclic:
		feature := warning.BrokenReference
		if problem == tree.Cyclic {
			feature = warning.CyclicReference
		}
		s.tell(feature)
		if k == response || k == response20 {
			v.Become(tree.NewObject())
			return true, false
		}
		if beside {
			v.Delete("$ref")
		}
		return beside, !beside
	case beside:
		return true, false
	case k == mediaType && s.to < V32:
		return s.inlineMediaType(v), false
	case k == parameter:
		if d := s.deref(v); d != nil && !s.typesOnly {
			if _, ok := s.expressible(d); !ok {
				return false, true
			}
		}
	}
	if s.from >= V31 && s.to < V31 && v.Len() > 1 {
		v.Keep(func(name string, _ *tree.Value) bool { return name == "$ref" })
		s.tell(warning.ReferenceTexts)
	}
	return true, true
}

// deref returns what v is, references followed, nil if they lead nowhere or
// out of the document.
func (r *rewriter) deref(v *tree.Value) *tree.Value {
	for range maxChain {
		ref, ok := tree.Ref(v)
		if !ok {
			return v
		}
		r.budget.Text(len(ref))
		v = r.targets[ref].value
	}
	return nil
}

// maxChain is how many references in a row are followed.
const maxChain = 32
