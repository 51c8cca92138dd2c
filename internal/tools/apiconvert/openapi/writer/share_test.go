package writer

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

type exchange struct {
	Name      string            `yaml:"name"`
	Call      string            `yaml:"call"`
	Sends     string            `yaml:"sends"`
	Responses map[string]string `yaml:"responses"`
	Headers   map[string]string `yaml:"headers"`  // of each response
	Variants  map[string]string `yaml:"variants"` // other bodies by name
}

func (e exchange) request(mediaType string) *request.Request {
	method, path, _ := strings.Cut(e.Call, " ")
	path, query, _ := strings.Cut(path, "?")
	r := &request.Request{Name: e.Name, Method: method, Path: path}
	for p := range request.Pairs(query, '&') {
		r.Query = append(r.Query, &request.Parameter{Name: p.Name, Value: p.Value})
	}
	if e.Sends != "" {
		r.Bodies = raw(mediaType, e.Sends)
		for _, name := range slices.Sorted(maps.Keys(e.Variants)) {
			r.Bodies[0].Examples = append(r.Bodies[0].Examples, &request.Example{Name: name, Text: e.Variants[name]})
		}
	}
	for _, status := range slices.Sorted(maps.Keys(e.Responses)) {
		response := &request.Response{Saved: true, Status: status, Bodies: raw("application/json", e.Responses[status])}
		for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
			response.Headers = append(response.Headers, &request.Parameter{Name: name, Value: e.Headers[name]})
		}
		r.Responses = append(r.Responses, response)
	}
	return r
}

// TestExchanges writes requests and their responses, and checks parts of the OpenAPI document and the codes of the
// warnings, if a case names any.
func TestExchanges(t *testing.T) {
	for _, file := range []string{"shared", "samples"} {
		t.Run(file, func(t *testing.T) { testExchanges(t, "testdata/"+file+".yaml") })
	}
}

func testExchanges(t *testing.T, file string) {
	var cases []struct {
		Name       string            `yaml:"name"`
		MediaTypes []string          `yaml:"mediaTypes"`
		Exchanges  []exchange        `yaml:"exchanges"`
		Want       map[string]string `yaml:"want"`
		Warnings   []string          `yaml:"warnings"`
	}
	converttest.Data(t, file, &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			api := &request.API{Title: "T"}
			for i, e := range c.Exchanges {
				mediaType := "application/json"
				if i < len(c.MediaTypes) {
					mediaType = c.MediaTypes[i]
				}
				api.Requests = append(api.Requests, e.request(mediaType))
			}
			list := &warning.List{}
			root := Write(api, versions.V31, nil, list)
			if err := documenttest.Validate(t, root); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(c.Want, documenttest.At(t, root, c.Want)); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, documenttest.Write(t, root))
			}
			if got := documenttest.Codes(list); c.Warnings != nil && !slices.Equal(got, c.Warnings) {
				t.Errorf("warnings: want %q, got %q", c.Warnings, got)
			}
		})
	}
}

// TestNullable checks that the OpenAPI 3.0 schema of a null sample accepts any value.
func TestNullable(t *testing.T) {
	api := &request.API{Requests: []*request.Request{{Method: "POST", Path: "/a", Bodies: raw("application/json", `{"a": null}`)}}}
	root := Write(api, versions.V30, nil, nil)
	want := map[string]string{"/paths/~1a/post/requestBody/content/application~1json/schema/properties": `{"a":{}}`}
	if diff := cmp.Diff(want, documenttest.At(t, root, want)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
