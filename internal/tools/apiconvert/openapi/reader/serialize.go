package reader

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// simple serializes in style simple.
func (d *description) simple(explode bool) string {
	if d.text != "" {
		return d.text
	}
	return openapi.Serialize("", d.value, "", explode, d.budget)
}

// path serializes in the styles of path parameters.
func (d *description) path() string {
	p := d.parameter
	switch {
	case d.text == "":
		return openapi.Serialize(p.Name, d.value, p.Style, p.Explode, d.budget)
	case p.Style == "label":
		return "." + strings.TrimPrefix(d.text, ".")
	case p.Style == "matrix":
		name := ";" + p.Name + "="
		return name + strings.TrimPrefix(d.text, name)
	}
	return d.text
}

// query serializes a query parameter, into several if its style separates elements or members.
func (r *reader) query(d declared) []*request.Parameter {
	described := r.describe(d.v, toServer, d.at)
	keep := openapi.InQuery
	if described.reserved {
		keep = openapi.InQueryFree
	}
	var list []*request.Parameter
	optional := described.parameter.Optional
	emit := func(name, value string) {
		q := *described.parameter
		q.Optional = optional
		q.Name, q.Value = openapi.Encode(name, openapi.InQuery), openapi.Encode(value, keep)
		r.paid(&q)
		list = append(list, &q)
	}
	if text := described.text; text != "" || described.value.Len() == 0 {
		if text == "" {
			text, _ = described.value.Scalar()
		}
		emit(d.name, text)
		return list
	}
	style, explode := described.parameter.Style, described.parameter.Explode
	if described.authored || described.value.Kind() != tree.Object || style != "deepObject" && !explode {
		spread(d.name, described.value, style, explode, r.budget, emit)
		return list
	}
	// The members of a generated object are parameters of their own, which may be optional. Only deepObject shows
	// whether the object is there at all.
	sent := map[string]bool{}
	for _, p := range r.sampler.Properties(d.v.Get("schema"), toServer) {
		if p.Required || offered(nil, p.Schema) {
			sent[p.Name] = true
		}
	}
	all := style == "deepObject" && len(sent) == 0
	for name, v := range described.value.Members() {
		optional = described.parameter.Optional || !all && !sent[name]
		spread(d.name, tree.NewObject().Set(name, v), style, explode, r.budget, emit)
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
