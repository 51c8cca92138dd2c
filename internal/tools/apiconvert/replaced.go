package apiconvert

import (
	"bytes"
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
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
