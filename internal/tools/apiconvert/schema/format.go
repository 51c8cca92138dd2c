package schema

import (
	"net/url"
	"strings"
)

// format is a format of strings and how its texts look.
type format struct {
	name  string
	holds func(string) bool
}

// inferredFormats are the formats that are told from samples alone, the
// narrowest first. Each is one that hardly any other text has by chance.
var inferredFormats = []format{
	{"date-time", isDateTime},
	{"date", isDate},
	{"uuid", isUUID},
	{"email", isEmail},
	{"uri", isURI},
}

// shaped reports whether text matches a pattern in which 0 stands for a digit,
// f for a hexadecimal digit and everything else for itself.
func shaped(text, pattern string) bool {
	if len(text) != len(pattern) {
		return false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		digit := c >= '0' && c <= '9'
		switch pattern[i] {
		case '0':
			if !digit {
				return false
			}
		case 'f':
			if !digit && (c|0x20 < 'a' || c|0x20 > 'f') {
				return false
			}
		default:
			if c != pattern[i] {
				return false
			}
		}
	}
	return true
}

// within reports whether the two digits at i are a number from low to high.
func within(text string, i, low, high int) bool {
	n := int(text[i]-'0')*10 + int(text[i+1]-'0')
	return n >= low && n <= high
}

// isDate reports whether text is a full-date (RFC 3339, section 5.6).
func isDate(text string) bool {
	if !shaped(text, "0000-00-00") || !within(text, 5, 1, 12) {
		return false
	}
	month := int(text[5]-'0')*10 + int(text[6]-'0')
	days := [...]int{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	if month == 2 && !leapYear(text) {
		days = 28
	}
	return within(text, 8, 1, days)
}

func leapYear(date string) bool {
	year := 0
	for _, c := range []byte(date[:4]) {
		year = 10*year + int(c-'0')
	}
	return year%4 == 0 && (year%100 != 0 || year%400 == 0)
}

// isDateTime reports whether text is a date-time (RFC 3339, section 5.6).
func isDateTime(text string) bool {
	if len(text) < len("2024-01-01T00:00:00Z") || !isDate(text[:10]) || text[10] != 'T' {
		return false
	}
	if !shaped(text[11:19], "00:00:00") || !within(text, 11, 0, 23) || !within(text, 14, 0, 59) || !within(text, 17, 0, 59) {
		return false
	}
	rest := text[19:]
	if rest[0] == '.' {
		digits := strings.TrimLeft(rest[1:], "0123456789")
		if len(digits) == len(rest)-1 {
			return false
		}
		rest = digits
	}
	if rest == "Z" {
		return true
	}
	return (shaped(rest, "+00:00") || shaped(rest, "-00:00")) && within(rest, 1, 0, 23) && within(rest, 4, 0, 59)
}

func isUUID(text string) bool {
	return shaped(text, "ffffffff-ffff-ffff-ffff-ffffffffffff")
}

// isEmail accepts the plain form of an address (RFC 5321, section 4.1.2): a
// dot-atom, @, a domain of at least two labels.
func isEmail(text string) bool {
	local, domain, ok := strings.Cut(text, "@")
	if !ok || len(text) > 254 || !isDotAtom(local) || !strings.Contains(domain, ".") {
		return false
	}
	for label := range strings.SplitSeq(domain, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range []byte(label) {
			if !alphanumeric(c) && c != '-' {
				return false
			}
		}
	}
	return true
}

func isDotAtom(local string) bool {
	if local == "" || len(local) > 64 || local[0] == '.' || local[len(local)-1] == '.' || strings.Contains(local, "..") {
		return false
	}
	for _, c := range []byte(local) {
		if !alphanumeric(c) && !strings.ContainsRune(".!#$%&'*+-/=?^_`{|}~", rune(c)) {
			return false
		}
	}
	// {{name}}@example.com is an address only once its variable is known.
	return !strings.Contains(local, "{{")
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// isURI accepts absolute http and https addresses without characters that a
// URI does not have (RFC 3986, section 2).
func isURI(text string) bool {
	if !strings.HasPrefix(text, "https://") && !strings.HasPrefix(text, "http://") {
		return false
	}
	for _, c := range []byte(text) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return false
		}
	}
	u, err := url.Parse(text)
	return err == nil && u.Host != ""
}
