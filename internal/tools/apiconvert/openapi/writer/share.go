package writer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/schema"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// What becomes a schema of its own, as one who knows the API would decide:
//
//   - Objects are samples of one thing where they have the same name and are
//     alike (schema.Alike): the name is that of the resource a path is of, of the
//     member that holds them, or of what every API has (Error, OrderPage).
//     Of what is sent to different resources that is not enough: what logs a user
//     in is no User.
//   - Under different names they are one thing only where they have the same
//     members, two of which not everything has: billing_address and
//     shipping_address are an Address, the author of a post is a User where
//     exactly one resource looks so. Resources are never one: a User and a Tag
//     that both have an id and a name are a User and a Tag.
//   - What is used twice then becomes a component, unless it is as short where
//     it stands: an object without members, or with one that holds no list.

// maxShapes is how many different shapes one name may have; what is unlike all
// of them is written where it stands.
const maxShapes = 8

// distinctive is how many members that not everything has make a shape known
// under another name.
const distinctive = 2

const schemasPath = "#/components/schemas/"

// bodySchema is a schema of a body that is written once all bodies are known.
type bodySchema struct {
	at    *tree.Value // its place in the description
	is    *schema.Inferred
	place placement
}

// shared are the objects of all bodies that are the same things.
type shared struct {
	w       *writer
	list    []*candidate
	things  map[*schema.Object]*thing
	ordered []*thing
	names   map[*schema.Object]string
	open    map[*schema.Object]bool // while they are counted
}

// thing is what several candidates are samples of.
type thing struct {
	object *schema.Object
	named  *candidate // whose name it has
	name   string
	uses   int
	looped bool // it contains itself
	answer bool // a resource that a response holds
}

// shareSchemas writes the schemas of all bodies, and returns those that are
// written once and referred to.
func (w *writer) shareSchemas() *tree.Value {
	g := gatherer{budget: w.budget}
	for _, b := range w.bodies {
		g.place = b.place
		g.body(b.is)
	}
	s := shared{
		w: w, list: g.list, things: map[*schema.Object]*thing{},
		names: map[*schema.Object]string{}, open: map[*schema.Object]bool{},
	}
	s.joinNamesakes()
	s.joinLookalikes()
	s.identify()
	for _, b := range w.bodies {
		s.count(b.is)
	}
	s.name()
	style := schema.Style{ExplicitNull: w.nullable || len(s.names) > 0, Reference: func(o *schema.Object) string {
		w.budget.Parts(1)
		return s.names[o.Whole()]
	}}
	for _, b := range w.bodies {
		b.at.Become(b.is.Schema(style))
	}
	out := tree.NewObject()
	for _, t := range s.ordered {
		if name := s.names[t.object]; name != "" {
			out.Set(strings.TrimPrefix(name, schemasPath), t.object.Schema(style))
		}
	}
	return out
}

// joinNamesakes joins what has one name and is alike.
func (s *shared) joinNamesakes() {
	shapes := map[string][]*candidate{} // the first of each
	for _, c := range s.list {
		s.w.budget.Parts(1)
		if c.name == "" || c.object.Whole().Len() == 0 {
			continue
		}
		known := shapes[c.name]
		i := slices.IndexFunc(known, func(of *candidate) bool { return s.alike(of, c) })
		switch {
		case i >= 0:
			schema.Join(known[i].object, c.object, s.w.values)
		case len(known) < maxShapes:
			shapes[c.name] = append(known, c)
		default:
			c.name = ""
		}
	}
}

// alike reports whether two candidates of one name are samples of one thing.
// What is sent to different resources is so only with the same members: who logs
// in sends less of a user than who registers, and it is no part of that.
func (s *shared) alike(a, b *candidate) bool {
	if a.place.resource != b.place.resource && (a.place.request() || b.place.request()) {
		return schema.Same(a.object, b.object, s.w.values)
	}
	x, y := a.object.Whole(), b.object.Whole()
	around := a.role == wrapper || x.Len() == 1 && y.Len() == 1
	return schema.Alike(x, y, s.w.values) && (!around || s.holdAlike(x, y))
}

// maxWrapper is how many members something around a resource has at most.
const maxWrapper = 20

// holdAlike reports whether two objects around something hold what is alike.
func (s *shared) holdAlike(a, b *schema.Object) bool {
	if a.Len()+b.Len() > maxWrapper {
		return true
	}
	for name, value := range a.Members {
		x, _ := innermost(value)
		for other, value := range b.Members {
			y, _ := innermost(value)
			if name == other && x.Object() != nil && y.Object() != nil && !schema.Alike(x.Object(), y.Object(), s.w.values) {
				return false
			}
		}
	}
	return true
}

// joinLookalikes joins what has different names and the same distinctive
// members.
func (s *shared) joinLookalikes() {
	var groups ordered[string, []*candidate]
	keys := map[*schema.Object]string{}
	for _, c := range s.list {
		s.w.budget.Parts(1)
		if c.name == "" || c.role != nested && c.role != resource {
			continue
		}
		o := c.object.Whole()
		if _, known := keys[o]; !known {
			keys[o] = s.members(o)
		}
		if key := keys[o]; key != "" {
			g := groups.get(key, nil)
			*g = append(*g, c)
		}
	}
	for _, group := range groups.list {
		s.lookalikes(*group)
	}
}

// members is the text by which shapes are compared, "" for one that things of
// all kinds may have.
func (s *shared) members(o *schema.Object) string {
	own := 0
	var names []string
	for name := range o.Members {
		s.w.budget.Bytes(len(name))
		names = append(names, name)
		if own < distinctive && !general[plain(name)] {
			own++
		}
	}
	if own < distinctive {
		return ""
	}
	slices.Sort(names)
	return strings.Join(names, "\x00")
}

func (s *shared) lookalikes(group []*candidate) {
	first, name := group[0], ""
	if !slices.ContainsFunc(group, func(c *candidate) bool { return c.name != first.name }) {
		return // as alike as what has one name can be
	}
	resources := map[string]bool{}
	last := lastWord(first.name)
	for _, c := range group {
		if c.role == resource && !resources[c.name] {
			resources[c.name] = true
			first, name = c, c.name
		}
		if lastWord(c.name) != last {
			last = ""
		}
	}
	if len(resources) > 1 {
		return
	}
	if name == "" && !empty[last] {
		name = last
	}
	if name == "" {
		return
	}
	for _, c := range group {
		if schema.Same(first.object, c.object, s.w.values) {
			schema.Join(first.object, c.object, s.w.values)
			if c.role == nested {
				c.name = name
			}
		}
	}
}

// identify finds the things that the candidates have become.
func (s *shared) identify() {
	for _, c := range s.list {
		o := c.object.Whole()
		t := s.things[o]
		if t == nil {
			t = &thing{object: o, named: c}
			s.things[o] = t
		}
		if t.named.name == "" || t.named.role == nested && c.role == resource && c.name != "" {
			t.named = c
		}
		t.answer = t.answer || c.role == resource && !c.place.request()
	}
}

// count counts the places where each object would stand, each of the things
// that may become a component gone through once.
func (s *shared) count(is *schema.Inferred) {
	is, _ = innermost(is)
	o := is.Object()
	t := s.things[o]
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
func trivial(o *schema.Object) bool {
	for _, value := range o.Members {
		return o.Len() == 1 && value.Items() == nil
	}
	return true
}

// name gives the things that are used several times their names.
func (s *shared) name() {
	best := map[string]*thing{}
	var list []*thing
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
	taken := openapi.Unique{}
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

// better reports whether t rather than b has the name that both have: what is
// answered shows a resource whole.
func (t *thing) better(b *thing) bool {
	if t.answer != b.answer {
		return t.answer
	}
	return t.object.Len() > b.object.Len()
}
