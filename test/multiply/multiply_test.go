package multiply

import (
	"encoding/json"
	"testing"

	"go.yaml.in/yaml/v3"
)

// Every document is valid for its media type, has a unique name and the requested size, and is the same each time.
func TestDocuments(t *testing.T) {
	const size = 16 << 10
	names, pairs := map[string]bool{}, map[string]bool{}
	again := Documents()
	for i, d := range Documents() {
		if names[d.Name()] {
			t.Errorf("%s is a duplicate", d.Name())
		}
		names[d.Name()], pairs[d.Share+"/"+d.Referrer] = true, true
		for _, split := range Splits[:1+i%3] {
			text := d.Text(size, split)
			if n := Size(text); n < size/2 || n > size+size/4 {
				t.Errorf("%s, %s: %d bytes", d.Name(), split.Name, n)
			}
			switch {
			case d.MediaType == jsonType && !json.Valid([]byte(text)):
				t.Errorf("%s, %s: not JSON: %.600s", d.Name(), split.Name, text)
			case d.MediaType == yamlType && i%10 == 0:
				if err := yaml.Unmarshal([]byte(text), new(yaml.Node)); err != nil {
					t.Errorf("%s, %s: %v: %.600s", d.Name(), split.Name, err, text)
				}
			}
			if i%10 == 0 && again[i].Text(size, split) != text {
				t.Errorf("%s is not the same each time", d.Name())
			}
		}
	}
	if len(pairs) < 1000 {
		t.Errorf("%d pairs", len(pairs))
	}
	t.Logf("%d pairs, %d documents", len(pairs), len(names))
}
