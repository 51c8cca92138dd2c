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

// merge combines the parameters of a path item and an operation. A parameter of the operation replaces one of the
// path item with the same name and location.
func (r *reader) merge(shared, own part) []part {
	var list []part
	positions := map[[2]string]int{}
	for _, parameters := range []part{shared, own} {
		for _, p := range r.objects(parameters) {
			key := [2]string{p.text("in"), p.text("name")}
			if position, twice := positions[key]; twice {
				list[position] = p
				continue
			}
			positions[key] = len(list)
			list = append(list, p)
		}
	}
	return list
}

// parameters adds the parameters of all locations to a request. A parameter that the request's authentication sends
// is left out, because some documents declare it twice.
func (r *reader) parameters(req *request.Request, list []part) {
	needed := r.api.Effective(req).First()
	declared := map[string]part{} // in the path
	names := pathNames(req.Path)
	for _, p := range list {
		r.budget.Parts(len(needed))
		in, name := p.text("in"), p.text("name")
		if slices.ContainsFunc(needed, func(a *request.Auth) bool { return a.Sends(request.Location(in), name) }) {
			continue
		}
		switch in {
		case "path":
			if declared[name] = p; !names[name] {
				r.warnings.Add(warning.LostMalformed, p.at)
			}
		case "query":
			req.Query = append(req.Query, r.pairs(p)...)
		case "header":
			r.header(req, p)
		case "cookie":
			req.Cookies = append(req.Cookies, r.pairs(p)...)
		case "querystring":
			r.warnings.Add(warning.LostQueryString, p.at)
		}
	}
	r.pathParameters(req, names, declared)
}

// pathNames returns the names of the parameters in a path.
func pathNames(path string) map[string]bool {
	names := map[string]bool{}
	for _, segment := range request.SplitPath(path) {
		if segment.Kind == request.ParameterPart {
			names[segment.Text] = true
		}
	}
	return names
}

// pathParameters adds a parameter for each of the names in the path, in the order of the path. An undeclared name gets
// a parameter without a value.
func (r *reader) pathParameters(req *request.Request, names map[string]bool, declared map[string]part) {
	for _, segment := range request.SplitPath(req.Path) {
		name := segment.Text
		if segment.Kind != request.ParameterPart || !names[name] {
			continue
		}
		names[name] = false
		p := &request.Parameter{Name: name}
		if d, ok := declared[name]; ok {
			described := r.single(d, name, sample.ToServer)
			p = described.Parameter
			// A variable can't show the names of the properties.
			p.Invented = p.Invented &&
				(p.Style == "simple" || !described.explode || described.value.Kind() != tree.Object)
		}
		r.paid(p)
		p.Required, p.Optional = true, false
		req.PathParameters = append(req.PathParameters, p)
	}
}

// header adds a header, unless the model represents it in another way.
func (r *reader) header(req *request.Request, d part) {
	p := r.single(d, d.text("name"), sample.ToServer)
	switch strings.ToLower(p.Name) {
	case "content-type":
		return // the media type of the body sets it (OpenAPI 3.1, section 4.8.12)
	case "authorization":
		if auth := request.ParseAuthorization(p.Value); p.authored && auth != nil && req.Security == nil {
			req.Security = &request.Security{Alternatives: [][]*request.Auth{{auth}}}
			return
		}
		if !p.authored {
			if r.authorization == "" {
				r.authorization = r.secret("authorization")
			}
			p.Value = r.authorization
		}
	}
	req.Headers = append(req.Headers, p.Parameter)
}

// description is a Parameter or Header Object that was read.
type description struct {
	*request.Parameter
	value    *tree.Value // the sample before serialization
	text     string      // the sample if the author wrote it serialized
	authored bool        // the author wrote the sample; it is not generated
	explode  bool
}

// describe reads what parameters and headers have in common.
func (r *reader) describe(of part, d sample.Direction) description {
	in := of.text("in")
	p := &request.Parameter{
		Name:        of.text("name"),
		Description: of.text("description"),
		Required:    of.Get("required").Bool(),
		Deprecated:  of.Get("deprecated").Bool(),
	}
	out := description{Parameter: p}
	p.Style, out.explode = openapi.Style(of.Value, openapi.StandardStyle(in))
	source := of
	if content := of.field("content"); content.Len() > 0 {
		for mediaType, media := range content.all {
			if media = r.follow(media); media.Value != nil {
				source, out.text, out.authored = media, r.contentText(mediaType, media, d), true
			}
			break
		}
	}
	s := source.field("schema")
	p.Schema = r.schemaOf(s.Value)
	p.Description = cmp.Or(p.Description, p.Schema.Get("description").Text())
	examples := r.examples(source)
	if len(examples) > 1 {
		r.warnings.Add(warning.LostExamples, source.field("examples").at)
	}
	mayBeEmpty := of.Get("allowEmptyValue").Bool() || in == "header"
	empty := mayBeEmpty && len(examples) > 0 && examples[0].Name != openapi.NotSent
	p.Optional = d == sample.ToServer && !p.Required && !empty && !offered(examples, p.Schema)
	switch {
	case out.text != "":
		return out
	case len(examples) > 0:
		out.value, out.text, out.authored = examples[0].Value, examples[0].Text, true
		p.Examples = r.further(examples)
	default:
		out.value, out.authored = r.sample(s, d), hasOwnExample(p.Schema)
	}
	p.Invented = !out.authored
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
	return s.Get("enum").Len() == 1 || slices.ContainsFunc([]string{"example", "examples", "default", "const"}, s.Has)
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
func (r *reader) sample(s part, d sample.Direction) *tree.Value {
	if s.Value == nil {
		return nil
	}
	v, stop := r.sampler.Make(s.Value, d)
	for i, feature := range stops {
		if stop&(1<<i) != 0 {
			r.warnings.Add(feature, s.at)
		}
	}
	return v
}

// stops maps the bits of sample.Stop to warnings, in their order.
var stops = []warning.Feature{warning.LostRecursion, warning.LostComplexity, warning.LostRemoteReference, warning.LostBrokenReference}

// contentText returns the value of a parameter that has a media type.
func (r *reader) contentText(mediaType string, media part, d sample.Direction) string {
	if examples := r.examples(media); len(examples) > 0 {
		if examples[0].Text != "" || examples[0].Value.Kind() == tree.String {
			return examples[0].Text + examples[0].Value.Text()
		}
		return r.compact(examples[0].Value)
	}
	v := r.sample(media.field("schema"), d)
	if v == nil || v.Kind() == tree.String && !request.IsJSONType(mediaType) {
		return v.Text()
	}
	return r.compact(v)
}

// single reads a parameter or header that is sent as one string.
func (r *reader) single(p part, name string, d sample.Direction) description {
	described := r.describe(p, d)
	described.Name = name
	described.Value = described.serialized(p.text("in"), r.budget)
	r.paid(described.Parameter)
	return described
}

// serialized returns the value in the style of a location that has one string a value: "path", or another one for
// headers.
func (d *description) serialized(in string, b *budget.Budget) string {
	switch {
	case d.text != "":
		return d.text
	case in == "path":
		return openapi.Serialize(d.Name, d.value, d.Style, d.explode, b)
	}
	return openapi.Serialize("", d.value, "", d.explode, b)
}

// pairs serializes a query or cookie parameter, into several if its style separates elements or members.
func (r *reader) pairs(p part) []*request.Parameter {
	d := r.describe(p, sample.ToServer)
	keep := openapi.InQuery
	if p.Get("allowReserved").Bool() {
		keep = openapi.InQueryFree
	}
	var list []*request.Parameter
	optional := d.Optional
	emit := func(name, value string) {
		q := *d.Parameter
		q.Optional = optional
		if q.Name, q.Value = name, value; p.text("in") == "query" {
			q.Name, q.Value = openapi.Encode(name, openapi.InQuery), openapi.Encode(value, keep)
		}
		r.paid(&q)
		list = append(list, &q)
	}
	if d.value.Len() == 0 {
		text, _ := d.value.Scalar()
		emit(d.Name, cmp.Or(d.text, text))
		return list
	}
	deep := d.Style == "deepObject"
	if d.authored || d.value.Kind() != tree.Object || !deep && !d.explode {
		spread(d.Name, d.value, d.Style, d.explode, r.budget, emit)
		return list
	}
	// The members of a generated object are parameters of their own, which may be optional. Only deepObject shows
	// whether the object is there at all.
	sent := map[string]bool{}
	for _, property := range r.sampler.Properties(p.Get("schema"), sample.ToServer) {
		if property.Required || offered(nil, property.Schema) {
			sent[property.Name] = true
		}
	}
	all := deep && len(sent) == 0
	for name, v := range d.value.Members() {
		optional = d.Optional || !all && !sent[name]
		spread(d.Name, tree.NewObject().Set(name, v), d.Style, d.explode, r.budget, emit)
	}
	return list
}

// separators maps the delimited styles to their delimiters.
var separators = map[string]string{"spaceDelimited": " ", "pipeDelimited": "|"}

// spread serializes an array or object in a style of the query or a form, as one or several name=value pairs.
func spread(name string, v *tree.Value, style string, explode bool, b *budget.Budget, emit func(name, value string)) {
	switch {
	case style == "deepObject":
		deep(name, v, b, emit)
	case explode:
		for _, element := range v.Elements() {
			emit(name, openapi.ScalarText(element, b))
		}
		for member, value := range v.Members() {
			if isList(value) {
				spread(member, value, "", true, b, emit)
			} else {
				emit(member, openapi.ScalarText(value, b))
			}
		}
	default:
		separator := cmp.Or(separators[style], ",")
		emit(name, openapi.Joined(v, separator, separator, b))
	}
}

// isList reports whether a value is an array of scalars. OpenAPI doesn't define how such an array within an object is
// sent. Servers that accept the object expect name=value for each element, as for any other array (the sort of
// Spring's Pageable).
func isList(v *tree.Value) bool {
	return v.Kind() == tree.Array && !slices.ContainsFunc(v.Elements(), func(e *tree.Value) bool {
		return e.Kind() == tree.Array || e.Kind() == tree.Object
	})
}

// deep writes name[member]=value at every level. OpenAPI defines one level; servers that support more use this form.
func deep(name string, v *tree.Value, b *budget.Budget, emit func(name, value string)) {
	b.Bytes(len(name))
	switch v.Kind() {
	case tree.Object:
		for member, value := range v.Members() {
			deep(name+"["+member+"]", value, b, emit)
		}
	case tree.Array:
		for _, element := range v.Elements() {
			emit(name, openapi.ScalarText(element, b))
		}
	default:
		emit(name, openapi.ScalarText(v, b))
	}
}
