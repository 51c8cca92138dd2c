package jwtdecode

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

func TestCorpusCases(t *testing.T) {
	var cases []struct {
		Name, Token string
		Expect      int
	}
	converttest.CorpusData(t, "text/jwt/cases.json", &cases)
	if len(cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			failure := checkAgainstReference(t, c.Token)
			if (failure == nil) != (c.Expect == 200) {
				t.Errorf("want status %d, got %v", c.Expect, failure)
			}
			want := convert.InvalidJWT
			if strings.Count(c.Token, ".") == 4 {
				want = convert.EncryptedJWT
			}
			if failure != nil && failure.Code != want {
				t.Errorf("want %s, got %v", want, failure)
			}
			converttest.Check(t, Tool, input(c.Token))
		})
	}
}

// The tokens of other projects' tests: the tool accepts what another decoder accepts, and what it rejects is
// encrypted or contains no JSON objects.
func TestCorpusTokens(t *testing.T) {
	for _, file := range []string{"golang-jwt.json", "cookbook.json"} {
		var tokens []string
		converttest.CorpusData(t, "text/jwt/"+file, &tokens)
		if len(tokens) == 0 {
			t.Fatal("no tokens")
		}
		decoded := 0
		for _, token := range tokens {
			failure := checkAgainstReference(t, token)
			_, _, isJWT := reference(t, token)
			switch {
			case failure == nil:
				decoded++
			case isJWT:
				t.Errorf("%s: another decoder reads it: %v", token, failure)
			case strings.Count(token, ".") == 4 && failure.Code != convert.EncryptedJWT:
				t.Errorf("%s: five parts: %v", token, failure)
			case strings.Count(token, ".") != 4 && failure.Code != convert.InvalidJWT:
				t.Errorf("%s: %v", token, failure)
			}
		}
		t.Logf("%s: %d of %d decode", file, decoded, len(tokens))
	}
}
