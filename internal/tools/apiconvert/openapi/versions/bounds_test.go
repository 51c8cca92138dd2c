package versions

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// hostile documents have the maximum size and would make a careless rewrite slow or unbounded.
var hostile = map[string]func(shrink int) string{
	"a chain of references": func(shrink int) string {
		var b strings.Builder
		for i := range 14000 / shrink {
			fmt.Fprintf(&b, `"S%d":{"$ref":"#/components/schemas/S%d"},`, i, i+1)
		}
		return `{"openapi":"3.1.0","components":{"schemas":{` + b.String() + fmt.Sprintf(`"S%d":{}}}}`, 14000/shrink)
	},
	"a circle of references": func(shrink int) string {
		var b strings.Builder
		for i := range 14000 / shrink {
			fmt.Fprintf(&b, `"S%d":{"$ref":"#/components/schemas/S%d"},`, i, (i+1)%(14000/shrink))
		}
		return `{"openapi":"3.0.0","components":{"schemas":{` + b.String() + `"x":{}}}}`
	},
	"definitions within definitions": func(shrink int) string {
		inner, ref := `{"type":"string"}`, ""
		for i := range 100 {
			inner = fmt.Sprintf(`{"$defs":{"D%d":%s}}`, i, inner)
		}
		path := "#/components/schemas/S"
		for i := 99; i >= 0; i-- {
			path += fmt.Sprintf("/$defs/D%d", i)
			ref += fmt.Sprintf(`{"$ref":"%s"},`, path)
		}
		return `{"openapi":"3.1.0","components":{"schemas":{"S":` + inner + `,"R":{"anyOf":[` + strings.Repeat(ref, 7) + `{}]}}}}`
	},
	"the same definition name everywhere": func(shrink int) string {
		var b strings.Builder
		for i := range 9000 / shrink {
			fmt.Fprintf(&b, `"S%d":{"$defs":{"D":{}},"not":{"$ref":"#/components/schemas/S%d/$defs/D"}},`, i, i)
		}
		return `{"openapi":"3.1.0","components":{"schemas":{` + b.String() + `"x":{}}}}`
	},
	"pasted definitions everywhere": func(shrink int) string {
		var b strings.Builder
		for i := range 9000 / shrink {
			fmt.Fprintf(&b, `"S%d":{"$defs":{"D%d":{}},"not":{"$ref":"#/$defs/D%d"}},`, i, i, i)
		}
		return `{"openapi":"3.1.0","components":{"schemas":{` + b.String() + `"x":{}}}}`
	},
	"path items that multiply": func(shrink int) string {
		var b strings.Builder
		for i := range 30 {
			fmt.Fprintf(&b, `"P%d":{"get":{"callbacks":{"c":{"a":{"$ref":"#/components/pathItems/P%d"},"b":{"$ref":"#/components/pathItems/P%d"}}}}},`, i, i+1, i+1)
		}
		return `{"openapi":"3.1.0","paths":{"/a":{"$ref":"#/components/pathItems/P0"}},"components":{"pathItems":{` + b.String() + `"P30":{}}}}`
	},
	"bodies for many media types": func(shrink int) string {
		var types, fields strings.Builder
		for i := range 20000 / shrink {
			fmt.Fprintf(&types, `"a/%d",`, i)
		}
		for i := range 20000 / shrink {
			fmt.Fprintf(&fields, `"p%d":{"type":"string"},`, i)
		}
		return `{"swagger":"2.0","paths":{"/a":{"post":{"consumes":[` + types.String() + `"a/b"],"parameters":[{"in":"body","name":"b","schema":{"properties":{` +
			fields.String() + `"x":{}}}}]}}}}`
	},
	"a path of names": func(shrink int) string {
		return `{"openapi":"3.0.0","paths":{"/` + strings.Repeat("{a}", 100000/shrink) + strings.Repeat("{", 300000/shrink) + `":{"get":{}}}}`
	},
	"a server of names": func(shrink int) string {
		var b strings.Builder
		for i := range 60000 / shrink {
			fmt.Fprintf(&b, "{v%d}", i)
		}
		return `{"openapi":"3.0.0","servers":[{"url":"` + b.String() + `"}],"paths":{}}`
	},
	"many path parameters to add": func(shrink int) string {
		var b strings.Builder
		for i := range 6000 / shrink {
			fmt.Fprintf(&b, `"/%d/%s":{"get":{},"put":{},"post":{}},`, i, strings.Repeat("{a}{b}{c}{d}", 9))
		}
		return `{"openapi":"3.0.0","paths":{` + b.String() + `"/":{}}}`
	},
	"the same operationId everywhere": func(shrink int) string {
		var b strings.Builder
		for i := range 20000 / shrink {
			fmt.Fprintf(&b, `"/%d":{"get":{"operationId":"x"}},`, i)
		}
		return `{"openapi":"3.0.0","paths":{` + b.String() + `"/":{}}}`
	},
	"names that no component may have": func(shrink int) string {
		var b strings.Builder
		for i := range 40000 / shrink {
			fmt.Fprintf(&b, `"%s":{},`, strings.Repeat(" ", i%4)+"é"+strings.Repeat("/", i%7)+fmt.Sprint(i))
		}
		return `{"openapi":"3.0.0","paths":{},"components":{"schemas":{` + b.String() + `"x":{}}}}`
	},
	"tuples of different schemas": func(shrink int) string {
		var b strings.Builder
		for i := range 40000 / shrink {
			fmt.Fprintf(&b, `{"maxLength":%d},`, i)
		}
		return `{"openapi":"3.1.0","components":{"schemas":{"S":{"prefixItems":[` + b.String() + `{}]}}}}`
	},
	"alternatives with null within each other": func(shrink int) string {
		inner := `{"type":"string"}`
		for range 60 {
			inner = `{"title":"t","x-a":1,"anyOf":[` + inner + `,{"type":"null"}]}`
		}
		return `{"openapi":"3.1.0","components":{"schemas":{"S":{"anyOf":[` + strings.Repeat(inner+",", 200) + `{}]}}}}`
	},
	"one reference after the other into an extension": func(shrink int) string {
		inner := `{}`
		for range 100 {
			inner = `{"allOf":[` + inner + `]}`
		}
		var b strings.Builder
		path := "#/x-s"
		for range 100 {
			fmt.Fprintf(&b, `{"$ref":"%s"},`, path)
			path += "/allOf/0"
		}
		return `{"openapi":"3.1.0","components":{"schemas":{"S":{"anyOf":[` + strings.Repeat(b.String(), 10) + `{}]}}},"x-s":` + inner + `}`
	},
	"a reference to what holds it": func(shrink int) string {
		return `{"openapi":"3.1.0","paths":{},"components":{"schemas":{"S":{"$ref":"#/components"},"T":{}}}}`
	},
	"shared bodies of a path": func(shrink int) string {
		var b strings.Builder
		for i := range 20000 / shrink {
			fmt.Fprintf(&b, `{"in":"formData","name":"f%d"},`, i)
		}
		return `{"swagger":"2.0","paths":{"/a":{"parameters":[` + b.String() + `{}],"get":{},"put":{},"post":{},"patch":{},"delete":{},"head":{},"options":{}}}}`
	},
}

// Rewriting a hostile document stays within the budget of the service, and allocates little.
func TestHostile(t *testing.T) {
	shrink := 1
	if testing.Short() {
		shrink = 8
	}
	for name, build := range hostile {
		text := build(shrink)
		if len(text) > 1<<20 {
			t.Fatalf("%s: %d bytes are more than may be sent", name, len(text))
		}
		for to := V20; to <= Newest; to++ {
			doc := read(t, text)
			from, _ := Of(doc.Root)
			b := budget.New(t.Context(), len(text), convert.MaxOutputCharacters)
			var err error
			cost := converttest.Measure(func() int {
				defer budget.Catch(&err)
				Rewrite(doc, from, to, b, &warning.List{})
				return b.Spent()
			})
			var refused *convert.Failure
			if err != nil && (!errors.As(err, &refused) || refused.Code != convert.TooComplex) {
				t.Errorf("%s to %s: %v", name, to.Text(), err)
			}
			if cost.Bytes > 512<<20 {
				t.Errorf("%s to %s allocates %d MiB", name, to.Text(), cost.Bytes>>20)
			}
			if _, err := doc.Root.AppendJSON(nil, 1<<30); err != nil {
				t.Errorf("%s to %s: %v", name, to.Text(), err)
			}
		}
	}
}
