package infer

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// inferredFormats lists the formats that are inferred from samples, the narrowest first. Other strings rarely match
// one of them by chance.
var inferredFormats = []struct {
	name  string
	holds func(string) bool
}{
	{"date-time", isDateTime},
	{"date", isDate},
	{"uuid", isUUID},
	{"email", isEmail},
	{"uri", isURI},
}

// formatOf returns the format of a string, or "".
func formatOf(text string) string {
	for _, f := range inferredFormats {
		if f.holds(text) {
			return f.name
		}
	}
	return ""
}

// The syntax of formats: full-date and the time of date-time (RFC 3339, section 5.6), UUID (RFC 9562, section 4), and
// the plain form of an email address (RFC 5321, section 4.1.2: a dot-atom, @, a domain of at least two labels).
var (
	datePattern = expression.Lazy(`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$`)
	timePattern = expression.Lazy(
		`^T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$`)
	uuidPattern  = expression.Lazy(`(?i)^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
	localPattern = expression.Lazy("(?i)^[0-9a-z!#$%&'*+/=?^_`{|}~-]+(?:\\.[0-9a-z!#$%&'*+/=?^_`{|}~-]+)*$")
	hostPattern  = expression.Lazy(`(?i)^(?:[0-9a-z](?:[0-9a-z-]{0,61}[0-9a-z])?(?:\.|$)){2,}$`)
)

const dateLength = len("2024-01-01")

func isDate(text string) bool {
	if len(text) != dateLength || text[4] != '-' || !datePattern().MatchString(text) {
		return false
	}
	switch month, day := text[5:7], text[8:]; month {
	case "02":
		return day <= "28" || day == "29" && isLeapYear(text[:4])
	case "04", "06", "09", "11":
		return day <= "30"
	}
	return true
}

func isLeapYear(digits string) bool {
	year, _ := strconv.Atoi(digits)
	return year%4 == 0 && (year%100 != 0 || year%400 == 0)
}

func isDateTime(text string) bool {
	return len(text) > dateLength && text[dateLength] == 'T' && isDate(text[:dateLength]) &&
		timePattern().MatchString(text[dateLength:])
}

func isUUID(text string) bool {
	return len(text) == len("ffffffff-ffff-ffff-ffff-ffffffffffff") && uuidPattern().MatchString(text)
}

func isEmail(text string) bool {
	local, domain, found := strings.Cut(text, "@")
	// {{name}}@example.com isn't an email address until its variable is known.
	return found && len(text) <= 254 && len(local) <= 64 && !strings.Contains(local, "{{") &&
		strings.Contains(domain, ".") && !strings.HasSuffix(domain, ".") &&
		localPattern().MatchString(local) && hostPattern().MatchString(domain)
}

// isURI accepts absolute http and https URLs that contain only the characters of a URI (RFC 3986, section 2).
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
