package swagger

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// NestSchema moves what a schema has, where v has it itself, to a schema, where
// the first of it stood.
func NestSchema(v *tree.Value) {
	inner, own := v.Get("schema"), v.Has("schema")
	if !own {
		inner = tree.NewObject()
	}
	rewrite.Rebuild(v, func(out *tree.Value, _ int, name string, value *tree.Value) {
		switch {
		case shape.Items20.Shape().Members[name] == nil:
			out.Set(name, value)
		case !own:
			inner.Set(name, value)
			out.Set("schema", inner)
		}
	})
}

// parameter rewrites a path, query or header parameter in place.
func (c *swagger) parameter(p *tree.Value, at *warning.Place) {
	if rewrite.IsReference(p) || p.Kind() != tree.Object || p.Has("content") {
		return
	}
	if _, done := c.in[p]; done {
		return
	}
	in := p.Get("in").Text()
	c.in[p] = in
	if in != "query" && p.Delete("allowEmptyValue").Bool() {
		c.Warnings.Add(warning.AllowEmptyValue, at)
	}
	parameterExamples(p)
	c.typed(p, in, at)
}

// typed moves the type of a parameter or header to its schema.
func (c *swagger) typed(v *tree.Value, in string, at *warning.Place) {
	format := v.Delete("collectionFormat").Text()
	c.innerFormats(v, at)
	if v.Get("type").Text() == "array" {
		c.style(v, in, format, at)
	}
	NestSchema(v)
}

// innerFormats removes the collectionFormat of lists within lists: OpenAPI 3.0
// has none but the outermost.
func (c *swagger) innerFormats(v *tree.Value, at *warning.Place) {
	for items := v.Get("items"); items.Kind() == tree.Object; items = items.Get("items") {
		if format := items.Delete("collectionFormat").Text(); format != "" && format != "csv" {
			c.Warnings.Add(warning.CollectionFormat, at)
		}
	}
}

// listStyles are the styles of OpenAPI 3 for what Swagger 2.0 calls
// collectionFormat; only multi explodes.
var listStyles = map[string]string{
	"": "form", "csv": "form", "multi": "form", "ssv": "spaceDelimited", "pipes": "pipeDelimited",
}

// style writes a collectionFormat as style and explode.
func (c *swagger) style(p *tree.Value, in, format string, at *warning.Place) {
	style, known := listStyles[format]
	switch {
	case in == "query" && known:
		p.Set("style", tree.NewString(style)).Set("explode", tree.NewBool(format == "multi"))
	case format != "" && format != "csv":
		c.Warnings.Add(warning.CollectionFormat, at)
	}
}

// body returns the request body that a body parameter stands for.
func (c *swagger) body(p *tree.Value, consumes []string, at *warning.Place) *tree.Value {
	if rewrite.IsReference(p) {
		v := c.Deref(p)
		if _, changed := c.in[v]; changed || c.shares(v, consumes) {
			return p
		}
		p = c.Copy(v, at)
	}
	c.requestBody(p, consumes, at)
	return p
}

// requestBody makes a body parameter a request body, in place. The name of the
// parameter is never sent; it is kept for who generates code.
func (c *swagger) requestBody(p *tree.Value, consumes []string, at *warning.Place) {
	if rewrite.IsReference(p) {
		return
	}
	c.in[p] = "body"
	name := p.Get("name").Text()
	addExamples := c.bodyExamples(p, at)
	for _, name := range []string{"name", "in", "collectionFormat", "allowEmptyValue"} {
		p.Delete(name)
	}
	NestSchema(p)
	body, content := p.Get("schema"), tree.NewObject()
	for i, mediaType := range orJSON(consumes) {
		c.Budget.Parts(entryParts)
		entry := tree.NewObject()
		c.addCopy(entry, "schema", body, i, at)
		addExamples(entry, mediaType, i)
		content.Set(mediaType, entry)
	}
	p.Set("schema", content)
	p.Rename("schema", "content")
	plain := name == "body" && !c.Lifted || name == bodyName(c.Rewriter, body)
	if !plain && !c.Raising {
		c.bodyNames[p] = name
	}
}

// addCopy sets a member to value the first time and to copies of it later.
func (c *swagger) addCopy(object *tree.Value, name string, value *tree.Value, use int, at *warning.Place) {
	if value == nil {
		return
	}
	if use > 0 {
		value = c.Copy(value, at)
	}
	object.Set(name, value)
}

// form returns the request body that form parameters make together.
func (c *swagger) form(fields []*tree.Value, consumes []string, at *warning.Place) *tree.Value {
	properties, required, encodings := tree.NewObject(), tree.NewArray(), tree.NewObject()
	files := false
	for _, field := range fields {
		c.Budget.Parts(entryParts)
		v := c.Deref(field)
		c.forms[v] = true
		if v != field {
			v = c.Copy(v, at)
		}
		name, _ := v.Get("name").Scalar()
		if properties.Has(name) {
			c.Warnings.Add(warning.Duplicates, at)
			continue
		}
		files = files || v.Get("type").Text() == "file" || v.Get("items").Get("type").Text() == "file"
		if v.Get("required").Bool() {
			required.Append(tree.NewString(name))
		}
		if encoding := c.fieldEncoding(v, at); encoding.Len() > 0 {
			encodings.Set(name, encoding)
		}
		properties.Set(name, c.field(v, at))
	}
	inner := tree.NewObject().Set("type", tree.NewString("object")).Set("properties", properties)
	content := tree.NewObject()
	body := tree.NewObject().Set("content", content)
	if required.Len() > 0 {
		inner.Set("required", required)
		body.Set("required", tree.NewBool(true))
	}
	for i, mediaType := range c.formTypes(consumes, files, at) {
		c.Budget.Parts(entryParts)
		entry := tree.NewObject()
		c.addCopy(entry, "schema", inner, i, at)
		if encodings.Len() > 0 {
			c.addCopy(entry, "encoding", encodings, i, at)
		}
		content.Set(mediaType, entry)
	}
	return body
}

// entryParts is what a media type of a body or a field of a form costs, in
// parts of the budget.
const entryParts = 4

// formTypes returns those media types of a list that a form can have.
func (c *swagger) formTypes(consumes []string, files bool, at *warning.Place) (types []string) {
	for _, mediaType := range consumes {
		if rewrite.IsForm(mediaType) {
			types = append(types, rewrite.Bare(mediaType))
		}
	}
	switch {
	case files && !slices.Contains(types, rewrite.MultipartType):
		if len(types) > 0 {
			c.Warnings.Add(warning.FileFormMediaType, at)
		}
		return []string{rewrite.MultipartType}
	case len(types) == 0:
		return []string{rewrite.UrlencodedType}
	}
	return types
}

// field returns the schema of a form parameter.
func (c *swagger) field(p *tree.Value, at *warning.Place) *tree.Value {
	c.innerFormats(p, at)
	p.Rename("x-example", "example")
	NestSchema(p)
	property := rewrite.ObjectAt(p, "schema")
	for name, value := range p.Members() {
		switch {
		case name == "description" || name == "example" || shape.IsExtension(name):
			property.Set(name, value)
		case name == "allowEmptyValue" && value.Bool():
			c.Warnings.Add(warning.AllowEmptyValue, at)
		}
	}
	return property
}

// fieldEncoding writes the collectionFormat of a form parameter, nil when it
// is what OpenAPI 3.0 has without saying so.
func (c *swagger) fieldEncoding(p *tree.Value, at *warning.Place) *tree.Value {
	format := p.Get("collectionFormat").Text()
	if p.Get("type").Text() != "array" || format == "multi" {
		return nil
	}
	encoding := tree.NewObject()
	c.style(encoding, "query", format, at)
	return encoding
}

// response rewrites a response in place.
func (c *swagger) response(r *tree.Value, produces []string, at *warning.Place) {
	if rewrite.IsReference(r) || r.Kind() != tree.Object || r.Has("content") {
		return
	}
	rewrite.Rebuild(r, func(out *tree.Value, _ int, name string, value *tree.Value) {
		switch name {
		case "schema", "examples":
			if content := c.content(r, produces, at); content.Len() > 0 && !out.Has("content") {
				out.Set("content", content)
			}
		case "headers":
			for _, header := range value.Members() {
				if header.Kind() == tree.Object && !rewrite.IsReference(header) {
					c.typed(header, "header", at)
				}
			}
			out.Set(name, value)
		default:
			out.Set(name, value)
		}
	})
}

// content returns the media types of a response: those that the operation
// produces and those that have an example.
func (c *swagger) content(r *tree.Value, produces []string, at *warning.Place) *tree.Value {
	content, uses := tree.NewObject(), 0
	add := func(mediaType string) *tree.Value {
		c.Budget.Parts(entryParts)
		entry := content.Get(mediaType)
		if entry == nil {
			entry = tree.NewObject()
			c.addCopy(entry, "schema", r.Get("schema"), uses, at)
			content.Set(mediaType, entry)
			uses++
		}
		return entry
	}
	if len(produces) == 0 && r.Get("schema").Get("type").Text() == "file" {
		produces = []string{rewrite.BinaryType}
	}
	if r.Has("schema") {
		for _, mediaType := range orJSON(produces) {
			add(mediaType)
		}
	}
	rewrite.Entries(r.Get("examples"), func(_ int, name string, value *tree.Value) {
		if strings.Contains(name, "/") {
			add(name).Set("example", value)
			return
		}
		named := rewrite.ObjectAt(add(orJSON(produces)[0]), "examples")
		named.Set(name, tree.NewObject().Set("value", value))
	})
	return content
}

// oauthFlows20 are the OAuth flows: their names in OpenAPI 3 and in Swagger 2.0,
// and the addresses that they must have in the latter.
var oauthFlows20 = []struct {
	name, old string
	needs     []string
}{
	{"implicit", "implicit", []string{"authorizationUrl"}},
	{"password", "password", []string{"tokenUrl"}},
	{"clientCredentials", "application", []string{"tokenUrl"}},
	{"authorizationCode", "accessCode", []string{"authorizationUrl", "tokenUrl"}},
}

// securityScheme20 rewrites a security definition in place. A description of
// OpenAPI 3 that has one of these by mistake means the same by it.
func UpgradeSecurityScheme(scheme *tree.Value) {
	switch scheme.Get("type").Text() {
	case "basic":
		scheme.Set("type", tree.NewString("http"))
		scheme.Insert(scheme.Position("type")+1, "scheme", tree.NewString("basic"))
	case "oauth2":
		for _, known := range oauthFlows20 {
			if known.old != scheme.Get("flow").Text() || scheme.Has("flows") {
				continue
			}
			inner := tree.NewObject()
			scheme.Keep(func(name string, value *tree.Value) bool {
				moves := shape.OauthFlow.Shape().Members[name] != nil
				if moves {
					inner.Set(name, value)
				}
				return !moves
			})
			rewrite.Replace(scheme, "flow", "flows", tree.NewObject().Set(known.name, inner))
		}
	}
}

// What Swagger 2.0 has no member for, and tools around it write as extensions:
// the examples of parameters (x-example, x-examples: Dredd, Redocly, springfox),
// which OpenAPI 3 has, and the name of a body, which it lacks
// (x-codegen-request-body-name of an operation: Swagger's converter, OpenAPI
// Generator).
const bodyNameExtension = "x-codegen-request-body-name"

// parameterExamples reads the extensions of a parameter that is no body.
func parameterExamples(p *tree.Value) {
	if named := p.Get("x-examples"); named.Kind() == tree.Object && !p.Has("example") && !p.Has("x-example") {
		exampleObjects(named)
		p.Rename("x-examples", "examples")
	}
	p.Rename("x-example", "example")
}

// exampleObjects makes Example Objects of named values that are none.
func exampleObjects(named *tree.Value) {
	for _, example := range named.Members() {
		if !example.Has("value") {
			example.Become(tree.NewObject().Set("value", example.Take()))
		}
	}
}

// bodyExamples takes the examples of a body parameter out of it and returns
// what adds them to the media types of the body: one value or named ones, for
// all of them or for each by its name.
func (c *swagger) bodyExamples(p *tree.Value, at *warning.Place) func(entry *tree.Value, mediaType string, use int) {
	single := cmp.Or(p.Delete("example"), p.Delete("x-example"))
	several := p.Get("x-examples")
	if several.Kind() == tree.Object {
		p.Delete("x-examples")
	}
	return func(entry *tree.Value, mediaType string, use int) {
		c.Budget.Parts(several.Len() + single.Len())
		named := several
		if byMediaType(named) {
			named = named.Get(mediaType)
		}
		value := single
		if byMediaType(value) {
			value = value.Get(mediaType)
		}
		switch {
		case named.Kind() != tree.Object:
			c.addCopy(entry, "example", cmp.Or(named, value), use, at)
		case byMediaType(several) && !allExamples(named):
			c.addCopy(entry, "example", named, use, at)
		default:
			exampleObjects(named)
			c.addCopy(entry, "examples", named, use, at)
		}
	}
}

// byMediaType reports whether the members of v are called like media types.
func byMediaType(v *tree.Value) bool {
	for name := range v.Members() {
		if !strings.Contains(name, "/") {
			return false
		}
	}
	return v.Len() > 0 && v.Kind() == tree.Object
}

// allExamples reports whether the members of v are Example Objects.
func allExamples(v *tree.Value) bool {
	for _, example := range v.Members() {
		if !example.Has("value") {
			return false
		}
	}
	return v.Len() > 0
}

// bodyName is what generators call a body of a schema that says nothing of its
// name: pet for #/components/schemas/Pet.
func bodyName(r *rewrite.Rewriter, schema *tree.Value) string {
	ref, _ := tree.Ref(schema)
	pointer := r.Targets[ref].Pointer
	name := tree.UnescapePointer(pointer[strings.LastIndexAny(pointer, "/.")+1:])
	if strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' }) {
		name = ""
	}
	// An acronym in front is small as a whole: urlFilter for URLFilter.
	capitals := len(name) - len(strings.TrimLeftFunc(name, unicode.IsUpper))
	if capitals > 1 && capitals < len(name) {
		capitals--
	}
	return cmp.Or(strings.ToLower(name[:capitals])+name[capitals:], "body")
}
