package apiconvert

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// aspects are the parts of a request that a round trip is measured by.
var aspects = []string{"methods", "urls", "headers", "bodies"}

// kept are the thresholds: the least share of each aspect, in percent over all collections of the corpus, that
// a round trip preserves. A command cannot have CR LF in a pasted string; an OpenAPI document has samples for
// parameters without a value.
var kept = map[string]map[string]float64{
	"curl":             {"methods": 100, "urls": 99.5, "headers": 99.5, "bodies": 99.5},
	"openapi-3.1-json": {"methods": 99.5, "urls": 99.5, "headers": 100, "bodies": 100},
}

// TestRoundTrips converts every collection to another format and back and counts what the requests preserve. Both sides
// are compared after rewriting as collections, so that secrets are replaced on both. Requests with the same method and
// path become one operation of an OpenAPI document, which only states what they have in common.
func TestRoundTrips(t *testing.T) {
	files := corpusFiles(t, "postman")
	for _, via := range []string{"curl", "openapi-3.1-json"} {
		t.Run(via, func(t *testing.T) {
			back, all := map[string]int{}, map[string]int{}
			for _, f := range files {
				there := call(t, f.mediaType, f.text, via).Value
				returned := call(t, mediaTypeOf(via), there, "postman-2.1").Value
				var templates []string
				if via != "curl" {
					templates = templatesOf(model(t, mediaTypeOf(via), there))
				}
				want := facts(model(t, "application/json", call(t, f.mediaType, f.text, "postman-2.1").Value), templates)
				got := facts(model(t, "application/json", returned), templates)
				if via != "curl" {
					count, unknown := want.described(), want.unknown()
					want, got = want.only(count, unknown), got.only(count, unknown)
				}
				for _, aspect := range aspects {
					n := common(want[aspect], got[aspect])
					back[aspect] += n
					all[aspect] += max(len(want[aspect]), len(got[aspect])) // additions count, too
					if n < len(want[aspect]) {
						t.Logf("%s: %d of %d %s", f.name, n, len(want[aspect]), aspect)
					}
				}
			}
			for _, aspect := range aspects {
				share := 100 * float64(back[aspect]) / float64(all[aspect])
				t.Logf("postman → %s → postman keeps %.1f %% of %d %s", via, share, all[aspect], aspect)
				if share < kept[via][aspect] {
					t.Errorf("%s: %.1f %%, want at least %.1f", aspect, share, kept[via][aspect])
				}
			}
		})
	}
}

// common returns how many facts two lists share, counting repetitions.
func common(a, b []string) int {
	count := map[string]int{}
	for _, fact := range b {
		count[fact]++
	}
	n := 0
	for _, fact := range a {
		if count[fact] > 0 {
			count[fact]--
			n++
		}
	}
	return n
}

// factSet maps aspects to facts.
type factSet map[string][]string

// describable are the methods that an OpenAPI document supports; others are reported as lost.
var describable = map[string]bool{
	"GET": true, "PUT": true, "POST": true, "DELETE": true, "OPTIONS": true, "HEAD": true, "PATCH": true, "TRACE": true,
}

// described counts the requests with each method and path that an OpenAPI document can express.
func (s factSet) described() map[string]int {
	count := map[string]int{}
	for _, of := range s["methods"] {
		if method, _, _ := strings.Cut(of, " "); describable[method] {
			count[of]++
		}
	}
	return count
}

// unknown returns the aspects of operations that send a variable without a value. An OpenAPI document has no example
// for it.
func (s factSet) unknown() map[string]bool {
	list := map[string]bool{}
	for aspect, facts := range s {
		for _, fact := range facts {
			if of, detail, _ := strings.Cut(fact, "\n"); strings.Contains(detail, "{{}}") || aspect == "urls" && strings.Contains(detail, "{}") {
				list[aspect+" "+of] = true
			}
		}
	}
	return list
}

// only keeps what an OpenAPI document can state: one fact for each method and path, and the other facts of
// those that occur in one request, except the unknown ones.
func (s factSet) only(count map[string]int, unknown map[string]bool) factSet {
	out := factSet{}
	once := map[string]bool{}
	for aspect, list := range s {
		for _, fact := range list {
			of, _, more := strings.Cut(fact, "\n")
			if !more && count[of] > 0 && !once[of] || more && count[of] == 1 && !unknown[aspect+" "+of] {
				out[aspect] = append(out[aspect], fact)
			}
			once[of] = once[of] || !more
		}
	}
	return out
}

// templatesOf returns the methods and path templates of an OpenAPI document.
func templatesOf(api *request.API) []string {
	var list []string
	for _, r := range api.Requests {
		list = append(list, r.Method+" "+view{template: true}.pathShape(api, r))
	}
	return list
}

// facts lists what the requests of a collection send, by aspect. Each fact begins with the method of its
// request and with its path, or the template that matches the path.
func facts(api *request.API, templates []string) factSet {
	values := map[string]string{}
	for _, v := range api.Variables {
		values[v.Name] = v.Value
	}
	all := factSet{}
	for _, r := range api.Requests {
		path := view{values: true}.pathShape(api, r)
		of := r.Method + " " + path
		if template := templateOf(of, slices.Values(templates)); template != "" {
			of = template
		}
		add := func(aspect, fact string) { all[aspect] = append(all[aspect], of+fact) }
		add("methods", "")
		add("urls", "\n"+path+"?"+queryFact(r, values))
		for _, h := range r.Headers {
			switch name := strings.ToLower(h.Name); name {
			case "accept", "authorization", "content-type": // expressed elsewhere in an OpenAPI document
				continue
			}
			if !h.Disabled {
				add("headers", "\n"+strings.ToLower(h.Name)+": "+expanded(h.Value, values))
			}
		}
		for _, c := range r.Cookies {
			if !c.Disabled {
				add("headers", "\ncookie: "+c.Name+"="+expanded(c.Value, values))
			}
		}
		if len(r.Bodies) > 0 {
			add("bodies", "\n"+bodyFact(r.Bodies[0], values))
		}
	}
	return all
}

// queryFact returns the query that is sent, decoded.
func queryFact(r *request.Request, values map[string]string) string {
	var pairs []string
	for _, p := range r.Query {
		if p.Disabled {
			continue
		}
		pair := expanded(p.Name+"="+p.Value, values)
		if decoded, err := url.QueryUnescape(pair); err == nil {
			pair = decoded
		}
		pairs = append(pairs, pair)
	}
	return strings.Join(pairs, "&")
}

// bodyFact returns a body as it is sent, JSON without white space.
func bodyFact(b *request.Body, values map[string]string) string {
	switch b.Kind {
	case request.URLEncoded, request.Multipart:
		var pairs []string
		for _, f := range b.Fields {
			switch {
			case f.Disabled:
			case f.IsFile:
				pairs = append(pairs, f.Name+"=@")
			default:
				pairs = append(pairs, f.Name+"="+expanded(f.Value, values))
			}
		}
		return strings.Join(pairs, "&")
	case request.File:
		return "a file"
	case request.GraphQL:
		return b.Query
	}
	text := expanded(b.Text, values)
	if doc, err := tree.ReadJSON(text, nil); err == nil {
		if query := doc.Root.Get("query").Text(); query != "" {
			return query // GraphQL is sent as JSON
		}
		compact, _ := doc.Root.AppendJSON(nil, 1<<20)
		text = string(compact)
	}
	return strings.TrimSpace(text)
}

// expanded replaces variables in a string by their values, or by {{}} if they have none, whatever their names.
func expanded(text string, values map[string]string) string {
	text = strings.ReplaceAll(text, "<redacted>", "{{secret}}") // as an OpenAPI document has it
	var out strings.Builder
	for _, part := range request.Split(text) {
		switch {
		case part.Kind == request.LiteralPart:
			out.WriteString(part.Text)
		case values[part.Text] != "" && !slices.Contains(request.Split(values[part.Text]), part):
			out.WriteString(expanded(values[part.Text], nil))
		default:
			out.WriteString("{{}}")
		}
	}
	return out.String()
}
