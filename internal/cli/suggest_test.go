package cli

import (
	"strings"
	"testing"
)

func TestClosest(t *testing.T) {
	tools := "jwt_decode json_format json_to_yaml timestamp_to_iso api_convert"
	for _, test := range []struct{ word, list, want string }{
		{"jwt_decoe", tools, "jwt_decode"},
		{"JSON_Format", tools, "json_format"},
		{"json", tools, "json_format json_to_yaml"},
		{"json_fromat", tools, "json_format"},
		{"xml_format", tools, ""},
		{"", tools, ""},
		{"indnt", "indent", "indent"},
		{"x", "as is ox", ""},
		{"s", "seconds milliseconds", "seconds"},
		{"openapi-3.1-yml", "openapi-3.0-yaml openapi-3.1-yaml openapi-3.1-json", "openapi-3.1-yaml"},
		{"tcsh", "bash zsh fish", ""},
	} {
		if got := strings.Join(Closest(test.word, strings.Fields(test.list)), " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.word, got, test.want)
		}
	}
}
