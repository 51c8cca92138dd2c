package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// codes are what switches colours.
var codes = regexp.MustCompile("\x1b\\[([0-9;]+)m")

// TestColor: names, texts, brackets, null and the rest have their colours,
// however the text is divided, and nothing else of it changes.
func TestColor(t *testing.T) {
	const text = "{\n  \"a\": [1.5e3, \"x\\\"}\\\\\", null, true, false, {}],\n  \"\": {\"b\": -1, \"é中\": \"{\"}\n}\n[\"c\", \"d\"]\n7\n"
	const want = "<1;39>{\n  <34;1>\"a\"<1;39>: [<0;39>1.5e3<1;39>, <0;32>\"x\\\"}\\\\\"<1;39>, <1;30>null<1;39>, <0;39>true<1;39>, <0;39>false<1;39>, {}],\n" +
		"  <34;1>\"\"<1;39>: {<34;1>\"b\"<1;39>: <0;39>-1<1;39>, <34;1>\"é中\"<1;39>: <0;32>\"{\"<1;39>}\n}<0>\n" +
		"<1;39>[<0;32>\"c\"<1;39>, <0;32>\"d\"<1;39>]<0>\n<0;39>7<0>\n"
	for size := range 20 {
		var shown bytes.Buffer
		c := &Color{Text: &shown, Codes: &shown}
		parts := []string{text}
		if size > 0 {
			parts = parts[:0]
			for runes := []rune(text); len(runes) > 0; {
				n := min(size, len(runes))
				parts, runes = append(parts, string(runes[:n])), runes[n:]
			}
		}
		for _, part := range parts {
			if n, err := c.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		check.OK(t, c.End())
		if got := codes.ReplaceAllString(shown.String(), "<$1>"); got != want {
			t.Errorf("in parts of %d:\n%s\nwant\n%s", size, got, want)
		}
	}
}

// TestColorEnds: a colour that is on is switched off.
func TestColorEnds(t *testing.T) {
	var shown bytes.Buffer
	c := &Color{Text: &shown, Codes: &shown}
	_, _ = c.Write([]byte("[1"))
	if err := c.End(); err != nil || !strings.HasSuffix(shown.String(), "\x1b[0m") {
		t.Errorf("%q %v", shown.String(), err)
	}
}
