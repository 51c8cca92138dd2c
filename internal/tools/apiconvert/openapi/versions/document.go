package versions

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/swagger"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// schemeChange says how a security scheme changes, and with it the requirements that name it.
type schemeChange struct {
	name    string
	dropped bool
	scopes  bool // its requirements may list scopes or roles
}

// document changes the root before anything else: its version, and the component names that other parts refer to.
func (s *step) document(v *tree.Value) {
	declared, _ := v.Get("openapi").Scalar()
	if s.from != s.to || strings.Count(declared, ".") < 2 {
		v.Set("openapi", tree.NewString(s.to.Text()))
	}
	parts := v.Get("components")
	if info := v.Get("info"); info.Kind() != tree.Object {
		v.Insert(1, "info", tree.NewObject().From(info))
	}
	wrapRequirement(v)
	s.recordSchemes(parts.Get("securitySchemes"))
	for section, named := range rewrite.Entries(parts) {
		for i, name := range slices.Clone(named.Names()) {
			if rewrite.ComponentName(name) == name {
				continue
			}
			to := s.FreeName(named, rewrite.ComponentName(name))
			if !s.Raising {
				s.WarnAt(warning.ChangedNames, named.Values()[i])
			}
			named.Rename(name, to)
			if change, known := s.schemes[name]; known && section == "securitySchemes" {
				change.name = to
				s.schemes[name] = change
			}
		}
	}
}

// recordSchemes records how the security schemes change.
func (s *step) recordSchemes(schemes *tree.Value) {
	s.schemes = map[string]schemeChange{}
	for name, scheme := range schemes.Members() {
		change := schemeChange{name: name, scopes: s.to >= V31}
		if scheme.Kind() != tree.Object {
			continue // dropped by the walk
		}
		if d := s.Deref(scheme); d != nil {
			kind := d.Get("type").Text()
			change.dropped = kind == "mutualTLS" && s.to < V31
			change.scopes = change.scopes || kind == "oauth2" || kind == "openIdConnect" && s.to >= V30
		}
		s.schemes[name] = change
	}
}

func (s *step) completeDocument(v *tree.Value) {
	if !v.Has("paths") && (s.to < V31 || !v.Has("components") && !v.Has("webhooks")) {
		v.Insert(rewrite.PositionBefore(v, "components", "definitions"), "paths", tree.NewObject())
	}
	rewrite.Distinct(v.Get("tags"), func(t *tree.Value) string { return t.Get("name").Text() }, func(again *tree.Value) {
		s.WarnAt(warning.ChangedDuplicates, again)
	})
	s.security(v)
}

// security updates the security requirements of the root or of an operation to the changed schemes.
func (s *step) security(v *tree.Value) {
	v.Get("security").Keep(func(_ int, _ string, requirement *tree.Value) bool {
		if requirement.Kind() == tree.String {
			requirement.Become(tree.NewObject().Set(requirement.Text(), tree.NewArray()))
		}
		if requirement.Kind() != tree.Object {
			s.WarnAt(warning.LostMalformed, requirement)
			return false
		}
		return requirement.Len() == 0 || s.requirement(requirement)
	})
	if s.to == V20 {
		s.differentValues(v.Get("security"))
	}
}

// wrapRequirement turns a single security requirement into a list.
func wrapRequirement(v *tree.Value) {
	if only := v.Get("security"); only.Kind() == tree.Object {
		v.Set("security", tree.NewArray(only))
	}
}

// requirement updates one security requirement. It returns false if nothing is left of it.
func (s *step) requirement(requirement *tree.Value) bool {
	out := tree.NewObject()
	for name, scopes := range requirement.Members() {
		name := strings.TrimPrefix(name, "#/components/securitySchemes/")
		change, known := s.schemes[name]
		switch {
		case !known:
			s.WarnAt(warning.LostBrokenReference, requirement, name)
		case change.dropped:
			s.WarnAt(warning.LostMutualTLS, requirement, name)
		}
		if !known || change.dropped {
			continue
		}
		if !change.scopes && scopes.Len() > 0 {
			s.WarnAt(warning.LostAuthDetails, requirement, "scopes of "+name)
		}
		if !change.scopes || scopes.Kind() != tree.Array {
			scopes = tree.NewArray()
		}
		out.Set(change.name, scopes)
	}
	requirement.Become(out)
	return requirement.Len() > 0
}

// added warns about a default that was added. When the document is only raised to be read, the reader warns itself.
func (s *step) added(f warning.Feature, name string) {
	if !s.Raising {
		s.Warn(f, name)
	}
}

// server declares the variables in a server's URL.
func (s *step) server(v *tree.Value) {
	address := cmp.Or(v.Get("url").Text(), "/")
	address = strings.NewReplacer("{{", "{", "}}", "}", "${", "{").Replace(address)
	if address != v.Get("url").Text() {
		v.Set("url", tree.NewString(address))
	}
	if s.to < V32 {
		v.Rename("name", "description")
	}
	if s.Raising {
		return
	}
	for _, name := range rewrite.TemplateNames(address) {
		if v.Get("variables").Kind() != tree.Object {
			v.Set("variables", tree.NewObject())
		}
		if variables := v.Get("variables"); !variables.Has(name) {
			variables.Set(name, tree.NewObject().Set("default", tree.NewString(name)))
			s.Warn(warning.AddedServerDefault, name)
		}
	}
}

// securityScheme returns false for a scheme that the version doesn't support.
func (s *step) securityScheme(v *tree.Value) bool {
	swagger.UpgradeSecurityScheme(v)
	if v.Get("type").Text() == "mutualTLS" && s.to < V31 {
		s.Warn(warning.LostMutualTLS)
		return false
	}
	return true
}
