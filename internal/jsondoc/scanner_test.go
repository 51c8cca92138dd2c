package jsondoc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// unlimited returns a limit that no test's output reaches.
func unlimited() *convert.OutputLimit { return convert.NewOutputLimit(1<<30, 1<<30) }

// compact formats text with indent 0 and rejects unsafe numbers.
func compact(text string) (string, error) {
	s := NewScanner(text)
	s.RejectUnsafe = true
	out, err := Format(context.Background(), nil, s, Layout{}, unlimited())
	return string(out), err
}

// failureOf returns err as a *convert.Failure and fails the test if it is another error.
func failureOf(tb testing.TB, err error) *convert.Failure {
	tb.Helper()
	var failure *convert.Failure
	if !errors.As(err, &failure) {
		tb.Fatalf("want a *convert.Failure, got %T %v", err, err)
	}
	return failure
}

// TestCases reads every file of cases: a case fails with its code at its position, or its compact form is its
// output (its input if it has none).
func TestCases(t *testing.T) {
	for _, file := range []string{"grammar", "duplicates", "unicode", "depth", "places"} {
		t.Run(file, func(t *testing.T) {
			for _, c := range converttest.Load(t, filepath.Join("testdata", file+".yaml")) {
				t.Run(c.Name, func(t *testing.T) { checkCase(t, c) })
			}
		})
	}
}

// TestYAML names YAML, and only YAML, in the failure.
func TestYAML(t *testing.T) {
	for text, yaml := range map[string]bool{
		"a: 1\nb: 2\n": true, "\nopen-api:\r\n  b: 2\n": true, "a:": true, "a:1": false, "http://h": false, "word": false, "[a: 1]": false,
	} {
		_, err := compact(text)
		if f := failureOf(t, err); f.Code != convert.InvalidJSON || strings.Contains(f.Detail, "YAML") != yaml {
			t.Errorf("%q: %v", text, f)
		}
	}
}

func checkCase(t *testing.T, c converttest.Case) {
	got, err := compact(c.Input)
	// encoding/json only checks the grammar.
	if valid := json.Valid([]byte(c.Input)); c.Code == "" && !valid || c.Code == convert.InvalidJSON && valid {
		t.Errorf("encoding/json says valid: %v, the case says %q", valid, c.Code)
	}
	if c.Code == "" {
		want := c.Output
		if want == "" {
			want = c.Input
		}
		if err != nil || got != want {
			t.Errorf("want %q\n got %q, %v", want, got, err)
		}
		return
	}
	if err == nil {
		t.Fatalf("accepted, want %s", c.Code)
	}
	f := failureOf(t, err)
	if f.Code != c.Code || f.Line != c.Line || f.Column != c.Column {
		t.Errorf("want %s at line %d, column %d, got %v", c.Code, c.Line, c.Column, f)
	}
	if f.Hint == "" {
		t.Error("no hint")
	}
}

// Details describe what is actually wrong.
func TestDetails(t *testing.T) {
	const number, comma, more = "The number is not", "A comma or the end", "Unexpected characters after"
	for text, want := range map[string]string{
		"01":                       number,
		"0x1F":                     number,
		"[1_000]":                  number,
		"[1.2.3]":                  number,
		"[1e5e5]":                  number,
		`{"a":12px}`:               number,
		`{"a":1"b":2}`:             comma,
		"[1:2]":                    comma,
		"[1[2]]":                   comma,
		"[1\u00a0]":                number,
		"[1 2]":                    comma,
		`["1"2]`:                   comma,
		`{"a":1 "b":2}`:            comma,
		`{"a":true"b":2}`:          comma,
		"1 x":                      more,
		"1]":                       more,
		"1,2":                      more,
		"1/2":                      more,
		"1-2":                      number,
		`"1"2`:                     more,
		"{}\uFEFF":                 more,
		"\uFEFF{}":                 "Expected a JSON value, found a byte order mark",
		"'a'":                      "Expected a JSON value.",
		"[1,]":                     "Expected a JSON value.",
		`{"a":1,}`:                 "A member name is expected",
		"[nul]":                    "A word without quotes",
		"[9007199254740993_0]":     number,
		"[9007199254740993 0]":     "Not every parser keeps this number",
		"9007199254740993":         "Not every parser keeps this number",
		"{\"a\":9007199254740993}": "Not every parser keeps this number",
	} {
		_, err := compact(text)
		if f := failureOf(t, err); !strings.HasPrefix(f.Detail, want) {
			t.Errorf("%s: want %q, got %q", text, want, f.Detail)
		}
	}
}

func TestTokens(t *testing.T) {
	const text = ` {"a" : [1, "b\n", true , false,null],"\u0063":{} } `
	want := []Token{
		{Kind: BeginObject, Raw: "{"},
		{Kind: Name, Raw: `"a"`},
		{Kind: BeginArray, Raw: "["},
		{Kind: Number, Raw: "1"},
		{Kind: String, Raw: `"b\n"`, Escaped: true},
		{Kind: True, Raw: "true"},
		{Kind: False, Raw: "false"},
		{Kind: Null, Raw: "null"},
		{Kind: EndArray, Raw: "]"},
		{Kind: Name, Raw: `"\u0063"`, Escaped: true},
		{Kind: BeginObject, Raw: "{"},
		{Kind: EndObject, Raw: "}"},
		{Kind: EndObject, Raw: "}"},
		{Kind: End},
		{Kind: End},
	}
	depths := []int{1, 1, 2, 2, 2, 2, 2, 2, 1, 1, 2, 1, 0, 0, 0}
	s := NewScanner(text)
	for i := range want {
		got := check.Value(s.Next())(t)
		check.Equal(t, want[i], got, "token", i)
		if s.Depth() != depths[i] {
			t.Errorf("token %d: depth %d, want %d", i, s.Depth(), depths[i])
		}
		before := text[:s.Offset()]
		if got.Kind == Name {
			before = strings.TrimRight(strings.TrimSuffix(before, ":"), " ")
		}
		if got.Kind != End && !strings.HasSuffix(before, got.Raw) {
			t.Errorf("token %d: offset %d is not after %q", i, s.Offset(), got.Raw)
		}
	}
}

func TestUnsafeNumbersAreSeenOrRefused(t *testing.T) {
	const text = `[1,9007199254740993,2]`
	if _, err := compact(text); failureOf(t, err).Code != convert.UnsafeNumber {
		t.Errorf("want %s, got %v", convert.UnsafeNumber, err)
	}
	for text, want := range map[string]bool{text: true, `[1,0.1]`: false, `1e400`: true} {
		s := NewScanner(text)
		out, err := Format(context.Background(), nil, s, Layout{}, unlimited())
		if err != nil || string(out) != text || s.SawUnsafe != want {
			t.Errorf("%s: %s, %v, saw unsafe %v", text, out, err, s.SawUnsafe)
		}
	}
}

// wide returns an object of n members, prefix0, prefix1 and so on, without its closing brace.
func wide(prefix string, n int) string {
	var b strings.Builder
	b.WriteByte('{')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `"%s%d":0`, prefix, i)
	}
	return b.String()
}

func TestWideObjects(t *testing.T) {
	const n = 100_000
	for name, prefix := range map[string]string{
		"short names":   "",
		"long names":    strings.Repeat("x", 40),
		"escaped names": `\u00e9`,
	} {
		t.Run(name, func(t *testing.T) {
			text := wide(prefix, n)
			check.Value(compact(text + "}"))(t)
			for _, i := range []int{0, 16, n - 1} {
				_, err := compact(text + fmt.Sprintf(`,"%s%d":1}`, prefix, i))
				if f := failureOf(t, err); f.Code != convert.DuplicateKey || f.Column < len(text)/2 {
					t.Errorf("name %d appears twice: %v", i, err)
				}
			}
		})
	}
}

// TestDuplicateReportsBothPositions checks that the first of the two names is that of the same object, not of one
// before, around or inside it. Rule: JSON-2.
func TestDuplicateReportsBothPositions(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"a":2}`: "first at line 1, column 2. (line 1, column 8)",
		`{"😀":1,"😀":2}`: "first at line 1, column 2. (line 1, column 8)",
		"{\n  \"b\": 1,\r\n  \"a\": 1,\n  \"a\": 3\n}": "first at line 3, column 3. (line 4, column 3)",
		`{"\u0061":1,"a":2}`:                           "first at line 1, column 2. (line 1, column 13)",
		`{"a":1,"\u0061":2}`:                           "first at line 1, column 2. (line 1, column 8)",
		`{"a":{"b":1},"b":2,"a":3}`:                    "first at line 1, column 2. (line 1, column 20)",
		`{"a":{"b":1},"b":2,"b":3}`:                    "first at line 1, column 14. (line 1, column 20)",
		`[{"b":1},{"a":1,"b":1,"c":{"b":1},"b":2}]`:    "first at line 1, column 17. (line 1, column 35)",
		`{"a":{"a":["a",{"c":1,"a":0,"a":2}]}}`:        "first at line 1, column 23. (line 1, column 29)",
		wide("k", 1000) + `,"in":{"k1":1},"k1":1}`:     "first at line 1, column 9. (line 1, column 8906)",
	} {
		_, err := compact(text)
		if f := failureOf(t, err); f.Code != convert.DuplicateKey || !strings.HasSuffix(f.Detail, want) {
			t.Errorf("%.40s: %s, want %s", text, f.Detail, want)
		}
	}
}

// Wide objects inside wide objects: the end of an inner object removes exactly what it added to the index of names.
func TestNestedWideObjects(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"same":0`)
	for i := range 100 {
		fmt.Fprintf(&b, `,"k%d":{"same":0`, i)
		for j := range i {
			fmt.Fprintf(&b, `,"k%d":%d`, j, j)
		}
		b.WriteString(`}`)
	}
	check.Value(compact(b.String() + `}`))(t)
	for _, again := range []string{"same", "k0", "k15", "k50", "k99"} {
		_, err := compact(b.String() + `,"` + again + `":1}`)
		if f := failureOf(t, err); f.Code != convert.DuplicateKey {
			t.Errorf("%s appears twice: %v", again, err)
		}
	}
}

// Objects nested in each other, at every width around the switch from searching to the index, with the inner
// one between two members of the outer one.
func TestNestedObjectsOfEveryWidth(t *testing.T) {
	for outer := range 40 {
		for inner := range 40 {
			text := wide("k", outer)
			if outer > 0 {
				text += ","
			}
			text += `"in":` + wide("k", inner) + `}`
			more := strings.TrimPrefix(wide("m", 40), "{")
			if _, err := compact(text + "," + more + "}"); err != nil {
				t.Fatalf("%d names, then %d inside: %v", outer, inner, err)
			}
			again := "in"
			if outer > 0 {
				again = fmt.Sprintf("k%d", outer/2)
			}
			_, err := compact(text + "," + more + `,"` + again + `":1}`)
			if err == nil {
				t.Fatalf("%d names, then %d inside: %s appears twice and passes", outer, inner, again)
			}
		}
	}
}

// Every truncated text is rejected, at its end or before it.
func TestCutTexts(t *testing.T) {
	const text = `{"a\u00e9\n":[-1.5e+10,"\ud83d\ude00",true,false,null,{}],"b":{"c":[]}}`
	for i := range len(text) {
		_, err := compact(text[:i])
		if f := failureOf(t, err); f.Column > i+1 {
			t.Errorf("%q: beyond the end: %v", text[:i], f)
		}
	}
}
