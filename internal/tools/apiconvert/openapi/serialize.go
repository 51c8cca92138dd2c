package openapi

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// What is written into a URL as it is, beside letters, digits, "-._~" and
// variables.
const (
	inPath        = "!$&'()*+,;=:@/%"
	inQuery       = "!$'()*,;:@/?[]"
	inQueryAsSent = "!$'()*+,;:@/?[]%" // text that is percent-encoded already
	inQueryFree   = "!$&'()*+,;=:@/?[]#"
)

// encode percent-encodes everything but what keep holds.
func encode(text, keep string) string {
	plain := true
	for i := 0; i < len(text) && plain; i++ {
		plain = unreserved(text[i]) || strings.IndexByte(keep, text[i]) >= 0
	}
	if plain {
		return text
	}
	var b strings.Builder
	for _, part := range request.Split(text) {
		if part.Kind == request.VariablePart {
			b.WriteString("{{" + part.Text + "}}")
			continue
		}
		for i := 0; i < len(part.Text); i++ {
			c := part.Text[i]
			if unreserved(c) || strings.IndexByte(keep, c) >= 0 {
				b.WriteByte(c)
				continue
			}
			const hex = "0123456789ABCDEF"
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

func unreserved(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte("-._~", c) >= 0
}

// flat returns the text of a value inside of a serialized one; what is nested
// there has no serialization in OpenAPI and is written as JSON.
func flat(v *tree.Value, b *budget.Budget) string {
	if text, ok := v.Scalar(); ok {
		b.Text(len(text))
		return text
	}
	if v == nil || v.Kind() == tree.Null {
		return ""
	}
	text, err := v.AppendJSON(nil, maxServerText)
	b.Text(len(text))
	if err != nil {
		return ""
	}
	return string(text)
}

// joined writes a value as one text: elements and members behind one another,
// a member's name before its value.
func joined(v *tree.Value, separator, assign string, b *budget.Budget) string {
	switch v.Kind() {
	case tree.Array:
		var parts []string
		for _, element := range v.Elements() {
			parts = append(parts, flat(element, b))
		}
		return strings.Join(parts, separator)
	case tree.Object:
		var parts []string
		for name, value := range v.Members() {
			parts = append(parts, name+assign+flat(value, b))
		}
		return strings.Join(parts, separator)
	}
	return flat(v, b)
}

// simple serializes in the style simple (RFC 6570, section 3.2.2).
func (d *description) simple(explode bool) string {
	if d.text != "" {
		return d.text
	}
	if explode {
		return joined(d.value, ",", "=", d.budget)
	}
	return joined(d.value, ",", ",", d.budget)
}

// path serializes in the styles of path parameters (RFC 6570, sections 3.2.2,
// 3.2.5 and 3.2.7).
func (d *description) path() string {
	explode := d.parameter.Explode
	switch d.parameter.Style {
	case "label":
		if d.text != "" {
			return "." + strings.TrimPrefix(d.text, ".")
		}
		if explode {
			return "." + joined(d.value, ".", "=", d.budget)
		}
		return "." + joined(d.value, ",", ",", d.budget)
	case "matrix":
		name := ";" + d.parameter.Name
		if d.text != "" {
			return name + "=" + strings.TrimPrefix(d.text, name+"=")
		}
		switch {
		case explode && d.value.Kind() == tree.Array:
			return name + "=" + joined(d.value, name+"=", "", d.budget)
		case explode && d.value.Kind() == tree.Object:
			return ";" + joined(d.value, ";", "=", d.budget)
		}
		return name + "=" + joined(d.value, ",", ",", d.budget)
	}
	return d.simple(explode)
}

// query serializes a query parameter: to several ones where its style writes
// elements or members apart.
func (r *reader) query(d declared) []*request.Parameter {
	described := r.describe(d.v, asking, d.at)
	keep := inQuery
	if described.reserved {
		keep = inQueryFree
	}
	p := described.parameter
	one := func(name, value string) *request.Parameter {
		q := *p
		q.Name, q.Value = encode(name, inQuery), encode(value, keep)
		r.paid(&q)
		return &q
	}
	v := described.value
	if described.text != "" || v.Kind() != tree.Array && v.Kind() != tree.Object || v.Len() == 0 {
		text := described.text
		if text == "" {
			text, _ = v.Scalar()
		}
		return []*request.Parameter{one(d.name, text)}
	}
	switch {
	case p.Style == "deepObject":
		var list []*request.Parameter
		deep(d.name, v, r.budget, func(name, value string) { list = append(list, one(name, value)) })
		return list
	case p.Explode && v.Kind() == tree.Array:
		var list []*request.Parameter
		for _, element := range v.Elements() {
			list = append(list, one(d.name, flat(element, r.budget)))
		}
		return list
	case p.Explode:
		var list []*request.Parameter
		for name, value := range v.Members() {
			list = append(list, one(name, flat(value, r.budget)))
		}
		return list
	case p.Style == "spaceDelimited":
		return []*request.Parameter{one(d.name, joined(v, " ", " ", r.budget))}
	case p.Style == "pipeDelimited":
		return []*request.Parameter{one(d.name, joined(v, "|", "|", r.budget))}
	}
	return []*request.Parameter{one(d.name, joined(v, ",", ",", r.budget))}
}

// deep writes name[member]=value, as deep as the value is. OpenAPI defines one
// level; servers that take more take it so.
func deep(name string, v *tree.Value, b *budget.Budget, emit func(name, value string)) {
	b.Bytes(len(name))
	switch v.Kind() {
	case tree.Object:
		for member, value := range v.Members() {
			deep(name+"["+member+"]", value, b, emit)
		}
	case tree.Array:
		for _, element := range v.Elements() {
			emit(name, flat(element, b))
		}
	default:
		emit(name, flat(v, b))
	}
}
