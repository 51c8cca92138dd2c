package versions

import (
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// These rules correct a Swagger 2.0 document that is rewritten in place.

func (s *step) document20(v *tree.Value) {
	if v.Get("swagger").Text() != s.to.Text() {
		v.Delete("swaggerVersion")
		v.Insert(0, "swagger", tree.NewString(s.to.Text()))
	}
	s.documentOf(v, v.Get("securityDefinitions"))
	s.swagger.Server(v)
}

// parameter20 returns false for a parameter that the version doesn't support.
func (s *step) parameter20(v *tree.Value) bool {
	if lost, ok := s.expressible(v); !ok {
		s.warn(lost)
		return false
	}
	v.Rename("example", "x-example")
	v.Rename("examples", "x-examples")
	switch v.Get("in").Text() {
	case "body":
		if !v.Has("name") {
			v.Insert(0, "name", tree.NewString("body"))
		}
		return true
	case "path":
		if !v.Get("required").Bool() {
			v.Set("required", tree.NewBool(true))
		}
	}
	if v.Get("type").Text() != "file" {
		s.knownType(v)
	}
	return s.swagger.Parameter(v, s.Place())
}

// singleBody drops the parameters of an operation that would be a second body.
func (s *step) singleBody(v *tree.Value) {
	in := func(p *tree.Value) string { return s.Deref(p).Get("in").Text() }
	isBody := func(p *tree.Value) bool { return in(p) == "body" }
	if !slices.ContainsFunc(v.Get("parameters").Elements(), isBody) {
		return
	}
	first := true
	v.Get("parameters").Keep(func(i int, _ string, p *tree.Value) bool {
		keep := in(p) != "formData" && (!isBody(p) || first)
		first = first && !isBody(p)
		if !keep {
			s.Warnings.Add(warning.Malformed, s.Place().Field("parameters").Index(i))
		}
		return keep
	})
}

// security20 returns false for a security definition that the version doesn't support.
func (s *step) security20(v *tree.Value) bool {
	if v.Get("type").Text() == "mutualTLS" {
		s.warn(warning.MutualTLS)
		return false
	}
	s.swagger.Scheme(v, s.Place())
	return true
}
