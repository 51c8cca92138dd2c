package pathtemplate

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// apiOf returns an API with a GET request for each path.
func apiOf(paths []string) *request.API {
	api := &request.API{}
	for _, text := range paths {
		r := &request.Request{Method: "GET", Path: text}
		for _, part := range request.SplitPath(text) {
			named := func(p *request.Parameter) bool { return p.Name == part.Text }
			if part.Kind == request.ParameterPart && !slices.ContainsFunc(r.PathParameters, named) {
				r.PathParameters = append(r.PathParameters, &request.Parameter{Name: part.Text, Required: true})
			}
		}
		api.Requests = append(api.Requests, r)
	}
	return api
}

// TestPaths runs the table of rules. Paths that already are templates are unchanged.
func TestPaths(t *testing.T) {
	var cases []struct {
		Name      string            `yaml:"name"`
		Paths     []string          `yaml:"paths"`
		Filled    map[string]string `yaml:"filled"`
		Secret    []string          `yaml:"secret"`
		Templates []string          `yaml:"templates"`
		Values    []string          `yaml:"values"`
		Warnings  int               `yaml:"warnings"`
	}
	converttest.Data(t, "testdata/paths.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			api := apiOf(c.Paths)
			api.Filled = map[string]string{}
			for name, value := range c.Filled {
				api.Filled[value] = name
			}
			for _, name := range c.Secret {
				api.Variables = append(api.Variables, &request.Variable{Name: name, Secret: true})
			}
			var warnings warning.List
			Apply(api, Identifiers, nil, &warnings)
			templates, values := outline(api)
			if diff := cmp.Diff(c.Templates, templates); diff != "" {
				t.Errorf("templates (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.Values, values); c.Values != nil && diff != "" {
				t.Errorf("values (-want +got):\n%s", diff)
			}
			if got := len(warnings.Strings()); c.Warnings > 0 && got != c.Warnings {
				t.Errorf("%d warnings: %q", got, warnings.Strings())
			}
			Apply(api, Identifiers, nil, nil)
			if again, _ := outline(api); !slices.Equal(again, templates) {
				t.Errorf("the templates of templates are %q", again)
			}
		})
	}
}

// outline lists the distinct paths of an API and the values of their parameters.
func outline(api *request.API) (templates, values []string) {
	for _, r := range api.Requests {
		if !slices.Contains(templates, r.Path) {
			templates = append(templates, r.Path)
		}
		for _, p := range r.PathParameters {
			values = append(values, p.Name+"="+p.Value)
		}
	}
	return templates, values
}

func TestSingular(t *testing.T) {
	for plural, want := range map[string]string{
		"users": "user", "categories": "category", "people": "person", "children": "child", "statuses": "status",
		"addresses": "address", "boxes": "box", "branches": "branch", "caches": "cache", "houses": "house",
		"purchases": "purchase", "responses": "response", "analyses": "analysis", "indices": "index", "series": "series",
		"movies": "movie", "apis": "api", "menus": "menu", "vms": "vm", "keys": "key", "heroes": "hero", "matches": "match", "searches": "search", "batches": "batch",
		"aliases": "alias", "campuses": "campus", "viruses": "virus", "licenses": "license", "bus": "bus", "data": "data",
		"orderItems": "order-item", "order-items": "order-item", "USERS": "user", "SKUs": "sku", "status": "status",
		"dishes": "dish", "classes": "class", "leaves": "leaf", "s": "s", "": "", "as": "as", "v2": "v2", "media": "media",
	} {
		if got, _ := singular(plural); got != want {
			t.Errorf("%s is %s, want %s", plural, got, want)
		}
	}
}

func FuzzApply(f *testing.F) {
	f.Add("/users/1\n/users/{a}\n/users/{{b}}/c")
	f.Add("/{{a/b}}/1//2024/05\n/1/2/3")
	f.Fuzz(func(t *testing.T, text string) {
		paths := strings.Split(text, "\n")
		for i, path := range paths {
			if path != "" && path[0] != '/' {
				paths[i] = "/" + path
			}
		}
		api := apiOf(paths)
		Apply(api, Identifiers, nil, nil)
		marked := apiOf(paths)
		Apply(marked, Placeholders, nil, nil)
		for i, r := range api.Requests {
			if marked.Requests[i].Path != paths[i] {
				continue // a placeholder isn't sent
			}
			if got := sentPath(r); got != sentPath(apiOf(paths[i : i+1]).Requests[0]) {
				t.Errorf("%q became %q, filled %q", paths[i], r.Path, got)
			}
		}
	})
}

// sentPath returns a path with parameters replaced by their values, and {} for variables and parameters without a
// value. It is decoded until that changes nothing, because a value that isn't UTF-8 stays encoded.
func sentPath(r *request.Request) string {
	var b strings.Builder
	for _, part := range request.SplitPath(r.Path) {
		switch part.Kind {
		case request.LiteralPart:
			b.WriteString(part.Text)
		case request.VariablePart:
			b.WriteString("{}")
		case request.ParameterPart:
			i := slices.IndexFunc(r.PathParameters, func(p *request.Parameter) bool { return p.Name == part.Text })
			if i < 0 || r.PathParameters[i].Value == "" || request.HasVariable(r.PathParameters[i].Value) {
				b.WriteString("{}")
			} else {
				b.WriteString(r.PathParameters[i].Value)
			}
		}
	}
	text := b.String()
	for {
		decoded := encodedByte.ReplaceAllStringFunc(text, func(code string) string {
			c, _ := strconv.ParseUint(code[1:], 16, 8)
			return string([]byte{byte(c)})
		})
		if decoded == text {
			return text
		}
		text = decoded
	}
}

var encodedByte = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
