// Package timestamptoiso writes a timestamp as ISO 8601 text in UTC,
// YYYY-MM-DDTHH:MM:SS[.fraction]Z with a year from 0001 to 9999. It reads
//
//   - a decimal number that counts the unit given in options.unit since
//     1970-01-01T00:00:00Z (epoch.go);
//   - ISO 8601 date and time: a calendar, ordinal or week date, basic or
//     extended, with T, t or one space before the time (iso.go);
//   - mail and HTTP dates: RFC 5322, section 3.3, and the IMF-fixdate and
//     asctime forms of RFC 9110, section 5.6.7 (imf.go).
//
// Nothing is inferred: a number needs its unit, a time needs its zone. White space around the text (space, tab,
// LF, FF, CR) is ignored.
//
// The calendar is the proleptic Gregorian one of package time, for whole seconds only: the digits of a fraction
// are kept as text, so none is ever rounded, added or lost. The package does not use time.Parse, which accepts
// texts that are not timestamps, and supports no zone names.
package timestamptoiso

import (
	"context"
	"strings"
	"time"

	"github.com/convertd/convertd/internal/convert"
)

// Tool is timestamp_to_iso. Its one option is unit: seconds, milliseconds, microseconds or nanoseconds; absent for
// calendar text. It fails with the codes invalid_timestamp, unit_required, zone_required, timestamp_out_of_range and
// output_too_large, and warns with offset_converted and leap_second.
var Tool = convert.Tool{Name: "timestamp_to_iso", Convert: run}

var (
	warnOffset = convert.WarningOffsetConverted.Line("The input has a UTC offset other than zero; the output is the same instant in UTC.")
	warnLeap   = convert.WarningLeapSecond.Line("The instant is in a leap second, and the output keeps second 60, which many programs cannot parse.")
)

// run ignores the context: its work is a few passes over at most 1 MiB.
func run(_ context.Context, in convert.Input) (convert.Result, error) {
	var at instant
	var err error
	if unit := in.Options.Text("unit"); unit != "" {
		at, err = readEpoch(trimmed(in.Value), unit)
	} else {
		at, err = readCalendar(trimmed(in.Value))
	}
	if err != nil {
		return convert.Result{}, err
	}
	if year := at.second.Year(); year < 1 || year > 9999 {
		return convert.Result{}, outOfRange
	}
	// The output is at most a few bytes longer than the input, so it may be built before it is checked against
	// the budget.
	out := at.append(make([]byte, 0, len("YYYY-MM-DDTHH:MM:SS.Z")+len(at.fraction)))
	if in.Limit.Exceeded(out) {
		return convert.Result{}, in.Limit.Failure()
	}
	return convert.Result{Value: convert.OwnedText(out), Warnings: at.warnings()}, nil
}

// readCalendar reads a text without a unit. Its beginning determines the form.
func readCalendar(p part) (instant, error) {
	text := p.text()
	switch digits := skipDigits(text, 0); {
	case text == "":
		return instant{}, p.reject(0, emptyText)
	case isNumber(text):
		return instant{}, unitRequired
	case isLetter(text[0]):
		return readWeekdayDate(p)
	case (digits == 1 || digits == 2) && digits < len(text) && isBlank(text[digits]):
		return readIMF(p, noWeekday)
	}
	return readISO(p)
}

// instant is a moment in UTC.
type instant struct {
	// second is a whole second.
	second time.Time
	// fraction is the digits after the point, or "".
	fraction string
	// leap reports whether the moment lies in the leap second after second.
	leap bool
	// converted reports whether it was written with an offset other than zero.
	converted bool
}

const secondsPerDay = 24 * 60 * 60

// append appends t in the tool's output form.
func (t instant) append(dst []byte) []byte {
	dst = t.second.AppendFormat(dst, "2006-01-02T15:04:05")
	if t.leap {
		dst = append(dst[:len(dst)-2], "60"...)
	}
	if t.fraction != "" {
		dst = append(dst, '.')
		dst = append(dst, t.fraction...)
	}
	return append(dst, 'Z')
}

func (t instant) warnings() []string {
	var w []string
	if t.converted {
		w = append(w, warnOffset)
	}
	if t.leap {
		w = append(w, warnLeap)
	}
	return w
}

// part is a piece of the input with its position, for failures.
type part struct {
	input    string
	from, to int
}

// asciiSpace is the ASCII whitespace of the WHATWG's Infra standard.
const asciiSpace = " \t\n\f\r"

func trimmed(input string) part {
	from := len(input) - len(strings.TrimLeft(input, asciiSpace))
	to := from + len(strings.TrimRight(input[from:], asciiSpace))
	return part{input, from, to}
}

func (p part) text() string { return p.input[p.from:p.to] }

// cut returns p from byte i to byte j.
func (p part) cut(i, j int) part { return part{p.input, p.from + i, p.from + j} }

// after returns p from byte i on.
func (p part) after(i int) part { return part{p.input, p.from + i, p.to} }

// reject sets the position of the failure to byte i of p.
func (p part) reject(i int, f *convert.Failure) error { return f.At(p.input, p.from+i) }
