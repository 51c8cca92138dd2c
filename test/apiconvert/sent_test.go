package apiconvert

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestSent converts sources to collections, runs these with Postman's runner and compares what it sends.
func TestSent(t *testing.T) {
	check.Installed(t, "node_modules/.installed", "make setup-all")
	var cases []struct {
		Name string   `yaml:"name"`
		Type string   `yaml:"type"`
		Text string   `yaml:"text"`
		Sent []string `yaml:"sent"` // without the empty body that ends them
	}
	converttest.Data(t, "testdata/sent.yaml", &cases)
	s := newTokens(t)
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			text := strings.ReplaceAll(c.Text, "http://h.test", s.URL)
			collection := check.Value(convertTo(source{c.Name, c.Type, text}, "postman-2.1"))(t)
			var sent []string
			for _, one := range s.newman(t, collection) {
				sent = append(sent, strings.TrimSuffix(one, `  ""`))
			}
			check.Equal(t, c.Sent, sent)
		})
	}
}
