package apiconvert

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// times writes a text n times, with the number of each in the place of %d.
func times(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// list is times with commas between.
func list(n int, format string) string { return strings.TrimSuffix(times(n, format+","), ",") }

const (
	head31     = `{"openapi":"3.1.0","info":{"title":"t","version":"1"},`
	head20     = `{"swagger":"2.0","info":{"title":"t","version":"1"},`
	collection = `{"info":{"name":"x","schema":"/collection/v2.1.0/"},`
	eight      = `"get":{},"put":{},"post":{},"delete":{},"options":{},"head":{},"patch":{},"trace":{}`
)

// shared is a description of n paths that all name one path item.
func shared(n int, item string) string {
	return head31 + `"paths":{` + list(n, `"/p%d":{"$ref":"#/components/pathItems/a"}`) + `},"components":{"pathItems":{"a":{` + item + `}}}}`
}

// answered is such an item with one response.
func answered(response string) string {
	return `"get":{"responses":{"200":{"description":"a",` + response + `}}}`
}

// used is a description of n paths whose operations name one component.
func used(n int, operation, components string) string {
	return head31 + `"paths":{` + list(n, `"/p%d":{"post":{`+operation+`}}`) + `},"components":{` + components + `}}`
}

// multiplying are documents in which n parts use what has n parts.
var multiplying = []struct {
	name, mediaType string
	text            func(n int) string
}{
	{"path items: parameters × methods", "application/json", func(n int) string {
		return shared(n, `"parameters":[`+list(n, `{"name":"q%d","in":"query"}`)+`],`+eight)
	}},
	{"path items: parameters that warn", "application/json", func(n int) string {
		return shared(n, `"parameters":[`+list(n, `{"name":"q%d","in":"header","x-a":1}`)+`],`+eight)
	}},
	{"path items: servers", "application/json", func(n int) string {
		return shared(n, `"servers":[`+list(n, `{"url":"http://h%d"}`)+`],`+eight)
	}},
	{"path items: descriptions", "application/json", func(n int) string {
		return shared(n, `"description":"`+strings.Repeat("some words ", 3*n)+`",`+eight)
	}},
	{"path items: members of no meaning", "application/json", func(n int) string {
		return shared(n, list(3*n, `"a%d":1`)+`,"get":{}`)
	}},
	{"path items: headers of responses", "application/json", func(n int) string {
		return shared(n, answered(`"headers":{`+list(n, `"h%d":{"schema":{"type":"string"}}`)+`}`))
	}},
	{"path items: media types of responses", "application/json", func(n int) string {
		return shared(n, answered(`"content":{`+list(n, `"a/b%d":{"schema":{"type":"string"}}`)+`}`))
	}},
	{"path items: examples", "application/json", func(n int) string {
		return shared(n, answered(`"content":{"application/json":{"examples":{`+list(n, `"e%d":{"value":{"a":%d}}`)+`}}}`))
	}},
	{"path items: form schemas", "application/json", func(n int) string {
		return shared(n, `"post":{"requestBody":{"content":{"multipart/form-data":{"schema":{"properties":{`+list(n, `"p%d":{"type":"string"}`)+`}}}}}}`)
	}},
	{"path items: callbacks", "application/json", func(n int) string {
		return shared(n, `"get":{"callbacks":{`+list(n, `"c%d":{}`)+`}}`)
	}},
	{"responses", "application/json", func(n int) string {
		return used(n, `"responses":{"200":{"$ref":"#/components/responses/a"},"404":{"$ref":"#/components/responses/a"}}`,
			`"responses":{"a":{"description":"`+strings.Repeat("some words ", 5*n)+`"}}`)
	}},
	{"request bodies: media types", "application/json", func(n int) string {
		return used(n, `"requestBody":{"$ref":"#/components/requestBodies/a"}`,
			`"requestBodies":{"a":{"content":{`+list(n, `"a/b%d":{"schema":{"type":"string"}}`)+`}}}`)
	}},
	{"security: schemes", "application/json", func(n int) string {
		return head31 + `"security":[{` + list(n, `"a%d":[]`) + `}],"paths":{` + list(n, `"/p%d":{"get":{}}`) +
			`},"components":{"securitySchemes":{` + list(n, `"a%d":{"type":"apiKey","in":"header","name":"h%d"}`) + `}}}`
	}},
	{"security: scopes", "application/json", func(n int) string {
		return used(n, `"security":[{"a":["s1"]}]`,
			`"securitySchemes":{"a":{"type":"oauth2","flows":{"implicit":{"authorizationUrl":"http://a","scopes":{`+list(3*n, `"s%d":"d"`)+`}}}}}`)
	}},
	{"servers: a long address without a title", "application/json", func(n int) string {
		return `{"openapi":"3.1.0","info":{},"servers":[{"url":"http://` + strings.Repeat("h", 30*n) + `"}],"paths":{` + list(n, `"/p%d":{"get":{}}`) + `}}`
	}},
	{"schemas: allOf", "application/json", func(n int) string {
		return used(n, `"requestBody":{"content":{"application/json":{"schema":{"allOf":[{"$ref":"#/components/schemas/s"}]}}}}`,
			`"schemas":{"s":{"allOf":[`+list(n, `{"properties":{"p%d":{}}}`)+`]}}`)
	}},
	{"schemas: patterns", "application/json", func(n int) string {
		return used(1, `"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/s"}}}}`,
			`"schemas":{"s":{"properties":{`+list(n/6, `"p%d":{"type":"string","pattern":"`+strings.Repeat("a{999}", 120)+`%d"}`)+`}}}`)
	}},
	{"schemas: anchors under long names", "application/json", func(n int) string {
		deep := `{"properties":{` + list(4*n, `"p%d":{"$anchor":"a%d"}`) + `}}`
		for range 80 {
			deep = `{"properties":{"` + strings.Repeat("k", n/4) + `":` + deep + `}}`
		}
		return used(1, `"requestBody":{"content":{"application/json":{"schema":{"$ref":"#a1"}}}}`, `"schemas":{"s":`+deep+`}`)
	}},
	{"swagger: produces × responses", "application/json", func(n int) string {
		return head20 + `"produces":[` + list(100, `"a/b%d"`) + `],"paths":{` + list(3*n, `"/p%d":{"get":{"responses":{"200":{"schema":{}}}}}`) + `}}`
	}},
	{"swagger: schemes", "application/json", func(n int) string {
		return head20 + `"host":"h","schemes":[` + list(4*n, `"http"`) + `],"paths":{` + list(n, `"/p%d":{"get":{"schemes":["a"],"responses":{}}}`) + `}}`
	}},
	{"yaml: anchors", "application/yaml", func(n int) string {
		return "openapi: 3.1.0\ninfo: {title: t, version: '1'}\nx: &p\n" + times(n, "  - {name: q%d, in: query}\n") +
			"paths:\n" + times(n, "  /p%d: {parameters: *p, get: {}}\n")
	}},
	{"curl: small bodies", "text/plain", func(n int) string { return times(3*n, "curl http://a/b%d --json '[%d]'\n") }},
	{"curl: variables", "text/plain", func(n int) string { return times(3*n, "curl http://a/$a/$b/$c/%d\n") }},
	{"curl: a path parameter", "application/json", func(n int) string {
		return collection + `"item":[{"request":{"url":{"host":"h","path":[` + list(9*n, `":a"`) + `],"variable":[{"key":"a","value":"` + strings.Repeat("x", 40*n) + `"}]}}}]}`
	}},
	{"postman: variables in variables", "application/json", func(n int) string {
		return collection + `"item":[` + list(n, `{"request":"http://h/{{a}}"}`) + `],"variable":[{"key":"a","value":"` + strings.Repeat("{{b}}", n) + `"},{"key":"b","value":"` + strings.Repeat("{{c}}", n) + `"},{"key":"c","value":"x"}]}`
	}},
	{"postman: authentication", "application/json", func(n int) string {
		return collection + `"item":[` + list(n, `{"request":{"url":"http://h/%d","header":[{"key":"Authorization","value":"Bearer a"}]}}`) +
			`],"auth":{"type":"apikey","apikey":[` + list(n, `{"key":"k%d","value":"v"}`) + `]}}`
	}},
	{"postman: names that become one", "application/json", func(n int) string {
		return collection + `"item":[{"request":"http://h/` + times(4*n, "{{a%d-}}{{a%d.}}{{a%d }}") + `"}]}`
	}},
}

// sized is a text of about so many bytes, never more.
func sized(text func(n int) string, bytes int) string {
	n := 1
	for len(text(2*n)) <= bytes {
		n *= 2
	}
	for step := n / 2; step > n/8; step /= 2 {
		if len(text(n+step)) <= bytes {
			n += step
		}
	}
	return text(n)
}

// cost runs a conversion and returns its processor time and the bytes of heap
// that were in use at most. Under Go's memory limit, as on a service, what it
// needs counts and not how late a busy machine collects.
func cost(do func()) (took time.Duration, peak uint64) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(192 << 20))
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	read := func() { metrics.Read(sample); peak = max(peak, sample[0].Value.Uint64()) }
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			read()
			select {
			case <-done:
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	start := converttest.CPU()
	do()
	took = converttest.CPU() - start
	close(done)
	<-stopped
	return took, peak
}

// What is shared by many is paid by each of them, so no document is worth more
// than its bytes.
func TestMultiplying(t *testing.T) {
	converttest.Unhurried(t)
	for _, m := range multiplying {
		for _, size := range []int{128 << 10, 1 << 20} {
			text := sized(m.text, size)
			for target := range targets {
				var took time.Duration
				var peak uint64
				tooMuch := func() bool { return took > converttest.Limit(time.Second) || peak > 256<<20 }
				for range 3 { // what else the machine does makes a trial dear, never cheap
					var err error
					took, peak = cost(func() { _, err = tryCall(m.mediaType, text, target) })
					t.Logf("%s of %d to %s: %v, %d MiB, %v", m.name, size, target, took.Round(time.Millisecond), peak>>20, err)
					if !tooMuch() {
						break
					}
				}
				if tooMuch() {
					t.Errorf("%s of %d bytes to %s took %v and %d MiB", m.name, len(text), target, took, peak>>20)
				}
			}
		}
	}
}

// A conversion ends where its deadline is, whatever it is doing.
func TestDeadlineReachesInside(t *testing.T) {
	converttest.Unhurried(t)
	for _, m := range multiplying {
		text := sized(m.text, 1<<20)
		for target := range targets {
			var took time.Duration
			for range 4 { // what else the process does, as collecting, makes a trial long, never short
				var err error
				if took, err = untilDeadline(t, m.mediaType, text, target); took <= converttest.Limit(110*time.Millisecond) {
					break
				}
				t.Logf("%s to %s: %v after %v", m.name, target, err, took)
			}
			if took > converttest.Limit(110*time.Millisecond) {
				t.Errorf("%s to %s went on for %v", m.name, target, took)
			}
		}
	}
}

// worked is a context that ends when the process has worked until then: by its
// processor time, which does not go on while others have the machine.
type worked struct {
	context.Context
	until time.Duration
}

func (w worked) Err() error {
	if converttest.CPU() >= w.until {
		return context.DeadlineExceeded
	}
	return nil
}

// untilDeadline converts under a deadline of 10 ms and returns how long it
// took, of processor time. What took longer must have ended because of it, or as
// a refusal.
func untilDeadline(t *testing.T, mediaType, text, target string) (time.Duration, error) {
	t.Helper()
	start := converttest.CPU()
	_, err := Tool.Convert(worked{t.Context(), start + 10*time.Millisecond}, convert.Input{
		Artifact: convert.Artifact{MediaType: mediaType, Value: text},
		Options:  convert.Options{"target": target},
		Budget:   convert.NewBudget(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters),
	})
	took := converttest.CPU() - start
	var refused *convert.Failure
	if err == nil && took > converttest.Limit(110*time.Millisecond) || err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.As(err, &refused) {
		t.Errorf("to %s: %v after %v", target, err, took)
	}
	return took, err
}

// A description as large companies publish them, of 400 operations over shared
// schemas, parameters and responses, is never too complex.
func TestHonestDescription(t *testing.T) {
	schema := `{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"next":{"$ref":"#/components/schemas/s%d"},` +
		list(20, `"field_%d":{"type":"string","description":"What the field holds, as authors say it."}`) + `}}`
	operation := func(i int) string {
		return fmt.Sprintf(`"/things/{id}/p%d":{"parameters":[{"$ref":"#/components/parameters/id"}],"post":{"operationId":"o%d","parameters":[%s],`+
			`"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/s%d"}}}},`+
			`"responses":{"200":{"description":"OK","content":{"application/json":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/s%d"}}}}},"404":{"$ref":"#/components/responses/missing"}}}}`,
			i, i, list(10, `{"$ref":"#/components/parameters/q%d"}`), i%200, (i+7)%200)
	}
	var paths, schemas []string
	for i := range 400 {
		paths = append(paths, operation(i))
	}
	for i := range 200 {
		schemas = append(schemas, fmt.Sprintf(`"s%d":`, i)+strings.Replace(schema, "%d", fmt.Sprint((i*7+1)%200), 1))
	}
	text := head31 + `"paths":{` + strings.Join(paths, ",") + `},"components":{"schemas":{` + strings.Join(schemas, ",") + `},"parameters":{"id":{"name":"id","in":"path","required":true,"schema":{"type":"integer"}},` +
		list(10, `"q%d":{"name":"q%d","in":"query","schema":{"type":"string"}}`) + `},"responses":{"missing":{"description":"Not found"}}}}`
	for target := range targets {
		var f *convert.Failure
		if _, err := tryCall("application/json", text, target); errors.As(err, &f) && f.Code == convert.TooComplex {
			t.Errorf("%d bytes to %s: %v", len(text), target, err)
		}
	}
}

// FuzzCost holds each byte of every input to a price: a text costs so much to
// begin with, and so much for each of its bytes.
func FuzzCost(f *testing.F) {
	names := slices.Sorted(maps.Keys(targets))
	mediaTypes := []string{"application/json", "application/yaml", "text/plain"}
	for i, h := range hostile {
		f.Add(slices.Index(mediaTypes, h.mediaType), i%len(names), h.prefix+strings.Repeat(h.piece, 200)+h.suffix)
	}
	for i, m := range multiplying {
		f.Add(slices.Index(mediaTypes, m.mediaType), i%len(names), sized(m.text, 16<<10))
	}
	f.Fuzz(func(t *testing.T, mediaType, target int, text string) {
		if mediaType < 0 || mediaType >= len(mediaTypes) || target < 0 || target >= len(names) || !utf8.ValidString(text) || len(text) > 1<<20 {
			return
		}
		took, peak := cost(func() { tryCall(mediaTypes[mediaType], text, names[target]) })
		share := time.Duration(len(text)) * time.Second / (1 << 20)
		if took > converttest.Limit(500*time.Millisecond+share/2) || peak > 200<<20+56*uint64(len(text)) {
			t.Errorf("%d bytes to %s took %v and %d MiB", len(text), names[target], took, peak>>20)
		}
	})
}
