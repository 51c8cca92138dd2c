package site

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Document emits every string in an OpenAPI document that may hold a secret.
func Document(root *tree.Value, emit func(Site)) {
	w := &Walk{Emit: emit, keys: map[[2]string]bool{}}
	for _, schemes := range []*tree.Value{root.Get("components").Get("securitySchemes"), root.Get("securityDefinitions")} {
		for _, scheme := range schemes.Values() {
			if scheme.Get("type").Text() == "apiKey" {
				w.keys[[2]string{scheme.Get("in").Text(), scheme.Get("name").Text()}] = true
			}
		}
	}
	w.Object(root, kindOf(root), Site{Role: Field})
}

func kindOf(root *tree.Value) shape.Kind {
	if root.Has("swagger") {
		return shape.Document20
	}
	return shape.Document
}

// Passwords returns the names of properties and parameters whose schema has the format password. Their values may be
// elsewhere: in an example of a whole body, for instance.
func Passwords(root *tree.Value) (names []string) {
	passwords(root, kindOf(root), func(name string) { names = append(names, name) })
	return names
}

func passwords(v *tree.Value, k shape.Kind, emit func(name string)) {
	if v.Kind() != tree.Object {
		return
	}
	if k == shape.Parameter || k == shape.Parameter20 {
		if isPassword(v) || isPassword(v.Get("schema")) {
			emit(v.Get("name").Text())
		}
	}
	for c := range k.Children(v) {
		if c.Kind == shape.Schema && c.Member.In == shape.Named && isPassword(c.Value) {
			emit(c.Key)
		}
		if !c.Kind.Leaf() {
			passwords(c.Value, c.Kind, emit)
		}
	}
}

func isPassword(schema *tree.Value) bool { return schema.Get("format").Text() == "password" }

// Object emits the sites of an object of kind k in an OpenAPI document or a collection. Package shape says what each string is. Values
// have the role and name of as, or the name of the parameter, header or property that they belong to. An example or
// default that may no longer match its schema is removed.
func (w *Walk) Object(v *tree.Value, k shape.Kind, as Site) {
	if v.Kind() != tree.Object || !w.first(v) || w.Visit != nil && w.Visit(v, k) {
		return
	}
	if role := entries[k]; role != Prose {
		as = Site{Role: role, Name: cmp.Or(v.Get("key").Text(), v.Get("name").Text())}
	}
	if k.Referable() && k.Member("$ref") == nil {
		if _, isRef := tree.Ref(v); isRef {
			k = shape.Reference
		}
	}
	if isParameter := k == shape.Parameter || k == shape.Parameter20; isParameter && v.Get("name").Text() != "" {
		as.Name = v.Get("name").Text()
		switch v.Get("in").Text() {
		case "cookie":
			as.Role = Cookie
		case "header":
			as.Role = Header
		}
		if w.keys[[2]string{v.Get("in").Text(), as.Name}] {
			as.Role = Credential // a value is a key, whatever it looks like
		}
	}
	var unfit []string
	custom := k.Shape().Rest.Of != shape.Anything && !k.InCollection()
	for c := range k.Children(v) {
		switch {
		case c.Member == nil:
			custom = !k.InCollection()
			w.Value(c.Value, Site{Role: Field, Name: extensionNames(k, c.Name, as.Name)})
		case !c.Kind.Leaf() && c.Value.Kind() != tree.String:
			if c.Kind == shape.Example {
				w.exemplified = v
			}
			w.Object(c.Value, c.Kind, namedAfter(c, as))
		case w.leaf(v, k, c, as) && w.constrained(v, k, c.Name):
			unfit = append(unfit, c.Name)
		}
		if c.Property.Kind() == tree.Object && c.Entry == c.Property.Len()-1 {
			w.Names(c.Property)
		}
	}
	for _, name := range unfit {
		v.Delete(name)
	}
	if custom {
		w.Names(v)
	}
}

// entries maps the kinds of a collection's entries to the roles of their values.
var entries = [shape.Kinds]Role{
	shape.HeaderEntry: Header, shape.CookieEntry: Cookie, shape.QueryEntry: Query, shape.FieldEntry: Field, shape.CollectionVariable: Field,
}

// extensionNames returns the names that the values in an extension may have: those of x-example and its like belong to
// the parameter, property or scheme.
func extensionNames(k shape.Kind, name, outer string) string {
	switch k {
	case shape.SecurityScheme:
		outer = "apiKey"
	case shape.CollectionVariable: // Postman exports values in other members, such as initialValue
		return outer
	}
	if outer != "" && slices.ContainsFunc([]string{"x-example", "x-sample", "x-default", "x-value"}, func(p string) bool { return strings.HasPrefix(name, p) }) {
		return name + "\n" + outer
	}
	return name
}

// namedAfter returns the site for the values in an object: those in a header, variable or property belong to its name.
func namedAfter(c shape.Child, as Site) Site {
	switch c.Kind {
	case shape.Schema, shape.Header, shape.Header20, shape.ServerVariable:
		if c.Member.In == shape.Named {
			return Site{Role: Field, Name: c.Key}
		}
	}
	return as
}

// leaf emits a value without objects of the format, in an object of kind k, and reports whether the value itself was replaced.
func (w *Walk) leaf(object *tree.Value, k shape.Kind, c shape.Child, as Site) (replaced bool) {
	switch c.Member.Content {
	case shape.Symbol:
		if strings.Contains(c.Value.Text(), "://") {
			w.Text(c.Value, Site{Role: Address})
		}
		return false
	case shape.Prose:
		w.Text(c.Value, Site{Role: Prose, Templated: w.Templated})
		return false
	case shape.URL:
		w.Text(c.Value, Site{Role: Address})
		return false
	case shape.Body:
		w.Text(c.Value, Site{Role: Body})
		return false
	case shape.Path:
		as = Site{Role: Path}
	case shape.Choice:
		if as.Role == Field || as.Role == Header && !strings.EqualFold(as.Name, "authorization") {
			as.Role = Choice
		}
	}
	switch {
	case isPassword(object):
		as.Role = Credential
	case c.Member.In == shape.Named:
		as.Name = c.Key
	}
	if c.Name == "enum" && c.Property.Len() > 1 && k != shape.ServerVariable { // only a single value can be recognized by its name
		w.Value(c.Value, Site{Role: Choice})
		return false
	}
	before, isScalar := c.Value.Scalar()
	w.Value(c.Value, as)
	after, _ := c.Value.Scalar()
	return isScalar && before != after
}

// constrained reports whether the schema of an object may reject a placeholder as the value of a property: the object
// itself if it is a schema.
func (w *Walk) constrained(v *tree.Value, k shape.Kind, property string) bool {
	switch {
	case k.InCollection():
		return false
	case k == shape.Example:
		v = w.exemplified.Get("schema")
	case k.Member("type") != nil: // a schema, or a parameter of Swagger 2.0
	case property == "example":
		v = v.Get("schema")
	default:
		return false
	}
	format := v.Get("format").Text()
	return format != "" && format != "password" ||
		slices.ContainsFunc([]string{"pattern", "enum", "const", "minLength", "maxLength", "$ref", "allOf", "anyOf", "oneOf"}, v.Has)
}
