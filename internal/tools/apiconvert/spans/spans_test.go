package spans

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/convert/converttest"
)

// opened returns the spans of text, each as the name, = and the decoded value.
func opened(text, mediaType string) []string {
	opener := OpenerOf(text, mediaType)
	if opener == nil {
		return nil
	}
	var list []string
	opener(text, mediaType, func(s Span) { list = append(list, s.Name+"="+s.Written.Decode(text[s.From:s.To])) })
	return list
}

func TestOpeners(t *testing.T) {
	for _, c := range []struct {
		text, mediaType string
		want            []string
	}{
		{`{"a": [1, "b\u0063"], "name": "n", "value": "v", x: "y"}`, "", []string{"=a", "a=1", "a=bc", "=name", "name=n", "=value", "n=v", "x=y"}},
		{`{"id": {{id}}, "t": "{{x}}", "cut": "o\"f`, "", []string{"=id", "=t", "t={{x}}", "=cut", `cut=o"f`}},
		{`{\"a\":1}`, "", []string{`={"a":1}`}},
		{`"{\"a\":1}"`, "", []string{`={"a":1}`}},
		{"a=b%2Bc+d&e&f%5B%5D=", "", []string{"a=b+c d", "f[]="}},
		{"a=b c", "application/x-www-form-urlencoded; charset=utf-8", []string{"a=b c"}},
		{"a=b c", "", nil},
		{"--x\r\nContent-Disposition: form-data; name=a\r\nContent-Type: text/csv\r\n\r\nb\r\n--x--", "", []string{"a=b"}},
		{`--x\nContent-Disposition: form-data; name=\"a\"\n\nb\n--x--`, "", []string{"=--x\nContent-Disposition: form-data; name=\"a\"\n\nb\n--x--"}},
		{`<a b="c&amp;" key='k' value="v"><d> e&#33; </d><f/><g><![CDATA[<h>]]></g><i>cut`, "", []string{"b=c&", "key=k", "k=v", "d=e!", "g=<h>", "i=cut"}},
		{`{ login(name: "a") }`, "application/graphql", nil},
		{"-- just text", "", nil},
		{"{}", "", nil},
		{"", "", nil},
	} {
		if diff := cmp.Diff(c.want, opened(c.text, c.mediaType)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestPairs(t *testing.T) {
	for text, open := range map[string]Opener{"a=1; b; c={{x;y}}": Cookies, "A:1\r\nno\nb:  {{x;y}}": HeaderLines} {
		var list []string
		open(text, "", func(s Span) { list = append(list, fmt.Sprint(s.Name, "=", text[s.From:s.To])) })
		if len(list) != 2 || !strings.EqualFold(list[0], "a=1") || !strings.HasSuffix(list[1], "={{x;y}}") {
			t.Errorf("%q: %q", text, list)
		}
	}
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		option, text string
		want         []string
	}{
		{"user", "bob:x:y", []string{"username=bob", "password=x:y"}},
		{"user", "{{KEY}}:", []string{"apiKey={{KEY}}", "password="}},
		{"cert", `C:\a.pem:x`, []string{"password=x"}},
		{"cert", "pkcs11:token=x", nil},
		{"form", "a=b;type=text/plain", []string{"a=b"}},
		{"form", `a="b;c"`, []string{`a="b;c"`}},
		{"form", "a=@b", nil},
		{"data-urlencode", "b", []string{"=b"}},
		{"oauth2-bearer", "x", []string{"token=x"}},
		{"url", "bob:x@h/a?b=c", []string{"password=x", "=@h/a?", "b=c"}},
		{"url", "http:/bob:x@h#b=c", []string{"password=x", "=@h#", "b=c"}},
		{"url", "http://h#a:b@c", []string{"=http://h#"}},
	} {
		var got []string
		Options[c.option](c.text, "", func(s Span) { got = append(got, s.Name+"="+c.text[s.From:s.To]) })
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.option, c.text, diff)
		}
	}
}

// TestLocate checks that replacing a part keeps the bytes around it, whatever their encoding.
func TestLocate(t *testing.T) {
	for _, c := range []struct {
		codec           *Codec
		raw, part, want string
	}{
		{nil, "a b", "b", "a <new>"},
		{&JSONString, `a\/\u0062\ud83d\ude00\"c\"`, `b😀"c`, `a\/<new>\"`},
		{&JSONString, `a\/\u0062\ud83d\ude00\"c\"`, `/`, `a<new>\u0062\ud83d\ude00\"c\"`},
		{&JSONString, `\q\uzz\`, `uzz`, `\q\<new>\`},
		{&Percent, "%7b+%c3%a4+%zz", "ä", "%7b+new+%zz"},
		{&XMLText, "&lt;&amp;&unknown;x", "&unknown;", "&lt;&amp;<new>x"},
	} {
		plain := c.codec.Decode(c.raw)
		at := strings.Index(plain, c.part)
		edits := []Edit{{at, at + len(c.part), "<new>"}}
		c.codec.Locate(c.raw, edits)
		edits[0].With = c.codec.Quote("<new>")
		if got := Apply(c.raw, edits); got != c.want {
			t.Errorf("%s: %s, want %s", c.raw, got, c.want)
		}
	}
}

// FuzzSpans checks that spans are within the text, in order and disjoint, and that finding them takes linear time.
func FuzzSpans(f *testing.F) {
	for _, text := range []string{`{"a":"{\"b\":1}"`, "a=%7b&b", "<a b='c'>d</a>", "--x\nContent-Type: a\n\nb\n--x--", `[{{a}}"`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		opener := OpenerOf(text, "")
		if opener == nil {
			return
		}
		last := 0
		opener(text, "", func(s Span) {
			if s.From < last || s.To < s.From || s.To > len(text) {
				t.Fatalf("%q: %d to %d after %d", text, s.From, s.To, last)
			}
			last = s.To
			raw := text[s.From:s.To]
			plain := s.Written.Decode(raw)
			edits := []Edit{{0, len(plain), "x"}}
			if s.Written.Locate(raw, edits); plain != "" && (edits[0].From != 0 || edits[0].To != len(raw)) {
				t.Fatalf("%q: %+v", raw, edits)
			}
		})
	})
}

// TestLinear yields the spans of texts in which everything begins and nothing ends.
func TestLinear(t *testing.T) {
	var texts []converttest.Growing
	for _, piece := range []string{"<a ", "<a b='", `<a b="`, "<a><![CDATA[", "a=", "{", `{"`, `"`, `\`, "{{a", "--\nContent-Type:", "&amp;", "%25"} {
		for _, prefix := range []string{"", `{"`, "<a>", "--\nContent-Type:\n", "a="} {
			texts = append(texts, converttest.Growing{prefix, piece})
		}
	}
	converttest.Linear(t, texts, func(text string) int { return len(opened(text, "")) })
}
