package site

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// emitted replaces the string of every site with its role and name, and returns the resulting document.
func emitted(t *testing.T, text string, walk func(*Walk, *tree.Value)) string {
	t.Helper()
	doc := check.Value(tree.ReadJSON(text, nil))(t)
	roles := map[Role]string{Prose: "prose", Field: "field", Choice: "choice", Credential: "credential"}
	walk(NewWalk(func(s Site) {
		if s.Role == MemberName {
			if strings.HasPrefix(s.Text(), "secret") {
				s.Set("redacted")
			}
			return
		}
		if s.IsNumber() {
			s.Set("0")
		} else {
			s.Set(strings.TrimSuffix(roles[s.Role]+" "+s.Name, " "))
		}
	}), doc.Root)
	out := check.Value(doc.Root.AppendJSON(nil, 1<<20))(t)
	return string(out)
}

func TestValue(t *testing.T) {
	got := emitted(t, `{"a":["x",1,null],"name":"b","value":{"value":"y"},"$ref":"#/c","secret1":true,"secret2":true}`,
		func(w *Walk, v *tree.Value) { w.Value(v, Site{Role: Field, Name: "top"}) })
	want := `{"a":["field a",0,null],"name":"field name","value":{"value":"field b"},"$ref":"choice $ref","redacted":true,"redacted2":true}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Examples that may no longer match their schema are removed; numbers stay numbers.
func TestSchema(t *testing.T) {
	got := emitted(t, `{"title":"t","properties":{
		"a":{"type":"string","enum":["x","y"],"default":"x","example":"y"},
		"b":{"format":"password","example":"z"},
		"c":{"const":"v"},
		"d":{"pattern":"p","examples":["e"]},
		"secret1":{"items":{"example":1}},
		"e":{"type":"string","default":"w","x-f":{"g":"h"}}}}`,
		func(w *Walk, v *tree.Value) { w.Object(v, shape.Schema, Site{Role: Field, Name: "top"}) })
	want := `{"title":"prose","properties":{` +
		`"a":{"type":"string","enum":["choice","choice"]},` +
		`"b":{"format":"password","example":"credential b"},` +
		`"c":{},` +
		`"d":{"pattern":"p","examples":["field d"]},` +
		`"redacted":{"items":{"example":0}},` +
		`"e":{"type":"string","default":"choice e","x-f":{"g":"field g"}}}}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A named example whose schema may reject a placeholder loses its value.
func TestNamedExamples(t *testing.T) {
	got := emitted(t, `{"name":"n","in":"query","schema":{"format":"uuid"},"examples":{"a":{"summary":"s","value":"x"}}}`,
		func(w *Walk, v *tree.Value) { w.Object(v, shape.Parameter, Site{Role: Field}) })
	check.Equal(t, `{"name":"prose","in":"query","schema":{"format":"uuid"},"examples":{"a":{"summary":"prose"}}}`, got)
	got = emitted(t, `{"name":"n","in":"query","schema":{"type":"string"},"examples":{"a":{"value":"x"}}}`,
		func(w *Walk, v *tree.Value) { w.Object(v, shape.Parameter, Site{Role: Field}) })
	check.Equal(t, `{"name":"prose","in":"query","schema":{"type":"string"},"examples":{"a":{"value":"field n"}}}`, got)
}
