package apiconvert

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// aspects are what of a request a round trip is judged by.
var aspects = []string{"methods", "urls", "headers", "bodies"}

// kept are the thresholds: the least share of each aspect, in percent of what
// all collections of the corpus say, that a round trip brings back. A command
// has no CR LF in a text that is pasted; a description has samples for
// parameters without a value.
var kept = map[string]map[string]float64{
	"curl":             {"methods": 100, "urls": 99.5, "headers": 99.5, "bodies": 99.5},
	"openapi-3.1-json": {"methods": 99.5, "urls": 99.5, "headers": 100, "bodies": 100},
}

// TestRoundTrips converts every collection to another format and back and
// counts what the requests still say. A collection that has been rewritten as
// a collection is what both are compared with, so that secrets are replaced on
// both sides. Requests of one method and path are one operation in a
// description, which only says what they have in common.
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
					count := want.described()
					want, got = want.only(count), got.only(count)
				}
				for _, aspect := range aspects {
					n := common(want[aspect], got[aspect])
					back[aspect] += n
					all[aspect] += max(len(want[aspect]), len(got[aspect])) // what is made up counts, too
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

// common is how many facts two lists share, each as often as both have it.
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

// said are facts by their aspect.
type said map[string][]string

// describable are the methods that a description has a place for; the others are
// told as lost.
var describable = map[string]bool{
	"GET": true, "PUT": true, "POST": true, "DELETE": true, "OPTIONS": true, "HEAD": true, "PATCH": true, "TRACE": true,
}

// described returns how often a method and path that a description can hold
// stands in requests.
func (s said) described() map[string]int {
	count := map[string]int{}
	for _, of := range s["methods"] {
		if method, _, _ := strings.Cut(of, " "); describable[method] {
			count[of]++
		}
	}
	return count
}

// only keeps what a description can say each by itself: one fact for each of
// the methods and paths, and the others of those that stand in one request.
func (s said) only(count map[string]int) said {
	out := said{}
	once := map[string]bool{}
	for aspect, list := range s {
		for _, fact := range list {
			of, _, more := strings.Cut(fact, "\n")
			if !more && count[of] > 0 && !once[of] || more && count[of] == 1 {
				out[aspect] = append(out[aspect], fact)
			}
			once[of] = once[of] || !more
		}
	}
	return out
}

// templatesOf are the methods and path templates of a description.
func templatesOf(api *request.API) []string {
	var list []string
	for _, r := range api.Requests {
		list = append(list, r.Method+" "+view{template: true}.pathShape(api, r))
	}
	return list
}

// facts lists what the requests of a collection send, by aspect. Each fact
// begins with the method of its request and with its path, or the template
// that the path is of.
func facts(api *request.API, templates []string) said {
	values := map[string]string{}
	for _, v := range api.Variables {
		values[v.Name] = v.Value
	}
	all := said{}
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
			case "accept", "authorization", "content-type": // said elsewhere in a description
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

// queryFact is the query that is sent, decoded.
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

// bodyFact is a body as it is sent; JSON without its white space.
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

// expanded is a text with the values of variables, and {{}} for those without
// one, however they are called.
func expanded(text string, values map[string]string) string {
	text = strings.ReplaceAll(text, "<redacted>", "{{secret}}") // as a description has it
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
