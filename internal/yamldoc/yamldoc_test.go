package yamldoc_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/yamldoc"
)

// The cases of the tool json_to_yaml define the output.
const cases = "../tools/jsontoyaml/testdata/cases.yaml"

func fromJSON(text string, indent int) (string, error) {
	limit := convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters)
	out, err := yamldoc.FromJSON(context.Background(), nil, jsondoc.NewScanner(text), indent, limit)
	return string(out), err
}

// TestLongKeys: rule YAML-7.
func TestLongKeys(t *testing.T) {
	plain, quoted := strings.Repeat("k", 1000), strings.Repeat("é", 499)
	for _, c := range []struct{ json, yaml string }{
		{`{"` + plain + `":1}`, plain + ": 1\n"},
		{`{"` + plain + `k":1}`, "? " + plain + "k\n: 1\n"},
		{`{"` + quoted + `":1}`, `"` + quoted + "\": 1\n"},
		{`{"` + quoted + `é":1}`, `? "` + quoted + "é\"\n: 1\n"},
		{`{"` + plain + `k":{"a":"x\ny"}}`, "? " + plain + "k\n:\n  a: |-\n    x\n    y\n"},
		{`{"` + plain + `k":[1,[2]]}`, "? " + plain + "k\n:\n  - 1\n  - - 2\n"},
		{`{"` + plain + `k":"x\ny"}`, "? " + plain + "k\n: \"x\\ny\"\n"},
		{`{"` + plain + `k":{},"b":[{"` + plain + `k":"c"}]}`, "? " + plain + "k\n: {}\nb:\n  - ? " + plain + "k\n    : c\n"},
	} {
		got := check.Value(fromJSON(c.json, 2))(t)
		if diff := cmp.Diff(c.yaml, got); diff != "" {
			t.Errorf("%.20s…%s (-want +got):\n%s", c.json, c.json[len(c.json)-20:], diff)
		}
	}
}

func TestUnsafeNumbersKeepTheirDigits(t *testing.T) {
	// A scanner that rejects no number, as for api_convert.
	long := strings.Repeat("9", 2000)
	for text, want := range map[string]string{
		"123456789012345678901234567890": "123456789012345678901234567890",
		"1e400":                          "1.0e+400",
		"0.1234567890123456789":          "0.1234567890123456789",
		long:                             long,
		long + "e-5":                     long + ".0e-5",
	} {
		if got, err := fromJSON(text, 2); err != nil || got != want+"\n" {
			t.Errorf("%.40s: want %.40s, got %.40s (%v)", text, want, got, err)
		}
	}
}

// TestLongNumbers: rule YAML-7. Zeros make these numbers so long, and no number reader can compare them as written.
func TestLongNumbers(t *testing.T) {
	zeros := strings.Repeat("0", 1200)
	many := strings.Repeat("0", 200_000)
	for text, want := range map[string]string{
		"1" + zeros[:850] + "e-850":                 "1.0e+00",
		"1" + zeros + "e-1200":                      "1.0e+00",
		"-12" + zeros + ".0e-1190":                  "-1.2e+11",
		"1" + many + "e-200000":                     "1.0e+00",
		"0." + many + "25E+200001":                  "2.5e+00",
		"0." + zeros + "1e1201":                     "1.0e+00",
		"9.007199254740992" + zeros + "e15":         "9.007199254740992e+15",
		"1.7976931348623157" + zeros + "e308":       "1.7976931348623157e+308",
		"-0." + zeros:                               "-0.0e+00",
		"0" + "e" + zeros + "5":                     "0.0e+00",
		"5e-" + zeros + "324":                       "5.0e-324",
		"0.30000000000000004" + zeros:               "3.0000000000000004e-01",
		"1" + strings.Repeat("0", 22) + "." + zeros: "1.0e+22",
	} {
		if got, err := fromJSON(text, 2); err != nil || got != want+"\n" {
			t.Errorf("%.30s…%s: want %s, got %.40s (%v)", text, text[len(text)-10:], want, got, err)
		}
	}
}

func TestAppends(t *testing.T) {
	limit := convert.NewOutputLimit(100, 100)
	out, err := yamldoc.FromJSON(context.Background(), []byte("# first\n"), jsondoc.NewScanner(`{"a":"b\n\n"}`), 2, limit)
	if want := "# first\na: \"b\\n\\n\"\n"; err != nil || string(out) != want {
		t.Errorf("want %q, got %q (%v)", want, out, err)
	}
}

// unprintable matches characters that no line of the output may contain: those that some version of YAML does
// not allow unescaped, that break a line for some readers, or that make a text look different from its content.
var unprintable = regexp.MustCompile(`[\x00-\x08\x0B-\x1F\x7F-\x{9F}\x{61C}\x{200E}\x{200F}\x{2028}-\x{202E}\x{2066}-\x{2069}\x{FDD0}-\x{FDEF}\x{FEFF}\x{FFFE}\x{FFFF}\x{1FFFE}\x{1FFFF}\x{10FFFE}\x{10FFFF}]`)

// marker matches lines that would begin or end a document, or be a directive or a comment.
var marker = regexp.MustCompile(`(?m)^(---|\.\.\.|%|#)`)

// checkProperties checks the properties of the YAML of every value.
func checkProperties(t *testing.T, text string, indent int) {
	t.Helper()
	out, err := fromJSON(text, indent)
	if err != nil {
		return
	}
	if !strings.HasSuffix(out, "\n") || strings.HasSuffix(out, "\n\n") || out == "\n" {
		t.Errorf("%q: not one final line feed: %q", text, out)
	}
	if at := unprintable.FindStringIndex(out); at != nil {
		t.Errorf("%q: %q in the output", text, out[at[0]:at[1]])
	}
	if at := marker.FindStringIndex(out); at != nil {
		t.Errorf("%q: a line of the output begins with %q", text, out[at[0]:at[1]])
	}
	for name, other := range map[string]string{"spelt with escapes": spelt(t, text), "laid out": layout(t, text)} {
		if again, err := fromJSON(other, indent); err != nil || again != out {
			t.Errorf("%q: %s it gives\n%s\nnot\n%s\n%v", text, name, again, out, err)
		}
	}
	// As an entry of a sequence the same lines are two columns further right.
	inArray, err := fromJSON("["+text+"]", indent)
	if err != nil {
		return // too deep
	}
	want := "- " + strings.ReplaceAll(strings.TrimSuffix(out, "\n"), "\n", "\n  ") + "\n"
	if blanks.ReplaceAllString(inArray, "") != blanks.ReplaceAllString(want, "") && !isString(text) {
		t.Errorf("%q in an array gives\n%s\nnot\n%s", text, inArray, want)
	}
}

// blanks matches the indentation of blank lines.
var blanks = regexp.MustCompile(`(?m)^ +$`)

// isString reports whether a value is a string, which need not look the same inside an array.
func isString(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), `"`) }

// spelt returns the JSON text with all characters of its strings escaped.
func spelt(t *testing.T, text string) string {
	t.Helper()
	var b strings.Builder
	s := jsondoc.NewScanner(text)
	last := jsondoc.End
	for {
		token := check.Value(s.Next())(t)
		switch token.Kind {
		case jsondoc.End:
			return b.String()
		case jsondoc.EndArray, jsondoc.EndObject:
		default:
			if last != jsondoc.End && last != jsondoc.Name && last != jsondoc.BeginArray && last != jsondoc.BeginObject {
				b.WriteByte(',')
			}
		}
		if token.Kind != jsondoc.String && token.Kind != jsondoc.Name {
			b.WriteString(token.Raw)
		} else {
			b.WriteByte('"')
			for _, r := range token.Content() {
				if r > 0xFFFF {
					b.WriteRune(r)
				} else {
					fmt.Fprintf(&b, `\u%04X`, r)
				}
			}
			b.WriteByte('"')
		}
		if token.Kind == jsondoc.Name {
			b.WriteByte(':')
		}
		last = token.Kind
	}
}

func layout(t *testing.T, text string) string {
	t.Helper()
	limit := convert.NewOutputLimit(1<<30, 1<<30)
	out, err := jsondoc.Format(context.Background(), nil, jsondoc.NewScanner(text), jsondoc.Layout{Indent: 3}, limit)
	check.OK(t, err)
	return string(out)
}

// TestProperties: rules YAML-2, YAML-5, YAML-6.
func TestProperties(t *testing.T) {
	for _, c := range converttest.Load(t, cases) {
		checkProperties(t, c.Input, 2)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		checkProperties(t, string(appendValue(nil, r, 4)), 1+r.IntN(8))
	}
}

// runes are characters with a meaning in YAML, and some without.
var runes = []rune("ab  \n\n\t:#-?,[]{}&*!|>'\"%@`\\/=<~.0159eEyn_+()$;\r\x00\x1b\u007f\u0085\u00a0é\u061c\u200e日\u2028\u2029\u202e\u2066\ufdd0\ufeff\ufffd\ufffe\U0001F600\U0001FFFF")

func appendText(dst []byte, r *rand.Rand) []byte {
	text := make([]rune, r.IntN(8))
	for i := range text {
		text[i] = runes[r.IntN(len(runes))]
	}
	return jsondoc.AppendString(dst, string(text))
}

func appendValue(dst []byte, r *rand.Rand, depth int) []byte {
	switch kind := r.IntN(8); {
	case kind == 0:
		return append(dst, []string{"null", "true", "-0", "1.5", "1E5", "12e-3"}[r.IntN(6)]...)
	case kind < 4 || depth == 0:
		return appendText(dst, r)
	case kind < 6:
		dst = append(dst, '[')
		for i := range r.IntN(4) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, r, depth-1)
		}
		return append(dst, ']')
	}
	dst = append(dst, '{')
	for i := range r.IntN(4) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendText(dst, r), ':') // duplicates are rare and rejected
		dst = appendValue(dst, r, depth-1)
	}
	return append(dst, '}')
}
