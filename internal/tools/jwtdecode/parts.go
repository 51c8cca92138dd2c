package jwtdecode

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
)

// part is one of a token's three parts.
type part int

const (
	header part = iota
	payload
	signature
)

// token is a token whose parts have been located but not read.
type token struct {
	value string // the whole artifact, so that offsets count from its start
	from  [3]int // where each part begins in value
	to    [3]int // and the offset after it
}

func (t token) raw(p part) string { return t.value[t.from[p]:t.to[p]] }

// ASCII white space around a token is not part of it.
const whiteSpace = " \t\n\f\r"

// split finds the three parts of the token in value.
func split(value string) (token, error) {
	text := strings.Trim(value, whiteSpace)
	if f := notAlone(text); f != nil {
		return token{}, f
	}
	if f := wrongCount(strings.Count(text, ".") + 1); f != nil {
		return token{}, f
	}
	start := len(value) - len(strings.TrimLeft(value, whiteSpace))
	end := start + len(text)
	first := start + strings.IndexByte(text, '.')
	last := start + strings.LastIndexByte(text, '.')
	return token{
		value: value,
		from:  [3]int{start, first + 1, last + 1},
		to:    [3]int{first, last, end},
	}, nil
}

// notAlone rejects what people copy together with a token or instead of it. It returns nil if there is nothing else.
func notAlone(text string) *convert.Failure {
	switch {
	case text == "":
		return convert.Reject(convert.InvalidJWT,
			"The token is empty.",
			"Send the whole token: header, payload and signature in base64url, separated by dots.")
	case hasPrefixFold(text, "Authorization:"):
		return convert.Reject(convert.InvalidJWT,
			"The token is in an Authorization header.",
			"Send only the token, without Authorization: and the word Bearer.")
	case hasPrefixFold(text, "Bearer") && strings.IndexByte(whiteSpace, text[len("Bearer")]) >= 0:
		return convert.Reject(convert.InvalidJWT,
			"The authentication scheme Bearer precedes the token.",
			"Remove the word Bearer and the space after it.")
	case isQuote(text[0]) || isQuote(text[len(text)-1]):
		return convert.Reject(convert.InvalidJWT,
			"The token is in quotes.",
			"Remove the quotes around the token.")
	case text[0] == '{':
		return convert.Reject(convert.InvalidJWT,
			"The input is a JSON object, not a token.",
			"Send the token in compact form: three base64url parts separated by dots.")
	}
	return nil
}

func isQuote(c byte) bool { return c == '"' || c == '\'' }

// hasPrefixFold reports whether text begins with prefix, in any case, and goes on.
func hasPrefixFold(text, prefix string) bool {
	return len(text) > len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// wrongCount rejects a number of parts other than three.
func wrongCount(parts int) *convert.Failure {
	switch parts {
	case 3:
		return nil
	case 5:
		return convert.Reject(convert.EncryptedJWT,
			"The token has five parts: it is encrypted (JWE, RFC 7516).",
			"Decrypt it where its key is kept, and send the signed token inside. This service accepts no keys.")
	case 1:
		return convert.Reject(convert.InvalidJWT,
			"The token has one part; a JWT has three.",
			"Send only the token: header, payload and signature in base64url, separated by dots.")
	case 2:
		return convert.Reject(convert.InvalidJWT,
			"The token has two parts; a JWT has three.",
			"Send the signature too. An unsecured JWT ends with a dot and an empty signature.")
	}
	return convert.Reject(convert.InvalidJWT,
		"The token has %d parts; a JWT has three.",
		"Send only the token: header, payload and signature in base64url, separated by dots.", parts)
}

// text returns the decoded content of a part: UTF-8 that begins like a JSON object.
func (t token) text(p part) (string, error) {
	if err := t.checkAlphabet(p); err != nil {
		return "", err
	}
	raw := t.raw(p)
	if raw == "" {
		return "", p.failure(convert.Reject(convert.InvalidJWT,
			"The part is empty.",
			"Send the whole token. The header and the payload are each a JSON object."))
	}
	// An object begins with { or white space, whose upper six bits are one of these.
	if p == header && strings.IndexByte("eICD", raw[0]) < 0 {
		return "", p.failure(convert.Reject(convert.InvalidJWT,
			"The decoded part is not a JSON object, so the input is not a JWT.",
			"Send a JWT: its header is a JSON object in base64url and usually begins with eyJ. An opaque token cannot be decoded."))
	}
	if impossibleLength(raw) {
		return "", p.failure(convert.Reject(convert.InvalidJWT,
			"The part has a length that base64url never has: a character is missing or extra.",
			"Copy the whole token again, and nothing else."))
	}
	bytes, err := base64url.DecodeString(raw)
	if err != nil {
		return "", p.failure(convert.Reject(convert.InvalidJWT,
			"The last character has bits set that belong to no byte.",
			"Copy the whole token again; a base64url encoder sets these bits to zero."))
	}
	decoded := convert.OwnedText(bytes)
	if at := invalidUTF8(decoded); at >= 0 {
		return "", p.jsonError(convert.Reject(convert.InvalidUnicode,
			"A byte is not UTF-8.", "").At(decoded, at))
	}
	// Other code parses the object; here it is only distinguished from other JSON and from what is not JSON,
	// such as a token inside the token.
	begin := len(decoded) - len(strings.TrimLeft(decoded, " \t\r\n"))
	if begin == len(decoded) || decoded[begin] != '{' {
		return "", p.failure(convert.Reject(convert.InvalidJWT,
			"The decoded part is not a JSON object.",
			"Send a JWT, whose header and payload are JSON objects. If the payload is itself a token (cty JWT), send that token."))
	}
	return decoded, nil
}

// failure adds to f which part it is about.
func (p part) failure(f *convert.Failure) *convert.Failure {
	switch p {
	case header:
		return f.Within(f.Code, "In the header:")
	case payload:
		return f.Within(f.Code, "In the payload:")
	default:
		return f.Within(f.Code, "In the signature:")
	}
}

// base64url is RFC 4648, section 5, without padding. Strict rejects stray bits but skips CR and LF, so
// checkAlphabet must come first.
var base64url = base64.RawURLEncoding.Strict()

// inAlphabet holds the 64 characters of base64url.
var inAlphabet = func() (in [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
		in[c] = true
	}
	return in
}()

// checkAlphabet rejects the first character of a part that is not in base64url and reports its position in the
// artifact.
func (t token) checkAlphabet(p part) error {
	for i := t.from[p]; i < t.to[p]; i++ {
		if !inAlphabet[t.value[i]] {
			return p.failure(notBase64URL(t.value[i]).At(t.value, i))
		}
	}
	return nil
}

// notBase64URL returns the failure for c, with its most likely cause.
func notBase64URL(c byte) *convert.Failure {
	switch c {
	case '=':
		return convert.Reject(convert.InvalidJWT,
			"The part is padded with =.",
			"Remove each =: a JWT has no padding (RFC 7515, section 2). Some load balancers add padding to the tokens that they issue.")
	case '+', '/':
		return convert.Reject(convert.InvalidJWT,
			"The part is base64, not base64url.",
			"Replace each + with - and each / with _, or get the token as it was issued.")
	case ' ', '\t', '\n', '\v', '\f', '\r':
		return convert.Reject(convert.InvalidJWT,
			"White space is not allowed inside a token.",
			"Remove line breaks and spaces inside the token, and any words before it.")
	default:
		return convert.Reject(convert.InvalidJWT,
			"The character is not a base64url character.",
			"Send only the token, as it was issued. Between the dots it has only A to Z, a to z, 0 to 9, - and _.")
	}
}

// impossibleLength reports whether raw has a length that no base64url encoding has: 1 more than a multiple of 4.
func impossibleLength(raw string) bool { return len(raw)%4 == 1 }

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	valid, _, _ := strings.Cut(strings.ToValidUTF8(text, "\xFF"), "\xFF")
	return len(valid)
}
