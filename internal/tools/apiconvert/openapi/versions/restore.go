package versions

import (
	"net/url"
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
	uses = append(uses, r.rescue(uses)...)
	pointers := r.pointers()
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
	for _, use := range uses {
		content := use.text.Text()
		if checked[content] {
			continue
		}
		checked[content] = true
		t := r.targets[content]
		r.budget.Text(len(t.pointer))
		if !use.plain() || r.doc.Root.Pointer(t.pointer) != t.value {
			return false
		}
	}
	return true
}

// pointers returns the address that each target has in the tree.
func (r *rewriter) pointers() map[*tree.Value]string {
	wanted, found := map[*tree.Value]bool{}, map[*tree.Value]string{}
	for _, t := range r.targets {
		wanted[t.value] = true
	}
	r.walkPointers(r.doc.Root, func(v *tree.Value, pointer func() string) {
		if wanted[v] {
			found[v] = pointer()
		}
	})
	return found
}

// rescue puts the targets of uses that are not in the tree, and what those
// refer to in turn, among the components. It returns the references within.
func (r *rewriter) rescue(uses []reference) (within []reference) {
	placed := r.pointers()
	missing := map[*tree.Value]bool{}
	var queue []target
	note := func(uses []reference) {
		for _, use := range uses {
			t := r.targets[use.text.Text()]
			if _, ok := placed[t.value]; !ok && !missing[t.value] && t.kind.section() != "" {
				missing[t.value] = true
				queue = append(queue, t)
			}
		}
	}
	note(uses)
	for i := 0; i < len(queue); i++ {
		more := r.uses(queue[i].value, queue[i].kind, r.seen)
		within = append(within, more...)
		note(more)
	}
	nested := map[*tree.Value]bool{}
	for _, t := range queue {
		if !nested[t.value] {
			r.walkPointers(t.value, func(v *tree.Value, _ func() string) {
				if missing[v] && v != t.value {
					nested[v] = true
				}
			})
		}
	}
	for _, t := range queue {
		if !nested[t.value] {
			r.addComponent(t)
		}
	}
	return within
}

// addComponent makes a target a component named like the end of its old
// address.
func (r *rewriter) addComponent(t target) {
	parent, name := r.doc.Root, t.kind.section()
	switch {
	case r.to > V20:
		parent = objectAt(parent, "components")
	case name == "schemas":
		name = "definitions"
	}
	section := objectAt(parent, name)
	last := t.pointer[strings.LastIndexByte(t.pointer, '/')+1:]
	section.Set(r.freeName(section, componentName(tree.UnescapePointer(last))), t.value)
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
