package versions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/convertd/convertd/internal/convert/converttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// hostile are descriptions that are as large as may be sent and that make a
// careless rewrite take long or grow without bound.
var hostile = map[string]func() string{
	"a chain of references": func() string {
		var b strings.Builder
		for i := range 14000 {
			fmt.Fprintf(&b, `"S%d":{"$ref":"#/components/schemas/S%d"},`, i, i+1)
		}
		return `{"openapi":"3.1.0","components":{"schemas":{` + b.String() + `"S14000":{}}}}`
	},
	"a circle of references": func() string {
		var b strings.Builder
		for i := range 14000 {
			fmt.Fprintf(&b, `"S%d":{"$ref":"#/components/schemas/S%d"},`, i, (i+1)%14000)
		}
		return `{"openapi":"3.0.0","components":{"schemas":{` + b.String() + `"x":{}}}}`
	},
	"definitions within definitions": func() string {
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
	"the same definition name everywhere": func() string {
		var b strings.Builder
		for i := range 9000 {
			fmt.Fprintf(&b, `"S%d":{"$defs":{"D":{}},"not":{"$ref":"#/components/schemas/S%d/$defs/D"}},`, i, i)
		}
		return `{"openapi":"3.1.0","components":{"schemas":{` + b.String() + `"x":{}}}}`
	},
	"pasted definitions everywhere": func() string {
		var b strings.Builder
		for i := range 9000 {
			fmt.Fprintf(&b, `"S%d":{"$defs":{"D%d":{}},"not":{"$ref":"#/$defs/D%d"}},`, i, i, i)
		}
		return `{"openapi":"3.1.0","components":{"schemas":{` + b.String() + `"x":{}}}}`
	},
	"path items that multiply": func() string {
		var b strings.Builder
		for i := range 30 {
			fmt.Fprintf(&b, `"P%d":{"get":{"callbacks":{"c":{"a":{"$ref":"#/components/pathItems/P%d"},"b":{"$ref":"#/components/pathItems/P%d"}}}}},`, i, i+1, i+1)
		}
		return `{"openapi":"3.1.0","paths":{"/a":{"$ref":"#/components/pathItems/P0"}},"components":{"pathItems":{` + b.String() + `"P30":{}}}}`
	},
	"bodies for many media types": func() string {
		var types, fields strings.Builder
		for i := range 20000 {
			fmt.Fprintf(&types, `"a/%d",`, i)
		}
		for i := range 20000 {
			fmt.Fprintf(&fields, `"p%d":{"type":"string"},`, i)
		}
		return `{"swagger":"2.0","paths":{"/a":{"post":{"consumes":[` + types.String() + `"a/b"],"parameters":[{"in":"body","name":"b","schema":{"properties":{` +
			fields.String() + `"x":{}}}}]}}}}`
	},
	"a path of names": func() string {
		return `{"openapi":"3.0.0","paths":{"/` + strings.Repeat("{a}", 100000) + strings.Repeat("{", 300000) + `":{"get":{}}}}`
	},
	"a server of names": func() string {
		var b strings.Builder
		for i := range 60000 {
			fmt.Fprintf(&b, "{v%d}", i)
		}
		return `{"openapi":"3.0.0","servers":[{"url":"` + b.String() + `"}],"paths":{}}`
	},
	"many path parameters to add": func() string {
		var b strings.Builder
		for i := range 6000 {
			fmt.Fprintf(&b, `"/%d/%s":{"get":{},"put":{},"post":{}},`, i, strings.Repeat("{a}{b}{c}{d}", 9))
		}
		return `{"openapi":"3.0.0","paths":{` + b.String() + `"/":{}}}`
	},
	"the same operationId everywhere": func() string {
		var b strings.Builder
		for i := range 20000 {
			fmt.Fprintf(&b, `"/%d":{"get":{"operationId":"x"}},`, i)
		}
		return `{"openapi":"3.0.0","paths":{` + b.String() + `"/":{}}}`
	},
	"names that no component may have": func() string {
		var b strings.Builder
		for i := range 40000 {
			fmt.Fprintf(&b, `"%s":{},`, strings.Repeat(" ", i%4)+"é"+strings.Repeat("/", i%7)+fmt.Sprint(i))
		}
		return `{"openapi":"3.0.0","paths":{},"components":{"schemas":{` + b.String() + `"x":{}}}}`
	},
	"tuples of different schemas": func() string {
		var b strings.Builder
		for i := range 40000 {
			fmt.Fprintf(&b, `{"maxLength":%d},`, i)
		}
		return `{"openapi":"3.1.0","components":{"schemas":{"S":{"prefixItems":[` + b.String() + `{}]}}}}`
	},
	"alternatives with null within each other": func() string {
		inner := `{"type":"string"}`
		for range 60 {
			inner = `{"title":"t","x-a":1,"anyOf":[` + inner + `,{"type":"null"}]}`
		}
		return `{"openapi":"3.1.0","components":{"schemas":{"S":{"anyOf":[` + strings.Repeat(inner+",", 200) + `{}]}}}}`
	},
	"one reference after the other into an extension": func() string {
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
	"a reference to what holds it": func() string {
		return `{"openapi":"3.1.0","paths":{},"components":{"schemas":{"S":{"$ref":"#/components"},"T":{}}}}`
	},
	"shared bodies of a path": func() string {
		var b strings.Builder
		for i := range 20000 {
			fmt.Fprintf(&b, `{"in":"formData","name":"f%d"},`, i)
		}
		return `{"swagger":"2.0","paths":{"/a":{"parameters":[` + b.String() + `{}],"get":{},"put":{},"post":{},"patch":{},"delete":{},"head":{},"options":{}}}}`
	},
}

// TestHostile bounds time generously: the machine of a test may be busy, and
// what is not linear takes minutes here.
func TestHostile(t *testing.T) {
	converttest.Unhurried(t)
	for name, build := range hostile {
		t.Run(name, func(t *testing.T) {
			text := build()
			if len(text) > 1<<20 {
				t.Fatalf("%d bytes are more than may be sent", len(text))
			}
			for to := V20; to <= Newest; to++ {
				doc := read(t, text)
				from, _ := Of(doc.Root)
				start := converttest.CPU()
				if err := Rewrite(doc, from, to, nil, &warning.List{}); err != nil {
					t.Fatal(err)
				}
				if took := converttest.CPU() - start; took > converttest.Limit(20*time.Second) {
					t.Errorf("to %s took %v", to.Text(), took)
				} else {
					t.Logf("to %s: %v", to.Text(), took)
				}
				if _, err := doc.Root.AppendJSON(nil, 1<<30); err != nil {
					t.Errorf("to %s: %v", to.Text(), err)
				}
			}
		})
	}
}

func BenchmarkRewrite(b *testing.B) {
	for _, name := range []string{"issue796-0e8a48.yml", "crapi-openapi-spec-c41d1b.json", "petstorev2-284e6f.json"} {
		text := output(b, read(b, corpus(b)[name]).Root)
		for to := V20; to <= Newest; to++ {
			b.Run(name+"/"+to.Text(), func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					b.StopTimer()
					doc, err := tree.ReadJSON(text, nil)
					if err != nil {
						b.Fatal(err)
					}
					from, _ := Of(doc.Root)
					b.StartTimer()
					if err := Rewrite(doc, from, to, nil, &warning.List{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
