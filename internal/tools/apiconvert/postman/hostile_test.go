package postman

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// hostile are lists of items, each about as large as a source may be.
func hostile() map[string]string {
	const size = 1 << 20
	fill := func(format string, halves ...bool) string { // elements of a list, numbered
		var b strings.Builder
		for i := 0; b.Len() < size/max(1, len(halves)*2)-200; i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	nested := strings.Repeat(`{"name":"f","auth":{"type":"basic"},"item":[`, 110)
	return map[string]string{
		"servers":      fill(`{"request":"https://h#.test/"}`),
		"requests":     fill(`{"request":{"url":"{{a}}/:b?c=d"}}`),
		"query":        `{"request":{"url":"https://x.test/?` + strings.ReplaceAll(fill(`a#=b`), ",", "&") + `"}}`,
		"segments":     `{"request":{"url":"https://x.test` + strings.Repeat("/:a", size/3-100) + `"}}`,
		"braces":       `{"request":{"url":"https://x.test/` + strings.Repeat("{", size-100) + `"}}`,
		"variables":    `{"request":{"url":"` + strings.Repeat("{{a}}", size/5-20) + `"}}`,
		"percent":      `{"request":{"url":"https://x.test/?a=` + strings.Repeat("%e4", size/3-20) + `"}}`,
		"headers":      `{"request":{"url":"x","header":[` + fill(`{"key":"h#","value":"v"}`) + `]}}`,
		"cookies":      `{"request":{"url":"x","header":"Cookie: ` + strings.Repeat("a=b;", size/4-20) + `"}}`,
		"responses":    `{"request":{"url":"x","header":[` + fill(`{"key":"h#"}`, true) + `]},"response":[` + fill(`{"code":200}`, true) + `]}`,
		"variants":     `{"request":{"url":"x","header":"Content-Type: a/b","body":"z"},"response":[` + fill(`{"originalRequest":{"url":"x","header":"Content-Type: a/b#","body":"z"}}`) + `]}`,
		"settings":     `{"item":[` + fill(`{"request":{"url":"x"}}`, true) + `],"protocolProfileBehavior":{` + fill(`"a#":1`, true) + `}}`,
		"attributes":   `{"item":[` + fill(`{"request":{"url":"x"}}`, true) + `],"auth":{"type":"basic","basic":[` + fill(`{"key":"a#","value":"b"}`, true) + `]}}`,
		"folders":      nested + fill(`{"request":{"url":"x","auth":{"type":"basic"}}}`) + strings.Repeat("]}", 110),
		"raw":          `{"request":{"url":"x","body":{"mode":"raw","raw":"` + strings.Repeat("[", size-100) + `"}}}`,
		"baseUrl":      fill(`{"request":"https://h#.test/","variable":[{"key":"baseUrl#","value":"x"}]}`),
		"nested":       `{"request":{"url":"` + strings.Repeat("{{a{{b}}", size/8-20) + strings.Repeat("}}", 9) + `"}}`,
		"names":        `{"request":{"url":"` + strings.Repeat("{{a{{b}}}}", size/10-20) + `"}}`,
		"chained":      `{"variable":[` + fill(`{"key":"v#","value":"{{v{{v#}}}}"}`, true) + `],"item":[` + fill(`{"request":{"url":"{{x{{v#}}}}"}}`, true) + `]}`,
		"assertions":   `{"request":{"url":"x"},"event":[{"listen":"test","script":{"exec":"` + strings.Repeat("pm.expect(pm.response.code", size/26-10) + `"}}]}`,
		"statuses":     `{"request":{"url":"x"},"event":[{"listen":"test","script":{"exec":"` + strings.Repeat("pm.response.to.have.status(500)", size/31-10) + `"}}]}`,
		"tests":        `{"request":{"url":"x"},"event":[{"listen":"test","script":{"exec":"` + strings.Repeat("tests[", size/6-20) + `"}}]}`,
		"conditions":   `{"request":{"url":"x"},"event":[{"listen":"test","script":{"exec":"tests['a']=` + strings.Repeat("responseCode.code==5", size/20-20) + `"}}]}`,
		"aliases":      `{"request":{"url":"x"},"event":[{"listen":"test","script":{"exec":"` + strings.Repeat("c=[1];c=pm.response;", size/20-20) + `"}}]}`,
		"aliased":      `{"request":{"url":"x"},"event":[{"listen":"test","script":{"exec":"const c=pm.response.code;` + strings.Repeat(strings.Repeat("c,", 4000)+";", size/8001-1) + `"}}]}`,
		"open":         `{"request":{"url":"` + strings.Repeat(strings.Repeat("{{x", 18)+strings.Repeat("a", 4000), size/4054-1) + `}}"}}`,
		"placeholders": `{"request":{"url":"https://x.test` + strings.ReplaceAll(fill(`/x{a#}`), ",", "") + `"}}`,
	}
}

// TestHostile reads and writes what is as large as a source may be and made
// to be slow. The limit is many times what each takes on an idle machine, and a
// part of what any of them takes once something is quadratic.
func TestHostile(t *testing.T) {
	converttest.Unhurried(t)
	for name, items := range hostile() {
		t.Run(name, func(t *testing.T) {
			doc, err := tree.ReadJSON(`{"info":{"name":"a"},"item":[`+items+`]}`, nil)
			if err != nil {
				t.Fatal(err)
			}
			start := converttest.CPU()
			var w warning.List
			api, err := Read(doc, nil, &w)
			if err != nil {
				t.Fatal(err)
			}
			root, err := Write(api, nil, &w)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := root.AppendJSON(nil, 1<<23)
			took := converttest.CPU() - start
			t.Logf("%v, %d bytes", took.Round(time.Millisecond), len(text))
			if took > converttest.Limit(10*time.Second) {
				t.Errorf("took %v", took)
			}
		})
	}
}

// TestCookiesArePaid reads more cookies than a budget has parts for: a header is
// one entry of a list and may hold as many as fit into a text.
func TestCookiesArePaid(t *testing.T) {
	text := `{"info":{"name":"a"},"item":[{"request":{"url":"x","header":"Cookie: ` + strings.Repeat("a=;", 1<<20/3) + `"}}]}`
	doc, err := tree.ReadJSON(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	read := func() (err error) {
		defer budget.Catch(&err)
		_, err = Read(doc, budget.New(t.Context(), len(text), 0), nil)
		return err
	}
	var f *convert.Failure
	if err := read(); !errors.As(err, &f) || f.Code != convert.TooComplex {
		t.Errorf("read as if it cost nothing: %v", err)
	}
}
