package apiconvert

import (
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/convertd/convertd/internal/check"
)

// TestSamplesFitTheirSchemas checks that every sample body of a source, which becomes an example of its media
// type, fits the schema written for it, whatever else was merged into that schema.
func TestSamplesFitTheirSchemas(t *testing.T) {
	samples := 0
	for _, kind := range []string{"postman", "curl"} {
		for _, f := range corpusFiles(t, kind) {
			out := call(t, f.mediaType, f.text, "openapi-3.1-json").Value
			doc := check.Value(jsonschema.UnmarshalJSON(strings.NewReader(out)))(t)
			c := jsonschema.NewCompiler()
			check.OK(t, c.AddResource("urn:d", doc))
			mediaTypes(doc, "", func(at string, media map[string]any) {
				if media["schema"] == nil {
					return
				}
				s, err := c.Compile("urn:d#" + at + "/schema")
				if err != nil {
					t.Errorf("%s %s: %v", f.name, at, err)
					return
				}
				for _, sample := range examplesOf(media) {
					samples++
					if err := s.Validate(sample); err != nil {
						t.Errorf("%s %s: %v", f.name, at, err)
					}
				}
			})
		}
	}
	if samples < 300 {
		t.Errorf("only %d samples", samples)
	}
}

// mediaTypes visits the media type objects of bodies with their JSON Pointers.
func mediaTypes(v any, at string, visit func(at string, media map[string]any)) {
	object, ok := v.(map[string]any)
	if !ok {
		return
	}
	escape := strings.NewReplacer("~", "~0", "/", "~1", "%", "%25", "{", "%7B", "}", "%7D", " ", "%20", `"`, "%22")
	for name, value := range object {
		inner := at + "/" + escape.Replace(name)
		if name != "content" {
			if name != "schema" && name != "schemas" && name != "example" && name != "examples" {
				mediaTypes(value, inner, visit)
			}
			continue
		}
		media, _ := value.(map[string]any)
		for name, value := range media {
			if one, ok := value.(map[string]any); ok {
				visit(inner+"/"+escape.Replace(name), one)
			}
		}
	}
}

func examplesOf(media map[string]any) []any {
	var list []any
	if one, ok := media["example"]; ok {
		list = append(list, one)
	}
	named, _ := media["examples"].(map[string]any)
	for _, example := range named {
		if one, ok := example.(map[string]any); ok {
			list = append(list, one["value"])
		}
	}
	return list
}
