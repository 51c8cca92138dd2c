package request

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ParseAuthorization takes the value of an Authorization header apart: a
// scheme and what stands behind it (RFC 9110, section 11.6.2). nil when it
// does not begin with a scheme, as a token alone or a variable for the whole.
func ParseAuthorization(value string) *Auth {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(value), " ")
	rest = strings.TrimSpace(rest)
	if rest == "" || !IsToken(scheme) {
		return nil
	}
	switch {
	case strings.EqualFold(scheme, "Bearer"):
		return &Auth{Kind: Bearer, Token: rest}
	case strings.EqualFold(scheme, "Basic"):
		if user, password, ok := DecodeBasic(rest); ok {
			return &Auth{Kind: Basic, Username: user, Password: password}
		}
	}
	return &Auth{Kind: OtherScheme, Key: scheme, Token: rest}
}

// DecodeBasic decodes the credentials of the Basic scheme (RFC 7617, section
// 2), with or without their padding.
func DecodeBasic(credentials string) (user, password string, ok bool) {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(credentials, "="))
	if err != nil || !utf8.Valid(plain) {
		return "", "", false
	}
	user, password, ok = strings.Cut(string(plain), ":")
	if !ok || strings.ContainsFunc(user, unicode.IsControl) || strings.ContainsFunc(password, unicode.IsControl) {
		return "", "", false
	}
	return user, password, true
}

// EncodeBasic is the value of an Authorization header with such credentials.
func EncodeBasic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

// ParseCookies takes the value of a Cookie header apart (RFC 6265, section
// 4.2.1); nil when it is not made of pairs.
func ParseCookies(value string) []*Parameter {
	var cookies []*Parameter
	for p := range Pairs(value, ';') {
		name := strings.TrimSpace(p.Name)
		if p.Bare && name == "" {
			continue
		}
		if p.Bare || name == "" {
			return nil
		}
		cookies = append(cookies, &Parameter{Name: name, Value: strings.TrimSpace(p.Value)})
	}
	return cookies
}
