package timestamptoiso

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// fractionDigits says for each unit how many decimal places it is smaller
// than a second; its output always has that many fraction digits.
var fractionDigits = map[string]int{
	"seconds":      0,
	"milliseconds": 3,
	"microseconds": 6,
	"nanoseconds":  9,
}

const (
	// maxNumber is the most characters a number with a unit may have.
	maxNumber = 1024
	// maxWholeDigits is enough for the seconds of any instant in range.
	maxWholeDigits = 12
	// secondsTo1970 is from 0001-01-01T00:00:00 to 1970-01-01T00:00:00.
	secondsTo1970 = 719162 * secondsPerDay
)

// readEpoch reads -?digits[.digits], a count of units since 1970. Only the
// decimal point moves: every digit of the input is in the output's
// fraction, or has gone into the seconds.
func readEpoch(p part, unit string) (instant, error) {
	places, ok := fractionDigits[unit]
	if !ok { // the document lists the units; this says that it lists another
		return instant{}, unknownUnit()
	}
	text := p.text()
	if bad := notDecimal(text); bad >= 0 {
		return instant{}, p.refuse(bad, notANumber())
	}
	if len(text) > maxNumber {
		return instant{}, numberTooLong()
	}
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	whole = strings.Repeat("0", max(0, places-len(whole))) + whole
	point := len(whole) - places
	whole, fraction = strings.TrimLeft(whole[:point], "0"), whole[point:]+fraction
	if len(whole) > maxWholeDigits {
		return instant{}, outOfRange()
	}
	var seconds int64
	for _, c := range []byte(whole) {
		seconds = seconds*10 + int64(c-'0')
	}
	if negative {
		seconds, fraction = negate(seconds, fraction)
	}
	return instant{seconds: seconds + secondsTo1970, fraction: fraction}, nil
}

// negate returns -(seconds + 0.fraction) as seconds and a fraction that is
// not negative. The fraction becomes its ten's complement, digit by digit: 9
// minus each digit, but 10 minus the last one that is not 0.
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

// notDecimal returns the offset of the first byte that breaks
// -?digits[.digits], -1 when there is none.
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

// isNumber reports whether the text is a number in any usual notation: signs,
// decimal commas and exponents included, and .5 and 5. too. Without a unit it
// is no timestamp, whatever its digits look like.
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

// skipSign returns the offset after the sign at i, if there is one.
func skipSign(text string, i int) int {
	if i < len(text) && (text[i] == '+' || text[i] == '-') {
		i++
	}
	return i
}
