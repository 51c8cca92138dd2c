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
		if t.value == nil {
			continue
		}
		pointer, placed := pointers[t.value]
		if placed && (pointer != t.pointer || !strings.HasPrefix(use.text.Text(), "#/") && use.kind != discriminator) {
			r.budget.Bytes(len(pointer))
			use.text.Become(tree.NewString("#" + (&url.URL{Fragment: pointer}).EscapedFragment()))
		}
	}
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
		if !strings.HasPrefix(content, "#/") && use.kind != discriminator || r.doc.Root.Pointer(t.pointer) != t.value {
			return false
		}
	}
	return true
}

// pointers returns the address that each target has in the tree.
func (r *rewriter) pointers() map[*tree.Value]string {
	wanted := map[*tree.Value]string{}
	for _, content := range r.order {
		if v := r.targets[content].value; v != nil {
			wanted[v] = ""
		}
	}
	found := map[*tree.Value]string{}
	r.walkPointers(r.doc.Root, func(v *tree.Value, pointer func() string) {
		if _, ok := wanted[v]; ok {
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
	var queue []string
	note := func(uses []reference) {
		for _, use := range uses {
			content := use.text.Text()
			t := r.targets[content]
			if _, ok := placed[t.value]; ok || missing[t.value] || t.kind.section() == "" {
				continue
			}
			missing[t.value] = true
			queue = append(queue, content)
		}
	}
	note(uses)
	for i := 0; i < len(queue); i++ {
		t := r.targets[queue[i]]
		more := r.uses(t.value, t.kind, r.seen)
		within = append(within, more...)
		note(more)
	}
	nested := nestedIn(missing)
	for _, content := range queue {
		if t := r.targets[content]; !nested[t.value] {
			r.addComponent(t)
		}
	}
	return within
}

// nestedIn returns those of the values that lie within another one of them.
func nestedIn(values map[*tree.Value]bool) map[*tree.Value]bool {
	nested, walked := map[*tree.Value]bool{}, map[*tree.Value]bool{}
	var walk func(v *tree.Value)
	walk = func(v *tree.Value) {
		if values[v] {
			nested[v] = true
			if walked[v] {
				return
			}
			walked[v] = true
		}
		for _, value := range v.Members() {
			walk(value)
		}
		for _, element := range v.Elements() {
			walk(element)
		}
	}
	for v := range values {
		if walked[v] {
			continue
		}
		walked[v] = true
		for _, value := range v.Members() {
			walk(value)
		}
		for _, element := range v.Elements() {
			walk(element)
		}
	}
	return nested
}

// addComponent makes a target a component named like the end of its old
// address.
func (r *rewriter) addComponent(t target) {
	parent, name := r.doc.Root, t.kind.section()
	switch {
	case r.to > V20:
		parent = memberObject(parent, "components")
	case name == "schemas":
		name = "definitions"
	}
	section := memberObject(parent, name)
	last := t.pointer[strings.LastIndexByte(t.pointer, '/')+1:]
	section.Set(r.freeName(section, componentName(tree.UnescapePointer(last))), t.value)
}

// memberObject returns the object that is a member of v, a new one if there is
// none.
func memberObject(v *tree.Value, name string) *tree.Value {
	if v.Get(name) == nil {
		v.Set(name, tree.NewObject())
	}
	return v.Get(name)
}

// componentName replaces what names of components may not have: they match
// ^[a-zA-Z0-9._-]+$ (OpenAPI 3.0.3, section 4.7.7).
func componentName(name string) string {
	if isComponentName(name) {
		return name
	}
	clean := strings.Map(func(c rune) rune {
		if c < 0x80 && componentByte(byte(c)) {
			return c
		}
		return '_'
	}, name)
	if clean == "" {
		return "_"
	}
	return clean
}

func isComponentName(name string) bool {
	for i := range len(name) {
		if !componentByte(name[i]) {
			return false
		}
	}
	return name != ""
}

func componentByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-'
}

// freeName returns name, with a number behind it when the object has it.
func (r *rewriter) freeName(object *tree.Value, name string) string {
	free := name
	for object.Has(free) {
		r.numbers[name]++
		free = name + "_" + strconv.Itoa(r.numbers[name]+1)
	}
	return free
}
