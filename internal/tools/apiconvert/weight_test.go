package apiconvert

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert"
)

func TestWeight(t *testing.T) {
	for _, test := range []struct {
		name, mediaType, value string
		heavy                  bool
	}{
		{"a command", "text/plain", "curl https://api.example.com/?a=1&b=*", false},
		{"a description of 3 KB", "application/json", strings.Repeat(" ", 3000), false},
		{"a description of 30 KB", "application/json", strings.Repeat(" ", 30_000), true},
		{"YAML with an alias", "application/yaml", "a: &a 1\nb: [*a]", true},
		{"YAML with a star", "application/yaml", "a: 1\nb: '*/*'", false},
	} {
		in := convert.Input{Artifact: convert.Artifact{MediaType: test.mediaType, Value: test.value}}
		if got := Tool.Weigh(in); (got > convert.Light) != test.heavy {
			t.Errorf("%s: %d", test.name, got)
		}
	}
}
