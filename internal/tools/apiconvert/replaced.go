package apiconvert

import (
	"bytes"
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/postman"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// replacedIn returns the names of those secrets whose placeholder is in the output. The others were dropped with a part
// that the target cannot hold, such as a saved response. The placeholder of a secret without a variable, and any in an
// OpenAPI document, doesn't name it.
func replacedIn(out []byte, names []string, variables []*request.Variable, document bool) []string {
	written := map[string]bool{}
	for _, v := range variables {
		written[v.Name] = v.Written || written[v.Name]
	}
	redacted := bytes.Contains(out, []byte("redacted"))
	return slices.DeleteFunc(names, func(name string) bool {
		isWritten, isVariable := written[name]
		if document || !isVariable {
			return !redacted || isVariable && !isWritten
		}
		return !isWritten
	})
}

// dropUnused removes the generated variables that a written collection doesn't use, such as those for another way to
// authenticate, and marks those that it uses.
func (c *conversion) dropUnused(root *tree.Value) {
	used, unused := postman.Used(root, true, c.budget), map[string]bool{}
	for _, v := range c.variables {
		v.Written = used[v.Name]
		unused[v.Name] = v.Invented && !v.Written
	}
	root.Get("variable").Keep(func(_ int, _ string, v *tree.Value) bool { return !unused[v.Get("key").Text()] })
	if root.Get("variable").Len() == 0 {
		root.Delete("variable")
	}
}
