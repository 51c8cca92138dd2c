package converttest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// Corpus returns the paths of the files that match pattern (filepath.Match) in ../shared/corpus: real inputs
// that are next to the repository, not part of it. It skips the test if there is no such directory, and fails
// if nothing in it matches.
func Corpus(tb testing.TB, pattern string) []string {
	tb.Helper()
	root, err := filepath.Abs(".")
	for err == nil && !exists(filepath.Join(root, "go.mod")) && root != filepath.Dir(root) {
		root = filepath.Dir(root)
	}
	corpus := filepath.Join(root, "../shared/corpus")
	if err != nil || !exists(corpus) {
		tb.Skip("the corpus is not next to this checkout: " + corpus)
	}
	files, err := filepath.Glob(filepath.Join(corpus, pattern))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no file %s in %s: %v", pattern, corpus, err)
	}
	return files
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// CorpusTexts returns the contents of the files that Corpus returns, by the last element of their path.
func CorpusTexts(tb testing.TB, pattern string) map[string]string {
	tb.Helper()
	texts := map[string]string{}
	for _, file := range Corpus(tb, pattern) {
		texts[filepath.Base(file)] = check.File(tb, file)
	}
	return texts
}

// CorpusData decodes a JSON file of the corpus into what into points to.
func CorpusData(tb testing.TB, file string, into any) {
	tb.Helper()
	for name, text := range CorpusTexts(tb, file) {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
	}
}
