package jwtdecode

import (
	"encoding/base64"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

func TestCases(t *testing.T) { converttest.Run(t, Tool, nil) }

// object is a case whose parts are written as JSON.
type object struct {
	Name            string
	Header, Payload string
	Repeat          []converttest.Repeat // appended to Payload
	Deep            bool                 // accepted; the output is too long to write down

	Output   string
	Warnings []string // codes, not_verified left out

	Code         convert.Code
	Line, Column int
}

func objects(tb testing.TB) []object {
	tb.Helper()
	var all []object
	converttest.Data(tb, "testdata/objects.yaml", &all)
	for i := range all {
		o := &all[i]
		if o.Header == "" {
			o.Header = "{}"
		}
		if o.Payload == "" {
			o.Payload = "{}"
		}
		for _, r := range o.Repeat {
			o.Payload += strings.Repeat(r.Text, r.Times)
		}
	}
	return all
}

// someSignature is 32 bytes long.
const someSignature = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

func encode(header, payload, signature string) convert.Input {
	b64 := base64.RawURLEncoding
	return input(b64.EncodeToString([]byte(header)) + "." + b64.EncodeToString([]byte(payload)) + "." + signature)
}

func input(text string) convert.Input {
	return convert.Input{Artifact: convert.Artifact{MediaType: "application/jwt", Value: text}}
}

// TestObjects: rule JWT-4.
func TestObjects(t *testing.T) {
	for _, o := range objects(t) {
		t.Run(o.Name, func(t *testing.T) {
			in := encode(o.Header, o.Payload, someSignature)
			got, failure := converttest.Do(t, Tool, in)
			switch {
			case o.Code != "" && failure == nil:
				t.Errorf("accepted, want %s", o.Code)
			case o.Code != "":
				if failure.Code != o.Code || failure.Line != o.Line || failure.Column != o.Column {
					t.Errorf("want %s at line %d, column %d, got %v", o.Code, o.Line, o.Column, failure)
				}
			case failure != nil:
				t.Errorf("refused: %v", failure)
			case !o.Deep:
				check.Equal(t, o.Output, got.Value, "output")
				want := append([]string{"not_verified"}, o.Warnings...)
				check.Equal(t, want, codes(got.Warnings), "warnings")
			}
			converttest.Check(t, Tool, in)
		})
	}
}

func codes(warnings []string) []string {
	var all []string
	for _, w := range warnings {
		code, _, _ := strings.Cut(w, ": ")
		all = append(all, code)
	}
	return all
}

// The detail of a failure names the part, and the hint says what to do.
func TestDetailsAndHints(t *testing.T) {
	const token = "e30.e30." + someSignature
	for text, want := range map[string]struct{ detail, hint string }{
		"Bearer " + token:         {"Bearer", "Remove the word Bearer"},
		"BEARER\n" + token:        {"Bearer", "Remove the word Bearer"},
		"authorization: " + token: {"Authorization header", "without Authorization:"},
		"not.a.jwt":               {"In the header: The decoded part is not a JSON object, so the input is not a JWT.", "Send a JWT"},
		`"` + token + `"`:         {"quotes", "Remove the quotes"},
		"e30.e30":                 {"two parts", "ends with a dot"},
		"a.b.c.d.e":               {"encrypted", "Decrypt"},
		"a.b.c.d":                 {"4 parts", "separated by dots"},
		"{}":                      {"JSON object", "compact"},
		"e30=.e30.AA":             {"In the header: The part is padded", "load balancers"},
		"e30.e30=.AA":             {"In the payload: The part is padded", "load balancers"},
		"e30.e30.AA==":            {"In the signature: The part is padded", "load balancers"},
		"e30.a+b/.AA":             {"In the payload: The part is base64,", "each / with _"},
		"e30.e 30.AA":             {"In the payload: White space", "Remove line breaks"},
		"e30.e\n30.AA":            {"In the payload: White space", "Remove line breaks"},
		"e30.e30.A\rA":            {"In the signature: White space", "Remove line breaks"},
		"e30.e:0.AA":              {"In the payload: The character", "as it was issued"},
		".e30.AA":                 {"In the header: The part is empty", "whole token"},
		"e30..AA":                 {"In the payload: The part is empty", "whole token"},
		"e30.e.AA":                {"In the payload: The part has a length", "whole token"},
		"e30.e31.AA":              {"In the payload: The last character", "whole token"},
		"e30.W10.AA":              {"In the payload: The decoded part", "JSON objects"},
		"eyJiNjQiOmZhbHNlfQ.$.":   {"b64: false", "RFC 7797"},
		"e30.eyJ9.AA":             {"In the decoded payload: ", "issuer"},
		"eyJ9.e30.AA":             {"In the decoded header: ", "issuer"},
		"eyL_In0.e30.AA":          {"In the decoded header: A byte is not UTF-8. (line 1, column 3)", "issuer"},
	} {
		_, failure := converttest.Do(t, Tool, input(text))
		if failure == nil {
			t.Errorf("%s: accepted", text)
			continue
		}
		if !strings.Contains(failure.Detail, want.detail) || !strings.Contains(failure.Hint, want.hint) {
			t.Errorf("%q: want %q, %q, got\n%s\n%s", text, want.detail, want.hint, failure.Detail, failure.Hint)
		}
	}
}

// Each part may contain 64 of the 256 bytes; encoding/base64 agrees except for the two that it skips.
func TestAlphabet(t *testing.T) {
	for c := range 256 {
		if c == '.' {
			continue
		}
		text := "AAA" + string([]byte{byte(c)})
		_, err := base64.RawURLEncoding.DecodeString(text)
		want := err == nil && c != '\r' && c != '\n'
		for p, value := range map[part]string{
			header:    text + ".e30.AA",
			payload:   "e30." + text + ".AA",
			signature: "e30.e30." + text + "A",
		} {
			parts, err := split(value)
			if err != nil && !isQuote(byte(c)) {
				t.Fatal(err)
			}
			if err == nil && (parts.checkAlphabet(p) == nil) != want {
				t.Errorf("byte %#x in part %d: want allowed %v", c, p, want)
			}
		}
	}
}

// reference decodes as other libraries do: encoding/base64, encoding/json.
func reference(tb testing.TB, token string) (header, payload any, ok bool) {
	tb.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return nil, nil, false
	}
	var decoded [2]map[string]any
	for i := range decoded {
		raw, err := base64.RawURLEncoding.DecodeString(parts[i])
		if err != nil || !json.Valid(raw) || readJSON(string(raw), &decoded[i]) != nil || decoded[i] == nil {
			return nil, nil, false
		}
	}
	return decoded[0], decoded[1], true
}

func readJSON(text string, into any) error {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	return d.Decode(into)
}

// checkAgainstReference compares an accepted token's output with what other libraries read from the token.
func checkAgainstReference(tb testing.TB, token string) *convert.Failure {
	tb.Helper()
	got, failure := converttest.Do(tb, Tool, input(token))
	if failure != nil {
		return failure
	}
	header, payload, ok := reference(tb, strings.Trim(token, whiteSpace))
	if !ok {
		tb.Fatalf("accepts what is no token: %s", token)
	}
	var out map[string]any
	if err := readJSON(got.Value, &out); err != nil {
		tb.Fatalf("%s decodes to what is no JSON: %v", token, err)
	}
	if want := map[string]any{"header": header, "payload": payload}; !reflect.DeepEqual(want, out) {
		tb.Errorf("%s: want\n%v\ngot\n%v", token, want, out)
	}
	return nil
}

func FuzzTool(f *testing.F) {
	for _, c := range converttest.Load(f, "testdata/cases.yaml") {
		if len(c.Input) < 4096 {
			f.Add(c.Input)
		}
	}
	for _, o := range objects(f) {
		f.Add(encode(o.Header, o.Payload, someSignature).Value)
	}
	f.Fuzz(func(t *testing.T, token string) {
		if !utf8.ValidString(token) {
			return
		}
		converttest.Check(t, Tool, input(token))
		checkAgainstReference(t, token)
	})
}

// FuzzObjects mutates the JSON in a token, which mutating its bytes hardly reaches.
func FuzzObjects(f *testing.F) {
	for _, o := range objects(f) {
		f.Add(o.Header, o.Payload, someSignature)
	}
	f.Fuzz(func(t *testing.T, header, payload, signature string) {
		if !utf8.ValidString(signature) {
			return
		}
		in := encode(header, payload, signature)
		converttest.Check(t, Tool, in)
		checkAgainstReference(t, in.Value)
	})
}
