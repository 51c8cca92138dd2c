package writer

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
)

// operationID returns a unique name for an operation, derived from the request's name, its title, or the method and path.
func (w *writer) operationID(g *group) string {
	first := g.calls[0]
	id := ""
	// A name that is a URL or path, or that would lose non-ASCII letters, is less useful than the method and path.
	if !strings.ContainsAny(first.Name, "/{") && naming.IsASCII(first.Name) {
		id = naming.Camel(naming.Summary(first.Name))
	}
	switch {
	case id == "":
		id = cmp.Or(g.title.ID, naming.Fallback(g.method, g.template, ""))
	case id[0] >= '0' && id[0] <= '9':
		id = naming.Fallback(g.method, g.template, id)
	}
	return w.operations.Name(id)
}

// nameOperations generates the titles of operations. If two would be equal, they include the parent resource: List
// project tasks.
func nameOperations(groups []*group) {
	taken := map[string]int{}
	for _, g := range groups {
		g.title = naming.TitleOf(g.method, g.template, false)
		taken[g.title.ID]++
	}
	for _, g := range groups {
		if taken[g.title.ID] > 1 {
			g.title = naming.TitleOf(g.method, g.template, true)
		}
	}
}
