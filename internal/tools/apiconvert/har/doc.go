// Package har reads an HTTP archive (HAR 1.2), the traffic that browsers, proxies and HTTP clients record, into the
// request model.
//
// Only requests, responses and their content are read: times, connections, IP addresses, initiators and members that
// begin with an underscore describe the recording. The exception is _resourceType, which says why a browser sent a
// request. Requests of the page (documents, scripts, images, …) are left out, unless there are no others.
//
// Files in reading order: read.go (entries, URLs, headers, bodies), page.go (what belongs to the page;
// cookies and repeated requests, after redaction).
package har
