package request

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Sender is the party that sets a header of a request by default.
type Sender uint8

// The senders.
const (
	Author     Sender = iota // the author of the request: the header is part of it
	Connection               // the software that sends the request, anew each time
	Browser                  // only a browser, together with its other headers
	Either                   // a browser, but also authors
	Identity                 // a browser, and authors to identify themselves
)

// senders maps headers, in lower case, to their sender if it is not the author. It is the only table of what is
// noise in a request copied from a browser. A header of two groups is listed in the first. Cookie, Date,
// Expect, Via and the conditional headers, which the Fetch standard or caches set as well, mean something to an
// API and are not listed.
var senders = map[string]Sender{
	// Connection, hop by hop and framing: RFC 9110, sections 7.6.1, 7.8, 8.6,
	// 10.1.4 and 12.5.3; RFC 9112, section 6.1. Forbidden to scripts by the Fetch
	// standard, section 2.2.2 (forbidden request-header).
	"connection": Connection, "proxy-connection": Connection, "keep-alive": Connection, "te": Connection, "trailer": Connection,
	"transfer-encoding": Connection, "content-length": Connection, "accept-encoding": Connection,
	// Fetch standard, section 2.2.2, and Fetch Metadata, Client Hints (RFC 8942), Global Privacy Control
	// (SenderOf recognizes names that begin with sec-); DNT: W3C Tracking Preference Expression; Upgrade
	// Insecure Requests, section 3.2.1; what Chrome adds for its own services.
	"dnt": Browser, "upgrade-insecure-requests": Browser, "access-control-request-method": Browser,
	"access-control-request-headers": Browser, "access-control-request-private-network": Browser,
	"x-client-data": Browser,
	// Postman adds it to each request, also to copied ones, so Postman counts as a browser.
	"postman-token": Browser,
	// Pseudo-header fields of HTTP/2 that browsers show as headers (RFC 9113, section 8.3.1); RFC 9110,
	// sections 7.2 and 12.5.4; RFC 9111, sections 5.2 and 5.4; RFC 9218; headers added by JavaScript libraries;
	// older Client Hints.
	"authority": Either, "host": Either, "accept-language": Either, "accept-charset": Either, "cache-control": Either,
	"pragma": Either, "priority": Either, "x-requested-with": Either, "save-data": Either, "purpose": Either,
	"device-memory": Either, "downlink": Either, "dpr": Either, "ect": Either, "rtt": Either, "viewport-width": Either,
	// RFC 9110, sections 10.1.3 and 10.1.5; RFC 6454, section 7.
	"user-agent": Identity, "referer": Identity, "origin": Identity,
}

// SenderOf returns the sender of a header.
func SenderOf(name string) Sender {
	name = strings.ToLower(strings.TrimPrefix(name, ":"))
	if strings.HasPrefix(name, "sec-") {
		return Browser
	}
	return senders[name]
}

// SetByServer reports whether a response header comes from the connection, the server's software, a proxy or a cache,
// rather than from the API: clients can't rely on it. What APIs document stays: Location, Retry-After, Link, ETag,
// Last-Modified, Cache-Control, Set-Cookie, Content-Disposition, limits and identifiers of requests.
func SetByServer(name string) bool {
	name = strings.ToLower(name)
	return SenderOf(name) == Connection || serverHeaders[name] || strings.HasPrefix(name, "access-control-") ||
		strings.HasPrefix(name, "cf-") || strings.HasPrefix(name, "x-amz-cf-") || strings.HasPrefix(name, "x-envoy-")
}

// serverHeaders are such headers, in lower case: RFC 9110, sections 6.6.1, 7.6.3, 7.8, 8.4, 10.2.4, 11.7 and 12.5.5;
// RFC 9111, section 5.1; RFC 7838; what browsers enforce for pages (HSTS, CSP, Referrer Policy, Permissions Policy,
// Network Error Logging, Server Timing, cross-origin isolation); and what servers, proxies and caches add.
var serverHeaders = words.Set(`date server via age vary upgrade alt-svc content-encoding proxy-authenticate
	proxy-authentication-info proxy-connection strict-transport-security content-security-policy
	content-security-policy-report-only referrer-policy permissions-policy feature-policy nel report-to
	reporting-endpoints server-timing timing-allow-origin expect-ct cross-origin-opener-policy cross-origin-embedder-policy
	cross-origin-resource-policy origin-agent-cluster x-frame-options x-content-type-options x-xss-protection
	x-download-options x-dns-prefetch-control x-permitted-cross-domain-policies x-powered-by x-aspnet-version
	x-aspnetmvc-version x-runtime x-response-time x-served-by x-cache x-cache-hits x-timer x-varnish x-proxy-cache
	x-fastly-request-id x-backend-server x-server x-vercel-cache x-vercel-id x-robots-tag p3p`)

// FromBrowser reports whether headers come from a request that a browser (or Postman) sent: they include one
// that nothing else sets, or a user agent that claims to be Mozilla, as all browsers do.
func FromBrowser(headers []*Parameter) bool {
	return slices.ContainsFunc(headers, func(h *Parameter) bool {
		claims := strings.HasPrefix(h.Value, "Mozilla/") || strings.HasPrefix(h.Value, "PostmanRuntime/")
		return SenderOf(h.Name) == Browser || strings.ToLower(h.Name) == "user-agent" && claims
	})
}

// IsMeasuring reports whether a cookie only measures visits, stores the consent to that, or distinguishes
// browsers from robots: no API reads it.
func IsMeasuring(cookie string) bool {
	cookie = strings.ToLower(cookie)
	return slices.ContainsFunc(measuring, func(name string) bool {
		rest, ok := strings.CutPrefix(cookie, name)
		return ok && (rest == "" || strings.HasSuffix(name, "_") || strings.HasSuffix(name, "-"))
	})
}

// measuring lists the names of such cookies in lower case; an entry that ends in _ or - is a prefix. The
// sources are the vendors' own documentation: Google, Meta, Hotjar, Segment, Amplitude, Mixpanel, OneTrust,
// Cookiebot, Intercom, HubSpot, Stripe's fraud detection, Microsoft, Cloudflare, TikTok, Datadog, Adobe, Imperva and Akamai.
var measuring = strings.Fields(`_ga _ga_ _gid _gat _gat_ _gcl_ __utma __utmb __utmc __utmt __utmz __gads __gpi _fbp _fbc
	_hjid _hjsession_ _hjsessionuser_ ajs_ amplitude_ mp_ optanonconsent optanonalertboxclosed cookieconsent
	intercom-id- intercom-session- intercom-device-id- hubspotutk __hstc __hssrc __hssc __stripe_mid __stripe_sid
	_clck _clsk _uetsid _uetvid __cf_bm _cfuvid cf_clearance _ttp _dd_s amcv_ amcvs_ kndctr_
	adobeujs-optin demdex s_cc s_ecid s_fid s_sq s_vi visid_incap_ incap_ses_ nlbi_ _abck ak_bmsc bm_sv bm_sz`)
