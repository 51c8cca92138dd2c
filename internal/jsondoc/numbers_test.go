package jsondoc

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestSafeNumber: rule JSON-3.
func TestSafeNumber(t *testing.T) {
	var table struct{ Safe, Unsafe []string }
	converttest.Data(t, "testdata/numbers.yaml", &table)
	for want, lexemes := range map[bool][]string{true: table.Safe, false: table.Unsafe} {
		if len(lexemes) < 30 {
			t.Fatalf("only %d numbers with safe: %v", len(lexemes), want)
		}
		for _, raw := range lexemes {
			checkNumber(t, raw, want)
		}
	}
}

// checkNumber checks that SafeNumber, a scanner and the oracle agree.
func checkNumber(tb testing.TB, raw string, want bool) {
	tb.Helper()
	if got := SafeNumber(raw); got != want {
		tb.Errorf("SafeNumber(%s): %v, want %v", raw, got, want)
	}
	if got := safeByBigArithmetic(raw); got != want {
		tb.Errorf("the oracle says of %s: %v, want %v", raw, got, want)
	}
	if _, err := compact(raw); (err == nil) != want {
		tb.Errorf("scanning %s: %v, want safe %v", raw, err, want)
	}
	if _, err := compact("[" + raw + ",0]"); (err == nil) != want {
		tb.Errorf("scanning %s in an array: %v, want safe %v", raw, err, want)
	}
}

// safeByBigArithmetic implements JSON-3 a second time, slowly: with exact rational arithmetic, without strconv.
func safeByBigArithmetic(raw string) bool {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(strings.TrimPrefix(raw, "-")), "e")
	if mantissa == raw || "-"+mantissa == raw {
		if !strings.Contains(mantissa, ".") {
			n, _ := new(big.Int).SetString(mantissa, 10)
			return n.CmpAbs(big.NewInt(1<<53-1)) <= 0
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	significant := strings.Trim(whole+fraction, "0")
	if significant == "" {
		return true
	}
	if len(significant) > 17 {
		return false
	}
	shift, ok := new(big.Int).SetString("0"+strings.TrimLeft(exponent, "+-"), 10)
	if !ok || shift.CmpAbs(big.NewInt(2000)) > 0 {
		return false // far out of range for the short lexemes tried here
	}
	if strings.HasPrefix(exponent, "-") {
		shift.Neg(shift)
	}
	value, _ := new(big.Rat).SetString(mantissa)
	power := new(big.Int).Exp(big.NewInt(10), new(big.Int).Abs(shift), nil)
	if shift.Sign() < 0 {
		value.Quo(value, new(big.Rat).SetInt(power))
	} else {
		value.Mul(value, new(big.Rat).SetInt(power))
	}
	nearest, _ := value.Float64()
	if math.IsInf(nearest, 0) {
		return false
	}
	printed := new(big.Float).SetFloat64(nearest).Text('e', len(significant)-1)
	back, _ := new(big.Rat).SetString(printed)
	return back.Cmp(value) == 0
}

// TestSafeNumberAgainstBigArithmetic tries random numbers near the limits of the rule.
func TestSafeNumberAgainstBigArithmetic(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	counts := map[bool]int{}
	for range 60_000 {
		raw := randomNumber(random)
		want := safeByBigArithmetic(raw)
		counts[want]++
		if got := SafeNumber(raw); got != want {
			t.Errorf("SafeNumber(%s): %v, want %v", raw, got, want)
		}
		if _, err := compact(raw); (err == nil) != want {
			t.Errorf("scanning %s: %v, want safe %v", raw, err, want)
		}
	}
	if counts[true] < 10_000 || counts[false] < 10_000 {
		t.Errorf("the numbers tried are one-sided: %v", counts)
	}
}

// randomNumber returns a JSON number token near a limit of the rule.
func randomNumber(random *rand.Rand) string {
	var raw string
	switch random.IntN(7) {
	case 0: // a double, printed with 1 to 19 digits
		f := math.Float64frombits(random.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			f = 1
		}
		raw = strconv.FormatFloat(f, 'e', random.IntN(19), 64)
	case 1: // a double of everyday size, printed without exponent
		f := (random.Float64() - 0.5) * math.Pow10(random.IntN(16))
		raw = strconv.FormatFloat(f, 'f', random.IntN(20), 64)
	case 2: // an integer around 2^53 and other powers of two
		n := int64(1)<<(45+random.IntN(17)) + int64(random.IntN(7)) - 3
		raw = strconv.FormatInt(n, 10)
	case 3: // 16 or 17 digits with a point among them
		digits := strconv.FormatUint(1e16+random.Uint64N(9e16), 10)[:16+random.IntN(2)]
		point := 1 + random.IntN(len(digits)-1)
		raw = digits[:point] + "." + digits[point:]
	case 4: // a subnormal or barely normal double
		f := math.Float64frombits(random.Uint64N(1 << (1 + random.IntN(54))))
		raw = strconv.FormatFloat(f, 'e', random.IntN(18), 64)
	case 5: // zeros, then up to 18 digits, after the point
		raw = fmt.Sprintf("0.%s%d", strings.Repeat("0", random.IntN(18)), random.Uint64N(1<<(1+random.IntN(60))))
	default: // few digits, any exponent
		raw = fmt.Sprintf("%d.%de%d", random.IntN(100), random.IntN(1000), random.IntN(700)-350)
	}
	if random.IntN(4) == 0 && !strings.ContainsAny(raw, ".e") {
		raw += ".0"
	}
	if random.IntN(8) == 0 && strings.Contains(raw, ".") && !strings.Contains(raw, "e") {
		raw += "000"
	}
	if random.IntN(2) == 0 {
		raw = strings.TrimPrefix(raw, "-")
	}
	return raw
}

// A number may be as long as the text. None takes longer than reading it does.
func TestHugeNumbers(t *testing.T) {
	const mega = 1 << 20
	digits := strings.Repeat("1234567890", mega/10)
	zeros := strings.Repeat("0", mega-8)
	for _, c := range []struct {
		name, raw string
		want      bool
	}{
		{"a megabyte of digits", digits, false},
		{"a megabyte of nines in the fraction", "0." + strings.Repeat("9", mega-2), false},
		{"a megabyte of digits in the exponent", "1e" + digits[:900_000], false},
		{"a megabyte of digits in a negative exponent", "1e-" + digits[:900_000], false},
		{"zero with such an exponent", "0e" + digits[:900_000], true},
		{"a megabyte of zeros in the exponent", "1e" + zeros, true},
		{"one after a megabyte of zeros in the exponent", "1e" + zeros + "1", true},
		{"a megabyte of zeros in the fraction", "1." + zeros, true},
		{"a megabyte of zeros before the digits", "0." + zeros + "1", false},
		{"a megabyte of zeros made up for by the exponent", "0." + zeros + "1e1048569", true},
		{"a one and a megabyte of zeros", "1" + zeros, false},
		{"a one and a megabyte of zeros, divided away", "1" + zeros + "e-1048568", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got bool
			cost := converttest.Measure(func() int { got = SafeNumber(c.raw); return 0 })
			if got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if _, err := compact(c.raw); (err == nil) != c.want {
				t.Errorf("scanning: %v, want safe %v", err, c.want)
			}
			// Two copies of the digits; arbitrary precision takes many more.
			if cost.Bytes > 3*len(c.raw) {
				t.Errorf("%d bytes allocated for %d", cost.Bytes, len(c.raw))
			}
		})
	}
}

func TestShorten(t *testing.T) {
	many := strings.Repeat("0", 300_000)
	for raw, want := range map[string]string{
		"0":                       "0.0",
		"-0.00e" + many + "7":     "-0.0",
		"120":                     "0.12e3",
		"-0.0250":                 "-0.25e-1",
		"1" + many + "E-300000":   "0.1e1",
		"0." + many + "5e+300001": "0.5e1",
		"1e1000000000":            "1e1000000000",
		"-1e-9999999999":          "-1e-9999999999",
	} {
		if got := Shorten(raw); got != want {
			t.Errorf("%.20s: want %s, got %.40s", raw, want, got)
		}
	}
	random := rand.New(rand.NewPCG(13, 17))
	for range 20_000 {
		checkShorten(t, randomNumber(random))
	}
}

func checkShorten(t *testing.T, raw string) {
	t.Helper()
	want, _ := new(big.Rat).SetString(raw)
	if got, _ := new(big.Rat).SetString(Shorten(raw)); got.Cmp(want) != 0 {
		t.Errorf("%s: got %s", raw, Shorten(raw))
	}
}

func FuzzSafeNumber(f *testing.F) {
	for _, seed := range []string{"0", "-1.5e-3", "9007199254740993", "0.30000000000000004", "4.9406564584124654e-324", "1e400"} {
		f.Add(seed)
	}
	f.Add("25" + strings.Repeat("0", 900) + ".0e-901")
	f.Fuzz(func(t *testing.T, raw string) {
		if len(raw) > 2000 {
			return
		}
		s := NewScanner(raw)
		if token, err := s.Next(); err != nil || token.Kind != Number || token.Raw != raw {
			return
		}
		checkNumber(t, raw, safeByBigArithmetic(raw))
		if _, exponent, _ := strings.Cut(strings.ToLower(raw), "e"); len(exponent) < 5 {
			checkShorten(t, raw)
		}
	})
}
