package request

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert/converttest"
)

func TestLenient(t *testing.T) {
	var cases []struct{ Name, Text, Unescaped, Uncommented string }
	converttest.Data(t, "testdata/lenient.yaml", &cases)
	for _, c := range cases {
		for _, way := range []struct {
			name, want string
			read       func(string) (string, bool)
		}{{"unescaped", c.Unescaped, Unescaped}, {"uncommented", c.Uncommented, Uncommented}} {
			got, ok := way.read(c.Text)
			if ok != (way.want != "") || ok && got != way.want {
				t.Errorf("%s, %s: want %q, got %q %v", c.Name, way.name, way.want, got, ok)
			}
		}
	}
}

// TestLenientUndoes adds escapes, comments and trailing commas to JSON and checks that they are removed again.
func TestLenientUndoes(t *testing.T) {
	for _, plain := range []string{
		`{"a":1}`, `[{"a":"b"},[],{}]`, `{"a":"x//y","b":"/*,}*/","c":"\\\"d\\","e":"ä 😀 \u00e9"}`, "{\n  \"a\": [1, 2],\n  \"b\": null\n}",
	} {
		quoted, _ := json.Marshal(plain)
		escaped := strings.Trim(string(quoted), `"`)
		if got, ok := Unescaped(escaped); !ok || got != plain {
			t.Errorf("%s: unescaped %q", plain, got)
		}
		commented := "// first\n" + strings.NewReplacer("}", ",/* c */}", "]", ", ]").Replace(plain) + " // last"
		if strings.ContainsAny(plain, "*") || strings.Contains(plain, "[]") {
			continue // a comma would be inside a string, or alone
		}
		got, ok := Uncommented(commented)
		if want, _ := compactJSON(plain); !ok || cmp.Diff(want, first(compactJSON(got))) != "" {
			t.Errorf("%s: uncommented %q", commented, got)
		}
	}
}

func compactJSON(text string) (string, error) {
	var v any
	err := json.Unmarshal([]byte(text), &v)
	out, _ := json.Marshal(v)
	return string(out), err
}

func first(text string, _ error) string { return text }

func TestLenientIsLinear(t *testing.T) {
	var texts []converttest.Growing
	for _, piece := range []string{`{\"a\":`, "/* */", "/*", "//\n", " /**/", ",", ",]", ", \n", `"`, `\"`, "{", "[,"} {
		texts = append(texts, converttest.Growing{"{", piece}, converttest.Growing{"[" + strings.Repeat(" ", 1<<16), piece})
	}
	converttest.Linear(t, texts, func(text string) int {
		Unescaped(text)
		Uncommented(text)
		ReadMultipart("--"+text, "")
		return 0
	})
}

func TestReadMultipart(t *testing.T) {
	const b = "------WebKitFormBoundaryAbc"
	whole := strings.Join([]string{
		b, `Content-Disposition: form-data; name="name"`, "", "Ann", "Lee", b,
		`Content-Disposition: form-data; name="avatar"; filename="me.png"`, "Content-Type: image/png", "", "", b,
		`content-disposition: form-data; name="none"; filename=""`, "Content-Type: application/octet-stream", "", "", b,
		`Content-Disposition: form-data; name="meta"`, "Content-Type: application/json", "", `{"a":1}`, b + "--", "",
	}, "\r\n")
	want := Form{Fields: []*Field{
		{Parameter: Parameter{Name: "name", Value: "Ann\r\nLee"}},
		{Parameter: Parameter{Name: "avatar"}, IsFile: true, Files: []string{"me.png"}, ContentType: "image/png"},
		{Parameter: Parameter{Name: "none"}, IsFile: true, ContentType: "application/octet-stream"},
		{Parameter: Parameter{Name: "meta", Value: `{"a":1}`}, ContentType: "application/json"},
	}}
	for _, mediaType := range []string{"multipart/form-data; boundary=----WebKitFormBoundaryAbc", "multipart/form-data", "multipart/form-data; boundary=other"} {
		got, ok := ReadMultipart(whole, mediaType)
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s (-want +got):\n%s", mediaType, diff)
		}
	}
	// The parts match those that the standard library reads, for any text that ends with a line end.
	if _, ok := ReadMultipart(strings.TrimRight(whole, "\r\n"), ""); !ok {
		t.Error("no line break at the end")
	}
	if _, ok := ReadMultipart(strings.ReplaceAll(whole, "\r\n", "\n"), ""); !ok {
		t.Error("LF alone")
	}
	end := strings.LastIndex(whole, "--\r\n")
	for cut := range whole[:end] {
		if form, ok := ReadMultipart(whole[:cut], ""); ok {
			t.Fatalf("cut off at %d: %d fields", cut, len(form.Fields))
		}
	}
	if _, ok := ReadMultipart(strings.Replace(whole, `name="avatar"; `, "", 1), ""); ok {
		t.Error("a part without a name")
	}
	form, ok := ReadMultipart(strings.Replace(whole, "image/png\r\n\r\n", "image/png\r\nX-A: b\r\n\r\n\x89PNG", 1), "")
	if !ok || !form.Contents || !form.Headers {
		t.Errorf("contents and headers: %+v %v", form, ok)
	}
}
