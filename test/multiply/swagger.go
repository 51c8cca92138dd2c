package multiply

import "strings"

// swaggerShares are the shares of Swagger 2.0: members of the root, and the members of an operation that refer to them,
// "" if all operations use them implicitly.
var swaggerShares = []struct {
	name, refer string
	part
	also string // other members of the root
}{
	{"produces", ``, part{`"produces":[`, `"a/t{n}",`, `]`}, ``},
	{"produces of JSON", ``, part{`"produces":[`, `"application/t{n}+json",`, `]`}, ``},
	{"consumes", `"parameters":[{"name":"b","in":"body","schema":{}}]`, part{`"consumes":[`, `"a/t{n}",`, `]`}, ``},
	{"consumes of schemas", `"parameters":[{"name":"b","in":"body","schema":{"$ref":"#/definitions/d"}}]`, part{`"consumes":[`, `"application/t{n}+json",`, `]`},
		`"definitions":{"d":{"type":"object","properties":{"a":{"example":` + someText + `}}}}`},
	{"consumes of forms", `"parameters":[{"name":"b","in":"formData","type":"string"},{"name":"c","in":"formData","type":"string"}]`, part{`"consumes":["application/x-www-form-urlencoded","multipart/form-data",`, `"a/t{n}",`, `]`}, ``},
	{"a base path", ``, part{`"host":"a","basePath":"`, `/path`, `"`}, ``},
	{"security requirements", ``, part{`"security":[`, `{"k":["a{n}"]},`, `]`}, `"securityDefinitions":{"k":{"type":"apiKey","in":"query","name":"k"}}`},
	{"scopes", `"security":[{"k":["s1"]}]`, part{`"securityDefinitions":{"k":{"type":"oauth2","flow":"implicit","authorizationUrl":"http://a","scopes":{`, `"s{n}":"a",`, `}}}`}, ``},
	{"a body parameter", `"parameters":[{"$ref":"#/parameters/p"}]`, part{`"parameters":{"p":{"name":"b","in":"body","schema":{"properties":{`, `"p{n}":{},`, `}}}}`}, ``},
	{"headers of a response", `"responses":{"200":{"$ref":"#/responses/r"},"201":{"$ref":"#/responses/r"}}`, part{`"responses":{"r":{"description":"a","headers":{`, `"H{n}":{"type":"string"},`, `}}}`}, ``},
	{"examples of a response", `"responses":{"200":{"$ref":"#/responses/r"}}`, part{`"responses":{"r":{"description":"a","examples":{`, `"a/t{n}":1,`, `}}}`}, ``},
	{"an example of a response", `"responses":{"200":{"$ref":"#/responses/r"}}`, part{`"responses":{"r":{"description":"a","examples":{"application/json":[`, `{"a":1},`, `]}}}`}, ``},
	{"a schema of a response", `"responses":{"200":{"$ref":"#/responses/r"}}`, part{`"produces":["application/json","application/xml","text/xml","a/a"],"responses":{"r":{"description":"a","schema":{"properties":{`, `"p{n}":{},`, `}}}}`}, ``},
	{"definitions in a row", `"parameters":[{"name":"b","in":"body","schema":{"$ref":"#/definitions/d0"}}]`, part{`"definitions":{`, `"d{n}":{"properties":{"a":{"$ref":"#/definitions/d{m}"},"b":{"$ref":"#/definitions/d{m}"}}},`, `}`}, ``},
	{"an operation's parameters", `~`, part{`"x-item":{"get":{"parameters":[`, `{"name":"p{n}","in":"query","type":"string"},`, `]}}`}, ``},
	{"an item's parameters", `~`, part{`"x-item":{"parameters":[`, `{"name":"p{n}","in":"query","type":"string"},`, `],` + swaggerMethods + `}`}, ``},
	{"an item's responses", `~`, part{`"x-item":{"get":{"produces":["a/a","a/b","a/c","a/d","a/e","a/f","a/g"],"responses":{`, `"x{n}":{"description":"a","schema":{}},`, `}}}`}, ``},
}

const (
	swaggerMethods = `"get":{},"put":{},"post":{},"delete":{},"options":{},"head":{},"patch":{}`
	swaggerEight   = `"get":{{refer}},"put":{{refer}},"post":{{refer}},"delete":{{refer}},"options":{{refer}},"head":{{refer}},"patch":{{refer}}`
	manyResponses  = `"responses":{"200":{"description":"a","schema":{}},"201":{"description":"a","schema":{}},"202":{"description":"a","schema":{}},"default":{"description":"a","schema":{}}}`
)

// swaggerReferrers refer to them. {refer} are the members of an operation that
// do. Those with item set are for shares that are a whole path item.
var swaggerReferrers = []struct {
	name string
	item bool
	root string // another member of the root
	part
}{
	{"paths", false, ``, part{``, `"/p{n}":{"post":{{refer}}},`, ``}},
	{"methods", false, ``, part{``, `"/p{n}":{` + swaggerEight + `},`, ``}},
	{"responses", false, ``, part{``, `"/p{n}":{"post":{` + manyResponses + `}},`, ``}},
	{"one operation's responses", false, ``, part{`"/a":{"post":{"responses":{`, `"x{n}":{"description":"a","schema":{}},`, `}}}`}},
	{"bodies", false, ``, part{``, `"/p{n}":{"post":{"parameters":[{"name":"b","in":"body","schema":{}}]},"put":{"parameters":[{"name":"b","in":"body","schema":{}}]}},`, ``}},
	{"path item of paths", false, `"x-t":{` + swaggerEight + `}`, part{``, `"/p{n}":{"$ref":"#/x-t"},`, ``}},
	{"path item of the first path", false, ``, part{`"/a":{` + swaggerEight + `},`, `"/p{n}":{"$ref":"#/paths/~1a"},`, ``}},
	{"paths", true, ``, part{``, `"/p{n}":{"$ref":"#/x-item"},`, ``}},
	{"paths of short names", true, ``, part{``, `"/{n}":{"$ref":"#/x-item"},`, ``}},
	{"references in a row", true, ``, part{``, `"/p{n}":{"$ref":"#/paths/~1p{m}"},`, `,"/z":{"$ref":"#/x-item"}`}},
}

func swagger() []Document {
	var all []Document
	for _, mediaType := range []string{jsonType, yamlType} {
		format, front := "swagger-2.0", ""
		if mediaType == yamlType {
			format, front = "swagger-2.0-yaml", "--- "
		}
		for _, s := range swaggerShares {
			for _, r := range swaggerReferrers {
				if r.item != (s.refer == "~") {
					continue
				}
				all = append(all, Document{format, s.name, r.name, mediaType, func(shared, refers int) string {
					paths, root := part{r.head, r.piece, r.tail}, r.root
					paths.head = strings.ReplaceAll(paths.head, "{refer}", s.refer)
					paths.piece = strings.ReplaceAll(paths.piece, "{refer}", s.refer)
					text := front + `{"swagger":"2.0","info":{"title":"a","version":"1"},` + s.text(shared)
					for _, more := range []string{s.also, root} {
						if more != "" {
							text += "," + strings.ReplaceAll(more, "{refer}", s.refer)
						}
					}
					return text + `,"paths":{` + paths.text(refers) + `}}`
				}})
			}
		}
	}
	return all
}
