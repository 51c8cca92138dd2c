package tree

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// library returns the value of a node of the library, whose own resolution of scalars mixes YAML 1.1 and 1.2.
func library(n *yaml.Node) *Value {
	v := NewObject()
	switch n.Kind {
	case yaml.AliasNode:
		return library(n.Alias)
	case yaml.ScalarNode:
		const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
		of := properties{}
		if n.Style&yaml.TaggedStyle != 0 {
			of.tag = n.Tag
		}
		if !of.resolves(n.Style&quoted == 0) {
			return NewString(n.Value)
		}
		kind, text := plainScalar(n.Value)
		return &Value{kind: kind, text: text}
	case yaml.MappingNode:
		for i := 0; i < len(n.Content); i += 2 {
			key := n.Content[i]
			if key.Kind == yaml.AliasNode {
				key = key.Alias
			}
			v.Add(key.Value, library(n.Content[i+1]))
		}
		return v
	}
	v = NewArray()
	for _, child := range n.Content {
		v.Append(library(child))
	}
	return v
}

// later matches what YAML 1.2 added: an escaped slash, a directive with a later version, a question mark in a flow
// collection, a bracket after a colon in one, and characters that were line breaks.
var later = expression.Lazy("[/%?\u0085\u2028\u2029]|:[\\[{]|[-?]\t")

// differently matches what the library reads in another way: merge keys, which it leaves to its caller, line breaks of
// YAML 1.1, and keys without a value in a flow collection.
var differently = expression.Lazy("<<|[\u0085\u2028\u2029]|:[,\\]}]")

// sameAsLibrary fails unless a document is rejected or read as the library reads it, and reports whether it was read.
func sameAsLibrary(t *testing.T, input string) (read bool) {
	t.Helper()
	doc, err := ReadYAML(input, nil)
	if err != nil {
		return false
	}
	var node yaml.Node
	if err := yaml.Unmarshal([]byte(input), &node); err != nil && !later().MatchString(input) {
		t.Fatalf("%q: read, but the library says: %v", input, err)
	}
	if node.Kind == 0 || differently().MatchString(input) {
		return true
	}
	if diff := cmp.Diff(text(t, library(node.Content[0])), text(t, doc.Root)); diff != "" {
		t.Fatalf("%q (-library +ours)\n%s", input, diff)
	}
	return true
}

// Cases of what ReadYAML reads as the library does, what only it reads, and what it rejects.
func TestParser(t *testing.T) {
	var cases struct{ Read, Rejected []string }
	converttest.Data(t, "testdata/library.yaml", &cases)
	for _, text := range cases.Read {
		if !sameAsLibrary(t, text) {
			t.Errorf("%q is rejected", text)
		}
	}
	for _, text := range cases.Rejected {
		if sameAsLibrary(t, text) {
			t.Errorf("%q is read", text)
		}
	}
	// The YAML documents of the corpus, cut off where they may not end.
	cuts := 50
	if testing.Short() {
		cuts = 5
	}
	for name, text := range converttest.CorpusTexts(t, "apiconvert/openapi/*.y*ml") {
		if !sameAsLibrary(t, text) {
			t.Errorf("%s is rejected", name)
		}
		for cut := 0; cut < len(text); cut += 1 + len(text)/cuts {
			sameAsLibrary(t, strings.ToValidUTF8(text[:cut], ""))
		}
	}
}
