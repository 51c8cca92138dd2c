package reader

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/writer"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// corpus returns the readable documents in a folder of the corpus by name.
func corpus(tb testing.TB, folder string) map[string]*tree.Document {
	tb.Helper()
	documents := map[string]*tree.Document{}
	for name, text := range converttest.CorpusTexts(tb, "apiconvert/"+folder+"/*") {
		read := tree.ReadJSON
		if !strings.HasSuffix(name, ".json") {
			read = tree.ReadYAML
		}
		if doc, err := read(text, nil); err == nil {
			documents[name] = doc
		}
	}
	return documents
}

func TestWriteCorpusIsValid(t *testing.T) {
	for name, doc := range corpus(t, "openapi") {
		api, err := Read(doc, versions.Newest, nil, nil)
		if err != nil {
			continue
		}
		if err := documenttest.Validate(t, writer.Write(api, versions.V31, nil, &warning.List{})); err != nil {
			t.Errorf("%s: %v", name, strings.SplitN(err.Error(), "\n", 2)[0])
		}
	}
}
