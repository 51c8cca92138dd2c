package jsondoc

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/check"
)

// Every character below U+0080, alone and after text of every length up to two words, is written with the one
// escape that RFC 8259, section 7, has for it, or unescaped.
func TestAppendString(t *testing.T) {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	for c := range rune(0x80) {
		want, ok := short[c]
		switch {
		case ok:
		case c < ' ':
			want = fmt.Sprintf(`\u%04x`, c)
		default:
			want = string(c)
		}
		for before := range 18 {
			for after := range 10 {
				head, tail := strings.Repeat("é", before/2)+strings.Repeat("x", before%2), strings.Repeat("y", after)
				got := string(AppendString([]byte("kept"), head+string(c)+tail))
				if want := `kept"` + head + want + tail + `"`; got != want {
					t.Fatalf("U+%04X: want %q, got %q", c, want, got)
				}
			}
		}
	}
}

func TestAppendStringKeepsOtherCharacters(t *testing.T) {
	for _, content := range []string{"", "é", "中文", "😀", "<>&'/", "\u007f\u0080\u009f", "\u2028\u2029", "\uFEFF\uffff", "\U0010ffff"} {
		if got := string(AppendString(nil, content)); got != `"`+content+`"` {
			t.Errorf("%q: got %s", content, got)
		}
	}
}

func TestAppendContent(t *testing.T) {
	for raw, want := range map[string]string{
		`""`:                             "",
		`"a"`:                            "a",
		`"\"\\\/\b\f\n\r\t"`:             "\"\\/\b\f\n\r\t",
		`"\u0041\u00e9\u00E9\u4e2d"`:     "Aéé中",
		`"\u0000\u001f\u007f\u0080"`:     "\x00\x1f\x7f\u0080",
		`"\ud83d\ude00\uDBFF\uDFFF"`:     "😀\U0010ffff",
		`"\ud800\udc00"`:                 "\U00010000",
		`"\uffff\ufdd0"`:                 "\uffff\ufdd0",
		`"1234567\n12345678\n123456789"`: "1234567\n12345678\n123456789",
		`"\\u0041"`:                      `\u0041`,
		`"\\\\\\n"`:                      `\\\n`,
	} {
		if got := string(AppendContent([]byte("kept"), raw)); got != "kept"+want {
			t.Errorf("%s: want %q, got %q", raw, want, got)
		}
	}
}

// randomText mixes what strings contain: plain runs of every length, characters that need escapes, wide characters.
func randomText(random *rand.Rand) string {
	var b strings.Builder
	for range random.IntN(40) {
		switch random.IntN(5) {
		case 0:
			b.WriteByte(byte(random.IntN(0x20)))
		case 1:
			b.WriteByte(`"\/`[random.IntN(3)])
		case 2:
			b.WriteString([]string{"é", "中", "😀", "\u2028", "\ufeff", "\x7f"}[random.IntN(6)])
		default:
			b.WriteString(strings.Repeat(string(rune('a'+random.IntN(26))), random.IntN(20)))
		}
	}
	return b.String()
}

func TestStringsRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for range 20_000 {
		checkRoundTrip(t, randomText(random), random.IntN(40))
	}
}

// checkRoundTrip writes content and reads it back with Decode's reader and with encoding/json. room is the
// spare capacity of the destination.
func checkRoundTrip(tb testing.TB, content string, room int) {
	tb.Helper()
	raw := string(AppendString(make([]byte, 0, room), content))
	token, err := NewScanner(raw).Next()
	if err != nil || token.Kind != String || token.Raw != raw {
		tb.Fatalf("%q is written as %s, which reads as %v, %v", content, raw, token, err)
	}
	if got := token.Content(); got != content {
		tb.Errorf("%q reads back as %q", content, got)
	}
	if got := string(AppendContent(make([]byte, 0, room), raw)); got != content {
		tb.Errorf("%q reads back as %q", content, got)
	}
	var std string
	if err := json.Unmarshal([]byte(raw), &std); err != nil || std != content {
		tb.Errorf("encoding/json reads %s as %q, %v", raw, std, err)
	}
	// The same content as written by encoding/json, with more escapes.
	other := check.Value(json.Marshal(content))(tb)
	if got := string(AppendContent(nil, string(other))); got != content {
		tb.Errorf("%s reads as %q, want %q", other, got, content)
	}
}

func FuzzStrings(f *testing.F) {
	for _, seed := range []string{"", "a\nb", `"quoted"`, "\x00\x1f\\", "12345678\"é😀"} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, content string, room int) {
		if utf8.ValidString(content) {
			checkRoundTrip(t, content, room&63)
		}
	})
}
