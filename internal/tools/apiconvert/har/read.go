package har

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/percent"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/collection"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Read reads the entries of an archive. Malformed entries, and those that belong to a page, are left out with a warning.
func Read(root *tree.Value, b *budget.Budget, warnings *warning.List) *request.API {
	r := reader{budget: b, warnings: warnings, api: &request.API{Recorded: true}, servers: map[string]*request.Server{}, leftOut: map[string]bool{}}
	var left []*entry
	for _, v := range root.Get("log").Get("entries").Elements() {
		b.Parts(collection.ItemParts)
		switch e := r.entry(v); {
		case e == nil:
			warnings.Add(warning.LostMalformed, v)
		case e.kind == "":
			r.read(e)
		default:
			e.request, e.response = nil, nil
			left = append(left, e)
		}
	}
	if len(r.api.Requests) == 0 { // no request to an API
		left = slices.DeleteFunc(left, func(e *entry) bool {
			if e.kind == webSocket || e.kind == otherProtocol {
				return false
			}
			r.read(r.entry(e.place))
			return true
		})
	}
	r.warnLeftOut(left)
	r.warnBrowser()
	return r.api
}

type reader struct {
	records  tree.Records
	budget   *budget.Budget
	warnings *warning.List
	api      *request.API
	servers  map[string]*request.Server
	// The distinct names of the cookies and headers that were left out.
	measuringCookies, browserHeaders []string
	leftOut                          map[string]bool
}

// entry is an entry of an archive with a valid method and URL.
type entry struct {
	place, request, response *tree.Value

	kind              string // what it is for the page; "" for a request to an API
	method            string
	url               collection.URL // with the protocol in lower case
	isHTTP            bool
	status, mediaType string // of the response; "" if there is none
	resourceType      string // the kind that a browser gave to the request, or fetched; "" if unknown
}

// braces encodes the braces of a recorded URL, which contains no variables.
var braces = strings.NewReplacer("{", "%7B", "}", "%7D")

// entry returns the entry that v is, or nil if it has no request that can be sent.
func (r *reader) entry(v *tree.Value) *entry {
	parsed := r.records.Parse(v, r.budget)
	e := &entry{place: v, request: parsed.Get("request"), response: parsed.Get("response")}
	e.method = strings.ToUpper(strings.TrimSpace(e.request.Get("method").Text()))
	text := e.request.Get("url").Text()
	e.url = collection.ParseURL(braces.Replace(text))
	if e.url.Protocol == "" { // data:, about:
		e.url.Protocol, _, _ = strings.Cut(text, ":")
	}
	e.url.Protocol = strings.ToLower(e.url.Protocol)
	e.isHTTP = e.url.Protocol == "http" || e.url.Protocol == "https"
	if !request.IsToken(e.method) || !request.IsToken(e.url.Protocol) || e.isHTTP && e.url.Host == "" {
		return nil
	}
	if status, _ := e.response.Get("status").Scalar(); len(status) == 3 && status[0] >= '1' && status[0] <= '5' && collection.IsNumber(status) {
		e.status = status
		e.mediaType = e.response.Get("content").Get("mimeType").Text()
		if !strings.Contains(e.mediaType, "/") { // x-unknown
			e.mediaType = header(e.response, "Content-Type")
		}
	}
	e.resourceType = resourceTypes[strings.ToLower(cmp.Or(parsed.Get("_resourceType").Text(), header(e.request, "Sec-Fetch-Dest")))]
	e.kind = e.classify()
	return e
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
	read := &request.Request{Method: e.method, Place: e.place, Fragment: e.url.Fragment}
	r.url(read, e)
	contentType := r.headers(read, e.request)
	if body := r.body(e.request.Get("postData"), contentType); body != nil {
		read.Bodies = []*request.Body{body}
	} else if length := header(e.request, "Content-Length"); contentType != "" && length != "" && length != "0" {
		r.warnings.Add(warning.LostFileContents, e.request)
		read.Bodies = []*request.Body{unknownBody(contentType)}
	} else if contentType != "" {
		read.Headers = append(read.Headers, &request.Parameter{Name: "Content-Type", Value: contentType})
	}
	if e.status != "" {
		read.Responses = []*request.Response{r.response(e)}
	}
	r.api.Requests = append(r.api.Requests, read)
}

// url reads a URL and its query, to which some programs add parameters that they record in queryString only.
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
	if len(e.url.Segments) > 0 {
		read.Path = "/" + collection.Encode(strings.Join(e.url.Segments, "/"), collection.InPath)
	}
	known := map[string]bool{"": true}
	for _, p := range e.url.Query {
		known[percent.DecodeQuery(p.Name)] = true
	}
	for _, v := range e.request.Get("queryString").Elements() {
		if p := parameter(v); !known[p.Name] && !known[percent.DecodeQuery(p.Name)] {
			e.url.Query = append(e.url.Query, request.Pair{Name: braces.Replace(p.Name), Value: braces.Replace(p.Value)})
		}
	}
	r.budget.Parts(len(e.url.Query))
	for _, p := range e.url.Query {
		read.Query = append(read.Query, &request.Parameter{
			Name: collection.Encode(p.Name, collection.InQueryName), Value: collection.Encode(p.Value, collection.InQuery), Bare: p.Bare,
		})
	}
}

// origin returns the scheme, host and port of a URL, without the default port.
func (e *entry) origin() string {
	protocol, port := e.url.Protocol, e.url.Port
	if protocol == "http" && port == "80" || protocol == "https" && port == "443" {
		port = ""
	}
	return protocol + "://" + strings.ToLower(collection.Joined(e.url.Host, ":", port))
}

// headers reads the headers of a request that an author may set and returns the value of Content-Type.
func (r *reader) headers(read *request.Request, v *tree.Value) (contentType string) {
	r.parameters(v.Get("headers"), func(name, value string) {
		lower := strings.ToLower(name)
		if request.SenderOf(lower) != request.Author {
			r.leaveOut(&r.browserHeaders, lower)
			return
		}
		switch lower {
		case "content-type":
			contentType = cmp.Or(contentType, value)
			return
		case "cookie":
			r.budget.Parts(strings.Count(value, ";"))
			if read.Cookies = append(read.Cookies, request.ParseCookies(value)...); len(read.Cookies) == 0 {
				r.warnings.Add(warning.LostMalformed, v.Get("headers"))
			}
			return
		case "authorization":
			if a := request.ParseAuthorization(value); a != nil {
				read.Security = request.Require(a)
				return
			}
		}
		read.Headers = append(read.Headers, &request.Parameter{Name: name, Value: value})
	})
	if header(v, "Cookie") == "" {
		r.parameters(v.Get("cookies"), func(name, value string) {
			read.Cookies = append(read.Cookies, &request.Parameter{Name: name, Value: value})
		})
	}
	read.Cookies = slices.DeleteFunc(read.Cookies, func(c *request.Parameter) bool {
		if !request.IsMeasuring(c.Name) {
			return false
		}
		r.leaveOut(&r.measuringCookies, "cookie "+c.Name)
		return true
	})
	return contentType
}

// leaveOut adds the name of a header or cookie to those that were left out.
func (r *reader) leaveOut(names *[]string, name string) {
	if !r.leftOut[name] {
		r.leftOut[name] = true
		*names = append(*names, name)
	}
}

// warnBrowser reports the headers and cookies that were left out.
func (r *reader) warnBrowser() {
	removed, noun := warning.Counted{}, "header"
	if r.measuringCookies != nil {
		noun = "entry"
	}
	for _, name := range append(r.measuringCookies, r.browserHeaders...) {
		removed.Count(name, true)
	}
	r.warnings.AddCounted(warning.LostBrowserHeaders, noun, removed)
}

// parameters calls add for each header or cookie in a list, which may be missing, except for the pseudo headers of HTTP/2,
// which repeat the URL and the method.
func (r *reader) parameters(list *tree.Value, add func(name, value string)) {
	if list.Kind() > tree.Null && list.Kind() != tree.Array {
		r.warnings.Add(warning.LostMalformed, list)
	}
	for _, v := range list.Elements() {
		r.budget.Parts(1)
		switch p := parameter(v); {
		case request.IsToken(p.Name):
			add(p.Name, p.Value)
		case !strings.HasPrefix(p.Name, ":"):
			r.warnings.Add(warning.LostMalformed, v)
		}
	}
}

func parameter(v *tree.Value) request.Parameter {
	value, _ := v.Get("value").Scalar()
	return request.Parameter{Name: strings.TrimSpace(v.Get("name").Text()), Value: value}
}

// body reads the body of a request, or returns nil if it has none. Its text takes precedence over its params, which
// repeat it.
func (r *reader) body(v *tree.Value, contentType string) *request.Body {
	mediaType := cmp.Or(strings.TrimSpace(v.Get("mimeType").Text()), contentType)
	base := request.BaseType(mediaType)
	text, known := r.text(v, mediaType)
	switch {
	case !known:
		return unknownBody(mediaType)
	case text == "":
		return r.form(v, base)
	case base == request.FormType:
		if fields := request.ParseForm(text); fields != nil {
			r.budget.Parts(len(fields))
			return &request.Body{Kind: request.URLEncoded, MediaType: base, Fields: fields}
		}
	}
	return &request.Body{Kind: request.Raw, MediaType: mediaType, TypeGuessed: mediaType == "", Text: text}
}

// unknownBody returns a body that was sent but not recorded, as browsers do with files.
func unknownBody(mediaType string) *request.Body {
	if base := request.BaseType(mediaType); base == request.MultipartType {
		return &request.Body{Kind: request.Multipart, MediaType: base}
	}
	return &request.Body{Kind: request.File, MediaType: mediaType}
}

// form reads the fields of a form from its params, or returns nil if there are none.
func (r *reader) form(v *tree.Value, base string) *request.Body {
	body := &request.Body{Kind: request.URLEncoded, MediaType: request.FormType}
	if strings.HasPrefix(base, "multipart/") {
		body.Kind, body.MediaType = request.Multipart, base
	}
	for _, p := range v.Get("params").Elements() {
		r.budget.Parts(1)
		f := &request.Field{Parameter: parameter(p), ContentType: p.Get("contentType").Text()}
		if f.Name == "" {
			continue
		}
		if name := p.Get("fileName").Text(); name != "" {
			if f.Value != "" {
				r.warnings.Add(warning.LostFileContents, v)
			}
			f.IsFile, f.Value, f.Files = true, "", []string{name}
			body.Kind, body.MediaType = request.Multipart, request.MultipartType
		}
		body.Fields = append(body.Fields, f)
	}
	if body.Fields == nil {
		return nil
	}
	return body
}

// response reads the response of an entry.
func (r *reader) response(e *entry) *request.Response {
	read := &request.Response{Saved: true, Status: e.status, Reason: e.response.Get("statusText").Text()}
	r.parameters(e.response.Get("headers"), func(name, values string) {
		if strings.EqualFold(name, "Content-Type") || request.SenderOf(name) == request.Connection {
			return
		}
		for value := range strings.SplitSeq(values, "\n") { // Chromium joins headers of the same name
			read.Headers = append(read.Headers, &request.Parameter{Name: name, Value: value})
		}
	})
	content := e.response.Get("content")
	size, _ := content.Get("size").Scalar()
	text, _ := r.text(content, e.mediaType)
	if text != "" || size != "" && size != "0" && size[0] != '-' && e.mediaType != "" {
		read.Bodies = []*request.Body{{Kind: request.Raw, MediaType: e.mediaType, TypeGuessed: e.mediaType == "", Text: text}}
	}
	return read
}

// text returns the text of a body, which may be in base64. known is false for bytes that are not text, which are lost.
func (r *reader) text(v *tree.Value, mediaType string) (text string, known bool) {
	text = v.Get("text").Text()
	if known = v.Get("encoding").Text() != "base64"; !known {
		plain, err := base64.StdEncoding.DecodeString(text)
		text, known = string(plain), err == nil && utf8.Valid(plain)
	}
	if known && (text == "" || !request.IsBinaryType(mediaType) && !strings.ContainsAny(text, "\x00\ufffd")) {
		return text, true
	}
	r.warnings.Add(warning.LostFileContents, v)
	return "", false
}
