package naming

import "testing"

func TestSummary(t *testing.T) {
	for title, want := range map[string]string{
		"1. Create a deployment": "Create a deployment",
		"(3) Pull a layer":       "Pull a layer",
		"2FA setup":              "2FA setup",
		"Curl a stone":           "Curl a stone",
		"Get {id}":               "Get {id}",
		"404":                    "404",
	} {
		if got := Summary(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
	}
}
