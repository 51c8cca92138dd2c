package versions

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
)

// rewriteCase is a schema or document and the expected result.
type rewriteCase struct {
	Name, From, To  string
	In, Want        json.RawMessage
	All             bool     // Want has all schemas of the result, not just S
	UnknownToOracle bool     // kin-openapi rejects the result, rightly or not
	Warnings        []string // each with its places
}

func load(tb testing.TB, file string) []rewriteCase {
	tb.Helper()
	text := check.Value(os.ReadFile(file))(tb)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	var cases []rewriteCase
	if err := decoder.Decode(&cases); err != nil || len(cases) == 0 {
		tb.Fatal(len(cases), err)
	}
	return cases
}

// wrapSchema returns a document of the version with a schema named S and another one named T.
func wrapSchema(version, schema string) string {
	schemas := `{"S":` + schema + `,"T":{"type":"object"}}`
	if version == "2.0" {
		return `{"swagger":"2.0","info":{"title":"t","version":"1"},"paths":{},"definitions":` + schemas + `}`
	}
	return `{"openapi":"` + version + `.0","info":{"title":"t","version":"1"},"paths":{},"components":{"schemas":` + schemas + `}}`
}

func compact(tb testing.TB, text json.RawMessage) string {
	tb.Helper()
	var out bytes.Buffer
	check.OK(tb, json.Compact(&out, text))
	return out.String()
}

// shorten returns the code, names and places of a warning.
func shorten(w string) string {
	head, _, _ := strings.Cut(w, ". ")
	return head
}

// caseDocuments returns the documents of the cases in a file; schemas are wrapped.
func caseDocuments(tb testing.TB, file string) (texts []string) {
	for _, c := range load(tb, file) {
		text := compact(tb, c.In)
		if strings.Contains(file, "schemas") {
			text = wrapSchema(c.From, text)
		}
		texts = append(texts, text)
	}
	return texts
}

// caseFiles are the files with cases.
var caseFiles = []string{"testdata/schemas.json", "testdata/documents.json", "testdata/swagger.json"}

func TestCases(t *testing.T) {
	to := map[string]Version{"2.0": V20, "3.0": V30, "3.1": V31, "3.2": V32}
	for _, file := range caseFiles {
		documents := caseDocuments(t, file)
		for i, c := range load(t, file) {
			t.Run(c.Name, func(t *testing.T) {
				doc, warnings := rewritten(t, documents[i], to[c.To])
				got := doc.Root
				if strings.Contains(file, "schemas") {
					if got = got.Get("definitions"); c.To != "2.0" {
						got = doc.Root.Get("components").Get("schemas")
					}
					if !c.All {
						got = got.Get("S")
					}
				}
				if diff := cmp.Diff(lines(compact(t, c.Want)), lines(output(t, got))); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
				for i := range warnings {
					warnings[i] = shorten(warnings[i])
				}
				if diff := cmp.Diff(c.Warnings, warnings); diff != "" {
					t.Errorf("warnings (-want +got)\n%s", diff)
				}
				if err := oracleOf(to[c.To])(output(t, doc.Root)); (err != nil) != c.UnknownToOracle {
					t.Errorf("kin-openapi: %v", err)
				}
			})
		}
	}
}
