package jsondoc

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// FuzzScanner compares with two independent readers. go-json-experiment's jsontext rejects, by default, all
// that RFC 8259 and RFC 7493 reject, so it must agree on every text of allowed depth; encoding/json provides
// the value and the layouts.
func FuzzScanner(f *testing.F) {
	for _, file := range []string{"grammar", "duplicates", "unicode", "depth", "places"} {
		for _, c := range converttest.Load(f, filepath.Join("testdata", file+".yaml")) {
			if len(c.Input) < 4096 {
				f.Add(c.Input)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) {
			checkAgainstOthers(t, text)
		}
	})
}

func checkAgainstOthers(tb testing.TB, text string) {
	tb.Helper()
	want := jsontext.Value(text).IsValid() && depthOf(text) <= MaxDepth
	value, err := Decode(text)
	tooMany := err != nil && failureOf(tb, err).Code == convert.SchemaViolation
	if (err == nil || tooMany) != want {
		tb.Fatalf("jsontext accepts %q: %v; we say %v", text, want, err)
	}
	if err != nil && !tooMany {
		f := failureOf(tb, err)
		if lines := strings.Count(text, "\n") + strings.Count(text, "\r") + 1; f.Line < 1 || f.Line > lines {
			tb.Errorf("%q: no such line: %v", text, f)
		}
		return
	}
	if !tooMany {
		checkDecoded(tb, text, value)
	}
	for indent := range 9 {
		checkLayout(tb, text, indent)
	}
}

// checkLayout compares Format with encoding/json's Compact and Indent, which also change only white space.
func checkLayout(tb testing.TB, text string, indent int) {
	tb.Helper()
	var want bytes.Buffer
	trimmed := []byte(strings.Trim(text, " \t\r\n")) // Indent keeps trailing white space
	var err error
	if indent == 0 {
		err = json.Compact(&want, trimmed)
	} else {
		err = json.Indent(&want, trimmed, "", strings.Repeat(" ", indent))
	}
	check.OK(tb, err)
	got, err := Format(context.Background(), nil, NewScanner(text), Layout{Indent: indent}, unlimited())
	if err != nil || string(got) != want.String() {
		tb.Errorf("%q with indent %d: want\n%s\ngot\n%s\n%v", text, indent, &want, got, err)
	}
	escaped, err := Format(context.Background(), []byte("before"), NewScanner(text), Layout{Indent: indent, Escaped: true}, unlimited())
	if err != nil || string(escaped) != string(AppendEscaped([]byte("before"), string(got))) {
		tb.Errorf("%q with indent %d, escaped: %q, %v", text, indent, escaped, err)
	}
}

// depthOf counts nested brackets outside strings in valid JSON.
func depthOf(text string) int {
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[', c == '{':
			depth++
			deepest = max(deepest, depth)
		case c == ']', c == '}':
			depth--
		}
	}
	return deepest
}
