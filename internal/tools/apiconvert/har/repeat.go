package har

import (
	"cmp"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Reduce removes what a recording has only because it records everything: the values of cookies, and for targets that list
// requests (merge) repeated ones. It runs after redaction, which looks for the values elsewhere, and keeps its placeholders.
func Reduce(api *request.API, merge bool, warnings *warning.List) {
	for _, r := range api.Requests {
		for _, c := range r.Cookies {
			c.Value = cmp.Or(placeholderOf(c.Value), "<string>") // documentation writes this for a value that its reader chooses
		}
		for _, response := range r.Responses {
			for _, h := range response.Headers {
				if strings.EqualFold(h.Name, "Set-Cookie") {
					pair, _, _ := strings.Cut(h.Value, ";")
					name, value, named := strings.Cut(pair, "=")
					if !named { // a browser takes it as the value
						name = ""
					}
					h.Value = name + "=" + placeholderOf(value) + strings.Join(attribute().FindAllString(h.Value, -1), "")
				}
			}
		}
	}
	if merge {
		mergeRepeated(api, warnings)
	}
}

// attribute matches an attribute of Set-Cookie (RFC 6265, section 5.2, and its revision).
var attribute = expression.Lazy(`(?i); *(?:expires|max-age|domain|path|secure|httponly|samesite|partitioned|priority)(?: *=[^;]*)?`)

// placeholderOf returns value if it is a variable, and "" otherwise.
func placeholderOf(value string) string {
	if request.VariableLength(value) == len(value) {
		return value
	}
	return ""
}

// mergeRepeated merges requests that send the same, apart from their headers. The first keeps one response for each status.
func mergeRepeated(api *request.API, warnings *warning.List) {
	first := map[string]*request.Request{}
	api.Requests = slices.DeleteFunc(api.Requests, func(r *request.Request) bool {
		key := keyOf(r)
		known := first[key]
		if known == nil {
			first[key] = r
			return false
		}
		warnings.Add(warning.ChangedMergedRequests, r.Place)
		for _, response := range r.Responses {
			if !slices.ContainsFunc(known.Responses, func(o *request.Response) bool { return o.Status == response.Status }) {
				known.Responses = append(known.Responses, response)
			}
		}
		return true
	})
}

// keyOf identifies what a request sends.
func keyOf(r *request.Request) string {
	texts := []string{r.Method, r.Server.URL, r.Path}
	for _, p := range r.Query {
		texts = append(texts, p.Name, p.Value)
	}
	for _, body := range r.Bodies {
		texts = append(texts, body.MediaType, body.Text)
		for _, f := range body.Fields {
			texts = append(texts, f.Name, f.Value)
		}
	}
	return strings.Join(texts, "\x00")
}
