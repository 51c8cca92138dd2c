package curlcmd

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
)

// corpus is where real texts lie beside the repository.
const corpus = "../../../../../shared/corpus/apiconvert/curl"

// TestCorpus reads the real texts: none is refused, each sends the requests
// that it should, and each request is itself when it is written out again.
func TestCorpus(t *testing.T) {
	text, err := os.ReadFile("testdata/corpus.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var want map[string][]string
	if err := yaml.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(corpus, "*"))
	if len(files) == 0 {
		t.Skipf("no corpus at %s", corpus)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			result, err := Read(string(text))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range result.Requests {
				got = append(got, r.Method)
				checkRequest(t, string(text), r)
				checkAgain(t, r)
			}
			if diff := cmp.Diff(want[filepath.Base(file)], got); diff != "" {
				t.Errorf("methods (-want +got):\n%s", diff)
			}
		})
	}
}
