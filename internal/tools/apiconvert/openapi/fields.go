package openapi

import (
	"cmp"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// member is a field of forms with the values that requests send.
type member struct {
	input
	contentType string
	file        bool
}

// form makes the media type object of forms.
func (c *content) form(m *media) *tree.Value {
	var members ordered[string, member]
	files, unsent := false, false
	for i, b := range m.bodies {
		for _, f := range b.Fields {
			c.w.budget.Parts(parameterParts)
			if f.Name == "" {
				continue
			}
			name := c.w.variables.expand(f.Name).text
			p := members.get(name, member{input: input{name: name}})
			c.take(p, i, f)
			files = files || p.file
			unsent = unsent || !f.Sent()
		}
	}
	properties, required, encoding := tree.NewObject(), tree.NewArray(), tree.NewObject()
	forms := make([]*tree.Value, len(m.bodies))
	for i := range forms {
		forms[i] = tree.NewObject()
	}
	for _, p := range members.list {
		values := p.values(p.sent)
		properties.Set(p.name, c.property(p, values, files && !unsent))
		if len(p.sent) == len(m.bodies) {
			required.Append(str(p.name))
		}
		if p.contentType != "" && request.BaseType(m.name) == multipartType {
			encoding.Set(p.name, tree.NewObject().Set("contentType", str(p.contentType)))
		}
		for i, one := range p.sent {
			forms[one.from].Set(p.name, values[i])
		}
	}
	s := tree.NewObject().Set("type", str("object"))
	setFilled(s, "properties", properties)
	setFilled(s, "required", required)
	out := tree.NewObject().Set("schema", s)
	if !files || unsent { // a file is empty in it, yet it says what is not sent
		named := examples{}
		for i, v := range forms {
			if v.Len() > 0 {
				named.add(m.bodies[i].label, v)
			}
		}
		named.write(out)
	}
	return setFilled(out, "encoding", encoding)
}

// take notes that a form has a field.
func (c *content) take(p *member, form int, f *request.Field) {
	p.description = cmp.Or(p.description, f.Description)
	if p.contentType == "" && isMediaType(f.ContentType) {
		p.contentType = f.ContentType
	}
	for _, path := range f.Files {
		if path != "" && path != "-" {
			c.w.warnings.AddNamed(warning.LocalFiles, c.place, path)
		}
	}
	p.file = p.file || f.IsFile
	p.list = p.list || len(f.Files) > 1
	text := c.w.variables.expand(f.Value).text
	value := sent{from: form, texts: []string{text}}
	switch again := p.again(form); {
	case !f.Sent():
		if text != "" {
			p.unsent = append(p.unsent, value)
		}
	case again != nil:
		p.list = true
		again.texts = append(again.texts, text)
	default:
		p.sent = append(p.sent, value)
	}
}

// property describes a field; with its examples where the form as a whole has
// none.
func (c *content) property(p *member, values []*tree.Value, withExample bool) *tree.Value {
	var s *tree.Value
	switch {
	case !p.file:
		s = c.w.scalar(values)
	case p.list:
		s = tree.NewObject().Set("type", str("array")).Set("items", binarySchema())
	default:
		s = binarySchema()
	}
	setText(s, "description", p.description)
	switch {
	case p.file:
	case withExample && len(values) > 0:
		s.Set("examples", tree.NewArray(values[0]))
	case len(values) == 0 && len(p.unsent) > 0:
		s.Set("examples", tree.NewArray(str(p.unsent[0].texts[0])))
	}
	return s
}
