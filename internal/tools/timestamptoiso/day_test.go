package timestamptoiso

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestWrittenDates tries every date that two digits can express, in years of every length: the tool accepts
// those that the time package doesn't normalize.
func TestWrittenDates(t *testing.T) {
	for _, year := range []int{1, 4, 1900, 2000, 2023, 2024, 9999} {
		for month := range 100 {
			for day := range 100 {
				date := fmt.Sprintf("%04d-%02d-%02d", year, month, day)
				at := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
				checkDate(t, date, at, at.Format(time.DateOnly) == date)
			}
		}
		for day := range 1000 {
			at := time.Date(year, 1, day, 0, 0, 0, 0, time.UTC)
			checkDate(t, fmt.Sprintf("%04d-%03d", year, day), at, day > 0 && at.Year() == year)
		}
		for week := range 100 {
			for day := range 10 {
				at := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC)
				at = at.AddDate(0, 0, -(int(at.Weekday())+6)%7+7*(week-1)+day-1)
				y, w := at.ISOWeek()
				ok := y == year && w == week && day >= 1 && day <= 7 && at.Year() < 10000
				checkDate(t, fmt.Sprintf("%04d-W%02d-%d", year, week, day), at, ok)
			}
		}
	}
}

func checkDate(t *testing.T, date string, at time.Time, ok bool) {
	t.Helper()
	result, failure := converttest.Do(t, Tool, call(date+"T00:00Z", nil))
	if ok != (failure == nil) {
		t.Fatalf("%s: want accepted %v, got %q, %v", date, ok, result.Value, failure)
	}
	if want := at.Format(time.RFC3339); ok && result.Value != want {
		t.Fatalf("%s: want %s, got %s", date, want, result.Value)
	}
}

// TestLeapSeconds tries second 60 at the end of every day from 1960 to 2040.
// Rule: TIME-6.
func TestLeapSeconds(t *testing.T) {
	got := map[string]bool{}
	for at := time.Date(1960, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() <= 2040; at = at.AddDate(0, 0, 1) {
		date := at.Format(time.DateOnly)
		if _, failure := converttest.Do(t, Tool, call(date+"T23:59:60Z", nil)); failure == nil {
			got[date] = true
		}
	}
	if len(got) != 27 {
		t.Errorf("want 27 leap seconds, got %d: %v", len(got), got)
	}
	for _, date := range publishedLeapSeconds(t) {
		if !got[date] {
			t.Errorf("no leap second at the end of %s", date)
		}
	}
}

// publishedLeapSeconds returns the days that end with a leap second according to the machine's time zone
// database. The list there gives the start of each new difference between TAI and UTC in seconds since 1900.
func publishedLeapSeconds(t *testing.T) []string {
	const file = "/usr/share/zoneinfo/leap-seconds.list"
	text, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Logf("not compared with the published list, which is not here: %v", err)
		return nil
	}
	var dates []string
	for i, line := range regexp.MustCompile(`(?m)^(\d+)\s+\d+`).FindAllSubmatch(text, -1) {
		seconds := check.Value(strconv.ParseInt(string(line[1]), 10, 64))(t)
		if i > 0 { // the first line is the initial difference in 1972
			dates = append(dates, time.Date(1900, 1, 1, 0, 0, int(seconds)-1, 0, time.UTC).Format(time.DateOnly))
		}
	}
	if len(dates) < 27 {
		t.Errorf("%s: only %d leap seconds", file, len(dates))
	}
	return dates
}
