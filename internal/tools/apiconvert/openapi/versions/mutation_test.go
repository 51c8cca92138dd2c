package versions

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// mutate replaces a few values in a document by others from it or by other kinds of values. A fuzzer that changes
// bytes rarely produces such wrong types.
func mutate(root *tree.Value, random *rand.Rand) {
	var all []*tree.Value
	(&rewrite.Rewriter{}).WalkPointers(root, func(v *tree.Value, _ func() string) {
		for name, value := range v.Members() {
			if name != "openapi" && name != "swagger" {
				all = append(all, value)
			}
		}
		all = append(all, v.Elements()...)
	})
	for range 1 + random.IntN(3) {
		if len(all) == 0 {
			return
		}
		var with *tree.Value
		switch random.IntN(8) {
		case 0:
			with = tree.NewNull()
		case 1:
			with = tree.NewBool(true)
		case 2:
			with = tree.NewInt(7)
		case 3:
			with = tree.NewString("#/components/schemas/S")
		case 4:
			with = tree.NewArray(tree.NewString("null"), tree.NewObject())
		default:
			with = all[random.IntN(len(all))].Clone(tree.NewQuota(1<<12, nil))
		}
		if with != nil {
			all[random.IntN(len(all))].Become(with)
		}
	}
}

func TestMutations(t *testing.T) {
	var texts []string
	for _, c := range load(t, "testdata/documents.json") {
		texts = append(texts, compact(t, c.In))
	}
	for _, c := range load(t, "testdata/schemas.json") {
		texts = append(texts, wrapSchema(c.From, compact(t, c.In)))
	}
	testMutations(t, texts, 20)
}

func TestSwaggerMutations(t *testing.T) {
	var texts []string
	for _, c := range load(t, "testdata/swagger.json") {
		if c.From == "2.0" {
			texts = append(texts, compact(t, c.In))
		}
	}
	testMutations(t, texts, 30)
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
