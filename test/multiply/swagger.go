package multiply

import "slices"

// swaggerShares are the shares of Swagger 2.0: members of the root, and the members of an operation that refer to them,
// none if all operations use them implicitly.
var swaggerShares = []share{
	{"produces", ``, part{`"produces":[`, `"a/t{n}",`, `]`}},
	{"produces of JSON", ``, part{`"produces":[`, `"application/t{n}+json",`, `]`}},
	{"consumes", `"parameters":[{"name":"b","in":"body","schema":{}}]`, part{`"consumes":[`, `"a/t{n}",`, `]`}},
	{"consumes of schemas", `"parameters":[{"name":"b","in":"body","schema":{"$ref":"#/definitions/d"}}]`, part{`"consumes":[`, `"application/t{n}+json",`, `],"definitions":{"d":{"type":"object","properties":{"a":{"example":` + someText + `}}}}`}},
	{"consumes of forms", `"parameters":[{"name":"b","in":"formData","type":"string"},{"name":"c","in":"formData","type":"string"}]`, part{`"consumes":["application/x-www-form-urlencoded","multipart/form-data",`, `"a/t{n}",`, `]`}},
	{"a base path", ``, part{`"host":"a","basePath":"`, `/path`, `"`}},
	{"security requirements", ``, part{`"security":[`, `{"k":["a{n}"]},`, `],"securityDefinitions":{"k":{"type":"apiKey","in":"query","name":"k"}}`}},
	{"scopes", `"security":[{"k":["s1"]}]`, part{`"securityDefinitions":{"k":{"type":"oauth2","flow":"implicit","authorizationUrl":"http://a","scopes":{`, `"s{n}":"a",`, `}}}`}},
	{"a body parameter", `"parameters":[{"$ref":"#/parameters/p"}]`, part{`"parameters":{"p":{"name":"b","in":"body","schema":{"properties":{`, `"p{n}":{},`, `}}}}`}},
	{"headers of a response", `"responses":{"200":{"$ref":"#/responses/r"},"201":{"$ref":"#/responses/r"}}`, part{`"responses":{"r":{"description":"a","headers":{`, `"H{n}":{"type":"string"},`, `}}}`}},
	{"examples of a response", `"responses":{"200":{"$ref":"#/responses/r"}}`, part{`"responses":{"r":{"description":"a","examples":{`, `"a/t{n}":1,`, `}}}`}},
	{"an example of a response", `"responses":{"200":{"$ref":"#/responses/r"}}`, part{`"responses":{"r":{"description":"a","examples":{"application/json":[`, `{"a":1},`, `]}}}`}},
	{"a schema of a response", `"responses":{"200":{"$ref":"#/responses/r"}}`, part{`"produces":["application/json","application/xml","text/xml","a/a"],"responses":{"r":{"description":"a","schema":{"properties":{`, `"p{n}":{},`, `}}}}`}},
	{"definitions in a row", `"parameters":[{"name":"b","in":"body","schema":{"$ref":"#/definitions/d0"}}]`, part{`"definitions":{`, `"d{n}":{"properties":{"a":{"$ref":"#/definitions/d{m}"},"b":{"$ref":"#/definitions/d{m}"}}},`, `}`}},
}

// itemShares are path items.
var itemShares = []share{
	{"an operation's parameters", ``, part{`"x-item":{"get":{"parameters":[`, `{"name":"p{n}","in":"query","type":"string"},`, `]}}`}},
	{"an item's parameters", ``, part{`"x-item":{"parameters":[`, `{"name":"p{n}","in":"query","type":"string"},`, `],` + swaggerMethods + `}`}},
	{"an item's responses", ``, part{`"x-item":{"get":{"produces":["a/a","a/b","a/c","a/d","a/e","a/f","a/g"],"responses":{`, `"x{n}":{"description":"a","schema":{}},`, `}}}`}},
}

const (
	swaggerMethods = `"get":{},"put":{},"post":{},"delete":{},"options":{},"head":{},"patch":{}`
	swaggerEight   = `"get":{{use}},"put":{{use}},"post":{{use}},"delete":{{use}},"options":{{use}},"head":{{use}},"patch":{{use}}`
	manyResponses  = `"responses":{"200":{"description":"a","schema":{}},"201":{"description":"a","schema":{}},"202":{"description":"a","schema":{}},"default":{"description":"a","schema":{}}}`
)

// swaggerReferrers are paths.
var swaggerReferrers = []referrer{
	{"paths", part{``, `"/p{n}":{"post":{{use}}},`, ``}},
	{"methods", part{``, `"/p{n}":{` + swaggerEight + `},`, ``}},
	{"responses", part{``, `"/p{n}":{"post":{` + manyResponses + `}},`, ``}},
	{"one operation's responses", part{`"/a":{"post":{"responses":{`, `"x{n}":{"description":"a","schema":{}},`, `}}}`}},
	{"bodies", part{``, `"/p{n}":{"post":{"parameters":[{"name":"b","in":"body","schema":{}}]},"put":{"parameters":[{"name":"b","in":"body","schema":{}}]}},`, ``}},
	{"path item of paths", part{``, `"/p{n}":{"$ref":"#/x-t"},`, `},"x-t":{` + swaggerEight}},
	{"path item of the first path", part{`"/a":{` + swaggerEight + `},`, `"/p{n}":{"$ref":"#/paths/~1a"},`, ``}},
}

// itemReferrers refer to path items.
var itemReferrers = []referrer{
	{"paths", part{``, `"/p{n}":{"$ref":"#/x-item"},`, ``}},
	{"paths of short names", part{``, `"/{n}":{"$ref":"#/x-item"},`, ``}},
	{"references in a row", part{``, `"/p{n}":{"$ref":"#/paths/~1p{m}"},`, `,"/z":{"$ref":"#/x-item"}`}},
}

func swagger() []Document {
	const frame = `{"swagger":"2.0","info":{"title":"a","version":"1"},{share},"paths":{{refer}}}`
	return slices.Concat(
		pairs("swagger-2.0", jsonType, frame, swaggerShares, swaggerReferrers),
		pairs("swagger-2.0", jsonType, frame, itemShares, itemReferrers),
		pairs("swagger-2.0-yaml", yamlType, "--- "+frame, swaggerShares, swaggerReferrers),
		pairs("swagger-2.0-yaml", yamlType, "--- "+frame, itemShares, itemReferrers),
	)
}
