// Package percent decodes percent-encoding (RFC 3986, section 2.1) as clients do: what isn't valid or isn't UTF-8 stays
// as it is.
package percent

import (
	"net/url"
	"strconv"
	"unicode/utf8"
)

// Decode decodes a part of a path, a fragment or userinfo.
func Decode(text string) string { return decode(text, url.PathUnescape) }

// DecodeQuery decodes a name or value in a query, where a plus sign is a space.
func DecodeQuery(text string) string { return decode(text, url.QueryUnescape) }

func decode(text string, unescape func(string) (string, error)) string {
	if plain, err := unescape(text); err == nil && utf8.ValidString(plain) {
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
