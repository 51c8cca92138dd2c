package openapi

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/schema"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// member is a field of forms with the values that requests send.
type member struct {
	name        string
	description string
	contentType string
	file        bool
	list        bool
	sent        []fieldSent
	unsent      string // a value that the source writes and does not send
}

// fieldSent is what one form sends in a field.
type fieldSent struct {
	form  int
	texts []string
}

// form makes the media type object of forms.
func (c *content) form(m *media) *tree.Value {
	known := map[string]*member{}
	files, unsent := false, false
	for i, b := range m.bodies {
		for _, f := range b.Fields {
			c.w.budget.Parts(parameterParts)
			if f.Name == "" {
				continue
			}
			name := c.w.variables.expand(f.Name).text
			p := known[name]
			if p == nil {
				p = &member{name: name}
				known[name] = p
				m.members = append(m.members, p)
			}
			p.take(c, i, f)
			files = files || p.file
			unsent = unsent || !f.Sent()
		}
	}
	properties, required, encoding := tree.NewObject(), tree.NewArray(), tree.NewObject()
	for _, p := range m.members {
		properties.Set(p.name, p.schema(c.w, files && !unsent))
		if len(p.sent) == len(m.bodies) {
			required.Append(str(p.name))
		}
		if p.contentType != "" && request.BaseType(m.name) == multipartType {
			encoding.Set(p.name, tree.NewObject().Set("contentType", str(p.contentType)))
		}
	}
	s := tree.NewObject().Set("type", str("object"))
	if properties.Len() > 0 {
		s.Set("properties", properties)
	}
	if required.Len() > 0 {
		s.Set("required", required)
	}
	out := tree.NewObject().Set("schema", s)
	if !files || unsent { // a file is empty in it, yet it says what is not sent
		named := newExamples()
		for i, v := range m.formExamples() {
			if v.Len() > 0 {
				named.add(m.bodies[i].label, v)
			}
		}
		named.write(out)
	}
	if encoding.Len() > 0 {
		out.Set("encoding", encoding)
	}
	return out
}

// take notes that a form has a field.
func (p *member) take(c *content, i int, f *request.Field) {
	if p.description == "" {
		p.description = f.Description
	}
	if p.contentType == "" && isMediaType(f.ContentType) {
		p.contentType = f.ContentType
	}
	for _, path := range f.Files {
		if path != "" {
			c.w.warnings.Add(warning.LocalFiles, c.place)
		}
	}
	p.file = p.file || f.IsFile
	p.list = p.list || len(f.Files) > 1
	text := c.w.variables.expand(f.Value).text
	if !f.Sent() {
		if p.unsent == "" {
			p.unsent = text
		}
		return
	}
	if n := len(p.sent); n > 0 && p.sent[n-1].form == i {
		p.list = true
		p.sent[n-1].texts = append(p.sent[n-1].texts, text)
		return
	}
	p.sent = append(p.sent, fieldSent{i, []string{text}})
}

// schema describes a field; with its examples where the form as a whole has
// none.
func (p *member) schema(w *writer, withExample bool) *tree.Value {
	s := binarySchema()
	if !p.file {
		s = schema.Infer(p.values(), nil, w.values)
		if s.Len() == 0 {
			s = tree.NewObject().Set("type", str("string"))
		}
	}
	if p.list {
		s = tree.NewObject().Set("type", str("array")).Set("items", s)
	}
	if p.description != "" {
		s.Set("description", str(p.description))
	}
	if withExample && !p.file && len(p.sent) > 0 {
		s.Set("examples", tree.NewArray(p.value(p.sent[0], p.reads())))
	}
	if len(p.sent) == 0 && p.unsent != "" && !p.file {
		s.Set("examples", tree.NewArray(str(p.unsent)))
	}
	return s
}

// reads returns how the texts of a field are read: as numbers and booleans
// where all of them are.
func (p *member) reads() func(string) *tree.Value {
	for _, one := range p.sent {
		for _, text := range one.texts {
			if literal(text).Kind() == tree.String {
				return str
			}
		}
	}
	return literal
}

// values are all texts of a field as JSON.
func (p *member) values() []*tree.Value {
	var list []*tree.Value
	of := p.reads()
	for _, one := range p.sent {
		for _, text := range one.texts {
			list = append(list, of(text))
		}
	}
	return list
}

// value is what one form sends in the field.
func (p *member) value(one fieldSent, of func(string) *tree.Value) *tree.Value {
	if !p.list {
		return of(one.texts[0])
	}
	array := tree.NewArray()
	for _, text := range one.texts {
		array.Append(of(text))
	}
	return array
}

// formExamples makes an object per form with what it sends.
func (m *media) formExamples() []*tree.Value {
	list := make([]*tree.Value, len(m.bodies))
	for i := range list {
		list[i] = tree.NewObject()
	}
	for _, p := range m.members {
		of := p.reads()
		for _, one := range p.sent {
			list[one.form].Set(p.name, p.value(one, of))
		}
	}
	return list
}
