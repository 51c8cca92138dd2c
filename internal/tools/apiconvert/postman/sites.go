package postman

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// emitter emits the sites of a collection.
type emitter struct{ *site.Walk }

// Sites emits everything in the tree of a v2.1 collection that may hold a secret, in the order of the source.
func Sites(root *tree.Value, emit func(site.Site)) {
	emitter{site.NewWalk(emit)}.object(root)
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

// object emits the collection itself, a folder, a request's item, a request, its body or a response: they share
// their member names.
func (e emitter) object(v *tree.Value) {
	for member, value := range v.Members() {
		e.member(member, value)
	}
}

func (e emitter) member(name string, value *tree.Value) {
	switch name {
	case "item", "response":
		for _, inner := range value.Elements() {
			e.object(inner)
		}
	case "name", "description", "info":
		e.prose(value)
	case "variable":
		e.variables(value)
		e.entries(value, site.Field)
	case "auth":
		e.auth(value)
	case "event":
		for _, event := range value.Elements() {
			e.script(event.Get("script").Get("exec"))
		}
	case "request", "originalRequest":
		e.Text(value, site.Site{Role: site.Address}) // it may be a URL alone
		e.object(value)
	case "method":
	case "url":
		e.url(value)
	case "header", "headers":
		e.Text(value, site.Site{Role: site.HeaderLines})
		e.entries(value, site.Header)
	case "cookie":
		e.entries(value, site.Cookie)
	case "body": // a response's body is a string
		e.Text(value, site.Site{Role: site.Body})
		e.object(value)
	case "raw":
		e.Text(value, site.Site{Role: site.Body})
	case "urlencoded", "formdata":
		e.entries(value, site.Field)
	case "graphql":
		e.Text(value.Get("query"), site.Site{Role: site.Body, MediaType: request.GraphQLType})
		for of, part := range value.Members() {
			if of != "query" {
				e.other(part, "")
			}
		}
	default:
		e.other(value, name)
	}
}

// other emits members that the format doesn't define, or not completely.
func (e emitter) other(v *tree.Value, name string) {
	e.Value(v, site.Site{Role: site.Field, Name: name})
}

// texts emits a string or the strings of a list.
func (e emitter) texts(v *tree.Value, as site.Site) {
	e.Text(v, as)
	for _, element := range v.Elements() {
		e.Text(element, as)
	}
}

// variables emits the variables of a collection or a folder. Postman's own
// type secret, which the schema of collections does not list, becomes string.
func (e emitter) variables(list *tree.Value) {
	for _, v := range list.Elements() {
		name := cmp.Or(v.Get("key").Text(), v.Get("id").Text())
		if name == "" || v.Kind() != tree.Object {
			continue
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
		for member, other := range v.Members() {
			if other.Kind() == tree.String && !ownMembers[member] {
				e.Text(other, site.Site{Role: site.Field, Name: name})
			}
		}
	}
}

// ownMembers are the members of a variable that the format defines, besides its value: those that Postman's own
// exports add, such as initialValue, hold values as well.
var ownMembers = map[string]bool{"key": true, "id": true, "name": true, "value": true, "type": true, "description": true}

// prose emits human-readable text, except for the schema's URL.
func (e emitter) prose(v *tree.Value) {
	e.Text(v, site.Site{Role: site.Prose, Templated: true})
	for member, value := range v.Members() {
		if strings.HasPrefix(member, "x-") {
			e.other(value, member)
		} else if member != "schema" {
			e.prose(value)
		}
	}
}

// entries emits a list of {key, value, description}.
func (e emitter) entries(v *tree.Value, role site.Role) {
	for _, entry := range v.Elements() {
		e.entry(entry, role, cmp.Or(entry.Get("key").Text(), entry.Get("name").Text()))
	}
}

func (e emitter) entry(v *tree.Value, role site.Role, name string) {
	e.prose(v.Get("description"))
	if value := v.Get("value"); role == site.Field {
		e.Value(value, site.Site{Role: role, Name: name})
	} else {
		e.Text(value, site.Site{Role: role, Name: name})
	}
}

func (e emitter) auth(v *tree.Value) {
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

func (e emitter) url(v *tree.Value) {
	host := v.Get("host").Text()
	for _, label := range v.Get("host").Elements() {
		host += "." + label.Text()
	}
	e.Text(v, site.Site{Role: site.Address})
	for member, value := range v.Members() {
		switch member {
		case "query":
			for _, entry := range value.Elements() {
				e.entry(entry, site.Query, site.QueryName(host+"/", entry.Get("key").Text()))
			}
		case "variable":
			e.entries(value, site.Field)
		case "path", "host":
			e.texts(value, site.Site{Role: site.Path})
		case "auth":
			e.other(value.Get("user"), "username")
			e.Text(value.Get("password"), site.Site{Role: site.Credential, Name: "password"})
		default:
			e.texts(value, site.Site{Role: site.Address})
		}
	}
}
