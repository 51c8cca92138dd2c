package writer

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/schema"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// role is what an object is in the body that it stands in.
type role uint8

const (
	nested   role = iota // the value of a member
	resource             // what the path is of
	wrapper              // what is around that, or says how it went
	failure              // what is answered when something went wrong
)

// candidate is an object of a body that may become a schema of its own.
type candidate struct {
	object *schema.Object
	role   role
	name   string // "" for one that cannot have a name
	other  string // its name where another shape has that one
	place  naming.Placement
}

// gatherer lists the candidates of bodies, in order.
type gatherer struct {
	list   []*candidate
	place  naming.Placement
	budget *budget.Budget
}

func (g *gatherer) add(o *schema.Object, r role, name, other string) {
	g.budget.Parts(openapi.SmallParts + o.Len())
	g.list = append(g.list, &candidate{object: o, role: r, name: name, other: other, place: g.place})
}

// innermost goes through arrays to what stands in them.
func innermost(s *schema.Inferred) (inner *schema.Inferred, listed bool) {
	for s.Items() != nil {
		s, listed = s.Items(), true
	}
	return s, listed
}

// body lists the objects of a body.
func (g *gatherer) body(s *schema.Inferred) {
	s, _ = innermost(s)
	o := s.Object()
	if o == nil {
		return
	}
	name := g.place.Resource
	if name == "" {
		name = "Resource"
	}
	switch {
	case g.place.Failed():
		g.failure(o, name)
		return
	case g.page(o, name), g.envelope(o, name):
		return
	case !g.place.Request() && acknowledges(o):
		g.add(o, wrapper, "Acknowledgement", name+"Acknowledgement")
	default:
		g.add(o, resource, name, name+g.suffix())
	}
	g.members(o, name, "")
}

// suffix tells a shape of a resource from the one that has its name.
func (g *gatherer) suffix() string {
	switch {
	case !g.place.Request():
		return "Result"
	case g.place.Method == "PUT" || g.place.Method == "PATCH":
		return "Update"
	}
	return "Input"
}

func (g *gatherer) failure(o *schema.Object, name string) {
	of := "Error"
	switch {
	case isProblem(o):
		of = "Problem"
	case holdsError(o):
		g.add(o, failure, "ErrorResponse", name+"ErrorResponse")
		g.members(o, name+"Error", "")
		return
	}
	g.add(o, failure, of, name+of)
	g.members(o, of, "")
}

// isProblem reports whether an object describes a problem as RFC 9457 does.
func isProblem(o *schema.Object) bool {
	return o.Has("title") && o.Has("status") && (o.Has("type") || o.Has("detail") || o.Has("instance"))
}

func holdsError(o *schema.Object) bool {
	for member, value := range o.Members {
		if inner, _ := innermost(value); inner.Object() != nil && singularOf(member) == "Error" {
			return true
		}
	}
	return false
}

// page recognises a list with what is said about it: {"orders": […], "total": 2}.
func (g *gatherer) page(o *schema.Object, name string) bool {
	key, paging := "", false
	var content *schema.Object
	for member, value := range o.Members {
		inner, listed := innermost(value)
		mine := singularOf(member) == name || naming.Lists[naming.Plain(member)] && !g.place.Request()
		switch {
		case listed && key == "" && mine && (inner.Object() != nil || inner.IsUnknown()):
			key, content = member, inner.Object()
		case naming.IsPaging(member):
			paging = true
		case !value.IsScalar() || !naming.Around[naming.Plain(member)]:
			return false
		}
	}
	if key == "" {
		return false
	}
	item := name
	if !naming.Lists[naming.Plain(key)] {
		item = singularOf(key)
	}
	whole := item + "List"
	if paging {
		whole = item + "Page"
	}
	g.add(o, wrapper, whole, item+"Result")
	if content != nil {
		g.add(content, resource, item, item+"Summary")
		g.members(content, item, "")
	}
	g.members(o, "Page", key)
	return true
}

// envelope recognises a resource in an object of its own: {"order": {…}}.
func (g *gatherer) envelope(o *schema.Object, name string) bool {
	key := ""
	var content *schema.Object
	for member, value := range o.Members {
		inner := value.Object()
		switch {
		case inner != nil && key == "" && (naming.Envelopes[naming.Plain(member)] || singularOf(member) == name):
			key, content = member, inner
		case !naming.IsPaging(member) && !(value.IsScalar() && naming.Around[naming.Plain(member)]):
			return false
		}
	}
	if key == "" {
		return false
	}
	whole := name + "Response"
	if g.place.Request() {
		whole = name + "Request"
	}
	g.add(o, wrapper, whole, whole)
	g.add(content, resource, name, name+g.suffix())
	g.members(content, name, "")
	g.members(o, whole, key)
	return true
}

// acknowledges reports whether an answer only says how it went.
func acknowledges(o *schema.Object) bool {
	for member, value := range o.Members {
		if !value.IsScalar() || !naming.Acknowledging[naming.Plain(member)] {
			return false
		}
	}
	return o.Len() > 0
}

// members lists the objects in the members of one; except is the member that
// is listed already.
func (g *gatherer) members(o *schema.Object, of, except string) {
	for member, value := range o.Members {
		inner, _ := innermost(value)
		child := inner.Object()
		if child == nil || member == except {
			continue
		}
		name := singularOf(member)
		other := name
		if name != "" {
			other = of + name
		}
		if len(other) > naming.MaxIdentifier {
			other = name
		}
		g.add(child, nested, name, other)
		if name == "" {
			name = of
		}
		g.members(child, name, "")
	}
}

func singularOf(member string) string { return naming.SingularName(words.Split(member)) }
