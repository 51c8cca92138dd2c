package words

import (
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// identifierPattern matches identifiers, which always contain a digit: a number; a UUID (RFC 9562); hexadecimal
// digits (a hash, an ObjectId); a ULID, which is 128 bits in Crockford's base 32, in one case; letters and digits of
// both cases after a prefix that names the type, such as cus_NffrFeUfNV2Hib; and a digest, which is hexadecimal
// digits after the name of its algorithm, such as sha256:9f86….
var identifierPattern = expression.Lazy(
	`^(?:[0-9]+|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[0-9A-Fa-f]{16,}|` +
		`[0-9a-z]+:[0-9a-f]{32,}|[0-7](?:[0-9A-HJKMNP-TV-Z]{25}|[0-9a-hjkmnp-tv-z]{25})|[a-z]{1,8}_([0-9a-z]*[A-Z][0-9A-Za-z]*))$`)

// mailboxPattern matches an email address, but not @me or jquery@3.6.0.
var mailboxPattern = expression.Lazy(`^[0-9A-Za-z._+-]+@(?:[0-9A-Za-z-]+\.)+[A-Za-z]{2,}$`)

// minPrefixed is the minimum length of an identifier without its prefix.
const minPrefixed = 10

// IsIdentifier reports whether text looks like an identifier: one of identifierPattern, or an email address.
func IsIdentifier(text string) bool {
	if strings.IndexByte(text, '@') > 0 && mailboxPattern().MatchString(text) {
		return true
	}
	if !strings.ContainsAny(text, "0123456789") {
		return false
	}
	parts := identifierPattern().FindStringSubmatch(text)
	return parts != nil && (parts[1] == "" || len(parts[1]) >= minPrefixed)
}

// IsNumber reports whether text consists of digits.
func IsNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// IsYear reports whether text is a year from 1900 to 2100.
func IsYear(text string) bool {
	return len(text) == 4 && IsNumber(text) && (text >= "1900" && text <= "2100")
}

const month, day = `(?:0[1-9]|1[0-2])`, `(?:0[1-9]|[12][0-9]|3[01])`

var datePattern = expression.Lazy(`^(?:-` + month + `(?:$|-` + day + `)|` + month + day + `$)`)

// IsDate reports whether text begins with a year and a month: 2024-05, 2024-05-17, 20240517, 2024-05-17T10:00:00Z.
func IsDate(text string) bool {
	return len(text) > 4 && IsYear(text[:4]) && datePattern().MatchString(text[4:])
}

// IsCode reports whether a name is that of a code of digits that isn't a number, because leading zeros are part of it:
// zip, postal_code, phoneNumber.
func IsCode(name string) bool {
	list := Parts(name)
	if n := len(list); n > 1 && (list[n-1] == "code" || list[n-1] == "number" || list[n-1] == "no") {
		list = list[:n-1]
	}
	return len(list) > 0 && codes[Singular(list[len(list)-1])]
}

var codes = Set(`zip zipcode postal postcode postalcode plz phone telephone mobile fax isbn ean upc gtin barcode ssn iban imei
	msisdn`)

var version = expression.Lazy(`^(?:[vV][0-9]|[0-9][0-9.]*\.)[0-9.]*(?:(?:alpha|beta|rc)[0-9.]*)?$`)

// IsVersion reports whether text is a version: v2, v1beta1, 2.1, v2.1.0.
func IsVersion(text string) bool { return version().MatchString(text) }
