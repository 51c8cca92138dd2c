package jsondoc

import (
	"math"
	"math/bits"
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
// The number is digits / power, both exact integers, and a double is mantissa × 2^-scale. If any double times power,
// rounded to an integer, is digits, then so is the nearest one. The quotient of the two as doubles is the nearest or a
// neighbour of it: these are tried, in exact arithmetic.
func (n number) roundTrips(text string) bool {
	if n.exponent > 0 || n.fraction == 0 || n.fraction > 18 || n.integer+n.fraction > 19 {
		return false
	}
	point := n.end - n.fraction - 1
	digits := withDigits(0, text, point-n.integer, point)
	digits = withDigits(digits, text, point+1, n.end)
	if digits == 0 || digits >= 1e17 {
		return false
	}
	power := powersOfTen[n.fraction]
	double := math.Float64bits(float64(digits) / float64(power))
	mantissa := double&(1<<52-1) | 1<<52
	scale := 1023 + 52 - int(double>>52)
	if scale <= 0 {
		return false
	}
	for _, m := range [3]uint64{mantissa, mantissa - 1, mantissa + 1} {
		hi, lo := bits.Mul64(m, power)
		if rounded, tie := roundingShift(hi, lo, uint(scale)); rounded == digits && !tie {
			return true
		}
	}
	return false
}

// powersOfTen are the powers of ten that fit in 64 bits.
var powersOfTen = func() (powers [20]uint64) {
	powers[0] = 1
	for i := range powers[1:] {
		powers[i+1] = 10 * powers[i]
	}
	return powers
}()

// withDigits returns n with the digits of text[i:end] appended.
func withDigits(n uint64, text string, i, end int) uint64 {
	for ; i < end; i++ {
		n = n*10 + uint64(text[i]-'0')
	}
	return n
}

// roundingShift returns hi × 2^64 + lo, divided by 2^shift and rounded to the nearest integer, and whether it
// is a tie. The result must be below 2^64, shift between 1 and 127.
func roundingShift(hi, lo uint64, shift uint) (rounded uint64, tie bool) {
	if shift > 64 {
		hi += 1 << (shift - 65)
	} else {
		var carry uint64
		lo, carry = bits.Add64(lo, 1<<(shift-1), 0)
		hi += carry
	}
	if shift >= 64 {
		return hi >> (shift - 64), hi<<(128-shift) == 0 && lo == 0
	}
	return hi<<(64-shift) | lo>>shift, lo<<(64-shift) == 0
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
// digits than any that matters in a text of a few MiB. The limit avoids arithmetic with a million digits.
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
