package request

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
)

func TestSplit(t *testing.T) {
	lit := func(s string) Part { return Part{LiteralPart, s} }
	vrb := func(s string) Part { return Part{VariablePart, s} }
	prm := func(s string) Part { return Part{ParameterPart, s} }
	for _, c := range []struct {
		text string
		path bool
		want []Part
	}{
		{"", false, nil},
		{"a{{b}}c", false, []Part{lit("a"), vrb("b"), lit("c")}},
		{"{{a b}}{{$guid}}", false, []Part{vrb("a b"), vrb("$guid")}},
		{`{"a":{"b":{}}}`, false, []Part{lit(`{"a":{"b":{}}}`)}},
		{`{"a":{{b}}}`, false, []Part{lit(`{"a":`), vrb("b"), lit("}")}},
		{"{{{a}}}", false, []Part{lit("{"), vrb("a"), lit("}")}},
		{"{{}}{{ a}}{{a", false, []Part{lit("{{}}{{ a}}{{a")}},
		{"/a/{id}.{ext}/{{v}}", true, []Part{lit("/a/"), prm("id"), lit("."), prm("ext"), lit("/"), vrb("v")}},
		{"/a/{id}", false, []Part{lit("/a/{id}")}},
		{"/{a/b}", true, []Part{lit("/{a/b}")}},
	} {
		got := split(c.text, c.path)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
	if HasVariable(`{"a":{"b":1}}`) || !HasVariable("x{{y}}") {
		t.Error("HasVariable")
	}
}

func TestWithSlashes(t *testing.T) {
	for url, want := range map[string]string{
		"https:/h.test/a": "https://h.test/a", "http:///h.test": "http://h.test", "HTTP:h.test": "HTTP://h.test",
		"https://h.test": "https://h.test", "http:8080/a": "http:8080/a", "http:////h": "http:////h", "http:": "http:",
		"h.test:/a": "h.test:/a", "ftp:/h": "ftp:/h", "http:{{port}}/a": "http:{{port}}/a", "httpx:/h": "httpx:/h",
	} {
		check.Equal(t, want, WithSlashes(url), url)
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("/a/{id}.{ext}/{{v}}")
	f.Add("{{{a}}}")
	f.Fuzz(func(t *testing.T, text string) {
		for _, path := range []bool{false, true} {
			var b strings.Builder
			for _, p := range split(text, path) {
				switch p.Kind {
				case LiteralPart:
					b.WriteString(p.Text)
				case VariablePart:
					b.WriteString("{{" + p.Text + "}}")
				case ParameterPart:
					b.WriteString("{" + p.Text + "}")
				}
			}
			if b.String() != text {
				t.Errorf("%q joined is %q", text, b.String())
			}
		}
	})
}

func TestEffective(t *testing.T) {
	none, api, outer := &Security{}, &Security{}, &Security{}
	a := &API{Security: api}
	parent := &Folder{Security: outer}
	child := &Folder{Parent: parent}
	for _, c := range []struct {
		r    *Request
		want *Security
	}{
		{&Request{}, api},
		{&Request{Folder: child}, outer},
		{&Request{Folder: child, Security: none}, none},
	} {
		if a.Effective(c.r) != c.want {
			t.Errorf("%+v", c.r)
		}
	}
}
