package secret

import (
	"encoding/base64"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/jsondoc"
)

// TestShapes: the shortest token of every issuer is found, alone and in a sentence, whatever is skipped to save time.
func TestShapes(t *testing.T) {
	for _, list := range shapesBy {
		for _, s := range list {
			token := s.prefix
			if !s.plain || strings.HasSuffix(s.prefix, "/") {
				token += "7"
			}
			for len(token) < len(s.prefix)+s.min {
				token += "abcdef"[len(token)%6 : len(token)%6+1]
			}
			for _, text := range []string{token, "See " + token + " for more."} {
				if len(NewRedactor(nil).findShapes(text, asProse)) == 0 {
					t.Errorf("%s: %s is not found", s.name, text)
				}
			}
		}
	}
}

// TestSpellings: a sweeper finds random secrets in every encoding, and in base64 at every offset in both alphabets.
func TestSpellings(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	of := func(alphabet string, n int) (text string) {
		for range n {
			i := random.IntN(len(alphabet))
			text += alphabet[i : i+1]
		}
		return text
	}
	inJSON := func(text string) string { return string(jsondoc.AppendString(nil, text)) }
	inBase64 := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	encodings := map[string]func(text string) string{
		"base64":         inBase64,
		"base64url":      func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) },
		"base64 in JSON": func(text string) string { return strings.ReplaceAll(inBase64(text), "/", `\/`) },
		"JSON":           inJSON,
		"JSON in JSON":   func(text string) string { return inJSON(inJSON(text)) },
		"JSON in a URL":  func(text string) string { return url.QueryEscape(inJSON(text)) },
		"code units": func(text string) (escaped string) {
			for _, c := range []byte(text) {
				escaped += fmt.Sprintf(`\u%04x`, c)
			}
			return escaped
		},
		"percent":      url.QueryEscape,
		"XML":          html.EscapeString,
		"XML in a URL": func(text string) string { return url.QueryEscape(html.EscapeString(text)) },
	}
	for range 2000 {
		r := NewRedactor(nil)
		alphabet := []string{letters + " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", letters[40:] + " \n\t"}[random.IntN(2)]
		secret := of(alphabet, minSwept+random.IntN(maxPattern))
		if r.note(secret, "token", true); isWeak(secret) {
			continue
		}
		plain := of(alphabet, random.IntN(4)) + secret + of(alphabet, random.IntN(4))
		for name, encode := range encodings {
			if text := encode(plain); len(r.fullSweeper().find(text, asRedacted)) == 0 {
				t.Fatalf("%s: %s is not found in %s", name, secret, text)
			}
		}
	}
}
