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
)

type exchange struct {
	Call      string            `yaml:"call"`
	Sends     string            `yaml:"sends"`
	Responses map[string]string `yaml:"responses"`
}

func (e exchange) request(mediaType string) *request.Request {
	method, path, _ := strings.Cut(e.Call, " ")
	r := &request.Request{Method: method, Path: path}
	if e.Sends != "" {
		r.Bodies = raw(mediaType, e.Sends)
	}
	for _, status := range slices.Sorted(maps.Keys(e.Responses)) {
		r.Responses = append(r.Responses, &request.Response{Status: status, Bodies: raw("application/json", e.Responses[status])})
	}
	return r
}

func TestSharedSchemas(t *testing.T) {
	var cases []struct {
		Name       string            `yaml:"name"`
		MediaTypes []string          `yaml:"mediaTypes"`
		Exchanges  []exchange        `yaml:"exchanges"`
		Want       map[string]string `yaml:"want"`
	}
	converttest.Data(t, "testdata/shared.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			api := &request.API{}
			for i, e := range c.Exchanges {
				mediaType := "application/json"
				if i < len(c.MediaTypes) {
					mediaType = c.MediaTypes[i]
				}
				api.Requests = append(api.Requests, e.request(mediaType))
			}
			root := Write(api, versions.V31, nil, nil)
			if err := documenttest.Validate(t, root); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(c.Want, documenttest.At(t, root, c.Want)); diff != "" {
				t.Errorf("(-want +got):\n%s\n%s", diff, documenttest.Write(t, root))
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
