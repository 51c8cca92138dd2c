package jsontoyaml

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// corpus is a folder beside the repository. That its values read back the
// same is tested in test/yamlreaders.
const corpus = "../../../../shared/corpus/text/json/cases.json"

func TestCorpus(t *testing.T) {
	text, err := os.ReadFile(corpus)
	if err != nil {
		t.Skipf("no corpus beside the repository: %v", err)
	}
	var cases []struct {
		Value  string
		Expect any // 200, 422 or "open"
	}
	if err := json.Unmarshal(text, &cases); err != nil || len(cases) == 0 {
		t.Fatal(len(cases), err)
	}
	for _, c := range cases {
		_, failure := converttest.Do(t, Tool, input(c.Value, 2))
		if c.Expect == 200.0 && failure != nil || c.Expect == 422.0 && failure == nil {
			t.Errorf("%.80q: want %v, got %v", c.Value, c.Expect, failure)
		}
		converttest.Check(t, Tool, input(c.Value, 2))
	}
}
