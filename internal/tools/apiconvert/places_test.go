package apiconvert

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestPlaces converts files with curl commands to a script, which has the requests only.
func TestPlaces(t *testing.T) {
	var cases []struct {
		Name     string   `yaml:"name"`
		Text     string   `yaml:"text"`
		Want     string   `yaml:"want"`
		Warnings []string `yaml:"warnings"`
		Fails    string   `yaml:"fails"` // a part of the detail
	}
	converttest.Data(t, "testdata/places.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			result, failure := converttest.Do(t, Tool, convert.Input{
				Artifact: convert.Artifact{MediaType: Tool.Recognise(c.Text), Value: c.Text}, Options: convert.Options{"target": "curl"},
				Limit: convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters),
			})
			if c.Fails != "" || failure != nil {
				if failure == nil || !strings.Contains(failure.Detail, c.Fails) {
					t.Errorf("want a failure that says %q, got %v", c.Fails, failure)
				}
				return
			}
			check.Equal(t, c.Want, result.Value)
			var warnings []string
			for _, w := range result.Warnings {
				about, _, _ := strings.Cut(w, ". ")
				warnings = append(warnings, about)
			}
			check.Equal(t, c.Warnings, warnings, "warnings")
		})
	}
}
