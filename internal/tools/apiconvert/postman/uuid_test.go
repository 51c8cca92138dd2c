package postman

import "testing"

// TestNamedUUID compares with the UUID of version 5 in RFC 9562 (appendix A.4) and one in Python's
// documentation (uuid.uuid5).
func TestNamedUUID(t *testing.T) {
	dns := urls
	dns[3] = 0x10 // 6ba7b810-…
	for name, want := range map[string]string{
		"www.example.com": "2ed6657d-e927-568b-95e1-2665a8aea6a2",
		"python.org":      "886313e1-3b8a-5372-9b90-0c9aee199e5d",
	} {
		if got := dns.named(name).String(); got != want {
			t.Errorf("%s: want %s, got %s", name, want, got)
		}
	}
}
