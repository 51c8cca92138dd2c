package contract

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/contract/contracttest"
	"github.com/convertd/convertd/internal/jsondoc"
)

// samePaths fails when the fast path, the general path and kin-openapi disagree about a body. It reports whether
// the body is valid and whether the fast path accepted it.
func samePaths(t *testing.T, c *Contract, oracles map[string]*openapi3.Schema, operation, body string) (accepted, direct bool) {
	t.Helper()
	got, failure := c.Decode(operation, body)
	if !utf8.ValidString(body) {
		if failure == nil {
			t.Fatalf("%s: what is no UTF-8 is accepted: %q", operation, body)
		}
		return false, false
	}
	want, refused := c.decode(operation, body)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Tool{}, Option{}, setting{}), cmpopts.IgnoreUnexported(Call{})); diff != "" {
		t.Fatalf("%s: not the same call (-want +got): %s\n%q", operation, diff, body)
	}
	if diff := cmp.Diff(refused, failure); diff != "" {
		t.Fatalf("%s: not the same problem (-want +got): %s\n%q", operation, diff, body)
	}
	if failure == nil {
		value, err := jsondoc.Decode(body)
		if err != nil {
			t.Fatalf("%s: accepted, yet no JSON: %q", operation, body)
		}
		if err := oracles[operation].VisitJSON(value); err != nil {
			t.Fatalf("%s: kin-openapi refuses what is accepted: %v\n%q", operation, err, body)
		}
	}
	_, direct = c.direct(operation, body)
	return failure == nil, direct
}

// TestDirectPathReportsTheSame reads mutated examples, with changes to their values or to their bytes.
func TestDirectPathReportsTheSame(t *testing.T) {
	c, oracles := loaded(t), oraclesOf(t)
	random := rand.New(rand.NewPCG(18, 2))
	accepted, direct, refused := 0, 0, 0
	count := func(isCall, isDirect bool) {
		switch {
		case isDirect:
			direct++
		case isCall:
			accepted++
		default:
			refused++
		}
	}
	for _, example := range contracttest.Examples(t) {
		text := check.Value(json.Marshal(example.Request))(t)
		if _, is := samePaths(t, c, oracles, example.Operation, string(text)); !is {
			t.Errorf("%s: the example is not read directly: %s", example.Operation, text)
		}
		for range 1500 {
			value, _ := jsondoc.Decode(string(text))
			other := check.Value(json.Marshal(mutate(random, value)))(t)
			count(samePaths(t, c, oracles, example.Operation, string(other)))
			count(samePaths(t, c, oracles, example.Operation, misspell(random, string(text))))
		}
	}
	if accepted == 0 || direct < 20*accepted || refused == 0 {
		t.Errorf("of the bodies that were made, %d were read directly, %d by the other way only, %d refused", direct, accepted, refused)
	}
}

// pieces are inserted into a body.
var pieces = []string{" ", ",", ":", "[", "]", "{", "}", `"`, `\`, "2.0", "1e0", "-0", "-1", "8", "9", "00", "0.5", "1e400",
	"9007199254740993", "99999999999999999999", "null", "true", "{}", "[]", `""`, `"indent":2,`, `"options":{},`, `"\u0069nput":1,`,
	`\u0069`, `\ud800`, "\xff", "\x00", "\u2028", "é", `"id":"a",`, `"returnStepIds":[],`, `"returnStepIds":["a","a"],`,
	strings.Repeat("[", 300), strings.Repeat(`{"a":`, 20), strings.Repeat("1,", 5000)}

// misspell changes a string in one or two positions: it inserts, replaces or removes something.
func misspell(random *rand.Rand, text string) string {
	for range 1 + random.IntN(2) {
		from := random.IntN(len(text))
		to := from
		switch random.IntN(3) {
		case 0:
			to = min(len(text), from+1+random.IntN(6))
		case 1: // numbers and words as a whole
			if at := strings.IndexAny(text[from:], "0123456789"); at >= 0 {
				from += at
				to = from + 1
			}
		}
		piece := pieces[random.IntN(len(pieces))]
		if random.IntN(5) == 0 {
			piece = ""
		}
		text = text[:from] + piece + text[to:]
		if text == "" {
			return text
		}
	}
	return text
}

// The length of an input is counted in characters on both paths.
func TestDirectPathCountsCharacters(t *testing.T) {
	c, oracles := loaded(t), oraclesOf(t)
	limit := c.Limits().RequestBytes
	for _, test := range []struct {
		value  string
		direct bool
		code   string
	}{
		{strings.Repeat("a", limit), true, ""},
		{strings.Repeat("é", limit), false, ""},
		{strings.Repeat("a", limit+1), false, "schema_violation"},
	} {
		body := `{"input":{"mediaType":"text/plain","value":"` + test.value + `"}}`
		if _, direct := samePaths(t, c, oracles, "timestamp_to_iso", body); direct != test.direct {
			t.Errorf("%d bytes: want direct %v", len(test.value), test.direct)
		}
		code := ""
		if _, failure := c.Decode("timestamp_to_iso", body); failure != nil {
			code = string(failure.Code)
		}
		if code != test.code {
			t.Errorf("%d bytes: want %q, got %q", len(test.value), test.code, code)
		}
	}
	for _, test := range []struct {
		mediaType string
		accepted  bool
	}{{strings.Repeat("é", 100), true}, {strings.Repeat("é", 101), false}} {
		body := `{"version":1,"input":{"mediaType":"` + test.mediaType + `","value":""},"steps":[{"id":"a","tool":"json_format"}]}`
		if accepted, direct := samePaths(t, c, oracles, Pipeline, body); accepted != test.accepted || direct != test.accepted {
			t.Errorf("%d characters: accepted %v, directly %v", utf8.RuneCountInString(test.mediaType), accepted, direct)
		}
	}
}

// FuzzDirect: see samePaths.
func FuzzDirect(f *testing.F) {
	c := check.Value(Load())(f)
	oracles := oraclesOf(f)
	for _, example := range contracttest.Examples(f) {
		text, _ := json.Marshal(example.Request)
		f.Add(example.Operation, string(text))
	}
	f.Fuzz(func(t *testing.T, operation, body string) {
		if oracles[operation] != nil {
			samePaths(t, c, oracles, operation, body)
		}
	})
}
