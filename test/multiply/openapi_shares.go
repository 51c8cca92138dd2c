package multiply

import "strings"

// Objects that contain others, used by several kinds.
const (
	longText  = `long text `
	someText  = `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"`
	smallBody = `{"schema":{"type":"string"}}`
)

func one(section, name, value string) map[string]string {
	return map[string]string{section: `"` + name + `":` + value}
}

// shares are the shares of OpenAPI documents, by kind.
var shares = []share{
	{"parameters", "path item", part{`{"parameters":[`, `{"name":"p{n}","in":"query"},`, `],` + methods + `}`}, nil},
	{"parameters with examples", "path item", part{`{"parameters":[`, `{"name":"p{n}","in":"query","example":"a"},`, `],` + methods + `}`}, nil},
	{"references to a parameter", "path item", part{`{"parameters":[`, `{"$ref":"#/components/parameters/h"},`, `],` + methods + `}`}, one("parameters", "h", `{"name":"h","in":"header","example":`+someText+`}`)},
	{"header parameters", "path item", part{`{"parameters":[`, `{"name":"p{n}","in":"header","required":true},`, `],` + methods + `}`}, nil},
	{"path parameters", "path item", part{`{"parameters":[`, `{"name":"p{n}","in":"path","required":true},`, `],` + methods + `}`}, nil},
	{"servers", "path item", part{`{"servers":[`, `{"url":"http://a{n}"},`, `],` + methods + `}`}, nil},
	{"an operation's security", "path item", part{`{"get":{"security":[`, `{"k{n}":[]},`, `]}}`}, one("securitySchemes", "k0", `{"type":"http","scheme":"basic"}`)},
	{"an operation's servers", "path item", part{`{"get":{"servers":[`, `{"url":"http://{v}{n}","variables":{"v":{"default":"a","enum":["a","b"]}}},`, `]}}`}, nil},
	{"an operation's responses", "path item", part{`{"get":{"responses":{`, `"x{n}":{"description":"a"},`, `}}}`}, nil},
	{"more operations", "path item", part{`{"additionalOperations":{`, `"M{n}":{"responses":{}},`, `}}`}, nil},
	{"extensions", "path item", part{`{`, `"x-{n}":1,`, `,` + methods + `}`}, nil},

	{"query with a schema", "parameter", part{`{"name":"q","in":"query","schema":{"type":"object","properties":{`, `"p{n}":{},`, `}}}`}, nil},
	{"query, a deep object", "parameter", part{`{"name":"q","in":"query","style":"deepObject","example":{`, `"p{n}":1,`, `}}`}, nil},
	{"query with content", "parameter", part{`{"name":"q","in":"query","content":{"application/json":{"example":[`, `{n},`, `]}}}`}, nil},
	{"query with a list", "parameter", part{`{"name":"q","in":"query","explode":true,"example":[`, `1,`, `]}`}, nil},
	{"query with examples", "parameter", part{`{"name":"q","in":"query","examples":{`, `"e{n}":{"value":1},`, `}}`}, nil},
	{"header with an example", "parameter", part{`{"name":"H","in":"header","example":"`, longText, `"}`}, nil},
	{"a whole query", "parameter", part{`{"name":"q","in":"querystring","content":{"application/x-www-form-urlencoded":{"example":{`, `"p{n}":1,`, `}}}}`}, nil},

	{"headers", "response", part{`{"description":"a","headers":{`, `"H{n}":{},`, `}}`}, nil},
	{"references to a header", "response", part{`{"description":"a","headers":{`, `"H{n}":{"$ref":"#/components/headers/h"},`, `}}`}, one("headers", "h", `{"example":`+someText+`}`)},
	{"media types", "response", part{`{"description":"a","content":{`, `"a/t{n}":{},`, `}}`}, nil},
	{"media types with schemas", "response", part{`{"description":"a","content":{`, `"application/t{n}+json":{"schema":{"$ref":"#/components/schemas/h"}},`, `}}`}, one("schemas", "h", `{"type":"object","properties":{"a":{"example":`+someText+`},"b":{"type":"array","items":{"type":"integer"}}}}`)},
	{"examples", "response", part{`{"description":"a","content":{"application/json":{"examples":{`, `"e{n}":{"value":{}},`, `}}}}`}, nil},
	{"links", "response", part{`{"description":"a","links":{`, `"l{n}":{},`, `}}`}, nil},

	{"a schema", "header", part{`{"schema":{"properties":{`, `"p{n}":{"type":"integer"},`, `}}}`}, nil},

	{"media types", "request body", part{`{"content":{`, `"a/t{n}":{},`, `}}`}, nil},
	{"media types with schemas", "request body", part{`{"content":{`, `"application/t{n}+json":{"schema":{"$ref":"#/components/schemas/h"}},`, `}}`}, one("schemas", "h", `{"type":"object","properties":{"a":{"example":`+someText+`}}}`)},
	{"an example", "request body", part{`{"content":{"application/json":{"example":{`, `"p{n}":1,`, `}}}}`}, nil},
	{"a form", "request body", part{`{"content":{"application/x-www-form-urlencoded":{"schema":{"properties":{`, `"p{n}":{},`, `}}}}}`}, nil},
	{"encodings", "request body", part{`{"content":{"multipart/form-data":{"schema":{"properties":{"a":{}}},"encoding":{`, `"p{n}":{"contentType":"a/a"},`, `}}}}`}, nil},

	{"a schema", "media type", part{`{"schema":{"properties":{`, `"p{n}":{},`, `}}}`}, nil},
	{"an example", "media type", part{`{"example":[`, `{"a":1},`, `]}`}, nil},
	{"examples", "media type", part{`{"examples":{`, `"e{n}":{"value":1},`, `}}`}, nil},

	{"text", "example", part{`{"value":"`, longText, `"}`}, nil},
	{"a list", "example", part{`{"value":[`, `1,`, `]}`}, nil},
	{"objects", "example", part{`{"value":[`, `{"a":{}},`, `]}`}, nil},

	{"properties", "schema", part{`{"type":"object","properties":{`, `"p{n}":{},`, `}}`}, nil},
	{"required properties", "schema", part{`{"type":"object","required":[`, `"r{n}",`, `]}`}, nil},
	{"references to one", "schema", part{`{"properties":{`, `"p{n}":{"$ref":"#/components/schemas/h"},`, `}}`}, one("schemas", "h", `{"type":"array","minItems":50,"items":{"type":"string","example":`+someText+`}}`)},
	{"references to itself", "schema", part{`{"properties":{`, `"p{n}":{self},`, `}}`}, nil},
	{"lists of itself", "schema", part{`{"allOf":[`, `{"properties":{"a{n}":{"type":"array","items":{self}}}},`, `]}`}, nil},
	{"allOf", "schema", part{`{"allOf":[`, `{"properties":{"p{n}":{}}},`, `]}`}, nil},
	{"anyOf", "schema", part{`{"anyOf":[`, `{"const":{n}},`, `]}`}, nil},
	{"prefixItems", "schema", part{`{"type":"array","prefixItems":[`, `{},`, `]}`}, nil},
	{"depth", "schema", part{strings.Repeat(`{"items":`, 100) + `{"properties":{`, `"p{n}":{},`, `}}` + strings.Repeat(`}`, 100)}, nil},
	{"an example", "schema", part{`{"example":{`, `"p{n}":1,`, `}}`}, nil},
	{"patterns", "schema", part{`{"patternProperties":{`, `"^p{n}":{"type":"integer"},`, `}}`}, nil},
	{"discriminated", "schema", part{`{"discriminator":{"propertyName":"a","mapping":{`, `"m{n}":"#/components/schemas/s",`, `}},"properties":{"a":{"type":"string"}}}`}, nil},
	{"nullable types", "schema", part{`{"properties":{`, `"p{n}":{"type":["string","null"]},`, `}}`}, nil},
	{"extensions", "schema", part{`{"type":"object",`, `"x-{n}":1,`, `}`}, nil},

	{"properties", "form schema", part{`{"type":"object","properties":{`, `"p{n}":{},`, `}}`}, nil},
	{"objects", "form schema", part{`{"properties":{`, `"p{n}":{"properties":{"a":{"properties":{"b":{}}}}},`, `}}`}, nil},
	{"files", "form schema", part{`{"properties":{`, `"p{n}":{"type":"string","format":"binary"},`, `}}`}, nil},
	{"an example", "form schema", part{`{"example":{`, `"p{n}":[1,2],`, `}}`}, nil},

	{"parameters", "link", part{`{"operationId":"a","parameters":{`, `"p{n}":"$url",`, `}}`}, nil},
	{"expressions", "callback", part{`{`, `"{$url}{n}":{"post":{}},`, `}`}, nil},
	{"operations", "callback", part{`{`, `"{$url}{n}":{"post":{"requestBody":{"content":{"a/a":{}}},"parameters":[{"name":"a","in":"query"}]}},`, `}`}, nil},

	{"a long server", "root", part{`"servers":[{"url":"http://a/`, `path/`, `"}],`}, nil},
	{"a server of variables", "root", part{`"servers":[{"variables":{"v":{"default":` + someText + `}},"url":"http://a/`, `{v}`, `"}],`}, nil},
	{"security requirements", "root", part{`"security":[`, `{"k":["a{n}"]},`, `],`}, one("securitySchemes", "k", `{"type":"apiKey","in":"query","name":"k"}`)},
}
