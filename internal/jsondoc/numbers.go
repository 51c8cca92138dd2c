package jsondoc

import (
	"strconv"
	"strings"
)

// number is what scanNumber saw of a number token.
type number struct {
	end    int // offset behind it, or of the byte that breaks the grammar
	bad    bool
	digits int // of the integer and fraction parts together
	exp    bool
}

// plainlySafe says without looking at the digits that the number is safe: 15
// digits survive a double in its normal range (and an integer of 15 digits is
// below 2^53).
func (n number) plainlySafe() bool { return !n.exp && n.digits <= 15 }

// scanNumber checks the number at i against RFC 8259, section 6.
func scanNumber(text string, i int) number {
	if text[i] == '-' {
		i++
	}
	start := i
	i = skipDigits(text, i)
	n := number{digits: i - start}
	if n.digits == 0 || n.digits > 1 && text[start] == '0' {
		n.end, n.bad = start, true
		return n
	}
	if i < len(text) && text[i] == '.' {
		from := i + 1
		i = skipDigits(text, from)
		n.digits += i - from
		if i == from {
			n.end, n.bad = i, true
			return n
		}
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		from := i
		i = skipDigits(text, from)
		n.exp = true
		n.bad = i == from
	}
	n.end = i
	return n
}

func skipDigits(text string, i int) int {
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// SafeNumber reports whether raw, a JSON number token, keeps its value in a
// reader that uses IEEE 754 double precision (RFC 8259, section 6): an
// integer literal within ±(2^53−1); any other number with at most 17
// significant digits whose nearest double, printed with as many digits, is the
// same decimal. Zeros at either end of the digits are not significant. Its
// time is linear in raw, whatever the exponent.
func SafeNumber(raw string) bool {
	raw = strings.TrimPrefix(raw, "-")
	mantissa, exponent := raw, ""
	if e := strings.IndexAny(raw, "eE"); e >= 0 {
		mantissa, exponent = raw[:e], raw[e+1:]
	}
	whole, fraction, isFraction := strings.Cut(mantissa, ".")
	if !isFraction && exponent == "" {
		const largest = "9007199254740991"
		return len(whole) < len(largest) || len(whole) == len(largest) && whole <= largest
	}
	// The value is 0.DIGITS × 10^point with the zeros at both ends cut.
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return true // zero, whatever the exponent
	}
	point := len(whole) - (len(whole) + len(fraction) - len(digits))
	digits = strings.TrimRight(digits, "0")
	if len(digits) > 17 {
		return false
	}
	shift, ok := smallExponent(exponent)
	if !ok {
		return false
	}
	point += shift
	if point > 310 || point < -325 {
		return false
	}
	if len(digits) <= 15 && point > -290 && point < 300 {
		return true
	}
	value, err := strconv.ParseFloat("0."+digits+"e"+strconv.Itoa(point), 64)
	if err != nil {
		return false
	}
	printed := strconv.FormatFloat(value, 'e', len(digits)-1, 64)
	mantissa, exponent, _ = strings.Cut(printed, "e")
	shift, _ = smallExponent(exponent)
	return strings.Replace(mantissa, ".", "", 1) == digits && shift+1 == point
}

// smallExponent returns the value of an exponent's digits with their sign,
// false when it has more digits than any exponent of a text of a few MiB that
// could matter. The bound keeps a million digits from being computed with.
func smallExponent(text string) (int, bool) {
	sign := 1
	switch {
	case strings.HasPrefix(text, "-"):
		sign, text = -1, text[1:]
	case strings.HasPrefix(text, "+"):
		text = text[1:]
	}
	text = strings.TrimLeft(text, "0")
	if len(text) > 9 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(text) {
		n = n*10 + int(c-'0')
	}
	return sign * n, true
}
