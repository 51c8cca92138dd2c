package writer

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// parameters returns the parameters of an operation, collected from all of its requests.
func (w *writer) parameters(g *group) *tree.Value {
	all := inputs{w: w}
	for i, c := range g.calls {
		take := func(in, name string, p *request.Parameter, text string) {
			if c.rejected && all.has(in, name) {
				return
			}
			value := sent{from: i, label: c.Name, place: c.Place, texts: []string{text}}
			others := w.variables.others(p.Value)
			if others != nil {
				value.label = text
			}
			a := all.take(in, name, p, value)
			for _, other := range others {
				value.label, value.texts = other, []string{other}
				a.unsent = append(a.unsent, value)
			}
		}
		for position, p := range c.values {
			take("path", g.names[position], p, w.expand(p.Value))
		}
		for _, p := range c.Query {
			name := percent.DecodeQuery(w.named(p.Name, c.Place))
			if w.hasName(name, p, c.Place) && w.key(request.InQuery, p, c.Place) == nil {
				take("query", name, p, percent.DecodeQuery(w.expand(p.Value)))
			}
		}
		for _, p := range c.Headers {
			name := w.expand(p.Name)
			switch {
			case w.restricted(c, p), w.key(request.InHeader, p, c.Place) != nil:
			case !request.IsToken(name):
				w.warnings.Add(warning.LostMalformed, c.Place)
			default:
				take("header", name, p, w.expand(p.Value))
			}
		}
		for _, p := range c.Cookies {
			name := w.named(p.Name, c.Place)
			if w.hasName(name, p, c.Place) && w.key(request.InCookie, p, c.Place) == nil {
				take("cookie", name, p, w.expand(p.Value))
			}
		}
	}
	out := tree.NewArray()
	for _, in := range all.known.list {
		out.Append(w.parameter(in, g.accepted))
	}
	return out
}

// hasName reports whether a parameter or field has a name, and warns if one that is sent has none.
func (w *writer) hasName(name string, p *request.Parameter, at warning.Place) bool {
	if name == "" && p.Value != "" && p.Sent() {
		w.warnings.Add(warning.LostMalformed, at)
	}
	return name != ""
}

// restricted reports whether another part of the document describes a header. Accept and Authorization are handled
// where that part is written.
func (w *writer) restricted(c *call, p *request.Parameter) bool {
	name := strings.ToLower(p.Name)
	if p.Description != "" && slices.Contains([]string{"accept", "authorization", "content-type"}, name) {
		w.warnings.AddNamed(warning.LostParameterDescriptions, c.Place, p.Name)
	}
	switch name {
	case "accept", "authorization":
		if !p.Sent() {
			w.warnings.AddNamed(warning.LostDisabled, c.Place, p.Name)
		}
		return true
	case "content-type":
		if p.Sent() && len(c.Bodies) == 0 {
			w.warnings.AddNamed(warning.ChangedHeader, c.Place, "Content-Type")
		}
		return true
	}
	return false
}

func (w *writer) parameter(a *input, requests int) *tree.Value {
	p := tree.NewObject().Set("name", str(a.name)).Set("in", str(a.in))
	p.SetText("description", a.description)
	required := a.in == "path" || a.required
	if !required && alwaysSent(a, requests) && !a.empty {
		required = true
		w.warnRequired(a.sent[0].place, []string{a.name})
	}
	p.Set("required", tree.NewBool(required))
	setTrue(p, "allowEmptyValue", a.empty || a.bare && a.in == "query")
	all := slices.DeleteFunc(slices.Concat(a.sent, a.unsent), sent.isUnknown)
	values := a.values(all)
	p.Set("schema", w.scalar(values))
	if p.Get("schema").Has("oneOf") {
		w.warnings.Add(warning.ChangedSchemaConflict, all[0].place)
	}
	unsent := len(a.sent) == 0 && a.in != "path" && len(all) > 0
	if unsent {
		all[0].label = openapi.NotSentLabel
	}
	named := examples{w: w}
	for i, v := range values {
		named.add(all[i].label, v)
	}
	if unsent {
		named.writeNamed(p)
		return p
	}
	named.write(p)
	return p
}

// alwaysSent reports whether there are several requests and all of them send the input. An input of a single request
// may be optional.
func alwaysSent(a *input, requests int) bool { return requests > 1 && len(a.sent) == requests }

// scalar returns the schema of an input's values, or that of a string if none is known.
func (w *writer) scalar(values []*tree.Value) *tree.Value {
	isNull := func(v *tree.Value) bool { return v.Kind() == tree.Null } // in a part that is JSON
	if s := infer.Schema(values, nil, w.values); s.Len() > 0 || s != nil && slices.ContainsFunc(values, isNull) {
		return s
	}
	return tree.NewObject().Set("type", str("string"))
}
