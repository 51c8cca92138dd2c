package rewrite

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Restore sets every reference to the pointer of its target, in three steps:
//
//  1. It collects the references that are left. If each still leads to its target, nothing needs to change.
//  2. Targets that are no longer in the tree become components. References within them are collected, too.
//  3. Each reference gets the pointer that its target has now.
func (r *Rewriter) Restore() {
	if len(r.Targets) == 0 {
		return
	}
	uses := r.uses(r.Doc.Root, RootKind(r.To), nil)
	for _, p := range r.Extras {
		uses = append(uses, r.uses(p.Value, p.Kind, r.Seen)...)
	}
	if r.allResolve(uses) {
		return
	}
	pointers := r.pointers()
	var missing []Target
	isMissing := map[*tree.Value]bool{}
	for i := 0; i < len(uses); i++ {
		t := r.Targets[uses[i].text.Text()]
		if _, placed := pointers[t.Value]; !placed && !isMissing[t.Value] && t.kind.Section() != "" {
			isMissing[t.Value] = true
			missing = append(missing, t)
			uses = append(uses, r.uses(t.Value, t.kind, r.Seen)...)
		}
	}
	if len(missing) > 0 {
		r.addComponents(missing)
		pointers = r.pointers()
	}
	for _, use := range uses {
		t := r.Targets[use.text.Text()]
		pointer, placed := pointers[t.Value]
		if placed && (pointer != t.Pointer || !r.plain(use)) {
			use.text.Become(r.String("#" + (&url.URL{Fragment: pointer}).EscapedFragment()))
		}
	}
}

// plain reports whether the reference may stay if its target does: it is a JSON Pointer, is in a mapping, which allows
// other forms, or uses a URI that the result has, too.
func (r *Rewriter) plain(ref reference) bool {
	return ref.kind == shape.Discriminator || r.To >= shape.V31 && !r.Raising && r.Targets[ref.text.Text()].identified || strings.HasPrefix(ref.text.Text(), "#/")
}

// uses returns the references within v to targets in the document.
func (r *Rewriter) uses(v *tree.Value, k shape.Kind, seen map[*tree.Value]bool) (uses []reference) {
	r.visit(v, k, seen, func(ref reference) {
		if r.Targets[ref.text.Text()].Value != nil {
			uses = append(uses, ref)
		}
	})
	return uses
}

// allResolve reports whether every reference still leads to its target.
func (r *Rewriter) allResolve(uses []reference) bool {
	checked := map[string]bool{}
	return !slices.ContainsFunc(uses, func(use reference) bool {
		content := use.text.Text()
		if checked[content] {
			return false
		}
		checked[content] = true
		t := r.Targets[content]
		r.Budget.Text(len(t.Pointer))
		return !r.plain(use) || r.Doc.Root.Pointer(t.Pointer) != t.Value
	})
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
	return r.Free(name, object.Has)
}

// Free returns name, with a number appended if it is taken.
func (r *Rewriter) Free(name string, taken func(string) bool) string {
	free := name
	for taken(free) {
		r.Numbers[name]++
		free = name + "_" + strconv.Itoa(r.Numbers[name]+1)
	}
	return free
}
