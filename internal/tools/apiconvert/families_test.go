package apiconvert

import (
	"fmt"
	"strings"
)

// times repeats a format n times, with %d replaced by the repetition's number.
func times(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "%d", fmt.Sprint(i)))
	}
	return b.String()
}

// list is times with commas in between.
func list(n int, format string) string { return strings.TrimSuffix(times(n, format+","), ",") }

const (
	head31     = `{"openapi":"3.1.0","info":{"title":"t","version":"1"},`
	head20     = `{"swagger":"2.0","info":{"title":"t","version":"1"},`
	collection = `{"info":{"name":"x","schema":"/collection/v2.1.0/"},`
	eight      = `"get":{},"put":{},"post":{},"delete":{},"options":{},"head":{},"patch":{},"trace":{}`
)

// shared returns an OpenAPI document with n paths that refer to one path item.
func shared(n int, item string) string {
	return head31 + `"paths":{` + list(n, `"/p%d":{"$ref":"#/components/pathItems/a"}`) + `},"components":{"pathItems":{"a":{` + item + `}}}}`
}

// withResponse returns the content of a path item with one response.
func withResponse(response string) string {
	return `"get":{"responses":{"200":{"description":"a",` + response + `}}}`
}

// used returns an OpenAPI document with n paths whose operations refer to components.
func used(n int, operation, components string) string {
	return head31 + `"paths":{` + list(n, `"/p%d":{"post":{`+operation+`}}`) + `},"components":{` + components + `}}`
}

// family is a kind of document with n parts.
type family struct {
	name, mediaType string
	text            func(n int) string
}

// multiplying are documents in which n parts each use something with n parts.
var multiplying = []family{
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
		return shared(n, withResponse(`"headers":{`+list(n, `"h%d":{"schema":{"type":"string"}}`)+`}`))
	}},
	{"path items: media types of responses", "application/json", func(n int) string {
		return shared(n, withResponse(`"content":{`+list(n, `"a/b%d":{"schema":{"type":"string"}}`)+`}`))
	}},
	{"path items: examples", "application/json", func(n int) string {
		return shared(n, withResponse(`"content":{"application/json":{"examples":{`+list(n, `"e%d":{"value":{"a":%d}}`)+`}}}`))
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

// growing are documents with n parts that no other part repeats.
var growing = []family{
	{"postman: scopes of OAuth 2.0", "application/json", func(n int) string {
		return collection + `"auth":{"type":"oauth2","oauth2":[{"key":"grant_type","value":"client_credentials"},{"key":"accessTokenUrl","value":"https://a.test/t"},{"key":"scope","value":"` +
			times(n, "s%d ") + `"}]},"item":[{"request":{"url":"http://h/a"}}]}`
	}},
}

// sized returns a document of at most the given number of bytes, and close to it.
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
