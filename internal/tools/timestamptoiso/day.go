package timestamptoiso

import (
	"slices"
	"time"
)

// dayOf returns the start of a day. Fields out of range are normalized: 31 April is 1 May, and the month 13 is
// January of the next year.
func dayOf(year, month, day int) time.Time {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
}

// dayOfWeek returns 1 for Monday to 7 for Sunday, as in ISO 8601.
func dayOfWeek(t time.Time) int { return (int(t.Weekday())+6)%7 + 1 }

// The years whose 30 June or 31 December ended with a leap second: the 27 of the IERS, 1972 to 2016. None has
// been announced since; add any new one here.
var (
	leapJune     = []int{1972, 1981, 1982, 1983, 1985, 1992, 1993, 1994, 1997, 2012, 2015}
	leapDecember = []int{1972, 1973, 1974, 1975, 1976, 1977, 1978, 1979, 1987, 1989, 1990, 1995, 1998, 2005, 2008, 2016}
)

// beforeLeapSecond reports whether the second is a 23:59:59 before a leap second.
func beforeLeapSecond(second time.Time) bool {
	midnight := second.Add(time.Second)
	switch midnight.Format("01-02T15:04:05") {
	case "07-01T00:00:00":
		return slices.Contains(leapJune, midnight.Year())
	case "01-01T00:00:00":
		return slices.Contains(leapDecember, midnight.Year()-1)
	}
	return false
}
