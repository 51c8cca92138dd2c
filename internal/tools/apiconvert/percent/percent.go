// Package percent decodes percent-encoding (RFC 3986, section 2.1) as clients do: what isn't valid stays as it is.
package percent

import (
	"net/url"
	"strconv"
)

// Decode decodes a part of a path, a fragment or userinfo. It returns text with invalid encoding unchanged.
func Decode(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// DecodeQuery decodes a name or value in a query, where a plus sign is a space. It returns text with invalid encoding
// unchanged.
func DecodeQuery(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// Byte decodes the encoded byte at the start of text.
func Byte(text string) (c byte, ok bool) {
	if len(text) < 3 || text[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:3], 16, 8)
	return byte(n), err == nil
}
