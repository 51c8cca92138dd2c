package har

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// The kinds of requests that do not belong to an API, as the warning names them.
const (
	documents  = "documents"
	scripts    = "scripts"
	styles     = "styles"
	images     = "images"
	fonts      = "fonts"
	media      = "media"
	sourceMaps = "source maps"
	manifests  = "manifests"
	analytics  = "analytics requests"
	preflights = "preflight requests"
	webSockets = "websockets"
	notHTTP    = "other protocols"
)

// fetched is the resource type of a request that a script sent.
const fetched = "fetch"

// resourceTypes maps the types that browsers give to requests: those of the DevTools protocol, and the destinations of the
// Fetch standard, which Sec-Fetch-Dest has.
var resourceTypes = map[string]string{
	"document": documents, "iframe": documents, "frame": documents, "object": documents, "embed": documents, "fencedframe": documents,
	"script": scripts, "worker": scripts, "serviceworker": scripts, "sharedworker": scripts, "audioworklet": scripts, "paintworklet": scripts,
	"stylesheet": styles, "style": styles, "xslt": styles,
	"image": images, "font": fonts, "media": media, "audio": media, "video": media, "track": media, "texttrack": media,
	"manifest": manifests, "webidentity": documents, "ping": analytics, "beacon": analytics, "cspviolationreport": analytics,
	"csp-report": analytics, "report": analytics, "preflight": preflights, "websocket": webSockets,
	"xhr": fetched, "fetch": fetched, "empty": fetched, "eventsource": fetched,
}

// extensions maps the extensions of files to kinds.
var extensions = map[string]string{
	"js": scripts, "mjs": scripts, "wasm": scripts, "css": styles, "map": sourceMaps, "htm": documents, "html": documents,
	"png": images, "jpg": images, "jpeg": images, "gif": images, "webp": images, "avif": images, "svg": images, "ico": images,
	"woff": fonts, "woff2": fonts, "ttf": fonts, "otf": fonts, "eot": fonts, "webmanifest": manifests,
	"mp3": media, "mp4": media, "webm": media, "ogg": media, "m3u8": media, "mpd": media, "ts": media, "m4s": media, "vtt": media,
}

// contents maps parts of media types to kinds.
var contents = []struct{ part, kind string }{
	{"text/html", documents}, {"xhtml", documents}, {"javascript", scripts}, {"ecmascript", scripts}, {"wasm", scripts},
	{"text/css", styles}, {"image/", images}, {"font", fonts}, {"audio/", media}, {"video/", media}, {"mpegurl", media},
	{"dash+xml", media}, {"text/vtt", media}, {"manifest+json", manifests},
}

// measuring are domains of services that only measure visits and errors, by their vendors' documentation.
var measuring = words.Set(`google-analytics.com googletagmanager.com analytics.google.com doubleclick.net googlesyndication.com
	segment.io segment.com mixpanel.com amplitude.com hotjar.com hotjar.io sentry.io bugsnag.com nr-data.net clarity.ms
	fullstory.com heapanalytics.com plausible.io cloudflareinsights.com bat.bing.com px.ads.linkedin.com
	analytics.tiktok.com posthog.com quantserve.com scorecardresearch.com criteo.com connect.facebook.net
	browser-intake-datadoghq.com browser-intake-datadoghq.eu matomo.cloud`)

// measuringLabels are first labels of hosts that measure if they answer nothing.
var measuringLabels = words.Set(`stats analytics telemetry beacon pixel tracking collector rum`)

// classify returns what an entry is for a page, or "" if it is a request to an API.
func (e *entry) classify() string {
	switch {
	case strings.HasPrefix(strings.ToLower(e.url.Protocol), "ws") || e.status == "101" || e.resourceType == webSockets:
		return webSockets
	case !e.isHTTP() || e.method == "CONNECT":
		return notHTTP
	case e.method == "OPTIONS" && header(e.request, "Access-Control-Request-Method") != "", e.resourceType == preflights:
		return preflights
	case e.resourceType == analytics || e.measures():
		return analytics
	case e.method != "GET" && e.method != "HEAD":
		return ""
	}
	path := ""
	if n := len(e.url.Segments); n > 0 {
		path = e.url.Segments[n-1]
	}
	extension := extensions[strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])]
	if !strings.Contains(path, ".") {
		extension = ""
	}
	return e.classifyGET(extension)
}

// classifyGET classifies a GET by the media type of its response, then by its resource type and its extension. An API may
// answer an error with HTML, and a file's name may be the end of a path.
func (e *entry) classifyGET(extension string) string {
	base, kind := request.BaseType(e.mediaType), ""
	for _, c := range contents {
		if strings.Contains(base, c.part) {
			kind = c.kind
			break
		}
	}
	failed := e.status >= "4"
	structured := request.IsJSONType(base) || request.IsXMLType(base) || request.IsJSONLines(base)
	switch {
	case extension == sourceMaps:
		return sourceMaps
	case kind == documents && e.resourceType == fetched && failed:
		return ""
	case kind != "":
		return kind
	case e.resourceType == fetched, e.resourceType == documents && base != "" && e.status[0] == '2':
		return ""
	case e.resourceType != "":
		return e.resourceType
	case structured && !failed:
		return ""
	}
	return extension
}

// measures reports whether an entry measures visits or reports errors.
func (e *entry) measures() bool {
	host := strings.ToLower(e.url.Host)
	label, _, _ := strings.Cut(host, ".")
	if measuringLabels[label] && (e.mediaType == "" || strings.HasPrefix(e.mediaType, "image/")) {
		return true
	}
	if base := request.BaseType(header(e.request, "Content-Type")); base == "application/csp-report" || base == "application/reports+json" {
		return true
	}
	for domain := host; domain != ""; {
		if measuring[domain] {
			return true
		}
		_, domain, _ = strings.Cut(domain, ".")
	}
	return false
}

// leftOut counts the entries that are left out.
type leftOut struct {
	total int
	kinds []string // in order of appearance
	count map[string]int
	hosts []string // distinct origins
}

func (l *leftOut) add(e *entry) {
	if l.total++; l.count == nil {
		l.count = map[string]int{}
	}
	if l.count[e.kind]++; l.count[e.kind] == 1 {
		l.kinds = append(l.kinds, e.kind)
	}
	if origin := e.origin(); e.isHTTP() {
		if l.count[origin]++; l.count[origin] == 1 {
			l.hosts = append(l.hosts, origin)
		}
	}
}

// How many kinds and hosts the warning lists.
const (
	maxKinds = 6
	maxHosts = 4
)

// warn reports what was left out in one warning: 61 requests: 24 scripts, 18 images; hosts cdn.x.test, stats.y.test. It
// lists the hosts that no other request goes to.
func (l *leftOut) warn(servers map[string]*request.Server, warnings *warning.List) {
	if l.total == 0 {
		return
	}
	slices.SortStableFunc(l.kinds, func(a, b string) int { return cmp.Compare(l.count[b], l.count[a]) })
	var names []string
	rest := l.total
	for _, kind := range l.kinds[:min(maxKinds, len(l.kinds))] {
		names = append(names, plural(l.count[kind], kind))
		rest -= l.count[kind]
	}
	if rest > 0 {
		names = append(names, plural(rest, "others"))
	}
	names[0] = plural(l.total, "requests") + ": " + names[0]
	hosts := slices.DeleteFunc(l.hosts, func(origin string) bool { return servers[origin] != nil })
	for i, origin := range hosts[:min(maxHosts, len(hosts))] {
		_, host, _ := strings.Cut(origin, "://")
		if i > 0 {
			names = append(names, host)
			continue
		}
		names[len(names)-1] += "; hosts " + host
	}
	if more := len(hosts) - maxHosts; more > 0 {
		names[len(names)-1] += fmt.Sprintf(" and %d more", more)
	}
	warnings.AddNamed(warning.LostPageRequests, nil, names...)
}

func plural(n int, noun string) string {
	if n == 1 {
		noun = strings.TrimSuffix(noun, "s")
	}
	return fmt.Sprintf("%d %s", n, noun)
}
