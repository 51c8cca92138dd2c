package apiconvert

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
)

// TestCapturedScripts converts collections whose scripts take values from responses. test/apiconvert runs both sides.
func TestCapturedScripts(t *testing.T) {
	var cases []documenttest.Captured
	converttest.Data(t, "testdata/captured.yaml", &cases)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			result := call(t, "application/json", c.Collection("http://h.test"), "curl")
			check.Equal(t, c.Want, result.Value)
			var codes []string
			for _, w := range result.Warnings {
				code, _, _ := strings.Cut(w, ":")
				codes = append(codes, code)
			}
			check.Equal(t, c.Warnings, codes)
			check.Equal(t, c.OpenAPI, aboutCaptures(call(t, "application/json", c.Collection("http://h.test"), "openapi-3.1-json").Warnings))
		})
	}
}
