package secret

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Collection replaces the secrets in the tree of a v2.1 collection, in place,
// by {{name}} and an empty variable. A variable of Postman's type secret, which
// the schema of collections does not list, becomes an empty string.
func (r *Redactor) Collection(root *tree.Value) {
	c := collection{r: r, credentials: map[string]bool{}}
	c.uses(root, false)
	c.variables(root)
	c.item(root)
	s := r.swept()
	sweepValues(root, map[*tree.Value]bool{}, func(text string) string {
		return s.sweep(text, func(f *found, inBraces bool) string {
			if inBraces {
				return inName
			}
			return "{{" + r.nameOf(f) + "}}"
		})
	})
	c.declare(root)
}

// collection is one pass over a collection's tree.
type collection struct {
	r           *Redactor
	credentials map[string]bool // variables that stand where credentials do
}

// uses collects the variables that the collection uses.
func (c *collection) uses(v *tree.Value, secret bool) {
	if text := v.Text(); strings.Contains(text, "{{") {
		for _, part := range request.Split(text) {
			if part.Kind == request.VariablePart {
				c.r.taken[part.Text] = true
				if secret {
					c.credentials[part.Text] = true
				}
			}
		}
	}
	for _, element := range v.Elements() {
		c.uses(element, secret)
	}
	key := v.Get("key").Text()
	for member, value := range v.Members() {
		c.uses(value, member == "value" && (secretSettings[key] && v.Len() <= 3 || c.r.sensitivity(key, anywhere) != harmless))
	}
}

// variables empties the collection's and its folders' variables that are
// secrets.
func (c *collection) variables(v *tree.Value) {
	for _, x := range v.Get("variable").Elements() {
		name, value := variableText(x)
		c.r.taken[name] = true
		marked := x.Get("type").Text() == "secret"
		if marked {
			x.Set("type", tree.NewString("string"))
		}
		if name == "" || !c.r.isSecretVariable(name, value, marked, c.credentials[name]) {
			continue
		}
		f := c.r.note(value, name)
		if f.name == "" {
			f.name, f.own = name, true
		}
		x.Set("value", tree.NewString("")).Set("type", tree.NewString("string"))
	}
	for _, item := range v.Get("item").Elements() {
		c.variables(item)
	}
}

// variableText returns a variable's name, which may stand in id, and value.
func variableText(v *tree.Value) (name, value string) {
	if name = v.Get("key").Text(); name == "" {
		name = v.Get("id").Text()
	}
	value, _ = v.Get("value").Scalar()
	return name, value
}

// declare adds the variables that the placeholders name.
func (c *collection) declare(root *tree.Value) {
	for _, f := range c.r.secrets {
		if f.name == "" || f.own {
			continue
		}
		f.own = true
		if root.Get("variable").Kind() != tree.Array {
			root.Set("variable", tree.NewArray())
		}
		root.Get("variable").Append(tree.NewObject().
			Set("key", tree.NewString(f.name)).
			Set("value", tree.NewString("")).
			Set("type", tree.NewString("string")))
	}
}

// change gives a string another content.
func change(v *tree.Value, to func(string) string) {
	if text := v.Text(); text != "" {
		if clean := to(text); clean != text {
			v.Become(tree.NewString(clean))
		}
	}
}

// item goes over the collection itself, a folder or a request's item.
func (c *collection) item(v *tree.Value) {
	for member, value := range v.Members() {
		switch member {
		case "item":
			for _, inner := range value.Elements() {
				c.item(inner)
			}
		case "name", "description", "info":
			c.prose(value)
		case "variable":
			c.entries(value, inText)
		case "auth":
			c.auth(value)
		case "event":
			c.scripts(value)
		case "request":
			c.request(value)
		case "response":
			for _, response := range value.Elements() {
				c.response(response)
			}
		default:
			c.r.tree(value, member, anywhere)
		}
	}
}

// prose goes over texts that people read, but for the schema's address.
func (c *collection) prose(v *tree.Value) {
	change(v, c.r.prose)
	for member, value := range v.Members() {
		if member != "schema" {
			c.prose(value)
		}
	}
}

// kind says what entries are.
type kind uint8

const (
	inText kind = iota // variables and form fields
	inURL
	inHeader
	inCookie
)

// entries goes over a list of {key, value, description}.
func (c *collection) entries(v *tree.Value, kind kind) {
	for _, e := range v.Elements() {
		name := e.Get("key").Text()
		if name == "" {
			name = e.Get("name").Text()
		}
		c.prose(e.Get("description"))
		value := e.Get("value")
		switch kind {
		case inURL:
			change(value, func(text string) string { return c.r.query(name, text) })
		case inHeader:
			change(value, func(text string) string { return c.r.header(name, text) })
		case inCookie:
			change(value, func(text string) string { return c.r.cookie(name, text) })
		default:
			c.r.tree(value, name, anywhere)
		}
	}
}

func (c *collection) auth(v *tree.Value) {
	kind := v.Get("type").Text()
	for member, parameters := range v.Members() {
		for _, p := range parameters.Elements() {
			key := p.Get("key").Text()
			if !secretSettings[key] {
				c.r.tree(p.Get("value"), key, anywhere)
				continue
			}
			hint := key
			if kind == "apikey" && member == kind {
				hint = "apiKey"
			}
			change(p.Get("value"), func(text string) string { return c.r.credential(text, hint) })
		}
	}
}

func (c *collection) scripts(events *tree.Value) {
	for _, event := range events.Elements() {
		exec := event.Get("script").Get("exec")
		change(exec, c.r.data)
		for _, line := range exec.Elements() {
			change(line, c.r.data)
		}
	}
}

func (c *collection) request(v *tree.Value) {
	change(v, c.r.address) // a request may be its address alone
	for member, value := range v.Members() {
		switch member {
		case "url":
			c.url(value)
		case "header", "headers":
			change(value, c.headerLines)
			c.entries(value, inHeader)
		case "body":
			c.body(value)
		case "auth":
			c.auth(value)
		case "description":
			c.prose(value)
		case "method":
		default:
			c.r.tree(value, member, anywhere)
		}
	}
}

// headerLines goes over headers that are written as one text.
func (c *collection) headerLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if name, value, ok := strings.Cut(line, ": "); ok {
			lines[i] = name + ": " + c.r.header(name, value)
		}
	}
	return strings.Join(lines, "\n")
}

func (c *collection) url(v *tree.Value) {
	change(v, c.r.address)
	for member, value := range v.Members() {
		switch member {
		case "query":
			c.entries(value, inURL)
		case "variable":
			c.entries(value, inText)
		default:
			change(value, c.r.address)
			for _, segment := range value.Elements() {
				change(segment, c.r.address)
			}
		}
	}
}

func (c *collection) body(v *tree.Value) {
	for member, value := range v.Members() {
		switch member {
		case "urlencoded", "formdata":
			c.entries(value, inText)
		case "raw":
			change(value, func(text string) string { return c.r.payload(text, 0) })
		default: // graphql, and what may come
			c.r.tree(value, "", anywhere)
		}
	}
}

func (c *collection) response(v *tree.Value) {
	for member, value := range v.Members() {
		switch member {
		case "name":
			c.prose(value)
		case "originalRequest":
			c.request(value)
		case "header":
			change(value, c.headerLines)
			c.entries(value, inHeader)
		case "cookie":
			c.entries(value, inCookie)
		case "body":
			change(value, func(text string) string { return c.r.payload(text, 0) })
		default:
			c.r.tree(value, member, anywhere)
		}
	}
}

// SweepTree goes over a tree that is about to be written and replaces every
// value that was replaced before, as it is or base64 or percent-encoded, in
// any string or name that is not the format's own. The tree's structure stays.
func (r *Redactor) SweepTree(root *tree.Value) {
	s := r.swept()
	if len(s.patterns) == 0 {
		return
	}
	f := finalSweep{s: s, budget: r.budget, description: root.Has("openapi")}
	f.value(root, "")
}

// finalSweep is the last pass over a tree.
type finalSweep struct {
	budget      *budget.Budget
	s           *sweeper
	description bool
}

func (f *finalSweep) value(v *tree.Value, member string) {
	f.budget.Pass(len(v.Text()))
	switch v.Kind() {
	case tree.String:
		if member == "schema" && !f.description || member == "openapi" {
			return // the format's own
		}
		change(v, func(text string) string {
			return f.s.sweep(text, func(secret *found, inBraces bool) string {
				switch {
				case inBraces || member == "$ref" || member == "operationId" || member == "url" && f.description:
					return inName
				case f.description || secret.name == "":
					return redacted
				}
				return "{{" + secret.name + "}}"
			})
		})
	case tree.Array:
		for _, element := range v.Elements() {
			f.value(element, member)
		}
	case tree.Object:
		for name, value := range v.Members() {
			f.value(value, name)
		}
		for _, name := range v.Names() {
			clean := f.s.sweep(name, func(*found, bool) string { return inName })
			if clean != name && !formatNames[name] {
				v.Rename(name, clean)
			}
		}
	}
}

// formatNames are names of the formats that could as well be made up.
var formatNames = map[string]bool{
	"protocolProfileBehavior": true, "originalRequest": true, "operationId": true, "securitySchemes": true,
	"requestBody": true, "requestBodies": true, "externalDocs": true, "additionalProperties": true,
	"openIdConnectUrl": true, "authorizationUrl": true, "bearerFormat": true, "termsOfService": true,
}

// SweepText does the same for shell text.
func (r *Redactor) SweepText(text []byte) []byte {
	s := r.swept()
	if len(s.patterns) == 0 {
		return text
	}
	return []byte(s.sweep(string(text), func(*found, bool) string { return inName }))
}
