package timestamptoiso

import (
	"slices"
	"strings"
	"time"
)

// The names are case-sensitive, as in RFC 9110, section 5.6.7.
var (
	weekdayNames = []string{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"}
	monthNames   = []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)

// imfZones are the zones of an RFC 5322 date that are not numeric and mean UTC: "UT" and "GMT" from its section
// 4.3; "Z" in either case, which all readings of that section interpret as UTC; and "UTC", which mail uses
// although no RFC lists it. The other names there (EST, military letters) are rejected: they are zone names,
// and many mean something else where they were written.
var imfZones = []string{"GMT", "UT", "UTC", "Z", "z"}

// The parts of an RFC 5322 date, and everything after the month in asctime's.
var (
	imfDayForms   = []form{"DD", "D"}
	imfYearForms  = []form{"YYYY"}
	imfClockForms = []form{"hh:mm:ss", "hh:mm"}
	asctimeForms  = []form{" DD hh:mm:ss YYYY", "  D hh:mm:ss YYYY"}
)

const imfOffset form = "hhmm"

// noWeekday means that there is no weekday.
const noWeekday = 0

// readWeekdayDate reads a date that begins with a letter: a day of the week, in both forms.
func readWeekdayDate(p part) (instant, error) {
	text := p.text()
	if len(text) > 3 {
		weekday := 1 + slices.Index(weekdayNames, text[:3])
		switch {
		case weekday == noWeekday:
		case text[3] == ',':
			return readIMF(p, weekday)
		case text[3] == ' ':
			return readAsctime(p, weekday)
		}
	}
	return instant{}, p.reject(0, unknownWord)
}

// readIMF reads a date of the Internet Message Format (RFC 5322, section 3.3): [weekday ","] day month year hh:mm[:ss]
// zone. RFC 9110's IMF-fixdate is one of these. One or more spaces or tabs separate the words (folding white space once
// unfolded); there are no comments. p begins with the weekday's name and comma when there is one.
func readIMF(p part, weekday int) (instant, error) {
	rest := p
	if weekday != noWeekday {
		rest = p.after(len("Sun,"))
	}
	day, rest := nextWord(rest)
	month, rest := nextWord(rest)
	year, rest := nextWord(rest)
	date, err := readIMFDate(p, weekday, day, month, year)
	if err != nil {
		return instant{}, err
	}
	word, rest := nextWord(rest)
	at, err := readIMFClock(word)
	if err != nil {
		return instant{}, err
	}
	zone, rest := nextWord(rest)
	offset, err := readIMFZone(zone)
	if err != nil {
		return instant{}, err
	}
	if more, _ := nextWord(rest); strings.HasPrefix(more.text(), "(") {
		return instant{}, more.reject(0, comment)
	} else if more.text() != "" {
		return instant{}, more.reject(0, moreText)
	}
	return at.on(date, offset)
}

// nextWord returns the text before the next space or tab, and what follows. At the end the word is empty.
func nextWord(p part) (word, rest part) {
	text := p.text()
	from := len(text) - len(strings.TrimLeft(text, " \t"))
	to := from
	for to < len(text) && !isBlank(text[to]) {
		to++
	}
	return p.cut(from, to), p.after(to)
}

// fitting returns the first of the forms that text matches.
func fitting(forms []form, text string) (form, bool) {
	i := slices.IndexFunc(forms, func(f form) bool { return f.fits(text) })
	if i < 0 {
		return "", false
	}
	return forms[i], true
}

// readIMFDate reads the date in three words. If p begins with a weekday, it must be that of the date.
func readIMFDate(p part, weekday int, day, month, year part) (date time.Time, err error) {
	dayForm, ok := fitting(imfDayForms, day.text())
	if !ok {
		return date, day.reject(0, badIMFDay)
	}
	if err := dayForm.check(day); err != nil {
		return date, err
	}
	m := 1 + slices.Index(monthNames, month.text())
	if m == 0 {
		return date, month.reject(0, badMonthName)
	}
	yearForm, ok := fitting(imfYearForms, year.text())
	if !ok {
		if text := year.text(); len(text) > len("YYYY") && skipDigits(text, 0) == len(text) {
			return date, longYear(year, false, text)
		}
		return date, year.reject(0, badYear)
	}
	d := dayForm.number('D', day.text())
	if date = dayOf(yearForm.number('Y', year.text()), m, d); date.Day() != d {
		return date, day.reject(0, dayBeyondMonth)
	}
	if weekday != noWeekday && weekday != dayOfWeek(date) {
		return date, p.reject(0, wrongWeekday)
	}
	return date, nil
}

// readIMFClock reads a time of day. These dates have no fraction and no hour 24.
func readIMFClock(p part) (clock, error) {
	f, ok := fitting(imfClockForms, p.text())
	switch {
	case p.text() == "":
		return clock{}, p.reject(0, imfTimeMissing)
	case !ok:
		return clock{}, p.reject(0, badIMFTime)
	}
	at, err := newClock(f, p)
	if err == nil && at.second == secondsPerDay {
		err = p.reject(0, badIMFTime)
	}
	return at, err
}

func readIMFZone(p part) (int, error) {
	text := p.text()
	switch {
	case text == "":
		return 0, p.reject(0, imfZoneRequired)
	case slices.Contains(imfZones, text):
		return 0, nil
	case text[0] != '+' && text[0] != '-':
		return 0, p.reject(0, namedZone)
	case !imfOffset.fits(text[1:]):
		return 0, p.reject(0, badIMFOffset)
	}
	return newOffset(imfOffset, p)
}

// readAsctime reads the output of C's asctime, "Sun Nov  6 08:49:37 1994": of fixed width, and in UTC by RFC
// 9110, section 5.6.7.
func readAsctime(p part, weekday int) (instant, error) {
	const dayAt, clockAt, yearAt = len("Sun Nov"), len("Sun Nov DD "), len("Sun Nov DD hh:mm:ss ")
	text := p.text()
	if _, ok := fitting(asctimeForms, text[min(dayAt, len(text)):]); !ok {
		return instant{}, p.reject(0, badAsctime)
	}
	day, _ := nextWord(p.after(dayAt))
	date, err := readIMFDate(p, weekday, day, p.cut(len("Sun "), dayAt), p.after(yearAt))
	if err != nil {
		return instant{}, err
	}
	at, err := readIMFClock(p.cut(clockAt, yearAt-1))
	if err != nil {
		return instant{}, err
	}
	return at.on(date, 0)
}
