package openapi

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// corpus returns the documents of a folder of ../shared/corpus/apiconvert,
// by name. It skips the test when the folder is not there.
func corpus(tb testing.TB, folder string) map[string]*tree.Document {
	tb.Helper()
	_, here, _, _ := runtime.Caller(0)
	root := filepath.Join(filepath.Dir(here), "../../../../../shared/corpus/apiconvert", folder)
	entries, err := os.ReadDir(root)
	if err != nil {
		tb.Skip("no corpus beside the repository: ", root)
	}
	documents := map[string]*tree.Document{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(root, e.Name()))
		if err != nil {
			tb.Fatal(err)
		}
		read := tree.ReadJSON
		if !strings.HasSuffix(e.Name(), ".json") {
			read = tree.ReadYAML
		}
		if doc, err := read(string(text)); err == nil {
			documents[e.Name()] = doc
		}
	}
	return documents
}

// validate asks kin-openapi whether a description is valid.
func validate(tb testing.TB, root *tree.Value) error {
	tb.Helper()
	text, err := root.AppendJSON(nil, 64<<20)
	if err != nil {
		return err
	}
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(text)
	if err != nil {
		return err
	}
	return doc.Validate(context.Background())
}

func TestWriteCorpusIsValid(t *testing.T) {
	for name, doc := range corpus(t, "openapi") {
		api, err := Read(doc, nil)
		if err != nil {
			continue
		}
		w := &warning.List{}
		root, err := Write(api, w)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := validate(t, root); err != nil {
			t.Errorf("%s: %v", name, strings.SplitN(err.Error(), "\n", 2)[0])
		}
	}
}
