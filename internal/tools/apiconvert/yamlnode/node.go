package yamlnode

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// Node is a node of a YAML document before its scalars are resolved.
type Node struct {
	Kind  Kind
	Plain bool   // a scalar resolved by its content; others are strings
	Merge bool   // the key <<
	At    int32  // byte offset where it begins
	Count int32  // number of children: keys and values in turn for a mapping
	Text  string // of a scalar
	First *Node
	Next  *Node // next sibling
	Alias *Node // the node that an alias refers to
}

// Kind is the kind of a Node.
type Kind uint8

// The kinds.
const (
	Scalar Kind = iota
	Sequence
	Mapping
	Alias
)

// add appends node to the children of n through last, the link to fill, and returns the link for the next
// child.
func (n *Node) add(last **Node, node *Node) **Node {
	*last = node
	n.Count++
	return &node.Next
}

// Comments are the lines of a text that have a comment.
type Comments struct {
	Count int // those that were seen; the library doesn't report all
	Line  int // of the first one
}

// Parse returns the root of a text's only document, and its comments. It fails with invalid_source and the position, or with too_complex for deep nesting. The library needs up to 500
// bytes for each node and comment, so callers limit their number first.
func Parse(text string, b *budget.Budget) (root *Node, comments Comments, err error) {
	root, comments, stopped := parseCommon(text, b)
	if root != nil {
		return root, comments, nil
	}
	return parseAny(text, stopped, b)
}

// lineOf returns the line of an offset, 1 for an offset before the start.
func lineOf(text string, at int) int { return 1 + strings.Count(text[:max(at, 0)], "\n") }

// byteOrderMark begins files that some editors write.
const byteOrderMark = "\ufeff"
