package timestamptoiso

import "github.com/convertd/convertd/internal/convert"

// The failures of the tool, in the order in which a text is read. The hint says what to write instead.

// Hints that several failures share.
const (
	isoHint   = "Send a date, T, a time and a zone, as in 2024-02-29T12:00:00Z or 20240229T120000Z."
	dateHint  = "Write the date as 2024-02-29, 2024-060 or 2024-W09-4, or without any hyphens, starting with a four-digit year."
	clockHint = "Write the time as 12:30, 12:30:05 or 12:30:05.25, or without colons if the date has no hyphens."
	zoneHint  = "End the time with Z for UTC, as in 2024-02-29T12:00:00Z, or with its offset, as in 2024-02-29T12:00:00+01:00 or 20240229T120000+0100."
	imfHint   = "Write the date as Sun, 06 Nov 1994 08:49:37 GMT or as Sun, 06 Nov 1994 08:49:37 +0100."
)

// With a unit.
var (
	unknownUnit = convert.Reject(convert.SchemaViolation, "options.unit is not a supported unit.",
		"Set options.unit to seconds, milliseconds, microseconds or nanoseconds.")
	notANumber = convert.Reject(convert.InvalidTimestamp,
		"options.unit is set, but the input is not a plain decimal number.",
		"Write digits, optionally with a minus sign and a decimal point, as in 1700000000 or -0.25. Leave options.unit out for a date.")
	numberTooLong = convert.Reject(convert.InvalidTimestamp, "The number has more than %d characters.",
		"Send a shorter number. No supported time needs so many digits before the point; round the fraction.", maxNumber)
)

// The text as a whole.
var (
	emptyText    = convert.Reject(convert.InvalidTimestamp, "The input is empty.", isoHint)
	unitRequired = convert.Reject(convert.UnitRequired, "The input is a bare number without a unit.",
		"Set options.unit to seconds, milliseconds, microseconds or nanoseconds. If the digits are a date, write it as 2024-02-29T12:00:00Z.")
	unknownWord = convert.Reject(convert.InvalidTimestamp,
		"The input begins with a letter, but not with Mon, Tue, Wed, Thu, Fri, Sat or Sun and then a comma or a space.",
		"Write the date as 2024-02-29T12:00:00Z or as Sun, 06 Nov 1994 08:49:37 GMT. Full names of days and two-digit years are not supported.")
	outOfRange = convert.Reject(convert.TimestampOutOfRange, "The time is outside the years 0001 to 9999 in UTC.",
		"Send a time from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z. For a number, check options.unit.")
)

// The date.
var (
	badDate = convert.Reject(convert.InvalidTimestamp, "The date is not in a supported format.", dateHint)
	badYear = convert.Reject(convert.InvalidTimestamp, "The year does not have exactly four digits without a sign.",
		"Write the year with four digits and no sign, from 0001 to 9999.")
	badMonth     = convert.Reject(convert.InvalidTimestamp, "The month must be 01 to 12.", dateHint)
	badMonthName = convert.Reject(convert.InvalidTimestamp,
		"The month is not Jan, Feb, Mar, Apr, May, Jun, Jul, Aug, Sep, Oct, Nov or Dec.",
		imfHint)
	badDay = convert.Reject(convert.InvalidTimestamp, "The day of the month must be 01 to 31.",
		"Write a day from 01 to 31 that exists in the month.")
	badDayOfYear = convert.Reject(convert.InvalidTimestamp, "The day of the year must be 001 to 366.",
		"Three digits after the year are a day of the year: 2024-060 is 29 February. Write a date as 2024-02-29.")
	badWeek = convert.Reject(convert.InvalidTimestamp, "The week must be 01 to 53.",
		"Write a week date as year, week and day of the week, as in 2024-W09-4.")
	badDayOfWeek = convert.Reject(convert.InvalidTimestamp, "The day of the week must be 1 to 7.",
		"Write 1 for Monday to 7 for Sunday, as in 2024-W09-4.")
	dayBeyondMonth = convert.Reject(convert.InvalidTimestamp, "The month does not have that many days.",
		"Correct the day or the month; only a leap year has 29 February.")
	dayBeyondYear = convert.Reject(convert.InvalidTimestamp, "The year has only 365 days.",
		"Correct the year, or write a day from 001 to 365.")
	weekBeyondYear = convert.Reject(convert.InvalidTimestamp, "The year has only 52 weeks.",
		"Correct the year, or write a week from W01 to W52; the days after W52 are in W01 of the next year.")
	wrongWeekday = convert.Reject(convert.InvalidTimestamp, "The day of the week does not match the date.",
		"Correct the day of the week or the date. In a date with a zone, such as 06 Nov 1994 08:49:37 GMT, you can leave out the day of the week.")
)

// The time of day.
var (
	timeMissing = convert.Reject(convert.InvalidTimestamp,
		"The date is not followed by T or one space and a time of day.",
		"A date alone is not an instant: add T, a time and a zone, as in 2024-02-29T00:00:00Z.")
	badTime = convert.Reject(convert.InvalidTimestamp, "The time of day is not in a supported format.",
		clockHint)
	minutesMissing = convert.Reject(convert.InvalidTimestamp, "The time has no minutes.",
		"Write hours and minutes, as in 12:00; fractions of an hour are not supported.")
	fractionOfMinute = convert.Reject(convert.InvalidTimestamp, "A fraction follows the minutes.",
		"Only seconds may have a fraction: write 12:30.5 as 12:30:30.")
	badFraction = convert.Reject(convert.InvalidTimestamp,
		"The fraction of the second has characters other than digits.",
		"Write one or more digits after the point or comma, as in 12:30:05.25.")
	badHour      = convert.Reject(convert.InvalidTimestamp, "The hour must be 00 to 24.", clockHint)
	badMinute    = convert.Reject(convert.InvalidTimestamp, "The minute must be 00 to 59.", clockHint)
	badSecond    = convert.Reject(convert.InvalidTimestamp, "The second must be 00 to 60.", clockHint)
	pastMidnight = convert.Reject(convert.InvalidTimestamp, "The hour is 24, but the time is not 24:00:00.",
		"Hour 24 is allowed only for midnight at the end of a day. Write a later time with hour 00 of the next day.")
	noLeapSecond = convert.Reject(convert.InvalidTimestamp,
		"The second is 60, but there was no leap second at that time.",
		"Write a second from 00 to 59; only the 27 leap seconds from 1972-06-30T23:59:60Z to 2016-12-31T23:59:60Z are accepted.")
	mixedTime = convert.Reject(convert.InvalidTimestamp, "The date and time mix the basic and the extended format.",
		"Write both with separators, as in 2024-02-29T12:00:00Z, or both without, as in 20240229T120000Z.")
)

// The zone.
var (
	zoneRequired = convert.Reject(convert.ZoneRequired, "The time has no zone, and the service does not guess one.",
		zoneHint)
	noZone = convert.Reject(convert.InvalidTimestamp, "The time is followed by something other than a zone.",
		zoneHint)
	mixedOffset = convert.Reject(convert.InvalidTimestamp,
		"The offset is not in the same format as the date and time: basic and extended format are mixed.",
		"Write the offset with a colon if the time has colons, as in 12:00:00+01:00, and without one otherwise, as in 120000+0100.")
	badOffset = convert.Reject(convert.InvalidTimestamp, "The offset is not in a supported format.",
		"Write a sign, hours and minutes, as in +01:00 or, after a time without colons, +0100.")
	offsetOutOfRange = convert.Reject(convert.InvalidTimestamp,
		"The offset is not between -23:59 and +23:59 with minutes from 00 to 59.",
		zoneHint)
	spaceBeforeZone = convert.Reject(convert.InvalidTimestamp, "A space precedes the zone.",
		"Write Z or an offset directly after the time. Only UTC and GMT may follow a space.")
	namedZone = convert.Reject(convert.InvalidTimestamp, "Zone names other than UTC and GMT are not supported.",
		"Write Z, UTC or GMT in capital letters, or an offset, as in 2024-02-29T12:00:00-05:00 or Thu, 29 Feb 2024 12:00:00 -0500.")
	bracketSuffix = convert.Reject(convert.InvalidTimestamp, "A suffix in brackets (RFC 9557) follows the zone.",
		"Remove the brackets and their content. The zone must be Z or an offset before them.")
	moreText = convert.Reject(convert.InvalidTimestamp, "Unexpected characters after the timestamp.",
		"Send exactly one timestamp.")
)

// Mail and HTTP dates only.
var (
	badIMFDay = convert.Reject(convert.InvalidTimestamp, "The day of the month does not have one or two digits.",
		imfHint)
	imfTimeMissing = convert.Reject(convert.InvalidTimestamp, "The date is not followed by a time.", imfHint)
	badIMFTime     = convert.Reject(convert.InvalidTimestamp,
		"The time is not hh:mm:ss or hh:mm, from 00:00:00 to 23:59:60.",
		imfHint)
	imfZoneRequired = convert.Reject(convert.ZoneRequired, "The time has no zone, and the service does not guess one.",
		imfHint)
	badIMFOffset = convert.Reject(convert.InvalidTimestamp, "The offset is not a sign and four digits.",
		imfHint)
	comment = convert.Reject(convert.InvalidTimestamp, "A comment follows the zone.",
		"Remove the parentheses and their content.")
	badAsctime = convert.Reject(convert.InvalidTimestamp,
		"The day of the week is followed by a space, but the input is not in asctime format.",
		"Write Sun Nov  6 08:49:37 1994 (24 characters, always UTC), or a comma after the day of the week: Sun, 06 Nov 1994 08:49:37 GMT.")
)
