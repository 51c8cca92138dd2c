package tree

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/expression"
)

// plainScalar resolves a plain YAML scalar by the core schema (YAML 1.2.2, section 10.3.2).
func plainScalar(text string) (Kind, string) {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return Null, ""
	case "true", "True", "TRUE":
		return True, ""
	case "false", "False", "FALSE":
		return False, ""
	}
	if lexeme, ok := number(text); ok {
		return Number, lexeme
	}
	return String, text
}

// decimal matches a decimal number.
var decimal = expression.Lazy(`^[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?$`)

// number returns the JSON number (RFC 8259, section 6) with the value of a plain scalar. It keeps the digits
// and rewrites what JSON doesn't allow: a plus sign, leading zeros, a dot without digits on one side. It
// rejects infinity, NaN, and hexadecimal or octal numbers of more than 64 bits.
func number(text string) (string, bool) {
	if c := text[0]; c > '9' || c < '0' && c != '-' && c != '+' && c != '.' {
		return "", false
	}
	if rest, ok := strings.CutPrefix(text, "0x"); ok {
		return positional(rest, 16)
	}
	if rest, ok := strings.CutPrefix(text, "0o"); ok {
		return positional(rest, 8)
	}
	if !decimal().MatchString(text) {
		return "", false
	}
	sign, exponent := "", ""
	if text = strings.TrimPrefix(text, "+"); text[0] == '-' {
		sign, text = "-", text[1:]
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		text, exponent = text[:i], text[i:]
	}
	integer, fraction, dot := strings.Cut(text, ".")
	if dot {
		fraction = "." + cmp.Or(fraction, "0")
	}
	return sign + cmp.Or(strings.TrimLeft(integer, "0"), "0") + fraction + exponent, true
}

// positional returns the decimal digits of an unsigned number in another base.
func positional(text string, base int) (string, bool) {
	n, err := strconv.ParseUint(text, base, 64)
	return strconv.FormatUint(n, 10), err == nil
}
