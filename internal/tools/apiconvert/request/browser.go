package request

import "strings"

// Sender says who sets a header of a request without being asked.
type Sender uint8

// The senders.
const (
	Author     Sender = iota // whoever writes the request: the header is part of it
	Connection               // whatever sends the request, each time anew
	Browser                  // only a browser: its headers stand all together
	Either                   // a browser, but authors as well
	Identity                 // a browser, and authors to say who they are
)

// senders are the headers that have another sender than the author, in lower
// case. It is the one table of what is noise in a request that was copied from
// a browser. Where a header is of two groups it stands in the first. Cookie,
// Date, Expect, Via and the conditional headers, which the Fetch standard or
// caches set as well, mean something to an API and are not here.
var senders = map[string]Sender{
	// Connection, hop by hop and framing: RFC 9110, sections 7.6.1, 7.8, 8.6,
	// 10.1.4 and 12.5.3; RFC 9112, section 6.1. Forbidden to scripts by the Fetch
	// standard, section 2.2.2 (forbidden request-header).
	"connection": Connection, "keep-alive": Connection, "te": Connection, "trailer": Connection,
	"transfer-encoding": Connection, "content-length": Connection, "accept-encoding": Connection,
	// Fetch standard, section 2.2.2, and beside it Fetch Metadata, Client Hints
	// (RFC 8942), Global Privacy Control (names that begin with sec- are here by
	// their beginning); DNT: W3C Tracking Preference Expression; Upgrade
	// Insecure Requests, section 3.2.1; what Chrome adds for its own services.
	"dnt": Browser, "upgrade-insecure-requests": Browser, "access-control-request-method": Browser,
	"access-control-request-headers": Browser, "access-control-request-private-network": Browser,
	"x-client-data": Browser,
	// What Postman sends with each request of its own, and writes when it is
	// copied from there: a browser in this sense.
	"postman-token": Browser,
	// The names of an HTTP/2 request that browsers write as headers (RFC 9113,
	// section 8.3.1); RFC 9110, sections 7.2 and 12.5.4; RFC 9111, sections 5.2
	// and 5.4; RFC 9218; what libraries in pages add; older Client Hints.
	"authority": Either, "host": Either, "accept-language": Either, "accept-charset": Either, "cache-control": Either,
	"pragma": Either, "priority": Either, "x-requested-with": Either, "save-data": Either, "purpose": Either,
	"device-memory": Either, "downlink": Either, "dpr": Either, "ect": Either, "rtt": Either, "viewport-width": Either,
	// RFC 9110, sections 10.1.3 and 10.1.5; RFC 6454, section 7.
	"user-agent": Identity, "referer": Identity, "origin": Identity,
}

// SenderOf says who sets a header.
func SenderOf(name string) Sender {
	name = strings.ToLower(strings.TrimPrefix(name, ":"))
	if strings.HasPrefix(name, "sec-") {
		return Browser
	}
	return senders[name]
}

// FromBrowser reports whether headers are those of a request that a browser
// (or Postman) sent: one among them that nobody else sets, a user agent that
// calls itself Mozilla, as all browsers do, or the priority that they write
// (RFC 9218).
func FromBrowser(headers []*Parameter) bool {
	for _, h := range headers {
		switch strings.ToLower(h.Name) {
		case "user-agent":
			if strings.HasPrefix(h.Value, "Mozilla/") || strings.HasPrefix(h.Value, "PostmanRuntime/") {
				return true
			}
		case "priority":
			if strings.HasPrefix(h.Value, "u=") || h.Value == "i" {
				return true
			}
		default:
			if SenderOf(h.Name) == Browser {
				return true
			}
		}
	}
	return false
}

// IsMeasuring reports whether a cookie only measures visits, keeps the consent to
// that, or tells browsers from robots: no API reads it.
func IsMeasuring(cookie string) bool {
	cookie = strings.ToLower(cookie)
	for name := range strings.FieldsSeq(measuring) {
		if rest, ok := strings.CutPrefix(cookie, name); ok && (rest == "" || strings.HasSuffix(name, "_") || strings.HasSuffix(name, "-")) {
			return true
		}
	}
	return false
}

// measuring are the names of such cookies, in small letters; what ends in _ or -
// is how they begin. The sources are what their owners say they set: Google,
// Meta, Hotjar, Segment, Amplitude, Mixpanel, OneTrust, Cookiebot, Intercom,
// HubSpot, Stripe's fraud detection, Microsoft, Cloudflare, TikTok and Datadog.
const measuring = `_ga _ga_ _gid _gat _gat_ _gcl_ __utma __utmb __utmc __utmt __utmz __gads __gpi _fbp _fbc
	_hjid _hjsession_ _hjsessionuser_ ajs_ amplitude_ mp_ optanonconsent optanonalertboxclosed cookieconsent
	intercom-id- intercom-session- intercom-device-id- hubspotutk __hstc __hssrc __hssc __stripe_mid __stripe_sid
	_clck _clsk _uetsid _uetvid __cf_bm _cfuvid cf_clearance _ttp _dd_s`
