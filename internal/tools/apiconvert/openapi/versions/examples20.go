package versions

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// What Swagger 2.0 has no member for, and tools around it write as extensions:
// the examples of parameters (x-example, x-examples: Dredd, Redocly, springfox),
// which OpenAPI 3 has, and the name of a body, which it lacks
// (x-codegen-request-body-name of an operation: Swagger's converter, OpenAPI
// Generator).
const bodyNameExtension = "x-codegen-request-body-name"

// parameterExamples reads the extensions of a parameter that is no body.
func parameterExamples(p *tree.Value) {
	if named := p.Get("x-examples"); named.Kind() == tree.Object && !p.Has("example") && !p.Has("x-example") {
		exampleObjects(named)
		p.Rename("x-examples", "examples")
	}
	p.Rename("x-example", "example")
}

// exampleObjects makes Example Objects of named values that are none.
func exampleObjects(named *tree.Value) {
	for _, example := range named.Members() {
		if !example.Has("value") {
			example.Become(tree.NewObject().Set("value", example.Take()))
		}
	}
}

// bodyExamples takes the examples of a body parameter out of it and returns
// what adds them to the media types of the body: one value or named ones, for
// all of them or for each by its name.
func (c *swagger) bodyExamples(p *tree.Value, at *warning.Place) func(entry *tree.Value, mediaType string, use int) {
	single := cmp.Or(p.Delete("example"), p.Delete("x-example"))
	several := p.Get("x-examples")
	if several.Kind() == tree.Object {
		p.Delete("x-examples")
	}
	return func(entry *tree.Value, mediaType string, use int) {
		c.budget.Parts(several.Len() + single.Len())
		named := several
		if byMediaType(named) {
			named = named.Get(mediaType)
		}
		value := single
		if byMediaType(value) {
			value = value.Get(mediaType)
		}
		switch {
		case named.Kind() != tree.Object:
			c.addCopy(entry, "example", cmp.Or(named, value), use, at)
		case byMediaType(several) && !allExamples(named):
			c.addCopy(entry, "example", named, use, at)
		default:
			exampleObjects(named)
			c.addCopy(entry, "examples", named, use, at)
		}
	}
}

// byMediaType reports whether the members of v are called like media types.
func byMediaType(v *tree.Value) bool {
	for name := range v.Members() {
		if !strings.Contains(name, "/") {
			return false
		}
	}
	return v.Len() > 0 && v.Kind() == tree.Object
}

// allExamples reports whether the members of v are Example Objects.
func allExamples(v *tree.Value) bool {
	for _, example := range v.Members() {
		if !example.Has("value") {
			return false
		}
	}
	return v.Len() > 0
}

// namedExamples20 returns copies of several named examples, references
// followed, nil for less than two. One without a value is left out and told.
func (d *toSwagger) namedExamples20(named *tree.Value, at *warning.Place) *tree.Value {
	if named.Len() < 2 {
		return nil
	}
	out := tree.NewObject()
	for name, example := range named.Members() {
		if v := d.deref(example); v.Has("value") {
			out.Set(name, d.copy(v, at))
		} else {
			d.w.Add(warning.Examples, at)
		}
	}
	return out
}

// bodyName is what generators call a body of a schema that says nothing of its
// name: pet for #/components/schemas/Pet.
func (r *rewriter) bodyName(schema *tree.Value) string {
	ref, _ := tree.Ref(schema)
	pointer := r.targets[ref].pointer
	name := tree.UnescapePointer(pointer[strings.LastIndexAny(pointer, "/.")+1:])
	if strings.ContainsFunc(name, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' }) {
		name = ""
	}
	// An acronym in front is small as a whole: urlFilter for URLFilter.
	capitals := len(name) - len(strings.TrimLeftFunc(name, unicode.IsUpper))
	if capitals > 1 && capitals < len(name) {
		capitals--
	}
	return cmp.Or(strings.ToLower(name[:capitals])+name[capitals:], "body")
}
