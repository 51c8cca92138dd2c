package apiconvert

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// TestPlantedSecrets checks that no planted secret is left in any target, and that look-alikes stay.
func TestPlantedSecrets(t *testing.T) {
	var cases []struct {
		Name      string   `yaml:"name"`
		MediaType string   `yaml:"mediaType"`
		Text      string   `yaml:"text"`
		Gone      []string `yaml:"gone"`
		Kept      []string `yaml:"kept"`
	}
	converttest.Data(t, "testdata/secrets.yaml", &cases)
	for _, c := range cases {
		for target := range targets {
			result := call(t, c.MediaType, c.Text, target)
			all := result.Value + strings.Join(result.Warnings, "\n")
			for _, secret := range c.Gone {
				for _, spelling := range spellings(secret) {
					if strings.Contains(all, spelling) {
						t.Errorf("%s to %s: %s survives as %s", c.Name, target, secret, spelling)
					}
				}
			}
			for _, kept := range c.Kept {
				if !strings.Contains(result.Value, kept) {
					t.Errorf("%s to %s: %s is gone", c.Name, target, kept)
				}
			}
			if !slices.ContainsFunc(result.Warnings, func(w string) bool { return strings.HasPrefix(w, "secrets_replaced: ") }) {
				t.Errorf("%s to %s: nothing is said of secrets", c.Name, target)
			}
		}
	}
}

// spellings returns the encodings in which a secret can hide.
func spellings(secret string) []string {
	all := []string{secret, url.QueryEscape(secret), url.PathEscape(secret)}
	for _, prefix := range []string{"", "a", "ab"} {
		for _, suffix := range []string{"", "x", "xy"} {
			encoded := base64.StdEncoding.EncodeToString([]byte(prefix + secret + suffix))
			if middle := strings.Trim(encoded, "=")[4:max(4, len(encoded)-8)]; len(middle) >= 6 {
				all = append(all, middle)
			}
		}
	}
	return all
}
