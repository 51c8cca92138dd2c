package apiconvert

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
)

func TestCases(t *testing.T) { converttest.Run(t, Tool, nil) }

// loss is a source with something that targets can't hold.
type loss struct {
	Name      string   `yaml:"name"`
	MediaType string   `yaml:"mediaType"`
	Targets   []string `yaml:"targets"`
	Text      string   `yaml:"text"`
	Reported  []string `yaml:"reported"` // codes; none: no warnings
	Silent    []string `yaml:"silent"`   // codes that are not reported
	Says      []string `yaml:"says"`     // what and where, for each of them and each target
}

func losses(t *testing.T) (list []loss) {
	t.Helper()
	converttest.Data(t, "testdata/losses.yaml", &list)
	return list
}

// TestLosses converts sources with something that the target cannot hold: a warning reports it with its place.
// Plain sources convert without warnings, except that commands have no title and an OpenAPI document needs one.
func TestLosses(t *testing.T) {
	for _, c := range losses(t) {
		for _, target := range c.Targets {
			warnings := call(t, c.MediaType, c.Text, target).Warnings
			for _, code := range c.Reported {
				if !strings.Contains("\n"+strings.Join(warnings, "\n"), "\n"+code+": ") {
					t.Errorf("%s to %s: %s is not reported: %q", c.Name, target, code, warnings)
				}
			}
			for _, code := range c.Silent {
				if strings.Contains("\n"+strings.Join(warnings, "\n"), "\n"+code+": ") {
					t.Errorf("%s to %s: %s is reported: %q", c.Name, target, code, warnings)
				}
			}
			if len(c.Says) > 0 && !slices.ContainsFunc(warnings, func(w string) bool {
				head, _, _ := strings.Cut(w, ". ")
				return slices.Contains(c.Says, head)
			}) {
				t.Errorf("%s to %s: none of %q: %q", c.Name, target, c.Says, warnings)
			}
			plain := 0
			if c.MediaType == "text/plain" && targets[target].format == source.OpenAPI {
				plain = 1
				if !slices.ContainsFunc(warnings, func(w string) bool { return strings.HasPrefix(w, "added.info: title, version. ") }) {
					t.Errorf("%s to %s: a title is made up silently: %q", c.Name, target, warnings)
				}
			}
			if len(c.Reported) == 0 && len(warnings) > plain {
				t.Errorf("%s to %s: reported for a source without losses: %q", c.Name, target, warnings)
			}
		}
	}
}

// TestTargetsOfTheDocument compares the targets with those of the OpenAPI document, each of which has a media type.
func TestTargetsOfTheDocument(t *testing.T) {
	var document struct {
		Components struct {
			Schemas struct {
				Target struct {
					Enum     []string
					Produces map[string]string `yaml:"x-service-produces"`
				} `yaml:"ApiConvertTarget"`
			}
		}
	}
	check.OK(t, yaml.Unmarshal([]byte(check.File(t, "../../../openapi/openapi.yaml")), &document))
	declared := document.Components.Schemas.Target
	want := slices.Sorted(maps.Keys(targets))
	check.Equal(t, want, slices.Sorted(slices.Values(declared.Enum)), "enum")
	check.Equal(t, want, slices.Sorted(maps.Keys(declared.Produces)), "x-service-produces")
}

// hostile are inputs of up to 1 MiB designed to take long or to use much memory. Each has a prefix, a piece
// repeated to fill the input, and a suffix.
var hostile = []struct{ name, mediaType, prefix, piece, suffix string }{
	{"brackets", "application/json", "", "[", ""},
	{"objects", "application/json", `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":`, `{"/a":`, ""},
	{"items", "application/json", `{"info":{"name":"x","schema":"/collection/v2.1.0/"},"item":[`, `{"name":"a","request":"http://h/"},`, `{}]}`},
	{"folders", "application/json", `{"info":{"name":"x","schema":"/collection/v2.1.0/"},"item":[`, `{"item":[`, ``},
	{"empty items", "application/json", `{"info":{"name":"x","schema":"/collection/v2.1.0/"},"item":[`, `{},`, `{}]}`},
	{"variables", "application/json", `{"info":{"name":"x","schema":"/collection/v2.1.0/"},"item":[{"request":"http://h/`, `{{a}}`, `"}]}`},
	{"secrets", "application/json", `{"info":{"name":"x","schema":"/collection/v2.1.0/"},"item":[{"request":{"url":"http://h/","header":[`, `{"key":"token","value":"a1b2c3d4"},`, `{}]}}]}`},
	{"entries", "application/json", `{"log":{"entries":[`, `{"request":{"method":"GET","url":"http://h/a"}},`, `{}]}}`},
	{"cookies", "application/json", `{"log":{"entries":[{"request":{"method":"GET","url":"http://h/a","headers":[{"name":"Cookie","value":"`, `a=b;`, `"}]}}]}}`},
	{"fields", "application/json", `{"log":{"entries":[{"request":{"method":"POST","url":"http://h/a","postData":{"params":[`, `{"name":"a","value":"b"},`, `{}]}}}]}}`},
	{"path segments", "application/json", `{"log":{"entries":[{"request":{"method":"GET","url":"http://h`, `/a`, `"}}]}}`},
	{"host labels", "application/json", `{"log":{"entries":[{"request":{"method":"GET","url":"http://h`, `.a`, `/"}}]}}`},
	{"other hosts", "application/json", `{"log":{"entries":[`, `{"_resourceType":"ping","request":{"method":"GET","url":"http://h.h.h.h.h/a.png"}},`, `{"request":{"method":"GET","url":"http://h/a"}}]}}`},
	{"yaml flow", "application/yaml", "openapi: 3.1.0\nx: ", "[", ""},
	{"yaml block", "application/yaml", "openapi: 3.1.0\nx:\n", "- ", ""},
	{"yaml aliases", "application/yaml", "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths: {}\na: &a [1,2,3,4,5,6,7,8,9]\nx:\n", " - [*a,*a,*a,*a]\n", ""},
	{"yaml keys", "application/yaml", "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n", " ? a\n", ""},
	{"parentheses", "text/plain", "curl http://h/ ", "(", ""},
	{"substitutions", "text/plain", "curl http://h/ ", "$(", ""},
	{"backquotes", "text/plain", "curl http://h/ ", "`\\", ""},
	{"quotes", "text/plain", "curl http://h/ ", `"'`, ""},
	{"commands", "text/plain", "", "curl http://h/;", ""},
	{"comments", "text/plain", "", "# comment\n", "curl http://h/"},
	{"options", "text/plain", "curl http://h/", " -d a=b", ""},
	{"headers", "text/plain", "curl http://h/", " -H a:b", ""},
	{"urls", "text/plain", "curl -d x", " h", ""},
	{"globs", "text/plain", "curl h/", "{a,b}", ""},
	{"here documents", "text/plain", "curl h/", "<<a ", "\n"},
	{"tokens", "text/plain", "curl http://h/ -d '", "token=eyJ", "'"},
	{"form", "text/plain", "curl http://h/ -d '", "a=b&", "'"},
	{"json body", "text/plain", "curl http://h/ -d '", `{"a":[`, "'"},
}

// The cost of a hostile input is linear in its length.
func TestHostile(t *testing.T) {
	size := check.Sample(1<<13, 1<<15, 1<<16)
	for _, h := range hostile {
		for _, target := range differentTargets() {
			var costs [3]converttest.Cost
			for i := range costs {
				text := h.prefix + strings.Repeat(h.piece, size<<i/len(h.piece)) + h.suffix
				costs[i], _ = spend(serviceBudget(t.Context(), text), h.mediaType, text, target)
			}
			if converttest.Superlinear(costs[0], costs[1], costs[2]) || costs[2].Bytes > 200<<20+200*size<<2 {
				t.Errorf("%s to %s: %d KiB and twice and four times as much cost %+v", h.name, target, size>>10, costs)
			}
		}
	}
}
