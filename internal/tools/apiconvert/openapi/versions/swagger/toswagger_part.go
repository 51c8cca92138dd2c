package swagger

import (
	"cmp"
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// pathItem converts the operations of a path.
func (d *toSwagger) pathItem(item *tree.Value) {
	if list := item.Get("parameters"); list != nil {
		d.Within(list, func() { item.Set("parameters", tree.NewArray(d.parameters(list.Elements())...)) })
	}
	servers := item.Delete("servers")
	for _, server := range servers.Elements() {
		d.WarnAt(warning.LostServers, servers, server.Get("url").Text())
	}
	for c := range shape.PathItem20.Children(item) {
		if c.Kind == shape.Operation20 {
			d.Within(c.Value, func() { d.operation(c.Value) })
		}
	}
}

func (d *toSwagger) operation(op *tree.Value) {
	var list, more []*tree.Value
	var consumes, produces []string
	parameters, body, responses := op.Get("parameters"), op.Get("requestBody"), op.Get("responses")
	d.Within(parameters, func() { list = d.parameters(parameters.Elements()) })
	d.Within(body, func() { more, consumes = d.requestBody(body, op.Get(bodyNameExtension).Text()) })
	d.Within(responses, func() { produces = d.responses(responses) })
	list = append(list, more...)
	rewrite.Rebuild(op, func(out *tree.Value, name string, value *tree.Value) {
		switch name {
		case bodyNameExtension:
		case "requestBody", "parameters", "responses":
			d.setTexts(out, "consumes", consumes)
			d.setTexts(out, "produces", produces)
			if len(list) > 0 {
				out.Set("parameters", tree.NewArray(list...))
			}
			if name == "responses" || name == "parameters" && len(list)+value.Len() == 0 {
				out.Set(name, value)
			}
		case "servers":
			d.setTexts(out, "schemes", d.servers(value, false))
		default:
			out.Set(name, value)
		}
	})
}

// parameters converts a list of parameters. A parameter that is an object may become several.
func (d *toSwagger) parameters(list []*tree.Value) (out []*tree.Value) {
	for _, p := range list {
		v := d.Deref(p)
		d.Within(p, func() {
			if several := d.properties(v); len(several) > 0 {
				out = append(out, several...)
			} else if v == nil || d.parameter(v) {
				out = append(out, p)
			}
		})
	}
	return out
}

// properties returns the parameters that replace an object in the query. It returns nil if p isn't an object with
// known properties.
func (d *toSwagger) properties(p *tree.Value) (list []*tree.Value) {
	if _, done := d.done[p]; done || p.Get("in").Text() != "query" || p.Has("content") {
		return nil
	}
	object := d.merged(p.Get("schema"))
	style, explode := openapi.Style(p, "form")
	deep := style == "deepObject"
	if object.Get("properties").Len() == 0 || !deep && !explode {
		return nil
	}
	d.Warn(warning.ChangedObjectParameter, p.Get("name").Text())
	part := objectPart{in: "query", object: object, example: d.exampleOf(p), required: p.Get("required").Bool()}
	if deep {
		part.name = p.Get("name").Text()
	}
	return d.split(part)
}

// objectPart is a form, or an object in a query parameter or a form, whose properties become parameters.
type objectPart struct {
	in        string
	name      string // "filter" if its properties are named filter[property], "" if they have their own names
	object    *tree.Value
	example   *tree.Value // nil if there is none
	encodings *tree.Value // nil if there are none
	required  bool
}

// split returns a parameter for each property of an object.
func (d *toSwagger) split(part objectPart) (list []*tree.Value) {
	part.example = cmp.Or(part.example, part.object.Get("example"))
	if part.example != nil && part.example.Kind() != tree.Object {
		d.Warn(warning.LostExamples)
	}
	required := rewrite.Texts(part.object.Get("required"))
	for name, schema := range part.object.Get("properties").Members() {
		inner := objectPart{in: part.in, name: name, object: d.merged(schema), example: part.example.Get(name)}
		inner.required = part.required && slices.Contains(required, name)
		if part.name != "" {
			inner.name = part.name + "[" + name + "]"
		}
		encoding := part.encodings.Get(name)
		if encoding.Get("style").Text() == "deepObject" && inner.object.Get("properties").Len() > 0 {
			d.Warn(warning.ChangedObjectParameter, name)
			list = append(list, d.split(inner)...)
			continue
		}
		list = append(list, d.property(inner, schema, encoding))
	}
	return list
}

// property returns the parameter for a property. Its part is the property's merged schema.
func (d *toSwagger) property(part objectPart, schema, encoding *tree.Value) *tree.Value {
	v, out := part.object, d.Object().Set("name", d.String(part.name)).Set("in", d.String(part.in))
	d.unsupported(v, "title", "readOnly", "externalDocs")
	d.SetText(out, "description", v.Get("description").Text())
	items := d.Deref(v.Get("items"))
	if part.in == "formData" && v.Get("type").Text() == "array" && isBinary(items) {
		d.Warn(warning.ChangedFileLists, part.name)
		v, schema = items, items
	}
	if d.primitive(out, schema, part.name); part.in == "formData" && isBinary(v) {
		out.Set("type", d.String("file")).Delete("format")
	}
	if part.required {
		out.Set("required", tree.NewBool(true))
	}
	if part.example != nil {
		d.SetExtension(out, "example", d.Copy(part.example))
	}
	if example := out.Get("x-example"); out.Get("type").Text() == "string" && example.Kind() == tree.Object {
		out.Set("x-example", d.String(openapi.ScalarText(example, d.Budget)))
	}
	for name := range encoding.Members() {
		if name != "style" && name != "explode" {
			d.Warn(warning.LostEncoding, part.name)
		}
	}
	if out.Get("type").Text() == "array" {
		d.collection(out, encoding)
	}
	return out
}

// parameter converts a path, query or header parameter in place. It returns false for one that Swagger 2.0 doesn't
// support.
func (d *toSwagger) parameter(p *tree.Value) bool {
	in := p.Get("in").Text()
	if in == "cookie" {
		d.Warn(warning.LostCookieParameters, p.Get("name").Text())
		return false
	}
	if _, done := d.done[p]; done || in == "" {
		return true
	}
	d.done[p] = nil
	d.flat(p, in)
	return true
}

// flat replaces the schema of a parameter or header by its type and keywords, in place.
func (d *toSwagger) flat(p *tree.Value, in string) {
	style, explode := openapi.Style(p, openapi.StandardStyle(in))
	isJSON := p.Has("content")
	rewrite.Rebuild(p, func(out *tree.Value, name string, value *tree.Value) {
		switch name {
		case "name", "in", "description", "required", "allowEmptyValue":
			out.Set(name, value)
		case "schema", "content":
			d.simple(out, p, in)
		case "example":
			d.SetExtension(out, "example", value)
		case "examples":
			if several := d.namedExamples20(value); several != nil {
				d.SetExtension(out, "examples", several)
			} else if v := d.firstOf(value); v != nil {
				d.SetExtension(out, "example", v)
			}
		default:
			if shape.IsExtension(name) {
				out.Set(name, value)
			}
		}
	})
	example := p.Get("x-example")
	if kind := example.Kind(); p.Get("type").Text() == "string" && (kind == tree.Object || kind == tree.Array) {
		text := openapi.ScalarText(example, d.Budget)
		if !isJSON {
			text = openapi.Serialize(p.Get("name").Text(), example, style, explode, d.Budget)
		}
		p.Set("x-example", d.String(text))
	}
}

// simple adds the type of a parameter or header and the serialization of a list.
func (d *toSwagger) simple(out, p *tree.Value, in string) {
	if p.Has("content") {
		d.WarnAt(warning.ChangedParameterText, d.Place().Near("content"), p.Get("name").Text())
		out.Set("type", d.String("string"))
		for _, entry := range p.Get("content").Members() {
			if v := d.exampleOf(entry); v != nil {
				d.SetExtension(out, "example", d.Copy(v))
			}
		}
		return
	}
	d.schemaTexts(out, p)
	d.Within(d.Place().Near("schema"), func() { d.primitive(out, p.Get("schema"), p.Get("name").Text()) })
	if style := p.Get("style").Text(); in == "query" && out.Get("type").Text() == "array" {
		d.collection(out, p)
	} else if !slices.Contains([]string{"", "form", "simple"}, style) {
		d.Warn(warning.LostParameterStyle, style)
	}
}

// schemaTexts uses the description of the schema if a parameter or header has none. It warns about documentation that
// is dropped.
func (d *toSwagger) schemaTexts(out, p *tree.Value) {
	schema := d.Deref(p.Get("schema"))
	own, text := p.Get("description").Text(), schema.Get("description").Text()
	if own == "" {
		d.SetText(out, "description", text)
	} else if text != "" && text != own {
		d.WarnAt(warning.LostUnknownMembers, d.Place().Near("schema"), "description")
	}
	d.Within(d.Place().Near("schema"), func() { d.unsupported(schema, "title", "externalDocs") })
}

// unsupported warns about the named properties that an object has.
func (d *toSwagger) unsupported(v *tree.Value, names ...string) {
	for _, name := range names {
		if v.Has(name) {
			d.Warn(warning.LostUnknownMembers, name)
		}
	}
}

// collection converts the style of a list, which a Parameter or Encoding Object has, to a collectionFormat.
func (d *toSwagger) collection(out, of *tree.Value) {
	style, explode := openapi.Style(of, "form")
	format := "multi"
	switch i := slices.IndexFunc(listFormats, func(f listFormat) bool { return f.style == style }); {
	case i < 0:
		d.Warn(warning.LostParameterStyle, style)
	case !explode:
		format = listFormats[i].name
	}
	out.Set("collectionFormat", d.String(format))
}

// primitive adds the keywords of a schema that a parameter, a header or items may have. Anything but a plain type or
// a list of them becomes a string; name is what the warning shows.
func (d *toSwagger) primitive(out, of *tree.Value, name string) {
	for level := 0; ; level++ {
		v := d.merged(of)
		kind := v.Get("type").Text()
		if !slices.Contains([]string{"string", "number", "integer", "boolean", "array"}, kind) || level > maxLists {
			d.Warn(warning.ChangedParameterText, name)
			kind = "string"
		}
		out.Set("type", d.String(kind))
		for name, value := range v.Members() {
			if shape.IsExtension(name) || shape.Items20.Shape().Members[name] != nil && fits(name, kind) {
				if copied := value.Clone(d.Copies); copied != nil {
					out.Set(name, copied)
				}
			}
		}
		if v.Has("example") && level == 0 && !out.Has("x-example") {
			d.SetExtension(out, "example", d.Copy(v.Get("example")))
		}
		if kind != "array" {
			return
		}
		items := d.Object()
		out.Set("items", items)
		out, of = items, v.Get("items")
	}
}

// maxLists is the maximum nesting depth of lists in a parameter.
const maxLists = 8

// fits reports whether a keyword can be combined with a plain type.
func fits(name, kind string) bool {
	switch name {
	case "type", "items", "collectionFormat", "properties", "additionalProperties", "allOf":
		return false
	}
	of := shape.KeywordTypes[name]
	return of == "" || of == kind || of == "number" && kind == "integer"
}

// merged returns a new object schema with the keywords of v, its reference target and the parts of its allOf. The
// values of the keywords are shared.
func (d *toSwagger) merged(v *tree.Value) *tree.Value {
	out := d.Object()
	queue := []*tree.Value{v}
	for i := 0; i < len(queue) && i < maxMerged; i++ {
		part := d.Deref(queue[i])
		d.Budget.Parts(1 + part.Len())
		for name, value := range part.Members() {
			d.Budget.Parts(value.Len())
			switch {
			case name == "allOf":
				queue = append(queue, value.Elements()...)
			case name == "required" && value.Kind() == tree.Array:
				out.Set(name, tree.NewArray(slices.Concat(out.Get(name).Elements(), value.Elements())...))
			case name == "properties":
				all := rewrite.ObjectAt(out, name)
				for property, schema := range value.Members() {
					if !all.Has(property) {
						all.Set(property, schema)
					}
				}
			case !out.Has(name):
				out.Set(name, value)
			}
		}
	}
	return out
}

// maxMerged is the maximum number of parts of allOf that are merged.
const maxMerged = 100

// firstOf returns a copy of the value of the first named example, and warns if the others are dropped.
func (d *toSwagger) firstOf(named *tree.Value) *tree.Value {
	if named.Len() > 1 {
		d.Warn(warning.LostExamples)
	}
	if named.Len() == 0 {
		return nil
	}
	example := d.use(named.Get(named.Names()[0]))
	d.unsupported(example, "summary", "description")
	d.extensions(example)
	first := example.Get("value")
	if first == nil {
		d.Warn(warning.LostExamples)
		return nil
	}
	return d.Copy(first)
}

// namedExamples20 returns copies of named examples with references followed. It returns nil if there are fewer than two,
// unless the name says that the value isn't sent. One without a value is dropped with a warning.
func (d *toSwagger) namedExamples20(named *tree.Value) *tree.Value {
	if named.Len() < 2 && !named.Has(openapi.NotSent) {
		return nil
	}
	out := d.Object()
	for name, example := range named.Members() {
		if v := d.use(example); v.Has("value") {
			out.Set(name, d.Copy(v))
		} else {
			d.Warn(warning.LostExamples)
		}
	}
	return out
}
