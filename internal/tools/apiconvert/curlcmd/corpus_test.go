package curlcmd

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestCorpus reads the real texts: none is refused, each sends the requests
// that it should, and each request is itself when it is written out again.
func TestCorpus(t *testing.T) {
	var want map[string][]string
	converttest.Data(t, "testdata/corpus.yaml", &want)
	for name, text := range converttest.CorpusTexts(t, "apiconvert/curl/*") {
		t.Run(name, func(t *testing.T) {
			result, err := Read(text, false, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, r := range result.Requests {
				got = append(got, r.Method)
				checkRequest(t, text, r)
				checkAgain(t, r)
			}
			if diff := cmp.Diff(want[name], got); diff != "" {
				t.Errorf("methods (-want +got):\n%s", diff)
			}
		})
	}
}
