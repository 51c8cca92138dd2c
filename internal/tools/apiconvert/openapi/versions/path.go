package versions

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/swagger"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// inline replaces a reference by a copy of its target, because the version has no reusable objects of this kind.
// Siblings of the reference win.
func (s *step) inline(v *tree.Value) {
	source := s.Deref(v)
	if !rewrite.IsReference(v) || source.Kind() != tree.Object {
		return
	}
	own, nested := *v, 0
	cyclic := slices.ContainsFunc(s.Path, func(around *tree.Value) bool {
		if s.inlined[around] != nil {
			nested++
		}
		return s.inlined[around] == source || nested == maxInlining
	})
	if cyclic {
		s.Warn(warning.LostCyclicReference)
		v.Become(tree.NewObject())
	} else {
		s.inlined[v] = source
		v.Become(s.Copy(source))
	}
	for name, value := range own.Members() {
		if name != "$ref" {
			v.Set(name, value)
		}
	}
}

// maxInlining is the maximum nesting depth of copies.
const maxInlining = 16

// operation moves body parameters, makes the operationId unique and updates the security requirements.
func (s *step) operation(v *tree.Value) {
	swagger.MoveBodies(s.Rewriter, v)
	wrapRequirement(v)
	responseCodes(v.Get("responses"))
	if id := v.Get("operationId").Text(); id != "" {
		free := s.operationIDs.Separated(id, "_")
		if free != id {
			v.Set("operationId", tree.NewString(free))
			s.Warn(warning.ChangedNames, id+" to "+free)
		}
	}
	if v.Has("security") {
		s.security(v)
	}
}

// completeOperation makes the parameters unique and adds a response if there is none.
func (s *step) completeOperation(v *tree.Value) {
	s.uniqueParameters(v)
	if r := v.Get("responses"); r.Len() == 0 && (r != nil || s.to < V31) {
		s.added(warning.AddedResponse, "responses")
		none := tree.NewObject().Set("description", tree.NewString(""))
		v.Set("responses", tree.NewObject().Set("default", none))
	}
}

// nestSchema moves the type of a parameter or header, which Swagger 2.0 has outside the schema, into a schema.
func nestSchema(v *tree.Value) {
	if v.Get("type").Kind() == tree.String && !v.Has("schema") && !v.Has("content") {
		swagger.NestSchema(v)
	}
}

// parameter fixes a parameter before its schema is visited. It returns false for a parameter that the version doesn't
// support.
func (s *step) parameter(v *tree.Value) bool {
	if lost, ok := s.expressible(v); !ok {
		s.Warn(lost)
		return false
	}
	nestSchema(v)
	if v.Get("in").Text() == "path" && !v.Get("required").Bool() {
		v.Set("required", tree.NewBool(true))
	}
	return true
}

// expressible reports whether the version supports a parameter, and the warning if not. It doesn't follow references.
func (s *step) expressible(v *tree.Value) (lost warning.Feature, ok bool) {
	name, _ := v.Get("name").Scalar()
	switch v.Get("in").Text() {
	case "query", "header", "path", "cookie":
		return warning.LostMalformed, name != ""
	case "querystring":
		return warning.LostQueryString, s.to >= V32
	}
	return warning.LostMalformed, false
}

// completeParameter makes sure that a parameter or header has schema or content.
func (s *step) completeParameter(v *tree.Value) {
	s.singleExample(v)
	if v.Get("content").Len() == 0 {
		v.Delete("content")
		rewrite.ObjectAt(v, "schema")
	}
}

// singleExample drops example if there are examples.
func (s *step) singleExample(v *tree.Value) {
	if v.Has("example") && v.Get("examples").Len() > 0 {
		v.Delete("example")
		s.Warn(warning.LostMalformed)
	}
}

// uniqueParameters drops parameters with the same name and location as an earlier one.
func (s *step) uniqueParameters(v *tree.Value) {
	type key struct{ in, name string }
	of := func(element *tree.Value) any {
		if p := s.Deref(element); p != nil {
			return key{p.Get("in").Text(), p.Get("name").Text()}
		}
		return element // in another document
	}
	rewrite.Distinct(v.Get("parameters"), of, func(again *tree.Value) {
		s.WarnAt(warning.ChangedDuplicates, again)
	})
}

// completePaths adds missing leading slashes and missing path parameters. It drops path parameters that the path
// doesn't name.
func (s *step) completePaths(v *tree.Value) {
	for name, item := range rewrite.Entries(v) {
		s.Within(item, func() { s.pathParameters(name, item) })
	}
	v.Keep(func(_ int, name string, item *tree.Value) bool {
		if shape.IsExtension(name) || strings.HasPrefix(name, "/") {
			return true
		}
		renamed := v.Rename(name, "/"+name)
		if !renamed {
			s.WarnAt(warning.LostMalformed, item)
			return false
		}
		s.Warn(warning.ChangedNames, name+" to /"+name)
		return true
	})
}

func (s *step) pathParameters(path string, item *tree.Value) {
	names := rewrite.TemplateNames(path)
	unusual := func(name string) bool { return strings.ContainsAny(name, "*+.;?{/") }
	if item.Has("$ref") || len(names) > rewrite.MaxTexts || slices.ContainsFunc(names, unusual) {
		return
	}
	shared, known := s.keepPathParameters(item, names)
	if !known {
		return
	}
	for c := range shape.PathItem.Children(item) {
		op := c.Value
		if c.Kind != shape.Operation || openapi.IsExternal(op) {
			continue
		}
		own, known := s.keepPathParameters(op, names)
		if !known {
			continue
		}
		s.Budget.Parts(len(names) * (1 + len(names)/16))
		for j, name := range names {
			if shared[name] || own[name] || slices.Contains(names[:j], name) || !s.Copies.Spend(6) {
				continue
			}
			if op.Get("parameters") == nil {
				op.Insert(rewrite.PositionBefore(op, "requestBody", "responses"), "parameters", tree.NewArray())
			}
			p := tree.NewObject().Set("name", tree.NewString(name)).Set("in", tree.NewString("path")).Set("required", tree.NewBool(true))
			op.Get("parameters").Append(p.Set("schema", tree.NewObject().Set("type", tree.NewString("string"))))
			s.Within(op, func() { s.added(warning.AddedPathParameter, name) })
		}
	}
}

// keepPathParameters removes the path parameters of v that the path doesn't name and returns the names that have one.
// known is false if a parameter is in another document.
func (s *step) keepPathParameters(v *tree.Value, names []string) (has map[string]bool, known bool) {
	has, known = map[string]bool{}, true
	v.Get("parameters").Keep(func(_ int, _ string, element *tree.Value) bool {
		s.Budget.Parts(1 + len(names)/16)
		p := s.Deref(element)
		known = known && p != nil
		if p.Get("in").Text() != "path" {
			return true
		}
		name := p.Get("name").Text()
		has[name] = true
		if !slices.Contains(names, name) {
			s.WarnAt(warning.LostMalformed, element)
			return false
		}
		return true
	})
	return has, known
}
