package versions

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// restore gives every reference the address of what it names. What has no
// place in the tree any more but is referred to becomes a component.
func (r *rewriter) restore() {
	if len(r.targets) == 0 {
		return
	}
	uses := r.uses(r.doc.Root, rootKind(r.to), nil)
	for _, p := range r.extras {
		uses = append(uses, r.uses(p.value, p.kind, r.seen)...)
	}
	if r.unmoved(uses) {
		return
	}
	pointers := r.pointers(r.doc.Root)
	var missing []target
	noted := map[*tree.Value]bool{}
	for i := 0; i < len(uses); i++ {
		t := r.targets[uses[i].text.Text()]
		if _, placed := pointers[t.value]; !placed && !noted[t.value] && t.kind.section() != "" {
			noted[t.value] = true
			missing = append(missing, t)
			uses = append(uses, r.uses(t.value, t.kind, r.seen)...)
		}
	}
	if len(missing) > 0 {
		r.addComponents(missing)
		pointers = r.pointers(r.doc.Root)
	}
	for _, use := range uses {
		t := r.targets[use.text.Text()]
		pointer, placed := pointers[t.value]
		if placed && (pointer != t.pointer || !use.plain()) {
			r.budget.Bytes(len(pointer))
			use.text.Become(tree.NewString("#" + (&url.URL{Fragment: pointer}).EscapedFragment()))
		}
	}
}

// plain reports whether the reference is a JSON Pointer, or what a mapping may
// have instead.
func (ref *reference) plain() bool {
	return ref.kind == discriminator || strings.HasPrefix(ref.text.Text(), "#/")
}

// uses returns the references within v that name something in the document.
func (r *rewriter) uses(v *tree.Value, k kind, seen map[*tree.Value]bool) (uses []reference) {
	r.visit(v, k, seen, func(ref reference) {
		if r.targets[ref.text.Text()].value != nil {
			uses = append(uses, ref)
		}
	})
	return uses
}

// unmoved reports whether every reference still leads to what it named.
func (r *rewriter) unmoved(uses []reference) bool {
	checked := map[string]bool{}
	return !slices.ContainsFunc(uses, func(use reference) bool {
		content := use.text.Text()
		if checked[content] {
			return false
		}
		checked[content] = true
		t := r.targets[content]
		r.budget.Text(len(t.pointer))
		return !use.plain() || r.doc.Root.Pointer(t.pointer) != t.value
	})
}

// pointers returns the address that each target within v has from there.
func (r *rewriter) pointers(v *tree.Value) map[*tree.Value]string {
	wanted, found := map[*tree.Value]bool{}, map[*tree.Value]string{}
	for _, t := range r.targets {
		wanted[t.value] = true
	}
	r.walkPointers(v, func(v *tree.Value, pointer func() string) {
		if wanted[v] {
			found[v] = pointer()
		}
	})
	return found
}

// addComponents makes components of the targets that no other target contains.
// A component is named after the last segment of its old pointer.
func (r *rewriter) addComponents(targets []target) {
	nested := r.nested(targets)
	parent := r.doc.Root
	if r.to > V20 {
		parent = objectAt(parent, "components")
	}
	for _, t := range targets {
		if nested[t.value] {
			continue
		}
		name := t.kind.section()
		if r.to == V20 && name == "schemas" {
			name = "definitions"
		}
		section := objectAt(parent, name)
		last := t.pointer[strings.LastIndexByte(t.pointer, '/')+1:]
		section.Set(r.freeName(section, componentName(tree.UnescapePointer(last))), t.value)
	}
}

// nested returns the targets that another of them contains. It visits each value
// once: below a target that was visited before, there is nothing new.
func (r *rewriter) nested(targets []target) map[*tree.Value]bool {
	isTarget, visited, nested := map[*tree.Value]bool{}, map[*tree.Value]bool{}, map[*tree.Value]bool{}
	for _, t := range targets {
		isTarget[t.value] = true
	}
	var visit func(v *tree.Value)
	visit = func(v *tree.Value) {
		r.budget.Parts(1)
		if isTarget[v] {
			if visited[v] {
				return
			}
			visited[v] = true
		}
		for _, child := range v.Values() {
			nested[child] = nested[child] || isTarget[child]
			visit(child)
		}
	}
	for _, t := range targets {
		visit(t.value)
	}
	return nested
}

// componentName replaces what names of components may not have: they match
// ^[a-zA-Z0-9._-]+$ (OpenAPI 3.0.3, section 4.7.7).
func componentName(name string) string {
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

// freeName returns name, with a number behind it when the object has it.
func (r *rewriter) freeName(object *tree.Value, name string) string {
	return r.free(name, object.Has)
}

// free returns name, with a number behind it when it is taken.
func (r *rewriter) free(name string, taken func(string) bool) string {
	free := name
	for taken(free) {
		r.numbers[name]++
		free = name + "_" + strconv.Itoa(r.numbers[name]+1)
	}
	return free
}
