package apiconvert

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
)

// browserHeaders takes the headers that only a browser or the connection sets
// out of descriptions and disables them in collections; commands keep what they
// were given.
//
// A header that authors set as well (Cache-Control, Accept-Language,
// X-Requested-With, Host) is noise only beside one that only a browser sets:
// alone, somebody means it. Who the sender is (User-Agent, Referer, Origin)
// somebody means, too, who writes it into a command or a collection by hand, and
// a collection sends it; but a description made of commands leaves it to its
// clients, which name themselves.
func browserHeaders(c *conversion, api *request.API) {
	if api.Described || c.target.format == source.Shell {
		return
	}
	describes := c.target.format == source.Description
	var names []string
	for _, r := range api.Requests {
		c.budget.Parts(1 + len(r.Headers))
		copied := request.FromBrowser(r.Headers)
		noise := func(h *request.Parameter) bool {
			switch request.SenderOf(h.Name) {
			case request.Connection, request.Browser:
				return true
			case request.Either:
				return copied
			case request.Identity:
				return copied || describes && c.source == source.Shell
			}
			return false
		}
		for _, h := range r.Headers {
			if !noise(h) || h.Disabled && !describes {
				continue
			}
			if name := strings.ToLower(h.Name); !slices.Contains(names, name) {
				names = append(names, name)
			}
			h.Disabled = true
		}
		if describes {
			r.Headers = slices.DeleteFunc(r.Headers, noise)
		}
	}
	c.warnings.BrowserHeaders(names, describes)
}
