package jsondoc

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert"
)

// TestIndentedSize checks that a text that becomes large when indented is not light, whatever its strings
// contain, and that common texts are.
func TestIndentedSize(t *testing.T) {
	deep := strings.Repeat("[", 250) + strings.Repeat("1,", 400) + "1" + strings.Repeat("]", 250)
	for _, test := range []struct {
		name, text string
		indent     int
		heavy      bool
	}{
		{"a small document", `{"a":[1,2,{"b":null}]}`, 8, false},
		{"20 KB of flat rows", "[" + strings.Repeat(`{"id":12345678,"name":"somebody somewhere","mail":"a@example.com"},`, 300) + "1]", 2, false},
		{"100 KB", strings.Repeat(" ", 100_000), 0, true},
		{"1 KB that becomes a megabyte", deep, 8, true},
		{"the same in one line", deep, 0, false},
		{"the same after brackets in a string", `["` + strings.Repeat("]", 1000) + `\"]",` + deep + "]", 8, true},
		{"brackets in a string", `["` + strings.Repeat("[,", 1000) + `"]`, 8, false},
		{"only closing brackets", strings.Repeat("],", 1000), 8, false},
	} {
		if got := IndentedSize(test.text, test.indent); (got > convert.Light) != test.heavy {
			t.Errorf("%s: %d", test.name, got)
		}
	}
	if long := strings.Repeat(deep, 30); IndentedSize(long, 8) != len(long) {
		t.Error("a text that is heavy anyway is looked at")
	}
	if got, want := IndentedSize(deep, 8), 6*len(deep); got < want {
		t.Errorf("%d bytes, and %d are only the input", got, len(deep))
	}
}
