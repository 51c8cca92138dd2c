package writer

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// undefinedBodies are the methods for which HTTP defines no meaning of content (RFC 9110, section 9.3). OpenAPI 3.1
// permits a requestBody there. OpenAPI 3.0 does too, but lets readers ignore it. The source sends the body, so it is
// kept.
var undefinedBodies = []string{"GET", "HEAD", "DELETE"}

// requestBody returns the request body of an operation, or nil if no request has a body.
func (w *writer) requestBody(g *group) *tree.Value {
	bodies := content{w: w, resource: g.resource}
	with, sent := 0, map[string]bool{}
	for _, c := range g.calls {
		if len(c.Bodies) == 0 {
			continue
		}
		if g.method == "TRACE" {
			w.warnings.Add(warning.LostBody, c.Place)
			continue
		}
		undefined, only := slices.Contains(undefinedBodies, g.method), c.Bodies[0].Text
		if undefined {
			w.warnings.Add(warning.ChangedUndefinedBody, c.Place)
		}
		bodies.place = c.Place
		mayBeEmpty := undefined && only != "" && request.VariableLength(only) == len(only)
		if !c.rejected && !mayBeEmpty {
			with++
		}
		for _, body := range c.Bodies {
			w.budget.Parts(openapi.BodyParts)
			content := contentText(body)
			if c.rejected {
				if !sent[content] {
					w.warnings.Add(warning.LostRejectedRequests, c.Place)
				}
				continue
			}
			sent[content] = true
			bodies.add(body, c.Name)
		}
	}
	media := bodies.write()
	if media.Len() == 0 {
		return nil
	}
	return tree.NewObject().Set("content", media).Set("required", tree.NewBool(with == g.accepted))
}

// contentText returns what distinguishes the content of a body from that of others.
func contentText(b *request.Body) string {
	text := b.Text + b.Query + b.GraphQLVariables + b.Path
	var fields strings.Builder
	for _, f := range b.Fields {
		fields.WriteString(f.Name + "=" + f.Value + "&")
	}
	return text + fields.String()
}

// content collects bodies by media type.
type content struct {
	w        *writer
	resource string // name of the resource of the path
	status   string // of a response; "" for a request
	place    warning.Place
	types    ordered[string, media]
}

// media holds the bodies of one media type.
type media struct {
	name   string
	bodies []labelled
}

// labelled is a body with the name and place of its request or response.
type labelled struct {
	*request.Body
	label string
	place warning.Place
}

// isText reports whether a body has printable text. Postman saves the bytes of an image as text, which loses some.
func (b labelled) isText() bool {
	unprintable := func(c rune) bool { return c == utf8.RuneError || !unicode.IsPrint(c) && !unicode.IsSpace(c) }
	return len(b.Examples) > 0 || b.Text != "" && !strings.ContainsFunc(b.Text, unprintable)
}

// isForm reports whether a body has fields. Text with the media type of a form has none if it could not be parsed.
func (b labelled) isForm() bool { return b.Kind == request.URLEncoded || b.Kind == request.Multipart }

func (c *content) add(body *request.Body, label string) {
	if name := c.w.mediaType(body); name != "" {
		m := c.types.get(name, media{name: name})
		m.bodies = append(m.bodies, labelled{body, label, c.place})
	}
}

// write returns the content object.
func (c *content) write() *tree.Value {
	out := tree.NewObject()
	for _, m := range c.types.list {
		switch kind := m.bodies[0].Kind; {
		case slices.ContainsFunc(m.bodies, labelled.isForm):
			m.bodies = slices.DeleteFunc(m.bodies, func(b labelled) bool {
				if !b.isForm() {
					c.w.warnings.Add(warning.LostMalformed, b.place)
				}
				return !b.isForm()
			})
			out.Set(m.name, c.form(m))
		case kind == request.File, request.IsBinaryType(m.name) && !slices.ContainsFunc(m.bodies, labelled.isText):
			out.Set(m.name, c.file(m))
		default:
			out.Set(m.name, c.plain(m))
		}
	}
	return out
}

// mediaType returns the key of a body in content, or "" for an empty body.
func (w *writer) mediaType(b *request.Body) string {
	if b.Kind == request.Raw && b.Text == "" && len(b.Examples) == 0 && request.BaseType(b.MediaType) == request.FormType {
		return "" // --data "" only selects the method
	}
	name := w.expand(strings.TrimSpace(b.MediaType))
	if isMediaType(name) {
		base := request.BaseType(name)
		if request.IsFormType(base) {
			return base // the sender chooses boundary and charset
		}
		if request.IsJSONType(base) && !strings.Contains(base, "*") {
			return withoutCharset(name)
		}
		return name
	}
	switch b.Kind {
	case request.URLEncoded:
		return request.FormType
	case request.Multipart:
		return request.MultipartType
	case request.File:
		return request.BinaryType
	case request.GraphQL:
		return request.JSONType
	}
	text := strings.TrimSpace(b.Text)
	switch {
	case text == "" && len(b.Examples) == 0:
		return ""
	case w.json(b.Text) != nil && text[0] != '"':
		return request.JSONType
	}
	return request.TextType
}

// withoutCharset removes the charset parameter from a JSON media type. JSON doesn't define it, because it is always
// UTF-8 (RFC 8259, sections 8.1 and 11).
func withoutCharset(mediaType string) string {
	if strings.Contains(mediaType, `"`) {
		return mediaType
	}
	kept := request.BaseType(mediaType)
	for _, p := range strings.Split(mediaType, ";")[1:] {
		name, _, _ := strings.Cut(p, "=")
		if name = strings.TrimSpace(name); name != "" && !strings.EqualFold(name, "charset") {
			kept += "; " + strings.TrimSpace(p)
		}
	}
	return kept
}

// isMediaType reports whether text is a media type (RFC 9110, section 8.3.1).
func isMediaType(text string) bool {
	base, _, _ := strings.Cut(text, ";")
	kind, sub, ok := strings.Cut(strings.TrimSpace(base), "/")
	return ok && request.IsToken(kind) && request.IsToken(sub) && !strings.Contains(text, "{{") &&
		!strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c >= 0x7f })
}

// samples returns the bodies of a media type. Those in invalid are strings that should be JSON.
func (c *content) samples(m *media) (valid, invalid []example) {
	add := func(b labelled, label string, v *tree.Value, text string) {
		if v == nil && request.IsJSONType(m.name) {
			v = c.w.json(text)
		}
		switch {
		case v != nil:
			valid = append(valid, example{label, v})
		case text == "":
		case request.IsJSONType(m.name):
			c.w.warnings.Add(warning.ChangedInvalidJSON, b.place)
			invalid = append(invalid, example{label, str(c.w.expand(text))})
		default:
			valid = append(valid, example{label, str(c.w.expand(text))})
		}
	}
	for _, b := range m.bodies {
		if b.Kind == request.GraphQL {
			c.w.warnings.Add(warning.ChangedGraphQL, b.place)
			add(b, b.label, c.w.graphQL(b.Body), "")
			continue
		}
		untyped := len(c.w.untyped)
		add(b, b.label, nil, b.Text)
		for _, e := range b.Examples {
			if c.status == "" && b.Text != "" && namesMistake(e.Name) {
				c.w.warnings.Add(warning.LostRejectedRequests, b.place)
				continue
			}
			add(b, e.Name, nil, e.Text)
		}
		if len(c.w.untyped) > untyped {
			c.w.warnings.Add(warning.ChangedUnquotedVariables, b.place)
		}
	}
	return valid, invalid
}

// plain returns the Media Type Object for text bodies: JSON with its schema, others as strings.
func (c *content) plain(m *media) *tree.Value {
	shown, invalid := c.samples(m)
	values := make([]*tree.Value, len(shown))
	for i, e := range shown {
		values[i] = e.value
	}
	s := infer.Summarize(values, c.w.untyped, c.w.values)
	body := &bodySchema{media: tree.NewObject().Set("schema", tree.NewObject()), is: s, name: c.objectName(), at: c.place}
	switch {
	case s == nil:
		c.w.warnings.Add(warning.LostComplexity, c.place)
	case s.Conflicts():
		for _, b := range m.bodies {
			c.w.warnings.Add(warning.ChangedSchemaConflict, b.place)
		}
	}
	if len(shown) == 0 { // an empty schema allows them
		shown = invalid
	}
	if slices.ContainsFunc(shown, func(e example) bool { return deeper(e.value, maxExampleDepth) }) {
		c.w.warnings.Add(warning.LostComplexity, c.place)
	} else {
		body.samples = shown
	}
	if len(shown) == 0 && !request.IsJSONType(m.name) {
		body.media.Get("schema").Set("type", str("string"))
	} else {
		c.w.bodies = append(c.w.bodies, body)
	}
	return body.media
}

// errorObject is the name of the object in an error response.
const errorObject = "Error"

// objectName returns the name of the object in a body.
func (c *content) objectName() string {
	if strings.HasPrefix(c.status, "4") || strings.HasPrefix(c.status, "5") {
		return errorObject
	}
	return cmp.Or(c.resource, "Resource")
}

// maxExampleDepth is the maximum depth of an example, so that the document around it doesn't exceed the depth limit
// of documents.
const maxExampleDepth = 200

func deeper(v *tree.Value, levels int) bool {
	if levels == 0 {
		return v.Len() > 0
	}
	return slices.ContainsFunc(v.Values(), func(value *tree.Value) bool { return deeper(value, levels-1) })
}

// graphQL returns a GraphQL body as the JSON that is sent.
func (w *writer) graphQL(b *request.Body) *tree.Value {
	v := tree.NewObject().Set("query", str(w.expand(b.Query)))
	if strings.TrimSpace(b.GraphQLVariables) != "" {
		variables := w.json(b.GraphQLVariables)
		if variables == nil {
			variables = str(w.expand(b.GraphQLVariables))
		}
		v.Set("variables", variables)
	}
	return v.SetText("operationName", b.OperationName)
}

// file returns the Media Type Object for a body that is a file.
func (c *content) file(m *media) *tree.Value {
	for _, b := range m.bodies {
		if b.Path != "" && b.Path != "-" { // standard input has its own warning
			c.w.warnings.AddNamed(warning.LostLocalFiles, b.place, b.Path)
		}
	}
	m.bodies = slices.DeleteFunc(m.bodies, func(b labelled) bool {
		return b.Kind == request.File || !b.isText() && request.IsBinaryType(m.name)
	})
	switch {
	case len(m.bodies) > 0: // texts are more specific
		return c.plain(m)
	case request.IsJSONType(m.name): // any JSON
		return tree.NewObject()
	}
	return tree.NewObject().Set("schema", binarySchema())
}

// binarySchema returns the schema of binary data. The format binary comes from OpenAPI 3.0, but readers of 3.1 also
// support it. Not all of them support the 3.1 form, a media type without a type.
func binarySchema() *tree.Value {
	return tree.NewObject().Set("type", str("string")).Set("format", str("binary"))
}

// example is a value with a name for it.
type example struct {
	label string
	value *tree.Value
}

// examples collects the distinct values of a parameter or body. A single value is written as example, several are
// written as named examples.
type examples struct {
	w    *writer
	list []example
	seen map[string]bool // JSON of the values that were short enough
}

// maxRecorded is how many examples of one parameter or body are written from recorded traffic.
const maxRecorded = 3

// maxCompared is the maximum length of a value that is compared with others.
const maxCompared = 1 << 16

// add adds a value, unless it only names types, which the schema already has.
func (e *examples) add(label string, v *tree.Value) {
	if v == nil || infer.OnlyStandIns(v) {
		return
	}
	if key, err := v.AppendJSON(nil, maxCompared); err == nil {
		if e.seen[string(key)] {
			return
		}
		if e.seen == nil {
			e.seen = map[string]bool{}
		}
		e.seen[string(key)] = true
	}
	if e.w.api.Recorded && len(e.list) == maxRecorded {
		e.w.unshown.Count("", false)
		return
	}
	e.list = append(e.list, example{strings.TrimSpace(label), v})
}

// write sets example or examples of a Parameter or Media Type Object.
func (e *examples) write(out *tree.Value) {
	if len(e.list) != 1 {
		e.writeNamed(out)
		return
	}
	infer.Fill(e.list[0].value)
	out.Set("example", e.list[0].value)
}

// examples returns the samples of a body without the values that aren't known.
func (b *bodySchema) examples(w *writer) *examples {
	named := &examples{w: w}
	for _, sample := range b.samples {
		v := sample.value
		if text := v.Text(); text != "" && (request.VariableLength(text) == len(text) || isOpen(v) && !request.HasVariable(text)) {
			continue // the whole body is a template
		}
		if withoutTemplates(v, b.is) {
			named.add(sample.label, v)
		}
	}
	return named
}

// writeNamed sets examples, even for a single value.
func (e *examples) writeNamed(out *tree.Value) {
	all := tree.NewObject()
	taken := words.Unique{}
	for _, one := range e.list {
		name, described := cmp.Or(naming.Camel(one.label), "example"), tree.NewObject()
		if one.label != name {
			described.SetText("summary", one.label)
		}
		infer.Fill(one.value)
		all.Set(taken.Name(name), described.Set("value", one.value))
	}
	setFilled(out, "examples", all)
}
