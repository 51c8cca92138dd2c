package apiconvert

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"go.yaml.in/yaml/v3"

	"github.com/convertd/convertd/internal/check"
)

// generator makes up collections of a kind that people export: odd URLs, paths that differ in little, names with
// blanks and braces, incomplete authentication.
type generator struct{ *rand.Rand }

// one returns one of the choices, which are separated by spaces; ␣ is a blank and ∅ nothing.
func (g generator) one(choices string) string {
	list := strings.Fields(choices)
	return strings.NewReplacer("␣", " ", "∅", "", "↵", "\n").Replace(list[g.IntN(len(list))])
}

// some returns up to n values.
func (g generator) some(n int, value func() any) []any {
	list := []any{}
	for range g.IntN(n + 1) {
		list = append(list, value())
	}
	return list
}

const (
	someText = `∅ ␣ a a Get␣pet Get␣{id} Get␣{{user}} pet␣/␣{petId} {} a/b ä a↵b <long> "q" \ $ref 200 true null é日本`
	someName = `∅ id id ID user␣id {{id}} {id} a[b] a[] a.b X-A x-a Content-Type Authorization Accept Cookie ü a=b a&b $top 1`
	someVal  = `∅ ␣ x 7 -1 1.50 true null {{id}} {{$guid}} <string> a␣b a,b [1] {"a":1} ü %41 %zz 2024-01-01 '"`
	segment  = `users users Users :id {id} {{id}} {{user␣id}} :id.json {a}{b} {a}-{b} a␣b %20 %zz ü { } {} {{ }} ∅ . .. * : a:b :a:b {id id} <long> <id>
		{{$guid}} a;b=c users(1) $count 7 42 8f14e45f-ceea-467f-a0b6-1b2c3d4e5f60 cus_NffrFeUfNV2Hib 2024-01-01 v1 YOUR_ID "q" \ | ^ a+b`
	origin = `https://api.test https://api.test https://api.test/ http://api.test:8080/v1 https:/api.test https:api.test http:///api.test {{baseUrl}}
		{{protocol}}://{{host}} https://{{a}}.api.test:{{port}} //api.test api.test localhost:8080 https://user:pw@api.test http://[::1]:80
		https://api.test:99999 https://api.test:abc http://ex␣ample.test https://<your-domain> https://münchen.test ftp://api.test HTTP://API.Test
		{{un␣defined}} ∅ ws://api.test https://{host}.test https://api.test/{{version}} {{host}}{{path}} http:// https://a_b.test https://API_HOST`
	query = `∅ ∅ ? ?a=b&a=c ?filter[a]=1&filter[]=2 ?=x ?{{q}} ?a=%zz&b=%26 ?a==b ?q={{q}}&{{k}}=v ?a␣b=c␣d ?a&&b #x ?a=b#c ?page=1&limit=2 ?a=b?c=d`
)

func (g generator) collection() string {
	c := map[string]any{
		"info":     map[string]any{"name": g.one(someText), "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
		"item":     append(g.some(6, func() any { return g.item(2) }), g.item(0)),
		"variable": g.some(4, g.variable),
	}
	g.maybe(c, "auth", g.auth)
	return text(c)
}

func text(v any) string {
	out, _ := json.Marshal(v)
	return string(out)
}

func (g generator) maybe(object map[string]any, name string, value func() any) {
	if g.IntN(3) == 0 {
		object[name] = value()
	}
}

func (g generator) variable() any {
	return map[string]any{
		"key":   g.one(`baseUrl host protocol port a version path id user␣id ∅ {{x}}`),
		"value": g.one(`∅ https://api.test/ https://api.test/v1 api.test https 8080 /v2 {{host}} {{loop}} 7 x␣y /a?b=c`),
	}
}

func (g generator) item(depth int) any {
	item := map[string]any{"name": g.one(someText)}
	if depth > 0 && g.IntN(4) == 0 {
		item["item"] = g.some(3, func() any { return g.item(depth - 1) })
		g.maybe(item, "auth", g.auth)
		return item
	}
	item["request"] = g.request()
	item["response"] = g.some(2, g.response)
	return item
}

func (g generator) request() map[string]any {
	r := map[string]any{
		"method": g.one(`GET GET GET POST POST PUT PATCH DELETE HEAD OPTIONS TRACE get ∅ PURGE QUERY GET␣POST {{method}} LINK`),
		"url":    g.url(), "header": g.some(3, g.pair),
	}
	g.maybe(r, "auth", g.auth)
	g.maybe(r, "body", g.body)
	g.maybe(r, "description", func() any { return g.one(someText) })
	return r
}

func (g generator) url() any {
	raw := g.one(origin)
	for range g.IntN(4) {
		raw += "/" + g.one(segment)
	}
	raw += g.one(query)
	if g.IntN(3) > 0 {
		return raw
	}
	path := g.some(3, func() any { return g.one(segment) })
	return map[string]any{"raw": raw, "protocol": g.one("∅ http https"), "host": []any{g.one("api {{host}} api.test ∅")},
		"path": path, "query": g.some(3, g.pair), "variable": g.some(2, g.pair), "port": g.one("∅ 80 {{port}} abc")}
}

func (g generator) pair() any {
	p := map[string]any{"key": g.one(someName), "value": g.one(someVal)}
	g.maybe(p, "disabled", func() any { return true })
	g.maybe(p, "description", func() any { return g.one(someText) })
	return p
}

func (g generator) auth() any {
	kind := g.one("apikey apikey asap awsv4 basic bearer digest edgegrid hawk jwt noauth ntlm oauth1 oauth2 oauth2 acme ∅")
	attribute := func() any {
		return map[string]any{"key": g.one(`key value in username password token accessToken authUrl accessTokenUrl grant_type scope addTokenTo clientId region`),
			"value": g.one(`∅ header query cookie X-Key X␣Key {{k}} Authorization https://login.test/token not␣a␣url authorization_code implicit
				password_credentials client_credentials read␣write queryParams x`)}
	}
	return map[string]any{"type": kind, kind: g.some(6, attribute)}
}

func (g generator) body() any {
	mode := g.one("raw raw raw urlencoded formdata graphql file ∅")
	b := map[string]any{"mode": mode}
	switch mode {
	case "raw":
		b["raw"] = g.one(`∅ x {"a":1} {"a":{{id}}} {"a":1,} {"a":1,"a":2} [1,"x",null] <a/> {"2024-01-01":1,"a␣b":[{}]} "s" null {{body}} {"$ref":"#/x"}`)
		b["options"] = map[string]any{"raw": map[string]any{"language": g.one("json xml text html ∅")}}
	case "graphql":
		b["graphql"] = map[string]any{"query": g.one("{a} ∅ query␣A{b}"), "variables": g.one(`∅ {} {"a":{{b}}} x`)}
	case "urlencoded", "formdata":
		field := func() any {
			f := g.pair().(map[string]any)
			if mode == "formdata" {
				f["type"] = g.one("text file ∅")
				g.maybe(f, "contentType", func() any { return g.one("application/json text/csv x ∅") })
			}
			return f
		}
		b[mode] = g.some(4, field)
	}
	return b
}

func (g generator) response() any {
	r := map[string]any{
		"name": g.one(someText), "code": []any{200, 201, 204, 404, 500, 0, 99, 999, "200", nil}[g.IntN(10)], "header": g.some(2, g.pair),
		"body": g.one(`∅ {"a":1} {"a":"x"} [] x <a/> {"a":1`), "_postman_previewlanguage": g.one("json html ∅"),
	}
	g.maybe(r, "originalRequest", func() any { return g.request() })
	return r
}

// TestGeneratedCollections converts generated collections to every target, and some outputs on to others.
func TestGeneratedCollections(t *testing.T) {
	t.Parallel()
	schema := collectionSchema(t)
	for seed := range check.Sample(40, 100, 300) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			g := generator{rand.New(rand.NewPCG(uint64(seed), 5))}
			source := g.collection()
			sources := []file{{"collection", "application/json", source}}
			if script := call(t, "application/json", source, "curl").Value; strings.Contains(script, "curl ") {
				sources = append(sources, file{"script", "text/plain", script})
			}
			sources = append(sources, file{"document", "application/json", call(t, "application/json", source, "openapi-3.2-json").Value})
			for _, from := range sources {
				for _, target := range everyTarget() {
					out := call(t, from.mediaType, from.text, target).Value
					var err error
					switch {
					case target == "curl":
						checkShell(t, "sh", out)
					case target == "postman-2.1":
						checkCollection(t, schema, unlisted.Replace(out))
					case strings.HasPrefix(target, "swagger"):
						// kin-openapi applies the schema of a response to the examples of every media type.
						err = errors.Join(checkSwagger(out, openapi3.DisableExamplesValidation()), lint(out))
					default:
						err = errors.Join(checkDescription(out), lint(out))
					}
					if err != nil {
						t.Errorf("%s to %s: %.600v", from.name, target, err)
					}
				}
			}
			if t.Failed() {
				t.Logf("%s", source)
			}
		})
	}
}

// unlisted replaces the types of authentication that Postman writes although its schema doesn't list them.
var unlisted = strings.NewReplacer(`"type": "jwt"`, `"type": "bearer"`, `"type": "asap"`, `"type": "bearer"`)

var braced = regexp.MustCompile(`\{[^{}]*\}`)

// lint returns what linters object to in an OpenAPI document although a validator accepts it.
func lint(text string) error {
	var doc struct {
		Info     struct{ Title string }
		Host     string
		BasePath string `yaml:"basePath"`
		Servers  []server
		Tags     []struct{ Name string }
		Paths    map[string]map[string]yaml.Node
	}
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return err
	}
	if doc.Host != "" {
		doc.Servers = []server{{URL: "http://" + doc.Host + doc.BasePath}}
	}
	errs := []error{servers(doc.Servers)}
	report := func(is bool, format string, args ...any) {
		if is {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	report(strings.TrimSpace(doc.Info.Title) == "", "no title")
	tags, shapes := map[string]bool{}, map[string]bool{}
	for _, tag := range doc.Tags {
		report(tags[tag.Name] || tag.Name == "", "tag %q twice or empty", tag.Name)
		tags[tag.Name] = true
	}
	for path, item := range doc.Paths {
		shape := braced.ReplaceAllString(path, "{}")
		report(shapes[shape], "path %s has another's template", path)
		shapes[shape] = true
		report(strings.ContainsAny(path, "? \"<>\\^`|"), "path %q", path)
		for name, node := range item {
			if name == "servers" {
				var list []server
				errs = append(errs, node.Decode(&list), servers(list))
			}
			if !slices.Contains([]string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}, name) {
				continue
			}
			var operation struct {
				Summary    string
				Tags       []string
				Servers    []server
				Parameters []struct{ Name, In string }
			}
			errs = append(errs, node.Decode(&operation), servers(operation.Servers))
			for _, tag := range operation.Tags {
				report(!tags[tag], "tag %q is not declared", tag)
			}
			for _, p := range operation.Parameters {
				lower := strings.ToLower(p.Name)
				report(p.In == "header" && slices.Contains([]string{"accept", "content-type", "authorization"}, lower), "header %s", p.Name)
			}
		}
	}
	return errors.Join(errs...)
}

// server is a Server Object.
type server struct {
	URL       string
	Variables map[string]struct {
		Default *string
		Enum    []string
	}
}

// servers returns an error for a server whose URL is invalid with the defaults of its variables.
func servers(list []server) error {
	var errs []error
	for _, s := range list {
		address := s.URL
		for name, v := range s.Variables {
			if v.Default == nil || len(v.Enum) > 0 && !slices.Contains(v.Enum, *v.Default) {
				errs = append(errs, fmt.Errorf("server variable %s", name))
				continue
			}
			if !strings.Contains(address, "{"+name+"}") {
				errs = append(errs, fmt.Errorf("server variable %s is not in %s", name, s.URL))
			}
			address = strings.ReplaceAll(address, "{"+name+"}", *v.Default)
		}
		address = strings.ReplaceAll(address, "<redacted>", "redacted")
		u, err := url.Parse(address)
		if err != nil {
			errs = append(errs, fmt.Errorf("server %s: %w", s.URL, err))
		} else if strings.ContainsAny(address, "{}<> \"") || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "" && u.Host == "" {
			errs = append(errs, fmt.Errorf("server %q is %q", s.URL, address))
		}
	}
	return errors.Join(errs...)
}
