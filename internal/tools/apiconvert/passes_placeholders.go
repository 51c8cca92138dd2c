package apiconvert

import (
	"slices"
	"strings"

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
	f := newFiller(c, api)
	for _, a := range api.Auths() {
		for _, text := range []*string{&a.Username, &a.Password, &a.Token} {
			f.substituteWords(text, placeholder.Credential)
		}
	}
	for _, r := range api.Requests {
		for _, p := range r.PathParameters {
			if infer.IsStandIn(p.Value) || placeholder.Segment(p.Value) != "" {
				p.Value = ""
			}
		}
		for _, list := range [][]*request.Parameter{r.Query, r.Headers, r.Cookies} {
			for _, p := range list {
				f.substitute(p, percent.Decode(p.Value))
			}
		}
		for _, p := range r.Headers {
			f.substituteWords(&p.Value, placeholder.Value)
		}
		for _, b := range r.Bodies {
			for _, field := range b.Fields {
				f.substitute(&field.Parameter, field.Value)
			}
			if b.Kind == request.Raw && request.LooksLikeJSON(b.Text) {
				b.Text = f.substituteStrings(b.Text)
			}
		}
	}
}

// substituteWords replaces the words of a header or of a credential that are placeholders by what name returns.
func (f *filler) substituteWords(text *string, name func(word string) string) {
	*text = placeholder.Words(*text, func(word string) string {
		if name := name(word); name != "" {
			f.redactor.Filled(word)
			return f.variable(name)
		}
		return word
	})
}

// substitute replaces the value of a parameter, which is text when decoded, if it is a placeholder. One that only names
// a type is named after the parameter.
func (f *filler) substitute(p *request.Parameter, text string) {
	name := placeholder.Value(text)
	if infer.IsStandIn(text) {
		name = words.Camel(p.Name)
	}
	if name != "" {
		f.redactor.Filled(text)
		p.Value = f.variable(name)
	}
}

// filler replaces the placeholders of an API by variables.
type filler struct {
	*conversion
	api   *request.API
	names map[string]string // of variables, by those of placeholders
	taken words.Unique
}

func newFiller(c *conversion, api *request.API) *filler {
	f := &filler{c, api, map[string]string{}, words.Unique{}}
	for _, v := range api.Variables {
		f.taken.Take(v.Name)
		if !v.Invented {
			f.names[v.Name] = v.Name
		}
	}
	return f
}

// variable returns the variable for a placeholder as text, and declares it.
func (f *filler) variable(name string) string {
	if f.names[name] == "" {
		f.names[name] = f.taken.Name(name)
		f.api.Variables = append(f.api.Variables, &request.Variable{Name: f.names[name]})
	}
	return "{{" + f.names[name] + "}}"
}

// beginsPlaceholder are the beginnings of the strings in JSON that may be placeholders.
var beginsPlaceholder = []string{`"<`, `"YOUR`, `"MY`, `"your`}

// maxSample is the maximum length of a sample of a type.
const maxSample = 100

// substituteStrings replaces the strings in JSON that are placeholders: one that names a type by a value of it.
func (f *filler) substituteStrings(text string) string {
	if !slices.ContainsFunc(beginsPlaceholder, func(begin string) bool { return strings.Contains(text, begin) }) {
		return text
	}
	var out strings.Builder
	for {
		at := strings.IndexByte(text, '"')
		if at < 0 {
			return out.String() + text
		}
		end := at + request.StringLength(text[at:])
		token, rest := text[at:end], text[end:]
		if !strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), ":") { // otherwise it is a name
			token = f.substituteString(token)
		}
		out.WriteString(text[:at] + token)
		text = rest
	}
}

// substituteString returns what replaces a string in JSON, or the string with its quotes.
func (f *filler) substituteString(token string) string {
	inner, isComplete := strings.CutSuffix(token[1:], `"`)
	if !isComplete {
		return token
	}
	if value := infer.StandIn(inner); value != nil && inner != "<password>" {
		sample, _ := value.AppendJSON(nil, maxSample)
		return string(sample)
	}
	if name := placeholder.Value(inner); name != "" {
		return `"` + f.variable(name) + `"`
	}
	return token
}
