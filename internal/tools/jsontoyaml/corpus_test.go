package jsontoyaml

import (
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// That the corpus's values read back the same is tested in test/yamlreaders.
func TestCorpus(t *testing.T) {
	var cases []struct {
		Value  string
		Expect any // 200, 422 or "open"
	}
	converttest.CorpusData(t, "text/json/cases.json", &cases)
	for _, c := range cases {
		_, failure := converttest.Do(t, Tool, input(c.Value, 2))
		if c.Expect == 200.0 && failure != nil || c.Expect == 422.0 && failure == nil {
			t.Errorf("%.80q: want %v, got %v", c.Value, c.Expect, failure)
		}
		converttest.Check(t, Tool, input(c.Value, 2))
	}
}
