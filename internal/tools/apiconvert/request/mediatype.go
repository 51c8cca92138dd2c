package request

import (
	"slices"
	"strings"
)

// Media types of bodies that need their own encoding.
const (
	JSONType      = "application/json"
	FormType      = "application/x-www-form-urlencoded"
	MultipartType = "multipart/form-data"
	XMLType       = "application/xml"
	TextType      = "text/plain"
	BinaryType    = "application/octet-stream"
	GraphQLType   = "application/graphql"
)

// BaseType returns a media type in lower case without its parameters (RFC 9110, section 8.3.1).
func BaseType(mediaType string) string {
	base, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(base))
}

// TypeParameter returns the value of a media type's parameter without quotes, or "" if there is none with the
// name.
func TypeParameter(mediaType, name string) string {
	_, rest, _ := strings.Cut(mediaType, ";")
	for rest != "" {
		parameter := rest[:unquotedIndex(rest, ';')]
		rest = rest[min(len(parameter)+1, len(rest)):]
		key, value, _ := strings.Cut(parameter, "=")
		if strings.EqualFold(strings.TrimSpace(key), name) {
			value = strings.TrimSpace(value)
			if len(value) > 1 && value[0] == '"' && value[len(value)-1] == '"' {
				value = strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(value[1 : len(value)-1])
			}
			return value
		}
	}
	return ""
}

// unquotedIndex returns the index of the first c outside of quotes, or len(text) if there is none.
func unquotedIndex(text string, c byte) int {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case text[i] == '\\' && quoted:
			i++
		case text[i] == c && !quoted:
			return i
		}
	}
	return len(text)
}

// IsJSONType reports whether a media type is JSON, or a range that includes it.
func IsJSONType(mediaType string) bool {
	base := BaseType(mediaType)
	return base == JSONType || base == "text/json" || strings.HasSuffix(base, "+json") || base == "*/*" || base == "application/*"
}

// IsXMLType reports whether a media type is XML (RFC 7303).
func IsXMLType(mediaType string) bool {
	base := BaseType(mediaType)
	return base == XMLType || base == "text/xml" || strings.HasSuffix(base, "+xml")
}

// IsJSONLines reports whether a media type is a sequence of JSON values, one a line.
func IsJSONLines(mediaType string) bool {
	switch base := BaseType(mediaType); base {
	case "application/jsonl", "application/x-ndjson", "application/ndjson", "application/json-seq":
		return true
	default:
		return strings.HasSuffix(base, "+json-seq")
	}
}

// IsBinaryType reports whether a media type is binary.
func IsBinaryType(mediaType string) bool {
	base := BaseType(mediaType)
	for _, prefix := range []string{"image/", "audio/", "video/", "font/"} {
		if strings.HasPrefix(base, prefix) {
			return !strings.HasSuffix(base, "+xml")
		}
	}
	return slices.Contains([]string{BinaryType, "application/pdf", "application/zip", "application/gzip",
		"application/x-gzip", "application/x-tar", "application/binary", "application/msword"}, base) ||
		strings.HasPrefix(base, "application/vnd.openxmlformats") || strings.HasPrefix(base, "application/vnd.ms-")
}

// IsFormType reports whether a media type is that of a form.
func IsFormType(mediaType string) bool {
	base := BaseType(mediaType)
	return base == FormType || base == MultipartType
}

// IsToken reports whether text can be a method, a header name or a scheme (RFC 9110, section 5.6.2).
func IsToken(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool {
		return c <= ' ' || c >= 0x7f || strings.ContainsRune("()<>@,;:\\\"/[]?={}", c)
	})
}
