package source

import (
	"errors"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

var mediaTypes = []string{"text/plain", "application/yaml", "application/json"}

func refusal(t *testing.T, mediaType, text string) *convert.Failure {
	t.Helper()
	_, err := Detect(mediaType, text, budget.NewMeter())
	var failure *convert.Failure
	if err != nil && !errors.As(err, &failure) {
		t.Fatal(err)
	}
	return failure
}

// TestForeign checks that a file in an unsupported format is refused by name, and that the hint leads somewhere: the
// text that it asks for is a script, and no media type that it or a refusal of another type names leads back.
func TestForeign(t *testing.T) {
	var cases []struct {
		Name  string `yaml:"name"`
		Text  string `yaml:"text"`
		Says  string `yaml:"says"`  // a part of the detail
		Paste string `yaml:"paste"` // the text that the hint asks for
	}
	converttest.Data(t, "testdata/foreign.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			failure := refusal(t, MediaType(c.Text), c.Text)
			if failure == nil || failure.Code != convert.UnrecognizedSource || !strings.Contains(failure.Detail, c.Says) {
				t.Fatalf("as %s: %v", MediaType(c.Text), failure)
			}
			if failure := refusal(t, "text/plain", c.Text); failure == nil || !strings.Contains(failure.Detail, c.Says) {
				t.Errorf("as text/plain: %v", failure)
			}
			if failure := refusal(t, MediaType(c.Paste), c.Paste); failure != nil {
				t.Errorf("what the hint asks for: %v", failure)
			}
			for _, mediaType := range mediaTypes {
				obey(t, mediaType, c.Text)
			}
		})
	}
}

// obey sends the text with each media type that the refusal's hint says to set.
func obey(t *testing.T, mediaType, text string) {
	t.Helper()
	first := refusal(t, mediaType, text)
	for _, other := range mediaTypes {
		if first == nil || !strings.Contains(first.Hint, "set input.mediaType to "+other) && !strings.Contains(first.Hint, "Set input.mediaType to "+other) {
			continue
		}
		if second := refusal(t, other, text); second != nil && (second.Detail == first.Detail || strings.Contains(second.Hint, "mediaType to "+mediaType)) {
			t.Errorf("as %s: %v %s\nas %s: %v %s", mediaType, first, first.Hint, other, second, second.Hint)
		}
	}
}

// TestHintsLeadSomewhere obeys the hints for sources of all kinds.
func TestHintsLeadSomewhere(t *testing.T) {
	texts := []string{"", "words", "curl is a tool", "[1]", "a: b\n", "curl http://h.test/", "{\"a\": \"curl -s http://h.test/\"}", "info: {}\n", "openapi: 3.1.0\n", "{\"openapi\":\"3.1.0\"}"}
	var cases []sourceCase
	converttest.Data(t, "testdata/sources.yaml", &cases)
	for _, c := range cases {
		texts = append(texts, c.Input)
	}
	for _, text := range texts {
		for _, mediaType := range mediaTypes {
			obey(t, mediaType, text)
		}
	}
}

// TestScriptsAreNotForeign checks that scripts and notes that mention other formats are read.
func TestScriptsAreNotForeign(t *testing.T) {
	var cases []struct {
		Name, Text string
	}
	converttest.Data(t, "testdata/scripts.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if failure := refusal(t, "text/plain", c.Text); failure != nil {
				t.Error(failure)
			}
		})
	}
}
