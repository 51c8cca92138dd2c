package writer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Objects become one component if they have the same name and the same properties with the same types, and are used
// at least twice. The name is that of the property that holds the object, or of the resource in the path, or Error. A
// second component with the same name gets a number. An object that isn't longer than a reference to it stays inline.

// maxShapes is the maximum number of different objects with the same name; others stay inline.
const maxShapes = 8

const schemasPath = "#/components/schemas/"

// bodySchema is the schema and the examples of a body, which are written once all bodies are known.
type bodySchema struct {
	media   *tree.Value    // the Media Type Object
	is      *infer.Summary // nil if the budget didn't suffice
	name    string         // of the object in it
	samples []example
	at      warning.Place
}

// shared finds the objects that bodies have in common.
type shared struct {
	w          *writer
	components map[*infer.Object]*component
	shapes     map[string][]*component // by name, one for each shape
	counted    []*component            // those in use; what an object contains comes before it
}

// component is an object that may become a component.
type component struct {
	object    *infer.Object
	name      string
	uses      int
	open      bool   // its uses are being counted
	looped    bool   // it contains itself
	reference string // "" if it stays inline
}

// shareSchemas writes the schemas of all bodies and returns those that became components.
func (w *writer) shareSchemas() *tree.Value {
	s := shared{w: w, components: map[*infer.Object]*component{}, shapes: map[string][]*component{}}
	for _, b := range w.bodies {
		s.gather(b.is, b.name, b.name != errorObject)
	}
	for _, b := range w.bodies {
		s.count(b.is)
	}
	taken := words.Unique{}
	for _, c := range s.counted {
		if c.looped || c.uses > 1 && !trivial(c.object) {
			c.reference = schemasPath + taken.Name(c.name)
		}
	}
	var required []string
	style := infer.Style{
		Reference: func(o *infer.Object) string {
			w.budget.Parts(1)
			if c := s.components[o]; c != nil {
				return c.reference
			}
			return ""
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
	for _, c := range s.counted {
		if c.reference != "" {
			out.Set(strings.TrimPrefix(c.reference, schemasPath), c.object.Schema(style))
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

// gather adds the objects in a value with a name, the inner ones first. With lists, the name may be that of the objects in a list:
// {"data": […], "total": 2}.
func (s *shared) gather(v *infer.Summary, name string, lists bool) {
	v, _ = innermost(v)
	o := v.Object()
	if o == nil {
		return
	}
	s.w.budget.Parts(openapi.SmallParts + o.Len())
	own := name
	for member, value := range o.Members {
		inner := cmp.Or(naming.SingularName(words.Split(member)), name)
		if _, listed := innermost(value); lists && listed && naming.Lists[strings.ToLower(member)] {
			inner, own = name, name+"List"
		}
		s.gather(value, inner, false)
	}
	s.add(&component{object: o, name: own})
}

// add adds an object, or joins it to one with the same name and the same properties.
func (s *shared) add(c *component) {
	s.components[c.object] = c
	if c.object.Len() == 0 {
		return
	}
	known := s.shapes[c.name]
	i := slices.IndexFunc(known, func(of *component) bool { return infer.Same(of.object, c.object, s.w.values) })
	if i >= 0 {
		infer.Join(known[i].object, c.object, s.w.values)
	} else if len(known) < maxShapes {
		s.shapes[c.name] = append(known, c)
	}
}

// innermost returns the innermost values of nested arrays and maps, and whether there are any.
func innermost(s *infer.Summary) (inner *infer.Summary, listed bool) {
	for {
		next := cmp.Or(s.Items(), s.Each())
		if next == nil {
			return s, listed
		}
		s, listed = next, true
	}
}

// count counts the uses of each object. It visits each object that may become a component once.
func (s *shared) count(v *infer.Summary) {
	v, _ = innermost(v)
	c := s.components[v.Object()]
	if c == nil {
		return
	}
	s.w.budget.Parts(1)
	c.uses++
	c.looped = c.looped || c.open
	first := c.uses == 1
	if c.open || !first && !trivial(c.object) {
		return
	}
	s.w.budget.Parts(c.object.Len())
	c.open = true
	for _, value := range c.object.Members {
		s.count(value)
	}
	c.open = false
	if first {
		s.counted = append(s.counted, c)
	}
}

// trivial reports whether an object is as short as a reference to it.
func trivial(o *infer.Object) bool {
	for _, value := range o.Members {
		return o.Len() == 1 && value.Items() == nil
	}
	return true
}
