package request

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseAuthorization(t *testing.T) {
	for value, want := range map[string]*Auth{
		"Bearer  a.b ":           {Kind: Bearer, Token: "a.b"},
		"basic YW5uOnB3OnI=":     {Kind: Basic, Username: "ann", Password: "pw:r"},
		"Basic YW5uOnB3OnI":      {Kind: Basic, Username: "ann", Password: "pw:r"},
		"Basic {{credentials}}":  {Kind: OtherScheme, Key: "Basic", Token: "{{credentials}}"},
		"Basic YW5u":             {Kind: OtherScheme, Key: "Basic", Token: "YW5u"},
		"Basic YQo6Yg==":         {Kind: OtherScheme, Key: "Basic", Token: "YQo6Yg=="}, // a control character
		"Digest username=\"a\"":  {Kind: OtherScheme, Key: "Digest", Token: "username=\"a\""},
		"token":                  nil,
		"{{scheme}} x":           nil,
		"key=a, b":               nil,
		"":                       nil,
		"Bearer ":                nil,
		"AWS4-HMAC-SHA256 a=b,c": {Kind: OtherScheme, Key: "AWS4-HMAC-SHA256", Token: "a=b,c"},
	} {
		if diff := cmp.Diff(want, ParseAuthorization(value)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", value, diff)
		}
	}
	if a := ParseAuthorization(EncodeBasic("ann", "ä:b")); a.Username != "ann" || a.Password != "ä:b" {
		t.Errorf("%+v", a)
	}
}

func TestParseCookies(t *testing.T) {
	got := ParseCookies(` a=b=c; {{x;y}}={{z;w}};d= ;; e="f" ;`)
	want := []*Parameter{{Name: "a", Value: "b=c"}, {Name: "{{x;y}}", Value: "{{z;w}}"}, {Name: "d"}, {Name: "e", Value: `"f"`}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, value := range []string{"", "abc", "a=b; c", "=b"} {
		if got := ParseCookies(value); got != nil {
			t.Errorf("%q: %+v", value, got)
		}
	}
}

func TestMediaType(t *testing.T) {
	const given = ` Multipart/Form-Data ; charset=utf-8; Boundary="a;\"b" `
	if BaseType(given) != MultipartType || TypeParameter(given, "boundary") != `a;"b` || TypeParameter(given, "charset") != "utf-8" || TypeParameter(given, "x") != "" {
		t.Errorf("%q %q", BaseType(given), TypeParameter(given, "boundary"))
	}
	for mediaType, is := range map[string]func(string) bool{
		"application/problem+json; charset=utf-8": IsJSONType, "*/*": IsJSONType, "application/soap+xml": IsXMLType,
		"application/x-ndjson": IsJSONLines, "application/pdf": IsBinaryType, "image/png": IsBinaryType,
	} {
		if !is(mediaType) || is("text/csv") {
			t.Error(mediaType)
		}
	}
	if IsBinaryType("image/svg+xml") {
		t.Error("SVG is text")
	}
}

func TestLooksLikeJSON(t *testing.T) {
	for text, want := range map[string]bool{
		` {"a": {{b}}, "c": "{{d}}\"{{"}`: true, "[1]": true, `{"a":1,"a":2}`: true,
		"{{a}}": false, `"a"`: false, "1": false, "": false, "{": false, `{"a":1} x`: false, "{a: 1}": false,
	} {
		if got := LooksLikeJSON(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestParseForm(t *testing.T) {
	got := ParseForm("a=b%26c&d+e=%7Bx%7D&{{f&g}}=")
	want := []*Field{
		{Parameter: Parameter{Name: "a", Value: "b&c"}},
		{Parameter: Parameter{Name: "d e", Value: "{x}"}},
		{Parameter: Parameter{Name: "{{f&g}}"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, text := range []string{"a", "a=%zz", "a=%ff", "<a>=b", `{"a"="b"}`} {
		if got := ParseForm(text); got != nil {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

// The content of each part, between its headers and the next delimiter.
func TestParseMultipart(t *testing.T) {
	const crlf = "preamble\r\n--W\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\ntwo\r\n--W\r\n" +
		"content-type: application/json\r\nContent-Disposition: form-data; name=b; filename=\"f \\\"x\"\r\n\r\n{}\r\n--W--\r\nepilogue"
	for _, c := range []struct {
		text, mediaType string
		want            []FormPart
		contents        []string
	}{
		{crlf, "multipart/form-data; boundary=W", []FormPart{{Name: "a"}, {Name: "b", FileName: `f "x`, IsFile: true, Type: "application/json"}}, []string{"one\r\ntwo", "{}"}},
		{"--W\nContent-Disposition: form-data; name=\"a\"\n\none", "", []FormPart{{Name: "a"}}, []string{"one"}},
		{"--W\r\n\r\none\r\n--W--", "", []FormPart{{}}, []string{"one"}},
		{"--W\r\nContent-Disposition: form-data; na", "", []FormPart{{}}, []string{""}},
		{"just text", "", nil, nil},
		{"-- ", "multipart/form-data; boundary=W", nil, nil},
	} {
		got := ParseMultipart(c.text, c.mediaType)
		var contents []string
		for i := range got {
			contents = append(contents, c.text[got[i].From:got[i].To])
			got[i].From, got[i].To = 0, 0
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
		if diff := cmp.Diff(c.contents, contents); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, diff)
		}
	}
}
