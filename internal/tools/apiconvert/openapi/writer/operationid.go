package writer

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/naming"
)

// operationID is a name for an operation that no other has: the source's own,
// one made of the request's name, of its title, or of method and path.
func (w *writer) operationID(g *group) string {
	first := g.calls[0]
	if naming.IsIdentifier(first.ID) {
		return w.operations.Name(first.ID)
	}
	id := naming.Camel(first.ID)
	// A name that is an address, or of which only some letters could stay, says
	// less than method and path.
	if id == "" && !strings.ContainsAny(first.Name, "/{") && naming.IsASCII(first.Name) {
		id = naming.Camel(naming.Summary(first.Name))
	}
	switch {
	case id == "":
		id = cmp.Or(g.title.id, g.fallback(""))
	case id[0] >= '0' && id[0] <= '9':
		id = g.fallback(id)
	}
	return w.operations.Name(id)
}
