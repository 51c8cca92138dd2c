package multiply

import "strings"

// Objects that contain others, used by several kinds.
const (
	longText = `long text `
	someText = `"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"`
)

// objects are the shares of OpenAPI documents, by kind.
var objects = []object{
	{"parameters", "path item", part{`{"parameters":[`, `{"name":"p{n}","in":"query"},`, `],` + methods + `}`}},
	{"parameters with examples", "path item", part{`{"parameters":[`, `{"name":"p{n}","in":"query","example":"a"},`, `],` + methods + `}`}},
	{"references to a parameter", "path item", part{`{"parameters":[`, `{"$ref":"#/components/parameters/h"},`, `],` + methods + `}`}},
	{"header parameters", "path item", part{`{"parameters":[`, `{"name":"p{n}","in":"header","required":true},`, `],` + methods + `}`}},
	{"path parameters", "path item", part{`{"parameters":[`, `{"name":"p{n}","in":"path","required":true},`, `],` + methods + `}`}},
	{"servers", "path item", part{`{"servers":[`, `{"url":"http://a{n}"},`, `],` + methods + `}`}},
	{"an operation's security", "path item", part{`{"get":{"security":[`, `{"k{n}":[]},`, `]}}`}},
	{"an operation's servers", "path item", part{`{"get":{"servers":[`, `{"url":"http://{v}{n}","variables":{"v":{"default":"a","enum":["a","b"]}}},`, `]}}`}},
	{"an operation's responses", "path item", part{`{"get":{"responses":{`, `"x{n}":{"description":"a"},`, `}}}`}},
	{"more operations", "path item", part{`{"additionalOperations":{`, `"M{n}":{"responses":{}},`, `}}`}},
	{"extensions", "path item", part{`{`, `"x-{n}":1,`, `,` + methods + `}`}},

	{"query with a schema", "parameter", part{`{"name":"q","in":"query","schema":{"type":"object","properties":{`, `"p{n}":{},`, `}}}`}},
	{"query, a deep object", "parameter", part{`{"name":"q","in":"query","style":"deepObject","example":{`, `"p{n}":1,`, `}}`}},
	{"query with content", "parameter", part{`{"name":"q","in":"query","content":{"application/json":{"example":[`, `{n},`, `]}}}`}},
	{"query with a list", "parameter", part{`{"name":"q","in":"query","explode":true,"example":[`, `1,`, `]}`}},
	{"query with examples", "parameter", part{`{"name":"q","in":"query","examples":{`, `"e{n}":{"value":1},`, `}}`}},
	{"header with an example", "parameter", part{`{"name":"H","in":"header","example":"`, longText, `"}`}},
	{"a whole query", "parameter", part{`{"name":"q","in":"querystring","content":{"application/x-www-form-urlencoded":{"example":{`, `"p{n}":1,`, `}}}}`}},

	{"headers", "response", part{`{"description":"a","headers":{`, `"H{n}":{},`, `}}`}},
	{"references to a header", "response", part{`{"description":"a","headers":{`, `"H{n}":{"$ref":"#/components/headers/h"},`, `}}`}},
	{"media types", "response", part{`{"description":"a","content":{`, `"a/t{n}":{},`, `}}`}},
	{"media types with schemas", "response", part{`{"description":"a","content":{`, `"application/t{n}+json":{"schema":{"$ref":"#/components/schemas/h"}},`, `}}`}},
	{"examples", "response", part{`{"description":"a","content":{"application/json":{"examples":{`, `"e{n}":{"value":{}},`, `}}}}`}},
	{"links", "response", part{`{"description":"a","links":{`, `"l{n}":{},`, `}}`}},

	{"a schema", "header", part{`{"schema":{"properties":{`, `"p{n}":{"type":"integer"},`, `}}}`}},

	{"media types", "request body", part{`{"content":{`, `"a/t{n}":{},`, `}}`}},
	{"media types with schemas", "request body", part{`{"content":{`, `"application/t{n}+json":{"schema":{"$ref":"#/components/schemas/h"}},`, `}}`}},
	{"an example", "request body", part{`{"content":{"application/json":{"example":{`, `"p{n}":1,`, `}}}}`}},
	{"a form", "request body", part{`{"content":{"application/x-www-form-urlencoded":{"schema":{"properties":{`, `"p{n}":{},`, `}}}}}`}},
	{"encodings", "request body", part{`{"content":{"multipart/form-data":{"schema":{"properties":{"a":{}}},"encoding":{`, `"p{n}":{"contentType":"a/a"},`, `}}}}`}},

	{"a schema", "media type", part{`{"schema":{"properties":{`, `"p{n}":{},`, `}}}`}},
	{"an example", "media type", part{`{"example":[`, `{"a":1},`, `]}`}},
	{"examples", "media type", part{`{"examples":{`, `"e{n}":{"value":1},`, `}}`}},

	{"text", "example", part{`{"value":"`, longText, `"}`}},
	{"a list", "example", part{`{"value":[`, `1,`, `]}`}},
	{"objects", "example", part{`{"value":[`, `{"a":{}},`, `]}`}},

	{"properties", "schema", part{`{"type":"object","properties":{`, `"p{n}":{},`, `}}`}},
	{"required properties", "schema", part{`{"type":"object","required":[`, `"r{n}",`, `]}`}},
	{"references to one", "schema", part{`{"properties":{`, `"p{n}":{"$ref":"#/components/schemas/h"},`, `}}`}},
	{"references to itself", "schema", part{`{"properties":{`, `"p{n}":{self},`, `}}`}},
	{"lists of itself", "schema", part{`{"allOf":[`, `{"properties":{"a{n}":{"type":"array","items":{self}}}},`, `]}`}},
	{"allOf", "schema", part{`{"allOf":[`, `{"properties":{"p{n}":{}}},`, `]}`}},
	{"anyOf", "schema", part{`{"anyOf":[`, `{"const":{n}},`, `]}`}},
	{"prefixItems", "schema", part{`{"type":"array","prefixItems":[`, `{},`, `]}`}},
	{"depth", "schema", part{strings.Repeat(`{"items":`, 100) + `{"properties":{`, `"p{n}":{},`, `}}` + strings.Repeat(`}`, 100)}},
	{"an example", "schema", part{`{"example":{`, `"p{n}":1,`, `}}`}},
	{"patterns", "schema", part{`{"patternProperties":{`, `"^p{n}":{"type":"integer"},`, `}}`}},
	{"discriminated", "schema", part{`{"discriminator":{"propertyName":"a","mapping":{`, `"m{n}":"#/components/schemas/s",`, `}},"properties":{"a":{"type":"string"}}}`}},
	{"nullable types", "schema", part{`{"properties":{`, `"p{n}":{"type":["string","null"]},`, `}}`}},
	{"extensions", "schema", part{`{"type":"object",`, `"x-{n}":1,`, `}`}},

	{"properties", "form schema", part{`{"type":"object","properties":{`, `"p{n}":{},`, `}}`}},
	{"objects", "form schema", part{`{"properties":{`, `"p{n}":{"properties":{"a":{"properties":{"b":{}}}}},`, `}}`}},
	{"files", "form schema", part{`{"properties":{`, `"p{n}":{"type":"string","format":"binary"},`, `}}`}},
	{"an example", "form schema", part{`{"example":{`, `"p{n}":[1,2],`, `}}`}},

	{"parameters", "link", part{`{"operationId":"a","parameters":{`, `"p{n}":"$url",`, `}}`}},
	{"expressions", "callback", part{`{`, `"{$url}{n}":{"post":{}},`, `}`}},
	{"operations", "callback", part{`{`, `"{$url}{n}":{"post":{"requestBody":{"content":{"a/a":{}}},"parameters":[{"name":"a","in":"query"}]}},`, `}`}},

	{"a long server", "root", part{`"servers":[{"url":"http://a/`, `path/`, `"}],`}},
	{"a server of variables", "root", part{`"servers":[{"variables":{"v":{"default":` + someText + `}},"url":"http://a/`, `{v}`, `"}],`}},
	{"security requirements", "root", part{`"security":[`, `{"k":["a{n}"]},`, `],`}},
}
