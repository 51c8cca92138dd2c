package har

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// The kinds of requests that do not belong to an API, as the warning names them, apart from those that only kinds has.
const (
	document      = "document"
	sourceMap     = "source map"
	analytics     = "analytics request"
	preflight     = "preflight request"
	webSocket     = "websocket"
	otherProtocol = "other protocol"
	fetched       = "fetch" // not a kind, but a resource type: a script sent the request
)

// kind is a kind of requests with the words that identify it: resource types as the DevTools protocol and Sec-Fetch-Dest
// name them, extensions of files, parts of media types, and domains.
type kind struct{ name, resourceTypes, extensions, mediaTypes, domains string }

// kinds are the kinds. The domains of analytics are of services that only measure, by their vendors' documentation.
var kinds = []kind{
	{document, "document iframe frame fencedframe object embed", "htm html", "text/html xhtml", ""},
	{"script", "script worker serviceworker sharedworker audioworklet paintworklet", "js mjs wasm", "javascript ecmascript wasm", ""},
	{"style", "stylesheet style xslt", "css", "text/css", ""},
	{"image", "image", "png jpg jpeg gif webp avif svg ico", "image/", ""},
	{"font", "font", "woff woff2 ttf otf eot", "font", ""},
	{"media file", "media audio video track texttrack", "mp3 mp4 webm ogg m3u8 mpd m4s vtt", "audio/ video/ mpegurl dash+xml text/vtt", ""},
	{"manifest", "manifest", "webmanifest", "manifest+json", ""},
	{sourceMap, "", "map", "", ""},
	{analytics, "ping beacon cspviolationreport csp-report report", "", "", `google-analytics.com googletagmanager.com
		analytics.google.com doubleclick.net googlesyndication.com segment.io segment.com mixpanel.com amplitude.com hotjar.com
		hotjar.io sentry.io bugsnag.com nr-data.net clarity.ms fullstory.com heapanalytics.com plausible.io matomo.cloud
		cloudflareinsights.com bat.bing.com omtrdc.net 2o7.net demdex.net everesttech.net px.ads.linkedin.com analytics.tiktok.com posthog.com quantserve.com criteo.com
		scorecardresearch.com connect.facebook.net browser-intake-datadoghq.com browser-intake-datadoghq.eu`},
	{"browser request", "", "", "", `update.googleapis.com safebrowsing.googleapis.com clients2.google.com detectportal.firefox.com
		optimizationguide-pa.googleapis.com content-autofill.googleapis.com services.mozilla.com telemetry.mozilla.org`},
	{preflight, "preflight", "", "", ""},
	{webSocket, "websocket", "", "", ""},
	{fetched, "xhr fetch empty eventsource", "", "", ""},
}

// index maps the words of kinds to their names.
func index(of func(kind) string) map[string]string {
	names := map[string]string{}
	for _, k := range kinds {
		for word := range strings.FieldsSeq(of(k)) {
			names[word] = k.name
		}
	}
	return names
}

var (
	resourceTypes = index(func(k kind) string { return k.resourceTypes })
	extensions    = index(func(k kind) string { return k.extensions })
	domains       = index(func(k kind) string { return k.domains })
)

// classify returns what an entry is for a page, or "" if it is a request to an API.
func (e *entry) classify() string {
	service := e.service()
	switch {
	case strings.HasPrefix(e.url.Protocol, "ws") || e.status == "101" || e.resourceType == webSocket:
		return webSocket
	case !e.isHTTP || e.method == "CONNECT":
		return otherProtocol
	case e.method == "OPTIONS" && header(e.request, "Access-Control-Request-Method") != "", e.resourceType == preflight:
		return preflight
	case service != "" || e.method != "GET" && e.method != "HEAD":
		return service
	}
	return e.classifyGET()
}

// classifyGET classifies a GET by the media type of its response, then by its resource type and its extension. An API may
// answer an error with HTML, and a file's name may be the end of a path.
func (e *entry) classifyGET() string {
	base, content, extension := request.BaseType(e.mediaType), "", ""
	for _, k := range kinds {
		for part := range strings.FieldsSeq(k.mediaTypes) {
			if content == "" && strings.Contains(base, part) {
				content = k.name
			}
		}
	}
	if n := len(e.url.Segments); n > 0 {
		extension = extensions[strings.TrimPrefix(path.Ext(strings.ToLower(e.url.Segments[n-1])), ".")]
	}
	failed := e.status >= "4"
	switch {
	case extension == sourceMap:
		return sourceMap
	case content != "" && !(content == document && e.resourceType == fetched && failed):
		return content
	case e.resourceType == fetched, e.resourceType == document && base != "" && e.status[0] == '2',
		e.resourceType == "" && !failed && (request.IsJSONType(base) || request.IsXMLType(base) || request.IsJSONLines(base)):
		return ""
	}
	return cmp.Or(e.resourceType, extension)
}

// service returns what an entry is if it goes to a service that measures visits or errors, or that a browser calls itself.
// A script cannot read the response to a request without CORS, so it only measures. Adobe Analytics has the path /b/ss/.
func (e *entry) service() string {
	host := strings.ToLower(e.url.Host)
	base := request.BaseType(header(e.request, "Content-Type"))
	switch {
	case e.resourceType == analytics, len(e.url.Segments) > 2 && e.url.Segments[0] == "b" && e.url.Segments[1] == "ss",
		base == "application/csp-report" || base == "application/reports+json",
		e.resourceType == fetched && header(e.request, "Sec-Fetch-Mode") == "no-cors":
		return analytics
	}
	const longest = 60 // bytes, more than any of the domains
	for domain := host[max(0, len(host)-longest):]; domain != ""; _, domain, _ = strings.Cut(domain, ".") {
		if service := domains[domain]; service != "" {
			return service
		}
	}
	return ""
}

// warnLeftOut reports what was left out in one warning: 61 requests: 24 scripts, 18 images; hosts cdn.x.test, stats.y.test.
// It lists the hosts that no other request goes to.
func (r *reader) warnLeftOut(left []*entry) {
	if len(left) == 0 {
		return
	}
	var found, names, hosts []string
	count := map[string]int{} // of kinds and hosts
	for _, e := range left {
		if count[e.kind]++; count[e.kind] == 1 {
			found = append(found, e.kind)
		}
		_, host, _ := strings.Cut(e.origin(), "://")
		if count[host]++; count[host] == 1 && e.isHTTP && r.servers[e.origin()] == nil {
			hosts = append(hosts, host)
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	for _, name := range found {
		names = append(names, warning.Plural(count[name], name))
	}
	names[0] = warning.Plural(len(left), "request") + ": " + names[0]
	if hosts != nil {
		names[len(names)-1] += "; hosts " + hosts[0]
		names = append(names, hosts[1:]...)
	}
	r.warnings.AddNamed(warning.LostPageRequests, nil, names...)
}

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
