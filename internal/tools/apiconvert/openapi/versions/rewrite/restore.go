package rewrite

import (
	"net/url"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

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
