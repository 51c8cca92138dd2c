package writer

import (
	"cmp"

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

func (s *shared) add(o *infer.Object, r role, name, other string, place naming.Placement) {
	s.w.budget.Parts(openapi.SmallParts + o.Len())
	s.list = append(s.list, &candidate{object: o, role: r, name: name, other: other, place: place})
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

// gather adds the objects in a body.
func (s *shared) gather(body *infer.Summary, place naming.Placement) {
	body, _ = innermost(body)
	o := body.Object()
	if o == nil {
		return
	}
	name := cmp.Or(place.Resource, "Resource")
	switch {
	case place.Failed():
		kind := "Error"
		if isProblem(o) {
			kind = "Problem"
		}
		s.add(o, failure, kind, name+kind, place)
		name = kind
	case s.page(o, name, place):
		return
	case !place.Request() && acknowledges(o):
		s.add(o, wrapper, "Acknowledgement", name+"Acknowledgement", place)
	default:
		s.add(o, resource, name, name+suffix(place), place)
	}
	s.members(o, name, "", place)
}

// suffix returns a suffix that distinguishes this shape of a resource from the one with the plain name.
func suffix(place naming.Placement) string {
	switch {
	case !place.Request():
		return "Result"
	case place.Method == "PUT" || place.Method == "PATCH":
		return "Update"
	}
	return "Input"
}

// isProblem reports whether an object has the members of a problem (RFC 9457).
func isProblem(o *infer.Object) bool {
	return o.Has("title") && o.Has("status") && (o.Has("type") || o.Has("detail") || o.Has("instance"))
}

// page recognizes an object that holds a list and, optionally, paging information: {"orders": […], "total": 2}.
func (s *shared) page(o *infer.Object, name string, place naming.Placement) bool {
	key, paging := "", false
	var content *infer.Object
	for member, value := range o.Members {
		inner, listed := innermost(value)
		mine := singularOf(member) == name || naming.Lists[naming.Plain(member)] && !place.Request()
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
	s.add(o, wrapper, page, item+"Result", place)
	if content != nil {
		s.add(content, resource, item, item+"Summary", place)
		s.members(content, item, "", place)
	}
	s.members(o, "Page", key, place)
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
func (s *shared) members(o *infer.Object, of, except string, place naming.Placement) {
	for member, value := range o.Members {
		inner, _ := innermost(value)
		child := inner.Object()
		if child == nil || member == except {
			continue
		}
		name := singularOf(member)
		other := name
		if name != "" && len(of)+len(name) <= naming.MaxIdentifier {
			other = of + name
		}
		s.add(child, nested, name, other, place)
		s.members(child, cmp.Or(name, of), "", place)
	}
}

func singularOf(member string) string { return naming.SingularName(words.Split(member)) }
