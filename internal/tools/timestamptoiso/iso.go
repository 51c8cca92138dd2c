package timestamptoiso

import (
	"slices"
	"strings"
	"time"

	"github.com/convertd/convertd/internal/convert"
)

// style is the ISO 8601 format of a part. All parts of one text must agree.
type style uint8

const (
	basic    style = 1 << iota // without separators
	extended                   // with - and :
	either   = basic | extended
)

// dateKind is one of the three kinds of ISO 8601 date.
type dateKind struct {
	// day returns the day of a text in the form, and whether the calendar has that day.
	day func(f form, text string) (day time.Time, ok bool)
	// field is the field out of range when the calendar doesn't have the day, and failure says so.
	field   byte
	failure *convert.Failure
}

var (
	calendarDate = dateKind{calendarDay, 'D', dayBeyondMonth}
	ordinalDate  = dateKind{ordinalDay, 'O', dayBeyondYear}
	weekDate     = dateKind{weekDay, 'w', weekBeyondYear}
)

// dateForms are the complete dates of ISO 8601.
var dateForms = []struct {
	form
	style style
	kind  dateKind
}{
	{"YYYY-MM-DD", extended, calendarDate},
	{"YYYYMMDD", basic, calendarDate},
	{"YYYY-OOO", extended, ordinalDate},
	{"YYYYOOO", basic, ordinalDate},
	{"YYYY-Www-e", extended, weekDate},
	{"YYYYWwwe", basic, weekDate},
}

// clockForms are the times of day of ISO 8601, without a fraction.
var clockForms = []struct {
	form
	style style
}{
	{"hh:mm:ss", extended},
	{"hhmmss", basic},
	{"hh:mm", extended},
	{"hhmm", basic},
}

// offsetForms are the forms after the sign of an offset from UTC. ISO 8601 allows hours alone in both formats.
var offsetForms = []struct {
	form
	style style
}{
	{"hh:mm", extended},
	{"hhmm", basic},
	{"hh", either},
}

// utcZones are the notations for UTC besides an offset of zero. The words, which are not ISO 8601, may follow a space.
var utcZones = []string{"Z", "z", "UTC", "GMT", " UTC", " GMT"}

// readISO reads a date, T, a time of day and a zone, all of ISO 8601 and in one format of it. It also accepts
// four variants from RFC 3339 (sections 4.3 and 5.6): t, z, one space for T, and -00:00, which is UTC. It
// doesn't support these parts of ISO 8601: expanded years, fractions of minutes and hours, reduced precision (a
// date or hours alone) and the omission of T.
func readISO(p part) (instant, error) {
	text := p.text()
	end := strings.IndexAny(text, "Tt ")
	if end < 0 {
		end = len(text)
	}
	day, format, err := readDate(p.cut(0, end))
	if err != nil {
		return instant{}, err
	}
	rest := p.after(min(end+1, len(text)))
	end = len(rest.text()) - len(strings.TrimLeft(rest.text(), "0123456789:.,"))
	if end == 0 {
		return instant{}, rest.reject(0, timeMissing)
	}
	at, timeFormat, err := readClock(rest.cut(0, end))
	if err != nil {
		return instant{}, err
	}
	if timeFormat != format {
		return instant{}, rest.reject(0, mixedTime)
	}
	offset, err := readZone(rest.after(end), format)
	if err != nil {
		return instant{}, err
	}
	return at.on(day, offset)
}

func readDate(p part) (day time.Time, format style, err error) {
	for _, f := range dateForms {
		if !f.fits(p.text()) {
			continue
		}
		if err := f.check(p); err != nil {
			return day, 0, err
		}
		day, ok := f.kind.day(f.form, p.text())
		if !ok {
			return day, 0, p.reject(strings.IndexByte(string(f.form), f.kind.field), f.kind.failure)
		}
		return day, f.style, nil
	}
	return day, 0, unknownDate(p)
}

func calendarDay(f form, text string) (time.Time, bool) {
	number := f.number('D', text)
	day := dayOf(f.number('Y', text), f.number('M', text), number)
	return day, day.Day() == number
}

func ordinalDay(f form, text string) (time.Time, bool) {
	year := f.number('Y', text)
	day := dayOf(year, 1, f.number('O', text))
	return day, day.Year() == year
}

// weekDay counts from the Monday of week 01, the week with 4 January.
func weekDay(f form, text string) (time.Time, bool) {
	year, week := f.number('Y', text), f.number('w', text)
	day := dayOf(year, 1, 4-dayOfWeek(dayOf(year, 1, 4))+7*(week-1)+f.number('e', text))
	_, inYear := day.ISOWeek()
	return day, inYear == week
}

// unknownDate returns the failure for a date in no known form: the year has a sign or more than four digits, a
// valid date is followed by something other than a time, or anything else.
func unknownDate(p part) error {
	text := p.text()
	year := strings.TrimLeft(text, "+-")
	if digits := skipDigits(year, 0); digits >= len("YYYY") && len(text)-len(year) <= 1 {
		for _, f := range dateForms {
			if f.style == extended && f.form[len("YYYY"):].fits(year[digits:]) {
				return longYear(p, text[0] == '-', year[:digits])
			}
		}
	}
	for _, f := range dateForms {
		end := len(f.form)
		if len(text) > end && f.fits(text[:end]) && (f.style == basic || !isDigit(text[end])) {
			return p.reject(end, timeMissing)
		}
	}
	return p.reject(0, badDate)
}

// longYear rejects a year that doesn't consist of exactly four digits.
func longYear(p part, negative bool, digits string) error {
	if negative || len(strings.TrimLeft(digits, "0")) > len("YYYY") {
		return p.reject(0, outOfRange)
	}
	return p.reject(0, badYear)
}

// clock is a time of day.
type clock struct {
	part
	// second of the day, 0 to 86400 (24:00:00, the next midnight). For a second 60 it is the one before.
	second   int
	fraction string
	leap     bool // the second is written as 60
}

// readClock reads a time of day with a fraction of the second, if any.
func readClock(p part) (at clock, format style, err error) {
	text := p.text()
	end := strings.IndexAny(text, ".,")
	if end < 0 {
		end = len(text)
	}
	for _, f := range clockForms {
		if !f.fits(text[:end]) {
			continue
		}
		if end < len(text) && !f.has('s') {
			return clock{}, 0, p.reject(end, fractionOfMinute)
		}
		at, err := newClock(f.form, p.cut(0, end))
		if err != nil {
			return clock{}, 0, err
		}
		if end < len(text) {
			if at.fraction, err = readFraction(p.after(end + 1)); err != nil {
				return clock{}, 0, err
			}
		}
		if at.second == secondsPerDay && strings.Trim(at.fraction, "0") != "" {
			return clock{}, 0, p.reject(0, pastMidnight)
		}
		return at, f.style, nil
	}
	if form("hh").fits(text[:end]) {
		return clock{}, 0, p.reject(end, minutesMissing)
	}
	return clock{}, 0, p.reject(0, badTime)
}

// newClock returns the time of day in a part that fits the form.
func newClock(f form, p part) (clock, error) {
	if err := f.check(p); err != nil {
		return clock{}, err
	}
	text := p.text()
	c := clock{part: p, second: f.number('h', text)*3600 + f.number('m', text)*60 + f.number('s', text)}
	if f.number('s', text) == 60 {
		c.second, c.leap = c.second-1, true
	}
	if c.second > secondsPerDay {
		return clock{}, p.reject(0, pastMidnight)
	}
	return c, nil
}

// readFraction reads the digits after the decimal sign; all are kept.
func readFraction(p part) (string, error) {
	if end := skipDigits(p.text(), 0); end == 0 || end < len(p.text()) {
		return "", p.reject(end, badFraction)
	}
	return p.text(), nil
}

// on returns the instant at that time of the day, offset seconds ahead of UTC. A second 60 must be a real one.
func (c clock) on(day time.Time, offset int) (instant, error) {
	at := instant{
		second:    day.Add(time.Duration(c.second-offset) * time.Second),
		fraction:  c.fraction,
		leap:      c.leap,
		converted: offset != 0,
	}
	if c.leap && !beforeLeapSecond(at.second) {
		return instant{}, c.reject(0, noLeapSecond)
	}
	return at, nil
}

// readZone returns the seconds that the zone, the rest of the text, is ahead of UTC.
func readZone(p part, format style) (int, error) {
	text := p.text()
	if text == "" {
		return 0, p.reject(0, zoneRequired)
	}
	if slices.Contains(utcZones, text) {
		return 0, nil
	}
	if text[0] != '+' && text[0] != '-' {
		return 0, unknownZone(p)
	}
	for _, f := range offsetForms {
		if !f.fits(text[1:]) {
			continue
		}
		if f.style&format == 0 {
			return 0, p.reject(0, mixedOffset)
		}
		return newOffset(f.form, p)
	}
	if at := strings.IndexByte(text, '['); at > 0 {
		return 0, p.reject(at, bracketSuffix)
	}
	return 0, p.reject(0, badOffset)
}

// newOffset returns the offset in a sign and a text that fits the form.
func newOffset(f form, p part) (int, error) {
	text := p.text()[1:]
	hours, minutes := f.number('h', text), f.number('m', text)
	if hours > 23 || minutes > 59 {
		return 0, p.reject(0, offsetOutOfRange)
	}
	offset := hours*3600 + minutes*60
	if p.text()[0] == '-' {
		offset = -offset
	}
	return offset, nil
}

// unknownZone returns the failure for a text after the time that is neither a word for UTC nor begins with a sign.
func unknownZone(p part) error {
	text := p.text()
	word := strings.TrimLeft(text, " ")
	letters := 0
	for letters < len(word) && isLetter(word[letters]) {
		letters++
	}
	blanks := len(text) - len(word)
	bracket := strings.IndexByte(text, '[')
	switch {
	case blanks > 1 || blanks == 1 && (word[0] == '+' || word[0] == '-' || word == "Z" || word == "z"):
		return p.reject(0, spaceBeforeZone)
	case bracket == blanks+letters:
		return p.reject(bracket, bracketSuffix)
	case letters == 0:
		return p.reject(blanks, noZone)
	}
	if slices.Contains(utcZones, text[:blanks+letters]) {
		return p.reject(blanks+letters, moreText)
	}
	return p.reject(blanks, namedZone)
}
