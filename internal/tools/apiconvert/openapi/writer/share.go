package writer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Objects become one component if they have the same name and the same properties with the same types, and are used
// at least twice. The name is that of the resource in the path, of the property that holds the object, or of a common
// role (Error, OrderPage). A second component with the same name gets the fallback name of its candidate, or a
// number. An object that isn't longer than a reference to it stays inline.

// maxShapes is the maximum number of different objects with the same name; others stay inline.
const maxShapes = 8

const schemasPath = "#/components/schemas/"

// bodySchema is the schema and the examples of a body, which are written once all bodies are known.
type bodySchema struct {
	media   *tree.Value    // the Media Type Object
	is      *infer.Summary // nil if the budget didn't suffice
	place   naming.Placement
	samples []*tree.Value
	labels  []string
	at      warning.Place
}

// shared finds the objects that bodies have in common.
type shared struct {
	w          *writer
	list       []*candidate
	components map[*infer.Object]*component
	ordered    []*component
	names      map[*infer.Object]string
	open       map[*infer.Object]bool // being counted
}

// component is an object that several candidates are samples of.
type component struct {
	object     *infer.Object
	named      *candidate // the candidate that names it
	name       string
	uses       int
	looped     bool // it contains itself
	inResponse bool // a resource in a response
}

// shareSchemas writes the schemas of all bodies and returns those that became components.
func (w *writer) shareSchemas() *tree.Value {
	s := shared{
		w: w, components: map[*infer.Object]*component{}, names: map[*infer.Object]string{}, open: map[*infer.Object]bool{},
	}
	for _, b := range w.bodies {
		s.gather(b.is, b.place)
	}
	s.joinNamesakes()
	s.identify()
	for _, b := range w.bodies {
		s.count(b.is)
	}
	s.name()
	var required []string
	style := infer.Style{
		Reference: func(o *infer.Object) string {
			w.budget.Parts(1)
			return s.names[o.Whole()]
		},
		Required: func(name string) { required = append(required, name) },
	}
	for _, b := range w.bodies {
		if b.is != nil {
			b.media.Get("schema").Become(b.is.Schema(style))
			w.warnRequired(b.at, required)
			required = nil
		}
		b.examples(w).write(b.media)
	}
	out := tree.NewObject()
	for _, t := range s.ordered {
		if name := s.names[t.object]; name != "" {
			out.Set(strings.TrimPrefix(name, schemasPath), t.object.Schema(style))
		}
	}
	w.warnRequired(nil, required)
	return out
}

// warnRequired warns about properties and parameters that are required because all samples have them.
func (w *writer) warnRequired(at warning.Place, names []string) {
	if len(names) > 0 {
		slices.Sort(names)
		w.warnings.AddNamed(warning.ChangedRequired, at, slices.Compact(names)...)
	}
}

// joinNamesakes joins objects with the same name and the same properties.
func (s *shared) joinNamesakes() {
	shapes := map[string][]*candidate{} // one candidate for each shape
	for _, c := range s.list {
		s.w.budget.Parts(1)
		if c.name == "" || c.object.Whole().Len() == 0 {
			continue
		}
		known := shapes[c.name]
		i := slices.IndexFunc(known, func(of *candidate) bool { return infer.Same(of.object, c.object, s.w.values) })
		switch {
		case i >= 0:
			infer.Join(known[i].object, c.object, s.w.values)
		case len(known) < maxShapes:
			shapes[c.name] = append(known, c)
		default:
			c.name = ""
		}
	}
}

// identify finds the objects that the candidates were joined into.
func (s *shared) identify() {
	for _, c := range s.list {
		o := c.object.Whole()
		t := s.components[o]
		if t == nil {
			t = &component{object: o, named: c}
			s.components[o] = t
		}
		if t.named.name == "" || t.named.role == nested && c.role == resource && c.name != "" {
			t.named = c
		}
		t.inResponse = t.inResponse || c.role == resource && !c.place.Request()
	}
}

// count counts the uses of each object. It visits each object that may become a component once.
func (s *shared) count(summary *infer.Summary) {
	summary, _ = innermost(summary)
	o := summary.Object()
	t := s.components[o]
	if t == nil {
		return
	}
	s.w.budget.Parts(1)
	t.uses++
	switch {
	case s.open[o]:
		t.looped = true
		return
	case t.uses == 1:
		s.ordered = append(s.ordered, t)
	case !trivial(o):
		return
	}
	s.w.budget.Parts(o.Len())
	s.open[o] = true
	for _, value := range o.Members {
		s.count(value)
	}
	s.open[o] = false
}

// trivial reports whether an object is as short as a reference to it.
func trivial(o *infer.Object) bool {
	for _, value := range o.Members {
		return o.Len() == 1 && value.Items() == nil
	}
	return true
}

// name names the components that are used several times.
func (s *shared) name() {
	best := map[string]*component{}
	var list []*component
	for _, t := range s.ordered {
		if !t.looped && (t.uses < 2 || trivial(t.object) && t.named.role != failure) {
			continue
		}
		if t.name = t.named.name; t.name == "" {
			if !t.looped {
				continue
			}
			t.name = "Resource"
		}
		list = append(list, t)
		if b := best[t.name]; b == nil || t.better(b) {
			best[t.name] = t
		}
	}
	taken := words.Unique{}
	for name := range best {
		taken.Name(name)
	}
	for _, t := range list {
		name := t.name
		if best[name] != t {
			name = taken.Name(cmp.Or(t.named.other, t.named.name))
		}
		s.names[t.object] = schemasPath + name
	}
}

// better reports whether t rather than b gets the name that both want. A response shows a resource in full.
func (t *component) better(b *component) bool {
	if t.inResponse != b.inResponse {
		return t.inResponse
	}
	return t.object.Len() > b.object.Len()
}
