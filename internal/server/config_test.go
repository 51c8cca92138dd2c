package server

import "testing"

// TestDefaultBaseURL checks the base URL that follows from the listener.
func TestDefaultBaseURL(t *testing.T) {
	for listen, want := range map[string]string{
		"127.0.0.1:8080": "http://127.0.0.1:8080",
		":8080":          "http://127.0.0.1:8080",
		"[::]:8080":      "http://127.0.0.1:8080",
		"[::1]:8080":     "http://[::1]:8080",
		"[::1%lo]:8080":  "http://[::1]:8080",
	} {
		config := defaults()
		config.Listen = listen
		base, err := config.complete()
		if err != nil || base.String() != want {
			t.Errorf("%s: %v, %v", listen, base, err)
		}
	}
}
