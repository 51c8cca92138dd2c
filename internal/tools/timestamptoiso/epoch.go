package timestamptoiso

import (
	"strings"
	"time"

	"github.com/convertd/convertd/internal/convert"
)

// fractionDigits is the number of decimal places for each unit; the output always has that many fraction digits.
var fractionDigits = map[string]int{
	"seconds":      0,
	"milliseconds": 3,
	"microseconds": 6,
	"nanoseconds":  9,
}

const (
	// maxNumber is the most characters that a number with a unit may have.
	maxNumber = 1024
	// maxWholeDigits is enough for the seconds of any instant in range.
	maxWholeDigits = 12
)

// readEpoch reads -?digits[.digits], a count of units since 1970. Only the decimal point moves: every digit of
// the input is in the output's fraction or part of the seconds.
func readEpoch(p part, unit string) (instant, error) {
	places, ok := fractionDigits[unit]
	if !ok { // the document lists other units
		return instant{}, unknownUnit
	}
	text := p.text()
	if bad := notDecimal(text); bad >= 0 {
		return instant{}, p.reject(bad, notANumber)
	}
	if len(text) > maxNumber {
		return instant{}, numberTooLong
	}
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	whole = strings.Repeat("0", max(0, places-len(whole))) + whole
	point := len(whole) - places
	whole, fraction = strings.TrimLeft(whole[:point], "0"), whole[point:]+fraction
	if len(whole) > maxWholeDigits {
		return instant{}, outOfRange
	}
	var seconds int64
	for _, c := range []byte(whole) {
		seconds = seconds*10 + int64(c-'0')
	}
	if negative {
		seconds, fraction = negate(seconds, fraction)
	}
	return instant{second: time.Unix(seconds, 0).UTC(), fraction: fraction}, nil
}

// negate returns -(seconds + 0.fraction) as seconds and a nonnegative fraction. The fraction becomes its ten's
// complement, digit by digit: 9 minus each digit, but 10 minus the last one that is not 0.
func negate(seconds int64, fraction string) (int64, string) {
	last := len(strings.TrimRight(fraction, "0")) - 1
	if last < 0 {
		return -seconds, fraction
	}
	digits := []byte(fraction)
	for i := range last {
		digits[i] = '9' - (digits[i] - '0')
	}
	digits[last] = '9' + 1 - (digits[last] - '0')
	return -seconds - 1, convert.OwnedText(digits)
}

// notDecimal returns the offset of the first byte that violates -?digits[.digits], or -1.
func notDecimal(text string) int {
	from := 0
	if strings.HasPrefix(text, "-") {
		from = 1
	}
	end := skipDigits(text, from)
	if end > from && end < len(text) && text[end] == '.' {
		from = end + 1
		end = skipDigits(text, from)
	}
	if end > from && end == len(text) {
		return -1
	}
	return end
}

// isNumber reports whether the text is a number in any common notation, including signs, decimal commas,
// exponents, and .5 and 5. as well. Without a unit it is not a timestamp, whatever its digits look like.
func isNumber(text string) bool {
	from := skipSign(text, 0)
	end := skipDigits(text, from)
	digits := end - from
	if end < len(text) && (text[end] == '.' || text[end] == ',') {
		from = end + 1
		end = skipDigits(text, from)
		digits += end - from
	}
	if digits == 0 {
		return false
	}
	if end < len(text) && text[end]|0x20 == 'e' {
		from = skipSign(text, end+1)
		if end = skipDigits(text, from); end == from {
			return false
		}
	}
	return end == len(text)
}

// skipSign returns the offset after the sign at i, or i if there is none.
func skipSign(text string, i int) int {
	if i < len(text) && (text[i] == '+' || text[i] == '-') {
		i++
	}
	return i
}
