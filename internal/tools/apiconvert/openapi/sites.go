package openapi

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/site"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// emitter emits the sites of an OpenAPI document.
type emitter struct{ *site.Walk }

// Sites emits every string in an OpenAPI 3.0 or 3.1 document that may hold a secret: examples, defaults,
// enumerations, descriptions, server URLs and extensions. An example that may no longer match its schema is removed.
func Sites(root *tree.Value, emit func(site.Site)) {
	emitter{site.NewWalk(emit)}.object(root, described)
}

// described is the default site in an OpenAPI document.
var described = site.Site{Role: site.Field, Described: true}

// called returns a copy of a site with another name.
func called(as site.Site, name string) site.Site {
	as.Name = name
	return as
}

// object visits an object that the format defines, or a map of author-defined names. as describes the values in it:
// those of the header, parameter or variable that the object belongs to.
func (e emitter) object(v *tree.Value, as site.Site) {
	if v.Kind() != tree.Object {
		return
	}
	if name := v.Get("name").Text(); name != "" && v.Has("in") {
		as.Name = name
		if v.Get("in").Text() == "cookie" {
			as.Role = site.Cookie
		}
	}
	unfit := false
	for member, value := range v.Members() {
		switch member {
		case "$ref", "openapi", "operationId", "operationRef", "in", "type", "pattern", "jsonSchemaDialect":
		case "schema", "itemSchema":
			e.Schema(value, as)
		case "schemas":
			for of, s := range value.Members() {
				e.Schema(s, called(described, of))
			}
		case "default": // of a server variable
			e.Value(value, site.Site{Role: site.Choice, Name: as.Name, Described: true})
		case "example", "value", "dataValue", "serializedValue":
			unfit = e.Replaced(value, v.Get("schema"), as) && member == "example" || unfit
		case "examples":
			e.examples(value, as)
		case "headers", "variables":
			for of, part := range value.Members() {
				e.object(part, called(described, of))
			}
		case "parameters":
			e.parameters(value)
		default:
			e.member(member, value, as)
		}
	}
	if unfit {
		v.Delete("example")
	}
	if !v.Has("in") {
		e.Names(v)
	}
}

// examples visits a list of values, or named Example Objects.
func (e emitter) examples(v *tree.Value, as site.Site) {
	for _, value := range v.Elements() {
		e.Value(value, as)
	}
	for _, example := range v.Members() {
		e.object(example, as)
	}
}

// parameters visits a list of parameters, the parameters of components, or the values of a link.
func (e emitter) parameters(v *tree.Value) {
	for _, p := range v.Elements() {
		e.object(p, described)
	}
	for of, p := range v.Members() {
		if p.Kind() == tree.Object {
			e.object(p, called(described, of))
		} else {
			e.Value(p, called(described, of))
		}
	}
}

func (e emitter) member(member string, value *tree.Value, as site.Site) {
	switch {
	case strings.HasPrefix(member, "x-"):
		e.Value(value, called(described, member))
	case value.Kind() == tree.Object:
		e.object(value, as)
	case value.Kind() == tree.Array:
		for _, element := range value.Elements() {
			e.member(member, element, as)
		}
	case member == "url" || strings.HasSuffix(member, "Url"):
		e.Text(value, site.Site{Role: site.Address, Described: true})
	default:
		e.Text(value, site.Site{Role: site.Prose, Described: true})
	}
}
