package timestamptoiso

// Days are counted in the proleptic Gregorian calendar from 0001-01-01, a Monday, which is day 0. A text may
// contain the year 0000, whose last hours an offset can move into 0001, so days down to -366 occur.

// The lengths of the calendar's cycles, in days.
const (
	daysIn400Years = 146097
	daysIn100Years = 36524 // without the leap day that ends every fourth
	daysIn4Years   = 1461
	daysInYear     = 365
)

func isLeapYear(year int) bool {
	return year%4 == 0 && (year%100 != 0 || year%400 == 0)
}

// monthDays are the days before each month of a common year, and their total.
var monthDays = [...]int{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365}

// daysBeforeMonth returns the number of days of the year before the month, 1 to 13.
func daysBeforeMonth(year, month int) int {
	days := monthDays[month-1]
	if month > 2 && isLeapYear(year) {
		days++
	}
	return days
}

// daysBeforeYear returns the day number of the year's 1 January. Each division counts the multiples below the
// year, including 0.
func daysBeforeYear(year int) int {
	return daysInYear*year + (year+3)/4 - (year+99)/100 + (year+399)/400 - 366
}

func daysInMonth(year, month int) int {
	return daysBeforeMonth(year, month+1) - daysBeforeMonth(year, month)
}

func dayOf(year, month, day int) int {
	return daysBeforeYear(year) + daysBeforeMonth(year, month) + day - 1
}

// dateOf is the inverse of dayOf for days from 0 on. The last day of a cycle that ends with a leap day belongs
// to the cycle's last year, hence the min.
func dateOf(n int) (year, month, day int) {
	year = 1 + n/daysIn400Years*400
	n %= daysIn400Years
	centuries := min(n/daysIn100Years, 3)
	n -= centuries * daysIn100Years
	year += centuries*100 + n/daysIn4Years*4
	n %= daysIn4Years
	years := min(n/daysInYear, 3)
	n -= years * daysInYear
	year += years
	month = 1 + n/31 // never too late, at most one too early
	if n >= daysBeforeMonth(year, month+1) {
		month++
	}
	return year, month, n - daysBeforeMonth(year, month) + 1
}

// dayOfWeek returns 1 for Monday to 7 for Sunday, as in ISO 8601.
func dayOfWeek(n int) int {
	return (n+53*7)%7 + 1 // 53 weeks, so that the year 0000 is not negative
}

// firstWeek returns the Monday of the year's week 01: the week with 4 January (ISO 8601).
func firstWeek(year int) int {
	january4 := dayOf(year, 1, 4)
	return january4 - (dayOfWeek(january4) - 1)
}

func weeksIn(year int) int { return (firstWeek(year+1) - firstWeek(year)) / 7 }

// The years whose 30 June or 31 December ended with a leap second: the 27 of the IERS, 1972 to 2016. None has
// been announced since; add any new one here.
var (
	leapJune     = []int{1972, 1981, 1982, 1983, 1985, 1992, 1993, 1994, 1997, 2012, 2015}
	leapDecember = []int{1972, 1973, 1974, 1975, 1976, 1977, 1978, 1979, 1987, 1989, 1990, 1995, 1998, 2005, 2008, 2016}
)

// beforeLeapSecond reports whether the second, counted as in instant, is a 23:59:59 before a leap second.
func beforeLeapSecond(second int64) bool {
	for _, year := range leapJune {
		if second == int64(dayOf(year, 7, 1))*secondsPerDay-1 {
			return true
		}
	}
	for _, year := range leapDecember {
		if second == int64(dayOf(year+1, 1, 1))*secondsPerDay-1 {
			return true
		}
	}
	return false
}
