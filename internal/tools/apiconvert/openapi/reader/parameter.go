package reader

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Short names for the directions.
const (
	toServer   = sample.ToServer
	fromServer = sample.FromServer
)

// declared is a Parameter Object of an operation.
type declared struct {
	part
	name, in string
}

// merge combines the parameters of a path item and an operation. A parameter of the operation replaces one of the
// path item with the same name and location.
func (r *reader) merge(shared item, own *tree.Value, at *warning.Place) []declared {
	var list []declared
	positions := map[[2]string]int{}
	add := func(parameters *tree.Value, at *warning.Place) {
		for _, p := range r.objects(parameters, at.Field("parameters"), 1) {
			d := declared{part: p, name: p.v.Get("name").Text(), in: p.v.Get("in").Text()}
			key := [2]string{d.in, d.name}
			if position, twice := positions[key]; twice {
				list[position] = d
				continue
			}
			positions[key] = len(list)
			list = append(list, d)
		}
	}
	add(shared.parameters, shared.at)
	add(own, at)
	return list
}

// parameters adds the parameters of all locations to a request. A parameter that the request's authentication sends
// is left out, because some documents declare it twice.
func (r *reader) parameters(req *request.Request, list []declared) {
	needed := r.api.Effective(req).First()
	path := map[string]declared{}
	template := map[string]bool{}
	for _, name := range names(req.Path) {
		template[name] = true
	}
	for _, d := range list {
		r.budget.Parts(1 + d.v.Len() + len(needed))
		r.extensions(d.v, d.at)
		if slices.ContainsFunc(needed, func(a *request.Auth) bool { return a.Sends(request.Location(d.in), d.name) }) {
			continue
		}
		switch d.in {
		case "path":
			if path[d.name] = d; !template[d.name] {
				r.warnings.Add(warning.Malformed, d.at)
			}
		case "query":
			req.Query = append(req.Query, r.query(d)...)
		case "header":
			r.header(req, d)
		case "cookie":
			described := r.describe(d.v, toServer, d.at)
			described.parameter.Name = d.name
			described.parameter.Value = described.simple(false)
			r.paid(described.parameter)
			req.Cookies = append(req.Cookies, described.parameter)
		case "querystring":
			r.queryString(req, d)
		}
	}
	r.pathParameters(req, path)
}

// pathParameters adds a parameter for each name in the path, in the order of the path. An undeclared name gets a
// parameter without a value.
func (r *reader) pathParameters(req *request.Request, declared map[string]declared) {
	for _, name := range names(req.Path) {
		r.budget.Parts(openapi.ParameterParts)
		d, ok := declared[name]
		if !ok {
			req.PathParameters = append(req.PathParameters, &request.Parameter{Name: name, Required: true})
			continue
		}
		described := r.describe(d.v, toServer, d.at)
		p := described.parameter
		p.Name, p.Required, p.Optional = d.name, true, false
		p.Value = described.path()
		// A variable can't show the names of the properties.
		p.Invented = p.Invented && (p.Style == "" || p.Style == "simple" || !p.Explode || described.value.Kind() != tree.Object)
		r.paid(p)
		req.PathParameters = append(req.PathParameters, p)
	}
}

// names returns the distinct path parameter names in a path.
func names(path string) []string {
	var list []string
	seen := map[string]bool{}
	for _, part := range request.SplitPath(path) {
		if part.Kind == request.ParameterPart && !seen[part.Text] {
			seen[part.Text] = true
			list = append(list, part.Text)
		}
	}
	return list
}

// header adds a header, unless the model represents it in another way.
func (r *reader) header(req *request.Request, d declared) {
	described := r.describe(d.v, toServer, d.at)
	p := described.parameter
	p.Name, p.Value = d.name, described.simple(described.parameter.Explode)
	r.paid(p)
	switch strings.ToLower(d.name) {
	case "content-type":
		return // the media type of the body sets it (OpenAPI 3.1, section 4.8.12)
	case "authorization":
		if described.authored {
			if auth := request.ParseAuthorization(p.Value); auth != nil && req.Security == nil {
				req.Security = &request.Security{Alternatives: [][]*request.Auth{{auth}}}
				return
			}
		}
		if !described.authored {
			if r.authorization == "" {
				r.authorization = r.secret("authorization")
			}
			p.Value = r.authorization
		}
	case "cookie":
		r.budget.Parts(openapi.ParameterParts * strings.Count(p.Value, ";"))
		if cookies := request.ParseCookies(p.Value); described.authored && cookies != nil {
			req.Cookies = append(req.Cookies, cookies...)
			return
		}
	}
	req.Headers = append(req.Headers, p)
}

// description is a Parameter or Header Object that was read.
type description struct {
	parameter *request.Parameter
	value     *tree.Value // the sample before serialization
	text      string      // the sample if the author wrote it serialized
	budget    *budget.Budget
	authored  bool // the author wrote the sample; it is not generated
	reserved  bool // allowReserved
}

// describe reads what parameters and headers have in common.
func (r *reader) describe(v *tree.Value, d sample.Direction, at *warning.Place) description {
	p := &request.Parameter{
		Description: v.Get("description").Text(),
		Required:    v.Get("required").Bool(),
		Deprecated:  v.Get("deprecated").Bool(),
		Style:       v.Get("style").Text(),
	}
	p.Explode = p.Style == "" && v.Get("in").Text() == "query" || p.Style == "form"
	if v.Has("explode") {
		p.Explode = v.Get("explode").Bool()
	}
	out := description{parameter: p, budget: r.budget, reserved: v.Get("allowReserved").Bool()}
	source, s := v, v.Get("schema")
	for mediaType, media := range v.Get("content").Members() {
		r.warnings.Add(warning.ParameterContent, at.Field("content"))
		if media = r.resolve(media, at.Field("content").Index(0)); media != nil {
			r.extensions(media, at.Field("content").Index(0))
			source, s = media, media.Get("schema")
			out.text = r.contentText(mediaType, media, d, at)
			out.authored = true
		}
		break
	}
	p.Schema = r.schemaOf(s)
	p.Description = cmp.Or(p.Description, p.Schema.Get("description").Text())
	examples := r.examples(source, at)
	if len(examples) > 1 {
		r.warnings.Add(warning.Examples, at)
	}
	mayBeEmpty := v.Get("allowEmptyValue").Bool() || v.Get("in").Text() == "header"
	empty := mayBeEmpty && len(examples) > 0 && examples[0].Name != openapi.NotSent
	p.Optional = d == toServer && !p.Required && !empty && !offered(examples, p.Schema)
	if out.text != "" {
		return out
	}
	switch {
	case len(examples) > 0:
		out.value, out.text, out.authored = examples[0].Value, examples[0].Text, true
		p.Examples = r.further(examples)
	default:
		out.value = r.sample(s, d, at)
		out.authored = hasOwnExample(p.Schema)
	}
	p.Invented = !out.authored
	// A list written as it is sent.
	if out.authored && out.value.Kind() == tree.String {
		out.value, out.text = nil, out.value.Text()
	}
	return out
}

// offered reports whether a parameter has an example or a default. An optional parameter is sent if its author
// provides a value for it. An empty value doesn't count.
func offered(examples []*request.Example, s *tree.Value) bool {
	values := []*tree.Value{s.Get("example"), s.Get("examples").Element(0), s.Get("default")}
	if len(examples) > 0 {
		if examples[0].Name == openapi.NotSent {
			return false
		}
		if examples[0].Text != "" {
			return true
		}
		values = append(values, examples[0].Value)
	}
	return slices.ContainsFunc(values, func(v *tree.Value) bool {
		text, scalar := v.Scalar()
		return scalar && text != "" || v.Len() > 0
	})
}

func hasOwnExample(s *tree.Value) bool {
	return s.Has("example") || s.Has("examples") || s.Has("default") || s.Has("const") || s.Get("enum").Len() == 1
}

// schemaOf returns s with its reference followed, or nil if that isn't an object.
func (r *reader) schemaOf(s *tree.Value) *tree.Value {
	target, problem := r.refs.Follow(s)
	if problem != tree.None || target.Kind() != tree.Object {
		return nil
	}
	return target
}

// sample returns an example value, which must not be changed, and warns about what cut it short.
func (r *reader) sample(s *tree.Value, d sample.Direction, at *warning.Place) *tree.Value {
	if s == nil {
		return nil
	}
	v, stop := r.sampler.Make(s, d)
	for i, feature := range stops {
		if stop&(1<<i) != 0 {
			r.warnings.Add(feature, at.Field("schema"))
		}
	}
	return v
}

// stops maps the bits of sample.Stop to warnings, in their order.
var stops = []warning.Feature{warning.Recursion, warning.Complexity, warning.RemoteReference, warning.BrokenReference}

// contentText returns the value of a parameter that has a media type.
func (r *reader) contentText(mediaType string, media *tree.Value, d sample.Direction, at *warning.Place) string {
	if examples := r.examples(media, at); len(examples) > 0 {
		if examples[0].Text != "" || examples[0].Value.Kind() == tree.String {
			return examples[0].Text + examples[0].Value.Text()
		}
		return r.compact(examples[0].Value)
	}
	v := r.sample(media.Get("schema"), d, at)
	if v.Kind() == tree.String && !request.IsJSONType(mediaType) {
		return v.Text()
	}
	if v == nil {
		return ""
	}
	return r.compact(v)
}

// queryString reads a parameter that is the whole query (OpenAPI 3.2). Only a form can be split into parameters.
func (r *reader) queryString(req *request.Request, d declared) {
	for mediaType, media := range d.v.Get("content").Members() {
		if media = r.resolve(media, d.at); media == nil || request.BaseType(mediaType) != request.FormType {
			break
		}
		for _, field := range r.fields(media, request.FormType, d.at) {
			p := field.Parameter
			p.Name, p.Value = openapi.Encode(p.Name, openapi.InQuery), openapi.Encode(p.Value, openapi.InQuery)
			r.paid(&p)
			p.Optional, p.Required = !d.v.Get("required").Bool(), d.v.Get("required").Bool()
			req.Query = append(req.Query, &p)
		}
		return
	}
	r.warnings.Add(warning.QueryString, d.at)
}
