package har

import (
	"cmp"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Read reads the entries of an archive. Malformed entries, and those that belong to a page, are left out with a warning.
func Read(root *tree.Value, b *budget.Budget, warnings *warning.List) *request.API {
	r := reader{budget: b, warnings: warnings, api: &request.API{Recorded: true}, servers: map[string]*request.Server{}}
	var place *warning.Place
	place = place.Field("log").Field("entries")
	var all []*entry
	pages := 0
	for i, v := range root.Get("log").Get("entries").Elements() {
		b.Parts(collection.ItemParts)
		e := r.entry(v)
		if e == nil {
			warnings.Add(warning.LostMalformed, place.Index(i))
			continue
		}
		e.place = place.Index(i)
		e.kind = e.classify()
		if e.kind != "" {
			pages++
		}
		all = append(all, e)
	}
	var left leftOut
	for _, e := range all {
		switch {
		case e.kind != "" && (pages < len(all) || e.kind == webSockets || e.kind == notHTTP):
			left.add(e)
		default:
			r.read(e)
		}
	}
	left.warn(r.servers, warnings)
	return r.api
}

type reader struct {
	budget   *budget.Budget
	warnings *warning.List
	api      *request.API
	servers  map[string]*request.Server
}

// entry is an entry of an archive with a valid method and URL.
type entry struct {
	place             *warning.Place
	request, response *tree.Value
	kind              string // what it is for the page; "" for a request to an API

	method string
	url    collection.URL
	status string // "" if there was no response
	// resourceType is the kind that a browser gave to the request, or fetched; "" if unknown.
	resourceType string
	mediaType    string // of the response
}

// braces encodes the braces of a recorded URL, which contains no variables.
var braces = strings.NewReplacer("{", "%7B", "}", "%7D")

// entry returns the entry that v is, or nil if it has no request that can be sent.
func (r *reader) entry(v *tree.Value) *entry {
	e := &entry{request: v.Get("request"), response: v.Get("response")}
	e.method = strings.ToUpper(strings.TrimSpace(e.request.Get("method").Text()))
	text := e.request.Get("url").Text()
	r.budget.Text(len(text))
	e.url = collection.ParseURL(braces.Replace(text))
	if e.url.Protocol == "" { // data:, about:
		e.url.Protocol, _, _ = strings.Cut(text, ":")
	}
	if !request.IsToken(e.method) || !request.IsToken(e.url.Protocol) || e.isHTTP() && e.url.Host == "" {
		return nil
	}
	if status, _ := e.response.Get("status").Scalar(); len(status) == 3 && status[0] >= '1' && status[0] <= '5' && collection.IsNumber(status) {
		e.status = status
	}
	if e.status != "" {
		e.mediaType = e.response.Get("content").Get("mimeType").Text()
		if !strings.Contains(e.mediaType, "/") || e.mediaType == "x-unknown" {
			e.mediaType = header(e.response, "Content-Type")
		}
	}
	e.resourceType = resourceTypes[strings.ToLower(cmp.Or(v.Get("_resourceType").Text(), header(e.request, "Sec-Fetch-Dest")))]
	return e
}

func (e *entry) isHTTP() bool {
	return strings.EqualFold(e.url.Protocol, "http") || strings.EqualFold(e.url.Protocol, "https")
}

// header returns the value of the first header with a name of a request or response, or "".
func header(v *tree.Value, name string) string {
	for _, h := range v.Get("headers").Elements() {
		if strings.EqualFold(h.Get("name").Text(), name) {
			return strings.TrimSpace(h.Get("value").Text())
		}
	}
	return ""
}

// read adds the request of an entry and its response.
func (r *reader) read(e *entry) {
	read := &request.Request{Method: e.method, Place: e.place}
	r.url(read, e)
	contentType := r.headers(read, e.request)
	if body := r.body(e.request.Get("postData"), contentType, e.place.Field("request").Field("postData")); body != nil {
		read.Bodies = []*request.Body{body}
	} else if contentType != "" {
		read.Headers = append(read.Headers, &request.Parameter{Name: "Content-Type", Value: contentType})
	}
	if e.status != "" {
		read.Responses = []*request.Response{r.response(e)}
	}
	r.api.Requests = append(r.api.Requests, read)
}

// url reads a URL. Its query is also in queryString, which counts if the URL has none.
func (r *reader) url(read *request.Request, e *entry) {
	if e.url.Userinfo != "" {
		user, password, _ := e.url.Credentials()
		read.Security = request.Require(&request.Auth{Kind: request.Basic, Username: percent.Decode(user), Password: percent.Decode(password)})
	}
	address := e.origin()
	if r.servers[address] == nil {
		r.servers[address] = &request.Server{URL: address}
		r.api.Servers = append(r.api.Servers, r.servers[address])
	}
	read.Server = r.servers[address]
	for _, segment := range e.url.Segments {
		r.budget.Parts(1)
		read.Path += "/" + collection.Encode(segment, collection.InPath)
	}
	pairs := e.url.Query
	if !e.url.HasQuery {
		for _, p := range e.request.Get("queryString").Elements() {
			pairs = append(pairs, request.Pair{Name: braces.Replace(p.Get("name").Text()), Value: braces.Replace(p.Get("value").Text())})
		}
	}
	for _, p := range pairs {
		r.budget.Parts(1)
		read.Query = append(read.Query, &request.Parameter{
			Name: collection.Encode(p.Name, collection.InQueryName), Value: collection.Encode(p.Value, collection.InQuery), Bare: p.Bare,
		})
	}
	read.Fragment = e.url.Fragment
}

// origin returns the scheme, host and port of a URL, without the default port.
func (e *entry) origin() string {
	protocol, port := strings.ToLower(e.url.Protocol), e.url.Port
	if protocol == "http" && port == "80" || protocol == "https" && port == "443" {
		port = ""
	}
	return protocol + "://" + strings.ToLower(collection.Joined(e.url.Host, ":", port))
}

// headers reads the headers of a request and returns the value of Content-Type.
func (r *reader) headers(read *request.Request, v *tree.Value) (contentType string) {
	at := read.Place.Field("request").Field("headers")
	for i, one := range r.list(v.Get("headers"), at) {
		h := r.parameter(one)
		switch name := strings.ToLower(h.Name); {
		case name == "":
			r.warnings.Add(warning.LostMalformed, at.Index(i))
			continue
		case name[0] == ':': // a pseudo header of HTTP/2: the URL and method
			continue
		case name == "content-type":
			contentType = cmp.Or(contentType, h.Value)
			continue
		case name == "cookie":
			r.budget.Parts(strings.Count(h.Value, ";"))
			if cookies := request.ParseCookies(h.Value); cookies != nil {
				read.Cookies = append(read.Cookies, cookies...)
				continue
			}
		case name == "authorization" && read.Security == nil:
			if a := request.ParseAuthorization(h.Value); a != nil {
				read.Security = request.Require(a)
				continue
			}
		}
		read.Headers = append(read.Headers, h)
	}
	if header(v, "Cookie") == "" {
		for _, one := range r.list(v.Get("cookies"), read.Place.Field("request").Field("cookies")) {
			if c := r.parameter(one); c.Name != "" {
				read.Cookies = append(read.Cookies, c)
			}
		}
	}
	return contentType
}

// list returns the elements of a list, which may be missing.
func (r *reader) list(v *tree.Value, at *warning.Place) []*tree.Value {
	if v.Kind() > tree.Null && v.Kind() != tree.Array {
		r.warnings.Add(warning.LostMalformed, at)
	}
	return v.Elements()
}

func (r *reader) parameter(v *tree.Value) *request.Parameter {
	r.budget.Parts(1)
	return &request.Parameter{Name: strings.TrimSpace(v.Get("name").Text()), Value: v.Get("value").Text()}
}
