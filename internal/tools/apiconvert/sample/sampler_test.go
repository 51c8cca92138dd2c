package sample

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Values that a sampler has cached don't change later samples.
func TestSamplerRemembers(t *testing.T) {
	texts := map[string]string{
		"a circle, entered at each of its schemas": `{"components":{"schemas":{
			"A":{"type":"object","properties":{"b":{"$ref":"#/components/schemas/B"},"n":{"type":"integer"}}},
			"B":{"type":"object","properties":{"c":{"type":"array","items":{"$ref":"#/components/schemas/C"}}}},
			"C":{"type":"object","properties":{"a":{"$ref":"#/components/schemas/A"},"b":{"$ref":"#/components/schemas/B"}}}}}}`,
		"a chain deeper than full samples": chain(20),
	}
	files, _ := filepath.Glob("../../../../../shared/corpus/apiconvert/openapi/*")
	for _, file := range files {
		text := check.Value(os.ReadFile(file))(t)
		texts[filepath.Base(file)] = string(text)
	}
	for name, text := range texts {
		doc, err := tree.ReadYAML(text, nil) // JSON is YAML
		if err != nil {
			continue
		}
		refs := tree.NewReferences(doc.Root)
		one := New(refs, tree.NewQuota(1<<30, nil))
		for schemaName, s := range doc.Root.Get("components").Get("schemas").Members() {
			for _, d := range []Direction{ToServer, FromServer} {
				got, gotStop := one.Make(s, d)
				want, wantStop := New(refs, tree.NewQuota(1<<30, nil)).Make(s, d)
				if !got.Equal(want) || gotStop != wantStop {
					t.Errorf("%s, %s: %s %v, alone %s %v", name, schemaName, documenttest.Write(t, got), gotStop, documenttest.Write(t, want), wantStop)
				}
			}
		}
	}
}

// chain returns a document with n nested schemas, each a property of the one before.
func chain(n int) string {
	text := `{"components":{"schemas":{`
	for i := range n {
		name, next := string(rune('A'+i)), string(rune('B'+i))
		text += `"` + name + `":{"type":"object","properties":{"p":{"$ref":"#/components/schemas/` + next + `"},"q":{"type":"string"}}},`
	}
	return text + `"` + string(rune('A'+n)) + `":{"type":"object"}}}}`
}
