package jsondoc

import (
	"math"
	"strconv"
	"strings"
)

// number is the result of scanning a number token. It has four fields, the most that the compiler keeps in registers.
type number struct {
	end      int // offset after it, or of the byte that violates the grammar
	integer  int // digits before the decimal point, 0 if it is invalid
	fraction int // digits after the decimal point
	exponent int // digits of the exponent
}

// triviallyExact reports whether the number is safe without looking at its digits: 15 digits survive a double in
// its normal range, which an exponent of two digits can't leave (and an integer of 15 digits is below 2^53).
func (n number) triviallyExact() bool { return n.integer+n.fraction <= 15 && n.exponent <= 2 }

// scanNumber checks the number at i against RFC 8259, section 6.
func scanNumber(text string, i int) number {
	if text[i] == '-' {
		i++
	}
	end := skipDigits(text, i)
	n := number{end: end, integer: end - i}
	if n.integer == 0 || n.integer > 1 && text[i] == '0' {
		return number{end: i}
	}
	if end < len(text) && text[end] == '.' {
		i = end + 1
		end = skipDigits(text, i)
		if end == i {
			return number{end: end}
		}
		n.end, n.fraction = end, end-i
	}
	if end < len(text) && text[end]|0x20 == 'e' {
		i = end + 1
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		end = skipDigits(text, i)
		if end == i {
			return number{end: end}
		}
		n.end, n.exponent = end, end-i
	}
	return n
}

func skipDigits(text string, i int) int {
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c-'0' <= 9 }

// roundTrips reports whether a number of 16 or 17 digits, common in map coordinates, is safe. It only handles
// numbers without exponent, and returns false for what it can't decide. With strconv alone, 500 KB of coordinates
// take five times as long to format.
//
// The number is digits / power, both exact integers. If any double times power is less than a half from digits, then
// so is the nearest one. The quotient of the two as doubles is the nearest or a neighbor of it: these are tried. The
// product as a double and what rounding it has lost are exact together.
func (n number) roundTrips(text string) bool {
	if n.exponent > 0 || n.fraction == 0 || n.fraction > 18 || n.integer+n.fraction > 19 {
		return false
	}
	digits := int64(0)
	for _, c := range []byte(text[n.end-n.fraction-1-n.integer : n.end]) {
		if c != '.' {
			digits = digits*10 + int64(c-'0')
		}
	}
	if digits <= 0 || digits >= 1e17 { // 19 digits may overflow to a negative number
		return false
	}
	power := math.Pow10(n.fraction)
	nearest := math.Float64bits(float64(digits) / power)
	for _, candidate := range [3]uint64{nearest, nearest - 1, nearest + 1} {
		double := math.Float64frombits(candidate)
		product := float64(double * power)        // not to be fused with the subtraction below
		lost := math.FMA(double, power, -product) // when the product was rounded
		whole := int64(product)
		if math.Abs(float64(whole-digits)+(product-float64(whole))+lost) < 0.5 {
			return true
		}
	}
	return false
}

// SafeNumber reports whether raw, a JSON number token, keeps its value in a reader that uses IEEE 754 double
// precision (RFC 8259, section 6). Safe are integer literals within ±(2^53−1), and other numbers with at most
// 17 significant digits whose nearest double, printed with as many digits, is the same decimal. Zeros at either
// end of the digits are not significant. It takes time linear in raw, whatever the exponent.
func SafeNumber(raw string) bool {
	raw = strings.TrimPrefix(raw, "-")
	mantissa, exponent := cutExponent(raw)
	integer, fraction, isFraction := strings.Cut(mantissa, ".")
	if !isFraction && exponent == "" {
		const largest = "9007199254740991"
		return len(integer) < len(largest) || len(integer) == len(largest) && integer <= largest
	}
	digits, point, ok := significant(integer, fraction, exponent)
	if digits == "" {
		return true // zero, whatever the exponent
	}
	if len(digits) > 17 || !ok || point > 310 || point < -325 {
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
	shift, _ := smallExponent(exponent)
	return strings.Replace(mantissa, ".", "", 1) == digits && shift+1 == point
}

// Shorten returns a number token with the same value as raw, a JSON number token, without the zeros at both ends
// of its digits. It returns raw itself if the exponent is so large that a double is zero or infinite anyway.
// strconv.ParseFloat requires this for long tokens: it reads 10^800 and 10^900 as the same number, and misreads
// exponents of six digits.
func Shorten(raw string) string {
	unsigned := strings.TrimPrefix(raw, "-")
	mantissa, exponent := cutExponent(unsigned)
	integer, fraction, _ := strings.Cut(mantissa, ".")
	digits, point, ok := significant(integer, fraction, exponent)
	short := "0.0"
	switch {
	case digits != "" && !ok:
		return raw
	case digits != "":
		short = "0." + digits + "e" + strconv.Itoa(point)
	}
	return raw[:len(raw)-len(unsigned)] + short
}

// cutExponent splits a number around its e.
func cutExponent(raw string) (mantissa, exponent string) {
	if e := strings.IndexAny(raw, "eE"); e >= 0 {
		return raw[:e], raw[e+1:]
	}
	return raw, ""
}

// significant returns the digits of a number without the zeros at both ends, "" for zero. If ok, its value is
// 0.DIGITS × 10^point.
func significant(integer, fraction, exponent string) (digits string, point int, ok bool) {
	digits = strings.TrimLeft(integer+fraction, "0")
	point = len(digits) - len(fraction)
	digits = strings.TrimRight(digits, "0")
	shift, ok := smallExponent(exponent)
	return digits, point + shift, ok
}

// smallExponent returns the value of an exponent with its sign. It returns false if the exponent has more
// digits than any that matters in a text of a few MiB.
func smallExponent(text string) (int, bool) {
	if text == "" {
		return 0, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && max(n, -n) < 1e9
}
