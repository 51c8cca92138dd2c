package postman

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// emitter emits the sites of a collection.
type emitter struct {
	*site.Walk
	host   string        // of the URL that is visited
	within warning.Place // the object of the source that is visited
}

// Sites emits everything in the tree of a v2.1 collection that may hold a secret, in the order of the source.
func Sites(root *tree.Value, emit func(site.Site)) {
	e := emitter{}
	e.Walk = site.NewWalk(func(s site.Site) {
		if s.Role == site.Query {
			s.Name = site.QueryName(e.host+"/", s.Name)
		}
		if s.Place() == nil {
			s.Within = e.within
		}
		emit(s)
	})
	e.Templated, e.Visit = true, e.visit
	e.Object(root, shape.Item, site.Site{Role: site.Field})
}

// Declare adds empty variables to a collection.
func Declare(root *tree.Value, names []string) {
	for _, name := range names {
		if root.Get("variable").Kind() != tree.Array {
			root.Set("variable", tree.NewArray())
		}
		root.Get("variable").Append(collection.Variable(name, ""))
	}
}

// visit emits what only several members of an object show. It returns true if nothing else in the object is a site.
func (e *emitter) visit(v *tree.Value, k shape.Kind) bool {
	if v.ID() >= 0 {
		e.within = v
	}
	switch k {
	case shape.CollectionVariable:
		e.variable(v)
		return false
	case shape.CollectionAuth:
		e.auth(v)
	case shape.Event:
		e.script(v.Get("script").Get("exec"))
	case shape.CollectionURL:
		e.host = "." + strings.Join(v.Get("host").Texts(), ".")
		return false
	case shape.Userinfo:
		e.other(v.Get("user"), "username")
		e.Text(v.Get("password"), site.Site{Role: site.Credential, Name: "password"})
	case shape.GraphQL:
		e.Text(v.Get("query"), site.Site{Role: site.Body, MediaType: request.GraphQLType})
		for of, part := range v.Members() {
			if of != "query" {
				e.other(part, "")
			}
		}
	default:
		return false
	}
	return true
}

// other emits members that the format doesn't define, or not completely.
func (e *emitter) other(v *tree.Value, name string) {
	e.Value(v, site.Site{Role: site.Field, Name: name})
}

// variable emits the variable of a collection or a folder. Postman's own
// type secret, which the schema of collections does not list, becomes string.
func (e *emitter) variable(v *tree.Value) {
	name := cmp.Or(v.Get("key").Text(), v.Get("id").Text())
	if name == "" {
		return
	}
	value, _ := v.Get("value").Scalar()
	s := site.Site{Role: site.Variable, Name: name, Marked: v.Get("type").Text() == "secret"}
	e.Emit(s.As(value, func(text string) {
		if text != value {
			v.Set("value", tree.NewString(text))
		}
		if text == "" || s.Marked {
			v.Set("type", tree.NewString("string"))
		}
	}))
}

func (e *emitter) auth(v *tree.Value) {
	kind := v.Get("type").Text()
	for member, parameters := range v.Members() {
		for _, p := range parameters.Elements() {
			key := p.Get("key").Text()
			if !request.IsSecretSetting(key) {
				e.other(p.Get("value"), key)
				continue
			}
			if kind == "apikey" && member == kind {
				key = "apiKey"
			}
			e.Text(p.Get("value"), site.Site{Role: site.Credential, Name: key})
		}
	}
}

// Used returns the names of the variables that a collection refers to. In a written one all strings count, and :name in a
// path. In a source names, descriptions and scripts don't, because no request sends them.
func Used(root *tree.Value, written bool, b *budget.Budget) map[string]bool {
	used := map[string]bool{}
	var look func(v *tree.Value)
	look = func(v *tree.Value) {
		switch text := v.Text(); {
		case written && strings.HasPrefix(text, ":"):
			used[text[1:]] = true
		case request.HasVariable(text):
			b.Text(len(text))
			for _, part := range request.Split(text) {
				used[part.Text] = used[part.Text] || part.Kind == request.VariablePart
			}
		}
		for _, element := range v.Elements() {
			look(element)
		}
		for name, member := range v.Members() {
			if written || name != "event" && name != "description" && name != "name" {
				look(member)
			}
		}
	}
	look(root)
	return used
}
