package printable

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, test := range []struct{ text, want, line string }{
		{"", "", ""},
		{"plain ü€😀", "plain ü€😀", "plain ü€😀"},
		{"a\tb\nc", "a\tb\nc", `a\x09b\x0ac`},
		{"\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`, `\x1b[31mred\x1b[0m`},
		{"over\rwritten\b\a\x00", `over\x0dwritten\x08\x07\x00`, `over\x0dwritten\x08\x07\x00`},
		{"\x7f\u0080\u009b2J\u0085", `\x7f\u0080\u009b2J\u0085`, `\x7f\u0080\u009b2J\u0085`},
		{"\u202eexe.txt\u2069\u200f\u061c", `\u202eexe.txt\u2069\u200f\u061c`, `\u202eexe.txt\u2069\u200f\u061c`},
		{"a\u2028b\u2029", `a\u2028b\u2029`, `a\u2028b\u2029`},
		{"\xff\xc3(\xe2\x82\x9b", `\xff\xc3(` + "\u209b", `\xff\xc3(` + "\u209b"},
		{"a joined \u200d family, \ufffd", "a joined \u200d family, \ufffd", "a joined \u200d family, \ufffd"},
		{`a \x1b of text`, `a \x1b of text`, `a \x1b of text`},
	} {
		if got := Text(test.text); got != test.want {
			t.Errorf("Text(%q): want %q, got %q", test.text, test.want, got)
		}
		if got := Line(test.text); got != test.line {
			t.Errorf("Line(%q): want %q, got %q", test.text, test.line, got)
		}
	}
}

// FuzzText checks that nothing that controls a terminal is left, that Text is
// idempotent, and that other text is unchanged.
func FuzzText(f *testing.F) {
	f.Add("\x1b]0;title\a\u009b2J\u202e\xff\xc2")
	f.Fuzz(func(t *testing.T, text string) {
		shown := Text(text)
		if !utf8.ValidString(shown) || strings.ContainsFunc(shown, controls) {
			t.Errorf("%q: %q controls", text, shown)
		}
		if again := Text(shown); again != shown {
			t.Errorf("%q: then %q", shown, again)
		}
		if line := Line(text); strings.ContainsAny(line, "\n\t") || Text(line) != line {
			t.Errorf("%q: the line %q", text, line)
		}
		if utf8.ValidString(text) && !strings.ContainsFunc(text, controls) && shown != text {
			t.Errorf("%q: changed to %q", text, shown)
		}
	})
}

// full is a writer to a full disk.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriter(t *testing.T) {
	var out bytes.Buffer
	if n, err := (Writer{&out}).Write([]byte("a\x1b\n")); n != 3 || err != nil || out.String() != `a\x1b`+"\n" {
		t.Errorf("%d, %v, %q", n, err, out.String())
	}
	for text, want := range map[string]string{"plain\t\n": "plain\t\n", "\x7f": `\x7f`, "ü": "ü", "\x1f": `\x1f`} {
		out.Reset()
		if n, err := (Writer{&out}).Write([]byte(text)); n != len(text) || err != nil || out.String() != want {
			t.Errorf("%q: %d, %v, %q", text, n, err, out.String())
		}
	}
	if n, err := (Writer{full{}}).Write([]byte("a")); n != 0 || err == nil {
		t.Errorf("%d, %v", n, err)
	}
}
