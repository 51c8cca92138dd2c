package apiconvert

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// browserHeaders removes headers that only a browser or the connection sets from OpenAPI documents and disables
// them in collections; commands keep all of theirs.
//
// A header that authors also set (Cache-Control, Accept-Language, X-Requested-With, Host) is noise only next to
// one that only a browser sets; alone, it is intended. A header that identifies the sender (User-Agent,
// Referer, Origin) is intended, too, if an author writes it into a command or a collection, and a collection
// sends it. An OpenAPI document converted from commands omits it, because its clients identify themselves. The reader
// leaves all of these out of a recording, whose headers no author wrote.
func browserHeaders(c *conversion, api *request.API) {
	if api.Described || api.Recorded || c.target.format == source.Shell {
		return
	}
	describes := c.target.format == source.OpenAPI
	var removed warning.Counted
	seen, noun := map[string]bool{}, "header"
	if describes && measuringCookies(api, &removed) {
		noun = "entry"
	}
	for _, r := range api.Requests {
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
			if name := strings.ToLower(h.Name); !seen[name] {
				seen[name] = true
				removed.Count(name, true)
			}
			h.Disabled = true
		}
		if describes {
			r.Headers = slices.DeleteFunc(r.Headers, noise)
		}
	}
	feature := warning.ChangedBrowserHeaders
	if describes {
		feature = warning.LostBrowserHeaders
	}
	c.warnings.AddCounted(feature, noun, removed)
}

// measuringCookies removes and counts the cookies that no API reads, and reports whether there are any.
func measuringCookies(api *request.API, removed *warning.Counted) bool {
	seen := map[string]bool{}
	for _, r := range api.Requests {
		r.Cookies = slices.DeleteFunc(r.Cookies, func(p *request.Parameter) bool {
			measures := request.IsMeasuring(p.Name)
			if measures && !seen[p.Name] {
				seen[p.Name] = true
				removed.Count("cookie "+p.Name, true)
			}
			return measures
		})
	}
	return len(seen) > 0
}
