package apiconvert

import (
	"bytes"
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
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

// markWritten marks the variables that a collection refers to: {{name}}, and :name in a path.
func markWritten(collection []byte, variables []*request.Variable) {
	byName := map[string]*request.Variable{}
	for _, v := range variables {
		byName[v.Name] = v
	}
	isWord := func(c byte) bool { return words.IsAlnum(c) || c == '_' || c == '-' }
	for i := 1; i < len(collection) && len(byName) > 0; i++ {
		if !isWord(collection[i]) {
			continue
		}
		from := i
		for i < len(collection) && isWord(collection[i]) {
			i++
		}
		if before := collection[from-1]; before == '{' || before == ':' {
			if v := byName[string(collection[from:i])]; v != nil {
				v.Written = true
			}
		}
	}
}
