package reader

import (
	"cmp"
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

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
