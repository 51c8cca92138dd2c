package openapi

import (
	"net/url"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// The characters that each part of a URL holds unencoded, besides letters, digits,
// "-._~" and variables.
const (
	InPath        = "!$&'()*+,;=:@/%"
	InQuery       = "!$'()*,;:@/?[]"
	InQueryAsSent = "!$'()*+,;:@/?[]%" // text that is percent-encoded already
	InQueryFree   = "!$&'()*+,;=:@/?[]#"
)

// Encode percent-encodes everything but unreserved characters and those in keep.
func Encode(text, keep string) string {
	return request.Encode(text, func(rest string) bool {
		return Unreserved(rest[0]) || strings.IndexByte(keep, rest[0]) >= 0
	})
}

func Unreserved(c byte) bool { return words.IsAlnum(c) || strings.IndexByte("-._~", c) >= 0 }

// ScalarText returns the text of a value within a serialized array or object. A
// nested array or object has no serialization in OpenAPI and is written as JSON.
func ScalarText(v *tree.Value, b *budget.Budget) string {
	text, scalar := v.Scalar()
	if !scalar && v != nil && v.Kind() != tree.Null {
		if line, err := v.AppendJSON(nil, MaxScalarText); err == nil {
			text = string(line)
		}
	}
	b.Text(len(text))
	return text
}

// Unescape decodes percent-encoding and plus signs; text that is not encoded is
// returned as it is.
func Unescape(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// Paragraphs joins the texts that are not empty.
func Paragraphs(texts ...string) string {
	texts = slices.DeleteFunc(texts, func(s string) bool { return strings.TrimSpace(s) == "" })
	return strings.Join(texts, "\n\n")
}

// MaxScalarText is how many bytes of JSON ScalarText returns at most.
const MaxScalarText = 1 << 16

// DomainOf returns the registered domain of a URL: the last two labels of its host.
func DomainOf(address string) string {
	_, host, ok := strings.Cut(address, "://")
	if !ok {
		return ""
	}
	host, _, _ = strings.Cut(host, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	host, _, _ = strings.Cut(strings.ToLower(host), ":")
	labels := strings.Split(host, ".")
	if len(labels) < 2 {
		return ""
	}
	end := labels[len(labels)-1]
	name := labels[len(labels)-2] + "." + end
	if len(end) < 2 || end[0] < 'a' || end[0] > 'z' || strings.ContainsAny(name, "{}%") {
		return ""
	}
	return name
}
