package har

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// DropCookieValues removes the values of cookies, those that responses set as well. It runs after redaction, which looks
// for the values elsewhere, and keeps its placeholders.
func DropCookieValues(api *request.API, b *budget.Budget) {
	for _, r := range api.Requests {
		b.Parts(1 + len(r.Cookies))
		for _, c := range r.Cookies {
			if c.Value = placeholderOf(c.Value); c.Value == "" {
				c.Value = "<string>" // what documentation writes for a value that its reader chooses
			}
		}
		for _, h := range r.Headers {
			if strings.EqualFold(h.Name, "Cookie") { // not a list of pairs
				h.Value = placeholderOf(h.Value)
			}
		}
		for _, response := range r.Responses {
			b.Parts(1 + len(response.Headers))
			for _, h := range response.Headers {
				if strings.EqualFold(h.Name, "Set-Cookie") {
					pair, attributes, more := strings.Cut(h.Value, ";")
					name, value, _ := strings.Cut(pair, "=")
					if h.Value = name + "=" + placeholderOf(value); more {
						h.Value += ";" + attributes
					}
				}
			}
		}
	}
}

// placeholderOf returns value if it is a variable, and "" otherwise.
func placeholderOf(value string) string {
	if request.VariableLength(value) == len(value) {
		return value
	}
	return ""
}

// content identifies what a request sends, apart from its headers.
type content struct {
	server                               *request.Server
	method, path, query, mediaType, body string
}

// Merge merges requests that send the same. The first keeps one response for each status.
func Merge(api *request.API, b *budget.Budget, warnings *warning.List) {
	first := map[content]*request.Request{}
	api.Requests = slices.DeleteFunc(api.Requests, func(r *request.Request) bool {
		key := content{server: r.Server, method: r.Method, path: r.Path, query: pairs(r.Query, b)}
		for _, body := range r.Bodies { // at most one
			key.mediaType, key.body = body.MediaType, body.Text
			if len(body.Fields) > 0 {
				var fields []*request.Parameter
				for _, f := range body.Fields {
					fields = append(fields, &f.Parameter)
				}
				key.body = pairs(fields, b)
			}
		}
		b.Text(len(key.body))
		known := first[key]
		if known == nil {
			first[key] = r
			return false
		}
		warnings.Add(warning.ChangedMergedRequests, r.Place)
		known.Responses = append(known.Responses, r.Responses...)
		return true
	})
	for _, r := range api.Requests {
		seen := map[string]bool{}
		r.Responses = slices.DeleteFunc(r.Responses, func(response *request.Response) bool {
			again := seen[response.Status]
			seen[response.Status] = true
			return again
		})
	}
}

func pairs(list []*request.Parameter, b *budget.Budget) string {
	var text strings.Builder
	for _, p := range list {
		b.Text(len(p.Name) + len(p.Value))
		text.WriteString(p.Name + "=" + p.Value + "&")
	}
	return text.String()
}
