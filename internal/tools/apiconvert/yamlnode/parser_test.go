package yamlnode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// listed lists a node and its children, a line each: offset, kind and text.
func listed(n *Node, indent string, lines []string) []string {
	line := fmt.Sprintf("%s%d: %d %v %v %q", indent, n.At, n.Kind, n.Plain, n.Merge, n.Text)
	if n.Alias != nil {
		line += fmt.Sprint(" of ", n.Alias.At)
	}
	lines = append(lines, line)
	for child := n.First; child != nil; child = child.Next {
		lines = listed(child, indent+" ", lines)
	}
	return lines
}

// sameAsLibrary fails unless the text is declined or parsed as the library parses it, and reports whether it
// was parsed. The library doesn't report every comment.
func sameAsLibrary(t *testing.T, text string) (read bool) {
	t.Helper()
	root, comments, _ := parseCommon(text, nil)
	if root == nil {
		return false
	}
	want, commented, err := parseAny(text, 0, nil)
	if err != nil && strings.Contains(text, "?") { // to the library, it ends a scalar in a flow collection
		text = strings.ReplaceAll(text, "?", "+")
		root, comments, _ = parseCommon(text, nil)
		want, commented, err = parseAny(text, 0, nil)
	}
	if err != nil {
		t.Fatalf("%q: read, but the library says: %v", text, err)
	}
	if diff := cmp.Diff(listed(want, "", nil), listed(root, "", nil)); diff != "" {
		t.Fatalf("%q (-library +ours)\n%s", text, diff)
	}
	if commented.Count > 0 && comments.Count == 0 {
		t.Errorf("%q: no comment was seen", text)
	}
	return true
}

func FuzzParser(f *testing.F) {
	var documents []map[string]any
	converttest.Data(f, "../tree/testdata/yaml.yaml", &documents)
	for _, d := range documents {
		if text, ok := d["input"].(string); ok {
			f.Add(text)
		}
	}
	common := commonCases(f)
	for _, text := range append(common.Read, common.Declined...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.ContainsAny(text, "\u0085\u2028\u2029") { // line breaks to the library
			sameAsLibrary(t, strings.ToValidUTF8(text, "?"))
		}
	})
}

func commonCases(tb testing.TB) (cases struct{ Read, Declined []string }) {
	tb.Helper()
	converttest.Data(tb, "testdata/common.yaml", &cases)
	return cases
}

func TestParser(t *testing.T) {
	cases := commonCases(t)
	for _, text := range cases.Read {
		if !sameAsLibrary(t, text) {
			t.Errorf("%q is declined", text)
		}
	}
	for _, text := range cases.Declined {
		if sameAsLibrary(t, text) {
			t.Errorf("%q is read", text)
		}
	}
	// The YAML documents of the corpus, and each cut off where it may not end.
	cuts := 50
	if testing.Short() {
		cuts = 5
	}
	read, texts := 0, converttest.CorpusTexts(t, "apiconvert/openapi/*.y*ml")
	for name, text := range texts {
		if sameAsLibrary(t, text) {
			read++
		} else {
			t.Logf("%s is declined", name)
		}
		for cut := 0; cut < len(text); cut += 1 + len(text)/cuts {
			sameAsLibrary(t, strings.ToValidUTF8(text[:cut], ""))
		}
	}
	if read < len(texts)*9/10 {
		t.Errorf("of %d descriptions only %d are read", len(texts), read)
	}
}
