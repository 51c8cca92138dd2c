package versions

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// rule changes an object of a kind. What it does not change is dealt with by the
// shapes: a member that the version lacks is left out and told.
type rule = func(s *step, v *tree.Value)

// means says, by kind, whether an object can mean something in the version; it
// is left out otherwise.
var means = [kinds]func(s *step, v *tree.Value) bool{
	parameter:      (*step).parameter,
	securityScheme: (*step).securityScheme,
	tag:            hasMember("name"),
	externalDocs:   hasMember("url"),
	discriminator:  hasMember("propertyName"),
}

func hasMember(name string) func(*step, *tree.Value) bool {
	return func(s *step, v *tree.Value) bool {
		if !v.Has(name) {
			s.tell(warning.Malformed)
		}
		return v.Has(name)
	}
}

// before are the rules for what is wrong in any version. They go before what an
// object holds is walked.
var before = [kinds]rule{
	document: (*step).document,
	info: func(s *step, v *tree.Value) {
		if title, _ := v.Get("title").Scalar(); title == "" {
			v.Insert(0, "title", tree.NewString("Untitled"))
			s.added(warning.AddedInfo, "title")
		}
		if version, _ := v.Get("version").Scalar(); version == "" {
			v.Set("version", tree.NewString("0.0.0"))
			s.added(warning.AddedInfo, "version")
		}
	},
	components: func(s *step, v *tree.Value) {
		if s.to < V32 {
			s.unusedMediaTypes(v.Get("mediaTypes"))
		}
	},
	license: func(s *step, v *tree.Value) {
		identifier := v.Get("identifier").Text()
		if !v.Has("name") {
			v.Insert(0, "name", tree.NewString(cmp.Or(identifier, v.Get("url").Text(), "Unnamed")))
		}
		if s.to < V31 && componentName(identifier) == identifier && !v.Has("url") {
			replace(v, "identifier", "url", tree.NewString("https://spdx.org/licenses/"+identifier+".html"))
			s.tell(warning.LicenseIdentifier)
		}
	},
	server:    (*step).server,
	operation: (*step).operation,
	header:    func(_ *step, v *tree.Value) { schemaOfOwn(v) },
	schema:    (*step).schema,
}

// below are, for each version, the rules that give an object the form of the
// version below. A step down passes them one version after the other.
var below = [Newest + 1][kinds]rule{
	V32: {
		parameter: parameter31,
		mediaType: func(s *step, v *tree.Value) {
			if v.Has("itemSchema") && !v.Has("schema") {
				s.tell(warning.Streaming)
				items := tree.NewObject().Set("type", tree.NewString("array")).Set("items", v.Get("itemSchema"))
				replace(v, "itemSchema", "schema", items)
			}
		},
		response: summaryAsDescription,
		tag:      summaryAsDescription,
		example: func(_ *step, v *tree.Value) {
			if !v.Has("externalValue") && !v.Rename("dataValue", "value") {
				v.Rename("serializedValue", "value")
			}
		},
		xml: func(_ *step, v *tree.Value) {
			if v.Get("nodeType").Text() == "attribute" && !v.Has("attribute") {
				replace(v, "nodeType", "attribute", tree.NewBool(true))
			}
		},
	},
	V31: {info: summaryAsDescription, pathItem: (*step).ownPathItem},
	V30: {
		schema: schema20,
		discriminator: func(s *step, v *tree.Value) { // which becomes a name
			for _, name := range v.Names() {
				if isExtension(name) {
					s.tell(warning.Extensions, name)
				}
			}
		},
	},
}

// after are the rules that add what is missing and leave out what is too much
// when what an object holds was walked.
var after = [kinds]rule{
	document: (*step).completeDocument,
	serverVariable: func(s *step, v *tree.Value) {
		if v.Has("enum") && v.Get("enum").Len() == 0 {
			v.Delete("enum")
		}
		if !v.Has("default") {
			v.Set("default", tree.NewString(v.Get("enum").Element(0).Text()))
			s.added(warning.AddedServerDefault, "default")
		}
	},
	paths: (*step).completePaths,
	pathItem: func(s *step, v *tree.Value) {
		s.endInline(v)
		s.uniqueParameters(v)
	},
	operation: func(s *step, v *tree.Value) {
		s.uniqueParameters(v)
		if r := v.Get("responses"); r.Len() == 0 && (r != nil || s.to < V31) {
			s.added(warning.AddedResponse, "responses")
			none := tree.NewObject().Set("description", tree.NewString(""))
			v.Set("responses", tree.NewObject().Set("default", none))
		}
	},
	parameter:   (*step).completeParameter,
	header:      (*step).completeParameter,
	requestBody: func(_ *step, v *tree.Value) { objectAt(v, "content") },
	response: func(_ *step, v *tree.Value) {
		if !v.Has("description") {
			v.Insert(0, "description", tree.NewString(""))
		}
	},
	mediaType: func(s *step, v *tree.Value) {
		s.endInline(v)
		s.singleExample(v)
	},
	oauthFlow: func(_ *step, v *tree.Value) { objectAt(v, "scopes") },
	schema:    (*step).completeSchema,
}

// unusedMediaTypes tells of the reusable media types (3.2) that no reference
// leads to; the others are copied to where they are used.
func (s *step) unusedMediaTypes(list *tree.Value) {
	if list.Len() == 0 {
		return
	}
	s.budget.Parts(len(s.targets))
	used := map[*tree.Value]bool{}
	for _, t := range s.targets {
		used[t.value] = true
	}
	each(list, func(i int, _ string, v *tree.Value) {
		if !used[v] {
			s.w.Add(warning.UnknownMembers, s.place().Field("mediaTypes").Index(i))
		}
	})
}

// parameter31 takes from a parameter what only OpenAPI 3.2 has.
func parameter31(s *step, v *tree.Value) {
	in := v.Get("in").Text()
	if in == "querystring" {
		// A form as the whole query is what an exploded object is.
		v.Set("in", tree.NewString("query"))
		replace(v, "content", "schema", v.Get("content").Get(urlencodedType).Get("schema"))
		v.Set("style", tree.NewString("form")).Set("explode", tree.NewBool(true))
	}
	told := false
	if v.Get("style").Text() == "cookie" {
		v.Delete("style")
		told = true
	}
	if in != "query" && v.Has("allowReserved") {
		told = v.Delete("allowReserved").Bool() || told
	}
	if told {
		s.tell(warning.ParameterStyle)
	}
}

// summaryAsDescription keeps the summary as the description when there is none.
func summaryAsDescription(s *step, v *tree.Value) {
	if v.Rename("summary", "description") {
		s.tell(warning.SummaryMoved, "summary")
	}
}

// responseCodes writes the classes of status codes in capitals.
func responseCodes(v *tree.Value) {
	if v.Kind() != tree.Object {
		return
	}
	for _, class := range []string{"1xx", "2xx", "3xx", "4xx", "5xx"} {
		v.Rename(class, strings.ToUpper(class))
	}
}
