package postman_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/reader"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/writer"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// hostile returns lists of items of about size bytes that are designed to be slow.
func hostile(size int) map[string]string {
	fill := func(format string, halves ...bool) string { // numbered elements of a list
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

// TestHostile reads and writes hostile collections of three sizes: their cost grows no faster than their size.
func TestHostile(t *testing.T) {
	const size = 1 << 15
	costs := map[string][]converttest.Cost{}
	for _, factor := range []int{1, 2, 4} {
		for name, items := range hostile(factor * size) {
			costs[name] = append(costs[name], converttest.Measure(func() int { return roundTrip(t, items) }))
		}
	}
	for name, c := range costs {
		if converttest.Superlinear(c[0], c[1], c[2]) {
			t.Errorf("%s: %d KiB and twice and four times as much cost %+v", name, size>>10, c)
		}
	}
}

// roundTrip reads and writes a collection and returns the budget units spent.
func roundTrip(t *testing.T, items string) int {
	doc := check.Value(tree.ReadJSON(`{"info":{"name":"a"},"item":[`+items+`]}`, nil))(t)
	var w warning.List
	b := budget.NewMeter()
	api := check.Value(reader.Read(doc, b, &w))(t)
	root := writer.Write(api, b, &w)
	_, _ = root.AppendJSON(nil, 1<<23)
	return b.Spent()
}

// TestCookiesArePaid reads more cookies than the budget has parts for. A header is one list entry, however many
// cookies it has.
func TestCookiesArePaid(t *testing.T) {
	text := `{"info":{"name":"a"},"item":[{"request":{"url":"x","header":"Cookie: ` + strings.Repeat("a=;", 1<<20/3) + `"}}]}`
	doc := check.Value(tree.ReadJSON(text, nil))(t)
	read := func() (err error) {
		defer budget.Catch(&err)
		_, err = reader.Read(doc, budget.New(t.Context(), len(text), 0), nil)
		return err
	}
	var f *convert.Failure
	if err := read(); !errors.As(err, &f) || f.Code != convert.TooComplex {
		t.Errorf("want %s, got %v", convert.TooComplex, err)
	}
}
