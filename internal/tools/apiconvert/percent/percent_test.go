package percent

import "testing"

func TestDecode(t *testing.T) {
	for text, want := range map[string][2]string{
		"":        {"", ""},
		"a+b%20c": {"a+b c", "a b c"},
		"%C3%A9":  {"é", "é"},
		"%zz+%20": {"%zz+%20", "%zz+%20"},
		"100%":    {"100%", "100%"},
		"%E9+a":   {"%E9+a", "%E9+a"}, // Latin-1
	} {
		if got := [2]string{Decode(text), DecodeQuery(text)}; got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestByte(t *testing.T) {
	for text, want := range map[string]struct {
		c  byte
		ok bool
	}{
		"%41b": {'A', true}, "%fF": {0xff, true}, "%4": {}, "%+1": {}, "41": {}, "": {},
	} {
		if c, ok := Byte(text); ok != want.ok || ok && c != want.c {
			t.Errorf("%q: got %q, %v", text, c, ok)
		}
	}
}
