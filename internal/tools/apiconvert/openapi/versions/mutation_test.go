package versions

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// mutate replaces a few values in a document by others from it or by other kinds of values. A fuzzer that changes
// bytes rarely produces such wrong types.
func mutate(root *tree.Value, random *rand.Rand) {
	var all []*tree.Value
	var collect func(v *tree.Value)
	collect = func(v *tree.Value) {
		for name, value := range v.Members() {
			if name != "openapi" && name != "swagger" {
				all = append(all, value)
			}
			collect(value)
		}
		for _, element := range v.Elements() {
			all = append(all, element)
			collect(element)
		}
	}
	collect(root)
	for range 1 + random.IntN(3) {
		if len(all) == 0 {
			return
		}
		kinds := []*tree.Value{
			tree.NewNull(), tree.NewBool(true), tree.NewInt(7), tree.NewString("#/components/schemas/S"),
			tree.NewArray(tree.NewString("null"), tree.NewObject()),
		}
		with := all[random.IntN(len(all))].Clone(tree.NewQuota(1<<12, nil))
		if i := random.IntN(8); i < len(kinds) {
			with = kinds[i]
		}
		if with != nil {
			all[random.IntN(len(all))].Become(with)
		}
	}
}

func TestMutations(t *testing.T) {
	testMutations(t, append(caseDocuments(t, "testdata/documents.json"), caseDocuments(t, "testdata/schemas.json")...), 20)
}

func TestSwaggerMutations(t *testing.T) {
	texts := caseDocuments(t, "testdata/swagger.json")
	testMutations(t, slices.DeleteFunc(texts, func(text string) bool { return !strings.Contains(text, `"swagger":"2.0"`) }), 30)
}

// testMutations checks that a second rewrite of a mutated document changes nothing.
func testMutations(t *testing.T, texts []string, most int) {
	random := rand.New(rand.NewPCG(1, 2))
	different := 0
	for range 6000 {
		doc := read(t, texts[random.IntN(len(texts))])
		mutate(doc.Root, random)
		from, _ := Of(doc.Root)
		text := output(t, doc.Root)
		for _, to := range all {
			once := read(t, text)
			Rewrite(once, from, to, nil, &warning.List{})
			first := output(t, once.Root)
			twice := read(t, first)
			Rewrite(twice, to, to, nil, &warning.List{})
			if diff := cmp.Diff(lines(first), lines(output(t, twice.Root))); diff != "" {
				t.Logf("to %s, not the same twice:\n%s\n%s", to.Text(), text, diff)
				different++
			}
		}
	}
	// References to parts of another kind, which no rule handles, are only dropped when they are visited again. A
	// requirement lists the scopes of an OAuth 2.0 scheme without a flow until that has become an API key.
	if different > most {
		t.Errorf("%d of 24000 are not the same twice", different)
	}
}
