package versions

import (
	"testing"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// FuzzRewrite checks that every rewrite ends, and that its result can be parsed, has the requested version and is
// unchanged by another rewrite.
func FuzzRewrite(f *testing.F) {
	for _, file := range caseFiles {
		for _, text := range caseDocuments(f, file) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for to := V20; to <= Newest; to++ {
			doc, err := tree.ReadJSON(text, nil)
			if err != nil {
				return
			}
			from, ok := Of(doc.Root)
			if !ok || from == Unknown {
				return
			}
			Rewrite(doc, from, to, nil, &warning.List{})
			once := output(t, doc.Root)
			again, err := tree.ReadJSON(once, nil)
			if err != nil {
				continue // too deep or too large to be parsed
			}
			if v, _ := Of(again.Root); v != to {
				t.Fatalf("of version %s: %s", v.Text(), once)
			}
			Rewrite(again, to, to, nil, &warning.List{})
			// In 2.0, an operation may rely on the media types of the root.
			if twice := output(t, again.Root); twice != once && to > V20 {
				t.Errorf("to %s, not the same twice:\n%s\n%s\n%s", to.Text(), text, once, twice)
			}
		}
	})
}
