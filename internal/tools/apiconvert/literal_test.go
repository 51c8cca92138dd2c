package apiconvert

import (
	"slices"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// options.paths controls whether paths become templates; by default they do.
func TestPathsOption(t *testing.T) {
	for paths, want := range map[string][]string{
		"": {"/users/{userId}"}, "templates": {"/users/{userId}"}, "literal": {"/users/1", "/users/2"},
	} {
		in := convert.Input{
			Artifact: convert.Artifact{MediaType: "text/plain", Value: "curl https://h.test/users/1\ncurl https://h.test/users/2\n"},
			Options:  convert.Options{"target": "openapi-3.1-json", "paths": paths},
			Limit:    convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters),
		}
		result := check.Value(Tool.Convert(t.Context(), in))(t)
		doc := check.Value(tree.ReadJSON(result.Value, nil))(t)
		if got := doc.Root.Get("paths").Names(); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", paths, got, want)
		}
	}
}
