package apiconvert

import (
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// TestCaptures converts scripts that take values from responses. test/apiconvert runs both sides.
func TestCaptures(t *testing.T) {
	var cases []struct {
		Name     string   `yaml:"name"`
		Text     string   `yaml:"text"`
		Lines    []string `yaml:"lines"`
		Captured []string `yaml:"captured"` // the warnings for a collection …
		OpenAPI  []string `yaml:"openapi"`  // … and for an OpenAPI document, if they differ
	}
	converttest.Data(t, "testdata/captures.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			result := call(t, "text/plain", c.Text, "postman-2.1")
			var collection struct {
				Item []struct {
					Request struct{ URL struct{ Path []string } }
					Event   []struct {
						Listen string
						Script struct{ Exec []string }
					}
				}
				Variable []struct{ Key, Value string }
			}
			check.JSON(t, result.Value, &collection)
			var lines []string
			for _, item := range collection.Item {
				for _, event := range item.Event {
					check.Equal(t, "test", event.Listen)
					for _, line := range event.Script.Exec {
						lines = append(lines, strings.Join(item.Request.URL.Path, "/")+": "+line)
						name := strings.Split(line, `"`)[1]
						if !slices.ContainsFunc(collection.Variable, func(v struct{ Key, Value string }) bool {
							return v.Key == name && v.Value == ""
						}) {
							t.Errorf("%s is not declared, or has a value", name)
						}
					}
				}
			}
			check.Equal(t, c.Lines, lines)
			check.Equal(t, c.Captured, aboutCaptures(result.Warnings))
			if c.OpenAPI == nil {
				c.OpenAPI = c.Captured
			}
			check.Equal(t, c.OpenAPI, aboutCaptures(call(t, "text/plain", c.Text, "openapi-3.1-json").Warnings))
		})
	}
}

// aboutCaptures returns the warnings about captured values, without their sentence.
func aboutCaptures(warnings []string) (about []string) {
	for _, w := range warnings {
		if text, ok := strings.CutPrefix(w, warning.LostCapturedValues.Code()); ok {
			text, _, _ = strings.Cut(text, ". ")
			about = append(about, warning.LostCapturedValues.Code()+text)
		}
		if strings.HasPrefix(w, warning.LostShellSyntax.Code()) {
			about = append(about, w)
		}
	}
	return about
}
