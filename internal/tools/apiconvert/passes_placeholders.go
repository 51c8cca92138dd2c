package apiconvert

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/infer"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/placeholder"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// placeholders replaces values that documentation leaves to the reader by variables: ?limit=<integer> sends
// {{limit}}, and YOUR_ORG is {{org}}. A path parameter is a variable itself. An OpenAPI document only has types for them,
// and those in one are its author's samples.
func placeholders(c *conversion, api *request.API) {
	if c.target.format == source.OpenAPI || api.Described {
		return
	}
	for _, r := range api.Requests {
		c.budget.Parts(len(r.PathParameters) + len(r.Query) + len(r.Headers) + len(r.Cookies))
		for _, p := range r.PathParameters {
			if infer.IsStandIn(p.Value) || placeholder.Segment(p.Value) != "" {
				p.Value = ""
			}
		}
		for _, list := range [][]*request.Parameter{r.Query, r.Headers, r.Cookies} {
			for _, p := range list {
				substitute(api, p, percent.Decode(p.Value))
			}
		}
		for _, b := range r.Bodies {
			c.budget.Parts(len(b.Fields))
			for _, f := range b.Fields {
				substitute(api, &f.Parameter, f.Value)
			}
			if b.Kind == request.Raw && request.LooksLikeJSON(b.Text) {
				c.budget.Text(len(b.Text))
				b.Text = substituteStrings(api, b.Text)
			}
		}
	}
}

// substitute replaces the value of a parameter, which is text when decoded, if it is a placeholder. One that only names
// a type is named after the parameter.
func substitute(api *request.API, p *request.Parameter, text string) {
	name := placeholder.Value(text)
	if infer.IsStandIn(text) {
		name = words.Camel(p.Name)
	}
	if name != "" {
		p.Value = variable(api, name)
	}
}

// variable returns a variable as text, and declares it.
func variable(api *request.API, name string) string {
	if !slices.ContainsFunc(api.Variables, func(v *request.Variable) bool { return v.Name == name }) {
		api.Variables = append(api.Variables, &request.Variable{Name: name})
	}
	return "{{" + name + "}}"
}

// jsonString matches a string in JSON, with the colon if it is a name.
var jsonString = expression.Lazy(`"(?:[^"\\]|\\.)*"(?:\s*:)?`)

// maxSample is the maximum length of a sample of a type.
const maxSample = 100

// substituteStrings replaces the strings in JSON that are placeholders: one that names a type by a value of it.
func substituteStrings(api *request.API, text string) string {
	if !strings.ContainsAny(text, "<Yy") {
		return text
	}
	return jsonString().ReplaceAllStringFunc(text, func(token string) string {
		inner, isValue := strings.CutSuffix(token[1:], `"`)
		if !isValue {
			return token
		}
		if value := infer.StandIn(inner); value != nil && inner != "<password>" {
			sample, _ := value.AppendJSON(nil, maxSample)
			return string(sample)
		}
		if name := placeholder.Value(inner); name != "" {
			return `"` + variable(api, name) + `"`
		}
		return token
	})
}
