package writer

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// form returns the Media Type Object for forms.
func (c *content) form(m *media) *tree.Value {
	members := inputs{w: c.w}
	files, unsent := false, false
	for i, b := range m.bodies {
		for _, f := range b.Fields {
			if c.w.hasName(f.Name, &f.Parameter, b.place) {
				p := c.take(&members, i, f, b.place)
				files = files || p.file
				unsent = unsent || !f.Sent()
			} else if f.IsFile {
				c.w.warnings.Add(warning.LostMalformed, b.place)
			}
		}
	}
	properties, required, encoding := tree.NewObject(), tree.NewArray(), tree.NewObject()
	forms, partial := make([]*tree.Value, len(m.bodies)), make([]bool, len(m.bodies))
	for i := range forms {
		forms[i] = tree.NewObject()
	}
	for _, p := range members.known.list {
		values := c.parts(p)
		properties.Set(p.name, c.property(p, values, files && !unsent))
		always := p.required
		if !always && alwaysSent(p, len(m.bodies)) {
			always = true
			c.w.warnRequired(c.place, []string{p.name})
		}
		if always {
			required.Append(str(p.name))
		}
		if p.contentType != "" && request.BaseType(m.name) == request.MultipartType {
			encoding.Set(p.name, tree.NewObject().Set("contentType", str(p.contentType)))
		}
		for i, one := range p.sent {
			if holdsTemplate(values[i]) {
				partial[one.from] = partial[one.from] || always
			} else {
				forms[one.from].Set(p.name, values[i])
			}
		}
	}
	s := tree.NewObject().Set("type", str("object"))
	setFilled(s, "properties", properties)
	setFilled(s, "required", required)
	out := tree.NewObject().Set("schema", s)
	if !files || unsent { // a form example omits files, but shows which fields are not sent
		named := examples{w: c.w}
		for i, v := range forms {
			if unsent {
				infer.Fill(v)
			}
			if v.Len() > 0 && !partial[i] {
				named.add(m.bodies[i].label, v)
			}
		}
		named.write(out)
	}
	return setFilled(out, "encoding", encoding)
}

// parts returns the values of a field. A part that is JSON becomes its parsed value instead of its string, because
// OpenAPI would encode a string once more.
func (c *content) parts(p *input) []*tree.Value {
	if p.file || p.list || !request.IsJSONType(p.contentType) {
		return p.values(p.sent)
	}
	values := make([]*tree.Value, len(p.sent))
	for i, one := range p.sent {
		if values[i] = c.w.json(one.texts[0]); values[i] == nil || values[i].Kind() == tree.String {
			return p.values(p.sent)
		}
	}
	return values
}

func (c *content) take(members *inputs, form int, f *request.Field, at warning.Place) *input {
	text := c.w.expand(f.Value)
	p := members.take("form", c.w.named(f.Name, at), &f.Parameter, sent{from: form, texts: []string{text}})
	if p.contentType == "" && isMediaType(f.ContentType) {
		p.contentType = f.ContentType
	}
	for _, path := range f.Files {
		if path != "" && path != "-" {
			c.w.warnings.AddNamed(warning.LostLocalFiles, at, path)
		}
	}
	if f.FileName != "" {
		c.w.warnings.AddNamed(warning.LostEncoding, at, f.Name)
	}
	p.file = p.file || f.IsFile
	p.list = p.list || len(f.Files) > 1
	return p
}

// property returns the schema of a field. withExample adds an example, for forms that have none as a whole.
func (c *content) property(p *input, values []*tree.Value, withExample bool) *tree.Value {
	var s *tree.Value
	switch {
	case !p.file && len(values) == 0 && len(p.unsent) > 0 && infer.IsStandIn(p.unsent[0].texts[0]):
		s = c.w.scalar([]*tree.Value{str(p.unsent[0].texts[0])})
	case !p.file:
		s = c.w.scalar(values)
	case p.list:
		s = tree.NewObject().Set("type", str("array")).Set("items", binarySchema())
	default:
		s = binarySchema()
	}
	s.SetText("description", p.description)
	switch {
	case p.file:
	case withExample && len(values) > 0:
		setExample(s, values[0])
	case len(values) == 0 && len(p.unsent) > 0:
		setExample(s, str(p.unsent[0].texts[0]))
	}
	return s
}

// setExample adds an example to a schema if the value is known.
func setExample(s, v *tree.Value) {
	if !infer.OnlyStandIns(v) && !holdsTemplate(v) {
		s.Set("examples", tree.NewArray(v))
	}
}
