package writer

import (
	"cmp"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// role is the role of an object in a body.
type role uint8

const (
	nested   role = iota // the value of a property
	resource             // the resource of the path
	wrapper              // an object around the resource, or an acknowledgement
	failure              // an error response
)

// candidate is an object in a body that may become a component.
type candidate struct {
	object *infer.Object
	role   role
	name   string // "" if it has none
	other  string // the fallback if another shape has that name
	place  naming.Placement
}

// gatherer collects the candidates in bodies, in order.
type gatherer struct {
	list   []*candidate
	place  naming.Placement
	budget *budget.Budget
}

func (g *gatherer) add(o *infer.Object, r role, name, other string) {
	g.budget.Parts(openapi.SmallParts + o.Len())
	g.list = append(g.list, &candidate{object: o, role: r, name: name, other: other, place: g.place})
}

// innermost returns the innermost items of nested arrays, and whether there are arrays.
func innermost(s *infer.Summary) (inner *infer.Summary, listed bool) {
	for s.Items() != nil {
		s, listed = s.Items(), true
	}
	return s, listed
}

// body adds the objects in a body.
func (g *gatherer) body(s *infer.Summary) {
	s, _ = innermost(s)
	o := s.Object()
	if o == nil {
		return
	}
	name := cmp.Or(g.place.Resource, "Resource")
	switch {
	case g.place.Failed():
		g.failure(o, name)
		return
	case g.page(o, name):
		return
	case !g.place.Request() && acknowledges(o):
		g.add(o, wrapper, "Acknowledgement", name+"Acknowledgement")
	default:
		g.add(o, resource, name, name+g.suffix())
	}
	g.members(o, name, "")
}

// suffix returns a suffix that distinguishes this shape of a resource from the one with the plain name.
func (g *gatherer) suffix() string {
	switch {
	case !g.place.Request():
		return "Result"
	case g.place.Method == "PUT" || g.place.Method == "PATCH":
		return "Update"
	}
	return "Input"
}

func (g *gatherer) failure(o *infer.Object, name string) {
	of := "Error"
	if isProblem(o) {
		of = "Problem"
	}
	g.add(o, failure, of, name+of)
	g.members(o, of, "")
}

// isProblem reports whether an object has the members of a problem (RFC 9457).
func isProblem(o *infer.Object) bool {
	return o.Has("title") && o.Has("status") && (o.Has("type") || o.Has("detail") || o.Has("instance"))
}

// page recognizes an object that holds a list and, optionally, paging information: {"orders": […], "total": 2}.
func (g *gatherer) page(o *infer.Object, name string) bool {
	key, paging := "", false
	var content *infer.Object
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
	page := item + "List"
	if paging {
		page = item + "Page"
	}
	g.add(o, wrapper, page, item+"Result")
	if content != nil {
		g.add(content, resource, item, item+"Summary")
		g.members(content, item, "")
	}
	g.members(o, "Page", key)
	return true
}

// acknowledges reports whether a response only reports the outcome.
func acknowledges(o *infer.Object) bool {
	for member, value := range o.Members {
		if !value.IsScalar() || !naming.Acknowledging[naming.Plain(member)] {
			return false
		}
	}
	return o.Len() > 0
}

// members adds the objects in the properties of o, except the property that was already added.
func (g *gatherer) members(o *infer.Object, of, except string) {
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
		g.members(child, cmp.Or(name, of), "")
	}
}

func singularOf(member string) string { return naming.SingularName(words.Split(member)) }
