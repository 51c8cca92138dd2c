package openapi

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// IsExternal reports whether v is a reference to another document. Authors also write one instead of an operation,
// which OpenAPI doesn't define but tools that bundle documents support.
func IsExternal(v *tree.Value) bool {
	ref, ok := tree.Ref(v)
	return ok && !strings.HasPrefix(ref, "#")
}

// External counts the path items and operations that are in other documents. others reports whether the document itself
// has operations.
func External(root *tree.Value) (paths, operations int, others bool) {
	for _, item := range root.Get("paths").Members() {
		if IsExternal(item) {
			paths++
		}
		for c := range shape.PathItem.Children(item) {
			switch {
			case c.Kind != shape.Operation:
			case IsExternal(c.Value):
				operations++
			default:
				others = true
			}
		}
		others = others || strings.HasPrefix(item.Get("$ref").Text(), "#")
	}
	return paths, operations, others
}
