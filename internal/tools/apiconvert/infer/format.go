package infer

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
	"github.com/convertd/convertd/internal/tools/apiconvert/sample"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
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

// standIns maps the placeholders that Postman writes for values when it generates a collection from an OpenAPI
// document, such as "<long>", to the type and format they name (openapi-to-postman, typesMap).
var standIns = map[string]struct{ kind, format string }{
	"integer": {"integer", ""}, "long": {"integer", "int64"},
	"number": {"number", ""}, "float": {"number", "float"}, "double": {"number", "double"},
	"boolean": {"boolean", ""},
	"string":  {"string", ""}, "date": {"string", "date"}, "dateTime": {"string", "date-time"},
	"byte": {"string", "byte"}, "binary": {"string", "binary"}, "password": {"string", "password"},
	// Postman writes other formats under their own names.
	"uuid": {"string", "uuid"}, "email": {"string", "email"}, "uri": {"string", "uri"}, "url": {"string", "url"},
	"hostname": {"string", "hostname"}, "ipv4": {"string", "ipv4"}, "ipv6": {"string", "ipv6"}, "time": {"string", "time"},
}

// IsStandIn reports whether a string is a placeholder that names the type of a value.
func IsStandIn(text string) bool {
	_, ok := standIns[placeholderName(text)]
	return ok
}

func placeholderName(text string) string {
	if inner, ok := strings.CutPrefix(text, "<"); ok {
		inner, _ = strings.CutSuffix(inner, ">")
		if len(inner) == len(text)-len("<>") {
			return inner
		}
	}
	return ""
}

// OnlyStandIns reports whether a sample holds placeholders that name a type, and no other values.
func OnlyStandIns(v *tree.Value) bool {
	some, others := false, false
	leaves(v, maxInferred, func(leaf *tree.Value) {
		is := leaf.Kind() == tree.String && IsStandIn(leaf.Text())
		some, others = some || is, others || !is
	})
	return some && !others
}

// Fill replaces each placeholder in a sample with a value of the type that it names, the same value that package
// sample uses.
func Fill(v *tree.Value) {
	leaves(v, maxInferred, func(leaf *tree.Value) {
		if value := StandIn(leaf.Text()); value != nil {
			leaf.Become(value)
		}
	})
}

// StandIn returns the value that Fill replaces a placeholder with, or nil if text isn't one.
func StandIn(text string) *tree.Value {
	in, ok := standIns[placeholderName(text)]
	switch {
	case !ok:
		return nil
	case in.kind == "integer" || in.kind == "number":
		return tree.NewNumber("1")
	case in.kind == "boolean":
		return tree.NewBool(true)
	}
	return tree.NewString(sample.OfFormat(in.format))
}

// leaves calls visit for each value that isn't an array or object.
func leaves(v *tree.Value, levels int, visit func(leaf *tree.Value)) {
	switch {
	case v == nil || levels == 0:
	case v.Kind() == tree.Array || v.Kind() == tree.Object:
		for _, value := range v.Values() {
			leaves(value, levels-1, visit)
		}
	default:
		visit(v)
	}
}
