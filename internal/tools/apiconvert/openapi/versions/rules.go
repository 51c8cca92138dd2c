package versions

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// rule changes an object of a kind. The shapes handle the rest: a property that the version doesn't support is
// dropped with a warning.
type rule = func(s *step, v *tree.Value)

// before holds the rules that fix what is invalid in any version. They run before the object's children are visited.
var before = [shape.Kinds]rule{
	shape.Document: (*step).document,
	shape.Info: func(s *step, v *tree.Value) {
		if title, _ := v.Get("title").Scalar(); title == "" {
			v.Insert(0, "title", tree.NewString("Untitled"))
			s.added(warning.AddedInfo, "title")
		}
		if version, _ := v.Get("version").Scalar(); version == "" {
			v.Set("version", tree.NewString("0.0.0"))
			s.added(warning.AddedInfo, "version")
		}
	},
	shape.License: func(s *step, v *tree.Value) {
		identifier := v.Get("identifier").Text()
		if s.to < V31 && rewrite.ComponentName(identifier) == identifier && !v.Has("url") {
			rewrite.Replace(v, "identifier", "url", tree.NewString("https://spdx.org/licenses/"+identifier+".html"))
			s.Warn(warning.ChangedLicenseIdentifier)
		}
	},
	shape.Server:    (*step).server,
	shape.Operation: (*step).operation,
	shape.Header:    func(_ *step, v *tree.Value) { nestSchema(v) },
	shape.Schema:    (*step).schema,
}

// below holds, for each version, the rules that convert an object to the version below. A step down runs them one
// version after the other.
var below = [Newest + 1][shape.Kinds]rule{
	V32: {
		shape.Parameter: parameter31,
		shape.MediaType: func(s *step, v *tree.Value) {
			if v.Has("itemSchema") && !v.Has("schema") {
				s.Warn(warning.ChangedItemSchema)
				items := tree.NewObject().Set("type", tree.NewString("array")).Set("items", v.Get("itemSchema"))
				rewrite.Replace(v, "itemSchema", "schema", items)
			}
		},
		shape.Response: summaryAsDescription,
		shape.Tag:      summaryAsDescription,
		shape.Example: func(_ *step, v *tree.Value) {
			if !v.Has("externalValue") && !v.Rename("dataValue", "value") {
				v.Rename("serializedValue", "value")
			}
		},
	},
	V31: {shape.Info: summaryAsDescription, shape.PathItem: (*step).inline},
	V30: {
		shape.Schema: schema20,
		shape.Discriminator: func(s *step, v *tree.Value) { // becomes a name
			for _, name := range v.Names() {
				if shape.IsExtension(name) {
					s.Warn(warning.LostExtensions, name)
				}
			}
		},
	},
}

// after holds the rules that run once an object's children have been visited. They add what is missing and remove
// what is redundant.
var after = [shape.Kinds]rule{
	shape.Document:    (*step).completeDocument,
	shape.Paths:       (*step).completePaths,
	shape.PathItem:    (*step).uniqueParameters,
	shape.Operation:   (*step).completeOperation,
	shape.Parameter:   (*step).completeParameter,
	shape.Header:      (*step).completeParameter,
	shape.RequestBody: func(_ *step, v *tree.Value) { rewrite.ObjectAt(v, "content") },
	shape.Response: func(_ *step, v *tree.Value) {
		if !v.Has("description") {
			v.Insert(0, "description", tree.NewString(""))
		}
	},
	shape.MediaType: (*step).singleExample,
	shape.OauthFlow: func(_ *step, v *tree.Value) { rewrite.ObjectAt(v, "scopes") },
	shape.Schema:    (*step).completeSchema,
}

// referenced reports whether a reference of the source leads to v.
func (s *step) referenced(v *tree.Value) bool {
	if s.targets == nil {
		s.Budget.Parts(len(s.Targets))
		s.targets = map[*tree.Value]bool{}
		for _, t := range s.Targets {
			s.targets[t.Value] = true
		}
	}
	return s.targets[v]
}

// parameter31 converts what only OpenAPI 3.2 allows in a parameter.
func parameter31(s *step, v *tree.Value) {
	cookie := v.Get("style").Text() == "cookie"
	if cookie {
		v.Delete("style")
	}
	if cookie || v.Get("in").Text() != "query" && v.Delete("allowReserved").Bool() {
		s.Warn(warning.LostParameterStyle)
	}
}

// summaryAsDescription turns the summary into the description if there is no description.
func summaryAsDescription(s *step, v *tree.Value) {
	if v.Rename("summary", "description") {
		s.Warn(warning.ChangedSummary, "summary")
	}
}

// responseCodes writes classes of status codes in upper case.
func responseCodes(v *tree.Value) {
	if v.Kind() != tree.Object {
		return
	}
	for _, class := range []string{"1xx", "2xx", "3xx", "4xx", "5xx"} {
		v.Rename(class, strings.ToUpper(class))
	}
}
