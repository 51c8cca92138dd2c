package apiconvert

import (
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/source"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
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
	if describes {
		c.measuringCookies(api)
	}
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
	if len(names) > 0 {
		told := warning.BrowserDisabled
		if describes {
			told = warning.BrowserLeftOut
		}
		c.warnings.AddNamed(told, nil, counted(names)...)
	}
}

// measuringCookies leaves out the cookies that no API reads.
func (c *conversion) measuringCookies(api *request.API) {
	var names []string
	for _, r := range api.Requests {
		c.budget.Parts(1 + len(r.Cookies))
		r.Cookies = slices.DeleteFunc(r.Cookies, func(p *request.Parameter) bool {
			if !request.IsMeasuring(p.Name) {
				return false
			}
			if !slices.Contains(names, p.Name) && len(names) < maxCookies {
				names = append(names, p.Name)
			}
			return true
		})
	}
	if len(names) > 0 {
		c.warnings.AddNamed(warning.BrowserLeftOut, nil, "cookies "+strings.Join(names, ", "))
	}
}

// maxCookies is how many cookies are told.
const maxCookies = 8

// namesTogether is how many headers stand in one of the names of a warning,
// which shows only some of them.
const namesTogether = 3

// counted are names as a warning shows them, with their number in front.
func counted(names []string) []string {
	count := strconv.Itoa(len(names)) + " headers: "
	if len(names) == 1 {
		count = "1 header: "
	}
	var shown []string
	for together := range slices.Chunk(names, namesTogether) {
		shown = append(shown, strings.Join(together, ", "))
	}
	shown[0] = count + shown[0]
	return shown
}
