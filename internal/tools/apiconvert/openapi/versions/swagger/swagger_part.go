package swagger

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// NestSchema moves the schema keywords of v into its schema, at the position of the first of them.
func NestSchema(v *tree.Value) {
	inner, own := v.Get("schema"), v.Has("schema")
	if !own {
		inner = tree.NewObject()
	}
	rewrite.Rebuild(v, func(out *tree.Value, name string, value *tree.Value) {
		switch {
		case shape.Items20.Shape().Members[name] == nil:
			out.Set(name, value)
		case !own:
			inner.Set(name, value)
			out.Set("schema", inner)
		}
	})
}

// parameter converts a path, query or header parameter in place.
func (c *swagger) parameter(p *tree.Value) {
	if rewrite.IsReference(p) || p.Kind() != tree.Object || p.Has("content") {
		return
	}
	p.Rename("x-example", "example")
	c.typed(p, p.Get("in").Text())
}

// typed moves the type of a parameter or header into its schema.
func (c *swagger) typed(v *tree.Value, in string) {
	format := v.Delete("collectionFormat").Text()
	c.innerFormats(v)
	if v.Get("type").Text() == "array" {
		c.style(v, in, format)
	}
	NestSchema(v)
}

// innerFormats removes the collectionFormat of nested lists. OpenAPI 3.0 only supports it for the outermost.
func (c *swagger) innerFormats(v *tree.Value) {
	for items := v.Get("items"); items.Kind() == tree.Object; items = items.Get("items") {
		if format := items.Delete("collectionFormat").Text(); format != "" && format != "csv" {
			c.Warn(warning.LostCollectionFormat, format)
		}
	}
}

// listFormat is a collectionFormat of Swagger 2.0 and the style in OpenAPI 3.
type listFormat struct{ name, style string }

// listFormats serve both directions. Whatever the style, a list that explodes is multi.
var listFormats = []listFormat{{"csv", "form"}, {"ssv", "spaceDelimited"}, {"pipes", "pipeDelimited"}}

// style converts a collectionFormat to style and explode.
func (c *swagger) style(p *tree.Value, in, format string) {
	i := slices.IndexFunc(listFormats, func(f listFormat) bool { return f.name == format || format == "" || format == "multi" })
	switch {
	case in == "query" && i >= 0:
		p.Set("style", c.String(listFormats[i].style)).Set("explode", tree.NewBool(format == "multi"))
	case format != "" && format != "csv":
		c.Warn(warning.LostCollectionFormat, format)
	}
}

// body returns the request body for a body parameter.
func (c *swagger) body(p *tree.Value, consumes []string) *tree.Value {
	if rewrite.IsReference(p) {
		v := c.Deref(p)
		if c.bodies[v] || c.shares(v, consumes) {
			return p
		}
		p = c.Copy(v)
	}
	c.requestBody(p, consumes)
	return p
}

// requestBody turns a body parameter into a request body in place. The parameter's name is never sent, but it is kept
// for code generators.
func (c *swagger) requestBody(p *tree.Value, consumes []string) {
	if rewrite.IsReference(p) {
		return
	}
	c.bodies[p] = true
	name := p.Get("name").Text()
	example := cmp.Or(p.Delete("example"), p.Delete("x-example"))
	for _, name := range []string{"name", "in", "collectionFormat", "allowEmptyValue"} {
		p.Delete(name)
	}
	NestSchema(p)
	body, content := p.Get("schema"), c.Object()
	for i, mediaType := range orJSON(consumes) {
		entry := c.Object()
		c.addCopy(entry, "schema", body, i)
		c.addCopy(entry, "example", cmp.Or(example.Get(mediaType), example), i)
		content.Set(mediaType, entry)
	}
	p.Set("schema", content)
	p.Rename("schema", "content")
	if name != "body" && name != bodyName(c.Rewriter, body) && !c.Raising {
		c.SetText(p, bodyNameExtension, name)
	}
}

// addCopy sets a member to value for use 0, and to a copy of it for later uses.
func (c *swagger) addCopy(object *tree.Value, name string, value *tree.Value, use int) {
	if value == nil {
		return
	}
	if use > 0 {
		value = c.Copy(value)
	}
	object.Set(name, value)
}

// form returns the request body for the form parameters of an operation.
func (c *swagger) form(fields []*tree.Value, consumes []string) *tree.Value {
	properties, required, encodings := c.Object(), tree.NewArray(), c.Object()
	files := false
	for _, field := range fields {
		v := c.Deref(field)
		c.forms[v] = true
		if v != field {
			v = c.Copy(v)
		}
		name, _ := v.Get("name").Scalar()
		if properties.Has(name) {
			c.Warn(warning.ChangedDuplicates)
			continue
		}
		files = files || v.Get("type").Text() == "file" || v.Get("items").Get("type").Text() == "file"
		if mark := v.Get("required"); rewrite.BecomeFlag(mark) && mark.Bool() {
			required.Append(c.String(name))
		}
		if encoding := c.fieldEncoding(v); encoding.Len() > 0 {
			encodings.Set(name, encoding)
		}
		properties.Set(name, c.field(v))
	}
	inner := c.Object().Set("type", c.String("object")).Set("properties", properties)
	content := c.Object()
	body := c.Object().Set("content", content)
	if required.Len() > 0 {
		inner.Set("required", required)
		body.Set("required", tree.NewBool(true))
	}
	for i, mediaType := range c.formTypes(consumes, files) {
		entry := c.Object()
		c.addCopy(entry, "schema", inner, i)
		if encodings.Len() > 0 {
			c.addCopy(entry, "encoding", encodings, i)
		}
		content.Set(mediaType, entry)
	}
	return body
}

// formTypes returns the media types in a list that a form can have.
func (c *swagger) formTypes(consumes []string, files bool) (types []string) {
	for _, mediaType := range consumes {
		if request.IsFormType(mediaType) {
			types = append(types, request.BaseType(mediaType))
		}
	}
	switch {
	case files && !slices.Contains(types, request.MultipartType):
		if len(types) > 0 {
			c.Warn(warning.ChangedFormMediaType)
		}
		return []string{request.MultipartType}
	case len(types) == 0:
		return []string{request.FormType}
	}
	return types
}

// field returns the schema of a form parameter.
func (c *swagger) field(p *tree.Value) *tree.Value {
	c.innerFormats(p)
	p.Rename("x-example", "example")
	NestSchema(p)
	property := rewrite.ObjectAt(p, "schema")
	for name, value := range p.Members() {
		switch {
		case name == "description" || name == "example" || shape.IsExtension(name):
			property.Set(name, value)
		case name == "allowEmptyValue" && value.Bool():
			c.Warn(warning.LostAllowEmptyValue)
		}
	}
	return property
}

// fieldEncoding converts the collectionFormat of a form parameter. It returns nil if that is the default of OpenAPI
// 3.0.
func (c *swagger) fieldEncoding(p *tree.Value) *tree.Value {
	format := p.Get("collectionFormat").Text()
	if p.Get("type").Text() != "array" || format == "multi" {
		return nil
	}
	encoding := c.Object()
	c.style(encoding, "query", format)
	return encoding
}

// response converts a response in place.
func (c *swagger) response(r *tree.Value, produces []string) {
	if rewrite.IsReference(r) || r.Kind() != tree.Object || r.Has("content") {
		return
	}
	if r.Get("schema").Kind() == tree.Null {
		r.Delete("schema")
	}
	rewrite.Rebuild(r, func(out *tree.Value, name string, value *tree.Value) {
		switch name {
		case "schema", "examples":
			if content := c.content(r, produces); content.Len() > 0 && !out.Has("content") {
				out.Set("content", content)
			}
		case "headers":
			for _, header := range value.Members() {
				if header.Kind() == tree.Object && !rewrite.IsReference(header) {
					c.typed(header, "header")
				}
			}
			out.Set(name, value)
		default:
			out.Set(name, value)
		}
	})
}

// content returns the media types of a response: those that the operation produces, and those with an example.
func (c *swagger) content(r *tree.Value, produces []string) *tree.Value {
	content, uses := c.Object(), 0
	add := func(mediaType string) *tree.Value {
		entry := content.Get(mediaType)
		if entry == nil {
			entry = c.Object()
			c.addCopy(entry, "schema", r.Get("schema"), uses)
			content.Set(mediaType, entry)
			uses++
		}
		return entry
	}
	if len(produces) == 0 && r.Get("schema").Get("type").Text() == "file" {
		produces = []string{request.BinaryType}
	}
	if r.Has("schema") {
		for _, mediaType := range orJSON(produces) {
			add(mediaType)
		}
	}
	for name, value := range rewrite.Entries(r.Get("examples")) {
		if strings.Contains(name, "/") {
			add(name).Set("example", value)
			continue
		}
		named := rewrite.ObjectAt(add(orJSON(produces)[0]), "examples")
		named.Set(name, c.Object().Set("value", value))
	}
	return content
}

// oauthFlow20 is an OAuth flow: its names in OpenAPI 3 and Swagger 2.0, and the URLs that Swagger 2.0 requires.
type oauthFlow20 struct {
	name, old string
	needs     []string
}

var oauthFlows20 = []oauthFlow20{
	{"implicit", "implicit", []string{"authorizationUrl"}},
	{"password", "password", []string{"tokenUrl"}},
	{"clientCredentials", "application", []string{"tokenUrl"}},
	{"authorizationCode", "accessCode", []string{"authorizationUrl", "tokenUrl"}},
}

// UpgradeSecurityScheme converts a security definition of Swagger 2.0 in place. One in an OpenAPI 3 document is a
// mistake, but has the same meaning.
func UpgradeSecurityScheme(scheme *tree.Value) {
	switch scheme.Get("type").Text() {
	case "basic":
		scheme.Set("type", tree.NewString("http"))
		scheme.Insert(scheme.Position("type")+1, "scheme", tree.NewString("basic"))
	case "oauth2":
		i := slices.IndexFunc(oauthFlows20, func(of oauthFlow20) bool { return of.old == scheme.Get("flow").Text() })
		if i < 0 || scheme.Has("flows") {
			return
		}
		inner := tree.NewObject()
		scheme.Keep(func(_ int, name string, value *tree.Value) bool {
			moves := shape.OauthFlow.Shape().Members[name] != nil
			if moves {
				inner.Set(name, value)
			}
			return !moves
		})
		rewrite.Replace(scheme, "flow", "flows", tree.NewObject().Set(oauthFlows20[i].name, inner))
	}
}

// restoreScheme undoes keyInHeader for a scheme of the Authorization header, which it marks.
func restoreScheme(scheme *tree.Value) {
	mark := scheme.Get(openapi.SchemeMark).Text()
	if !openapi.IsHTTPScheme(mark) || scheme.Get("in").Text() != "header" || scheme.Get("name").Text() != "Authorization" {
		return
	}
	scheme.Delete("in")
	scheme.Delete(openapi.SchemeMark)
	rewrite.Replace(scheme, "name", "scheme", tree.NewString(strings.ToLower(mark)))
	scheme.Set("type", tree.NewString("http"))
}

// sendAs returns the instruction that keyInHeader adds to the description of a scheme.
func sendAs(scheme string) string { return "Send it as: " + scheme + " TOKEN" }

// bodyNameExtension is the name of a body, which OpenAPI 3 lacks, as an extension of its operation (Swagger's converter,
// OpenAPI Generator).
const bodyNameExtension = "x-codegen-request-body-name"

// bodyName returns the name that generators use by default for a body with a schema: pet for
// #/components/schemas/Pet.
func bodyName(r *rewrite.Rewriter, schema *tree.Value) string {
	ref, _ := tree.Ref(schema)
	pointer := r.Targets[ref].Pointer
	name := tree.UnescapePointer(pointer[strings.LastIndexAny(pointer, "/.")+1:])
	if strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' }) {
		name = ""
	}
	first, size := utf8.DecodeRuneInString(name)
	if size == 0 {
		return "body"
	}
	return string(unicode.ToLower(first)) + name[size:]
}
