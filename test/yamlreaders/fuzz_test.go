package yamlreaders

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// FuzzReadBack writes arbitrary JSON texts and strings as YAML, and reads them back with the Go readers.
func FuzzReadBack(f *testing.F) {
	for _, c := range converttest.Load(f, cases) {
		f.Add(c.Input, uint8(1))
	}
	f.Add("1"+strings.Repeat("0", 850)+"e-850", uint8(2))
	f.Fuzz(func(t *testing.T, text string, indent uint8) {
		if len(text) > 5_000 {
			t.Skip("some readers need seconds for long input")
		}
		text = strings.ToValidUTF8(text, "?")
		readBack(t, text, 1+int(indent)%8)
		readBack(t, everyPosition(text), 1+int(indent)%8)
	})
}

func readBack(t *testing.T, text string, indent int) {
	out, err := toYAML(text, indent)
	if err != nil {
		return
	}
	for _, r := range goReaders {
		saw, err := r.read(out)
		if err != nil {
			saw = "! " + err.Error()
		}
		if difference := compare(text, saw, r.kind); difference != "" {
			t.Errorf("%s: %q as\n%s%s", r.name, text, out, difference)
		}
	}
}
