package versions

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

func corpus(tb testing.TB) map[string]string {
	tb.Helper()
	return converttest.CorpusTexts(tb, "apiconvert/openapi/*")
}

func read(tb testing.TB, text string) *tree.Document {
	tb.Helper()
	read := tree.ReadYAML
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		read = tree.ReadJSON
	}
	doc := check.Value(read(text, nil))(tb)
	return doc
}

func rewritten(tb testing.TB, text string, to Version) (*tree.Document, []string) {
	tb.Helper()
	doc := read(tb, text)
	from, _ := Of(doc.Root)
	var w warning.List
	w.Source(doc)
	Rewrite(doc, from, to, nil, &w)
	return doc, w.Strings()
}

func output(tb testing.TB, v *tree.Value) string {
	tb.Helper()
	text := check.Value(v.AppendJSON(nil, 64<<20))(tb)
	return string(text)
}

// validate is the oracle: kin-openapi parses and validates the document.
func validate(text string) error {
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData([]byte(text))
	if err != nil {
		return err
	}
	return doc.Validate(context.Background(), openapi3.DisableExamplesValidation(), openapi3.DisableSchemaDefaultsValidation())
}

// oracleOf returns the oracle for a version.
func oracleOf(v Version) func(text string) error {
	if v == V20 {
		return validate20
	}
	return validate
}

func TestCorpusValid(t *testing.T) {
	for name, text := range corpus(t) {
		source := read(t, text)
		from, _ := Of(source.Root)
		sourceErr := oracleOf(from)(output(t, source.Root))
		for _, to := range []Version{V20, V30, V31} {
			doc, warnings := rewritten(t, text, to)
			if err := oracleOf(to)(output(t, doc.Root)); err != nil && (from != V20 || to != V20 || sourceErr == nil) {
				t.Errorf("%s (%s) to %s: %v\nsource: %v\n%q", name, from.Text(), to.Text(), err, sourceErr, warnings)
			}
		}
	}
}

// all lists the versions to write.
var all = []Version{V20, V30, V31, V32}

// TestUnchanged checks that a valid document that already has the target version isn't changed by a byte.
func TestUnchanged(t *testing.T) {
	inBoth(t, []string{"testdata/schemas.json", "testdata/swagger.json"}, func(t *testing.T, name, text string) {
		source := read(t, text)
		if strings.HasPrefix(name, "testdata/") && source.Root.Has("openapi") { // the cases are to be valid in Swagger 2.0
			source, _ = rewritten(t, text, V20)
		}
		from, _ := Of(source.Root)
		before := output(t, source.Root)
		if from == Unknown || from > V31 || oracleOf(from)(before) != nil {
			return
		}
		doc, warnings := rewritten(t, before, from)
		if diff := cmp.Diff(lines(before), lines(output(t, doc.Root))); diff != "" || len(warnings) > 0 {
			t.Errorf("%s changed (-before +after):\n%s\n%q", name, diff, warnings)
		}
	})
}

// inBoth calls f for the cases in files and for the corpus.
func inBoth(t *testing.T, files []string, f func(t *testing.T, name, text string)) {
	t.Helper()
	t.Run("cases", func(t *testing.T) {
		for _, file := range files {
			for i, text := range caseDocuments(t, file) {
				f(t, fmt.Sprint(file, " ", i), text)
			}
		}
	})
	t.Run("corpus", func(t *testing.T) {
		for name, text := range corpus(t) {
			f(t, name, text)
		}
	})
}

// TestByWayOf30 checks that 3.1 → 3.0 → 2.0, as a conversion goes that redacts in between, gives what 3.1 → 2.0 does.
func TestByWayOf30(t *testing.T) {
	inBoth(t, caseFiles, func(t *testing.T, name, text string) {
		if from, _ := Of(read(t, text).Root); from < V31 {
			return
		}
		direct, _ := rewritten(t, text, V20)
		halfway, _ := rewritten(t, text, V30)
		down, _ := rewritten(t, output(t, halfway.Root), V20)
		if diff := cmp.Diff(lines(output(t, direct.Root)), lines(output(t, down.Root))); diff != "" {
			t.Errorf("%s (-direct +by way of 3.0):\n%s", name, diff)
		}
	})
}

// lines splits JSON into lines for readable diffs.
func lines(text string) []string {
	return strings.Split(strings.NewReplacer(",\"", ",\n\"", "{\"", "{\n\"").Replace(text), "\n")
}

// TestUpAndDown checks that 3.0 → 3.1 → 3.0 restores the document.
func TestUpAndDown(t *testing.T) {
	for name, text := range corpus(t) {
		source := read(t, text)
		if from, _ := Of(source.Root); from != V30 || validate(output(t, source.Root)) != nil {
			continue
		}
		before, up := rewritten(t, text, V30)
		doc, warnings := rewritten(t, text, V31)
		down, downWarnings := rewritten(t, output(t, doc.Root), V30)
		down.Root.Set("openapi", before.Root.Get("openapi"))
		if !before.Root.Equal(down.Root) {
			t.Errorf("%s (-before +after):\n%s\n%q\n%q\n%q", name,
				cmp.Diff(lines(output(t, before.Root)), lines(output(t, down.Root))), up, warnings, downWarnings)
		}
	}
}

// TestIdempotent checks that a second rewrite to the same version changes nothing.
func TestIdempotent(t *testing.T) {
	for name, text := range corpus(t) {
		for _, to := range all {
			once, _ := rewritten(t, text, to)
			first := output(t, once.Root)
			twice, warnings := rewritten(t, first, to)
			for _, w := range warnings {
				if !strings.HasPrefix(w, "changed.remote_reference") {
					t.Errorf("%s to %s: %s", name, to.Text(), w)
				}
			}
			if diff := cmp.Diff(lines(first), lines(output(t, twice.Root))); diff != "" {
				t.Errorf("%s to %s:\n%s", name, to.Text(), diff)
			}
		}
	}
}
