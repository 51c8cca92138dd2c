package timestamptoiso

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
)

// form is the notation of a part of a timestamp. Each letter below is one digit, every other character itself.
//
//	Y year   M month   D day of the month   O day of the year
//	w week   e day of the week, 1 (Monday) to 7
//	h hour   m minute  s second
type form string

const fieldLetters = "YMDOwehms"

// ranges are the values of each field on its own. What depends on another field (the length of a month, hour
// 24) is checked where both are known.
var ranges = []struct {
	letter    byte
	low, high int
	failure   *convert.Failure
}{
	{'M', 1, 12, badMonth},
	{'D', 1, 31, badDay},
	{'O', 1, 366, badDayOfYear},
	{'w', 1, 53, badWeek},
	{'e', 1, 7, badDayOfWeek},
	{'h', 0, 24, badHour},
	{'m', 0, 59, badMinute},
	{'s', 0, 60, badSecond},
}

// fits reports whether text has the form, whatever its numbers.
func (f form) fits(text string) bool {
	if len(text) != len(f) {
		return false
	}
	for i := range len(f) {
		if strings.IndexByte(fieldLetters, f[i]) >= 0 {
			if !isDigit(text[i]) {
				return false
			}
		} else if text[i] != f[i] {
			return false
		}
	}
	return true
}

// number returns the value of a field in a text that fits, or 0 if the form does not have the field.
func (f form) number(letter byte, text string) int {
	n := 0
	for i := range len(f) {
		if f[i] == letter {
			n = n*10 + int(text[i]-'0')
		}
	}
	return n
}

// has reports whether the form has the field.
func (f form) has(letter byte) bool { return strings.IndexByte(string(f), letter) >= 0 }

// check checks the range of every field of a part that fits.
func (f form) check(p part) error {
	for _, r := range ranges {
		at := strings.IndexByte(string(f), r.letter)
		if at < 0 {
			continue
		}
		if n := f.number(r.letter, p.text()); n < r.low || n > r.high {
			return p.reject(at, r.failure)
		}
	}
	return nil
}

func isDigit(c byte) bool  { return c-'0' <= 9 }
func isLetter(c byte) bool { return c|0x20-'a' < 26 }
func isBlank(c byte) bool  { return c == ' ' || c == '\t' }

// skipDigits returns the offset of the first byte at or after i that is not an ASCII digit.
func skipDigits(text string, i int) int {
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return i
}
