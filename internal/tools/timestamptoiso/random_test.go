package timestamptoiso

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/convert/converttest"
)

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

func randomDigits(r *rand.Rand, n int) string {
	digits := make([]byte, n)
	for i := range digits {
		digits[i] = byte('0' + r.IntN(10)*min(1, r.IntN(3))) // many zeros
	}
	return string(digits)
}

// TestRandomEpoch compares numbers of all lengths with exact arithmetic.
func TestRandomEpoch(t *testing.T) {
	r := newRand()
	for range 20_000 {
		number := randomDigits(r, 1+r.IntN(24))
		if r.IntN(2) == 0 {
			number += "." + randomDigits(r, 1+r.IntN(24))
		}
		if r.IntN(2) == 0 {
			number = "-" + number
		}
		checkEpoch(t, number, units[1+r.IntN(4)])
	}
}

// TestEpochBounds tries the instants around both ends of the range.
func TestEpochBounds(t *testing.T) {
	for _, bound := range []string{"-62135596800", "-62135596801", "253402300799", "253402300800"} {
		for i, zeros := range []string{"", "000", "000000", "000000000"} {
			for _, fraction := range []string{"", ".0", ".1", ".9", ".00000000000000000001", ".99999999999999999999"} {
				checkEpoch(t, bound+zeros+fraction, units[1+i])
			}
		}
	}
}

// randomTime returns a time between the years 2 and 9998, so that no offset leaves the range.
func randomTime(r *rand.Rand) time.Time {
	from := time.Date(2, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	to := time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
	return time.Unix(from+r.Int64N(to-from), 0).UTC()
}

// TestRandomInstants writes instants in every supported form, with and without offset and fraction, and expects
// them back.
func TestRandomInstants(t *testing.T) {
	r := newRand()
	for range 3_000 {
		at := randomTime(r)
		east := (r.IntN(2*1440-1) - 1439) * r.IntN(2) // minutes
		digits := randomDigits(r, 1+r.IntN(40))
		for _, text := range writings(at.In(time.FixedZone("", east*60))) {
			fraction := ""
			if strings.Contains(text, "#") && r.IntN(2) == 0 {
				fraction = "." + digits
			}
			text = strings.Replace(text, "#", strings.Replace(fraction, ".", []string{".", ","}[r.IntN(2)], 1), 1)
			want := at.Format("2006-01-02T15:04:05") + fraction + "Z"
			result, failure := converttest.Do(t, Tool, call(text, nil))
			if failure != nil || result.Value != want {
				t.Fatalf("%q: want %s, got %s, %v", text, want, result.Value, failure)
			}
			checkOutput(t, text, result)
			if converted := len(result.Warnings) == 1; converted != (east != 0) {
				t.Fatalf("%q: warnings %q", text, result.Warnings)
			}
		}
	}
}

// writings returns all notations of an instant, with # where a fraction may be.
func writings(at time.Time) []string {
	isoYear, week := at.ISOWeek()
	weekday := (int(at.Weekday())+6)%7 + 1
	all := []string{
		at.Format("2006-01-02T15:04:05#-07:00"),
		at.Format("2006-01-02 15:04:05#-07:00"),
		at.Format("20060102t150405#-0700"),
		at.Format("2006-002T15:04:05#-07:00"),
		at.Format("2006002T150405#-0700"),
		fmt.Sprintf("%04d-W%02d-%d", isoYear, week, weekday) + at.Format("T15:04:05#-07:00"),
		fmt.Sprintf("%04dW%02d%d", isoYear, week, weekday) + at.Format("T150405#-0700"),
		at.Format(time.RFC1123Z),
		at.Format("2 Jan 2006 15:04:05 -0700"),
	}
	if _, offset := at.Zone(); offset == 0 {
		all = append(all,
			at.Format("2006-01-02T15:04:05#Z"),
			at.Format("2006-01-02 15:04:05# UTC"),
			at.Format("Mon, 02 Jan 2006 15:04:05 GMT"),
			at.Format(time.ANSIC))
	}
	return all
}

// TestEveryOffset tries each offset in all its notations.
func TestEveryOffset(t *testing.T) {
	const sample = "2024-02-29T12:34:56"
	noon, _ := time.Parse("2006-01-02T15:04:05", sample)
	for minutes := -1439; minutes <= 1439; minutes++ {
		there := noon.In(time.FixedZone("", minutes*60))
		texts := []string{
			there.Format("2006-01-02T15:04:05-07:00"),
			there.Format("20060102T150405-0700"),
			there.Format(time.RFC1123Z),
		}
		if minutes%60 == 0 {
			texts = append(texts, there.Format("2006-01-02T15:04:05-07"), there.Format("20060102T150405-07"))
		}
		for _, text := range texts {
			result, failure := converttest.Do(t, Tool, call(text, nil))
			if failure != nil || result.Value != sample+"Z" {
				t.Errorf("%q: want %sZ, got %s, %v", text, sample, result.Value, failure)
			}
		}
	}
}

// TestTimesOfDay tries every pair of digits in each field of a time.
func TestTimesOfDay(t *testing.T) {
	for hour := range 100 {
		for minute := range 100 {
			for _, second := range []int{0, 59, 60, 61, 99} {
				text := fmt.Sprintf("2024-02-29T%02d:%02d:%02dZ", hour, minute, second)
				result, failure := converttest.Do(t, Tool, call(text, nil))
				want := text
				if hour == 24 && minute == 0 && second == 0 {
					want = "2024-03-01T00:00:00Z"
				} else if hour > 23 || minute > 59 || second > 59 {
					want = ""
				}
				if result.Value != want || (failure == nil) != (want != "") {
					t.Errorf("%q: want %q, got %q, %v", text, want, result.Value, failure)
				}
			}
		}
	}
}
