package writer

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

type parameters = []*request.Parameter

func raw(mediaType, text string) []*request.Body {
	return []*request.Body{{MediaType: mediaType, Text: text}}
}

var (
	mainServer = &request.Server{URL: "https://api.example.com"}
	other      = &request.Server{URL: "{{host}}/v2"}
	folder     = &request.Folder{Name: "Users", Description: "All users"}
	perUser    = &request.Folder{Name: "{userId}", Parent: folder}
	inner      = &request.Folder{Name: "Admins", Parent: folder}
)

// written lists APIs with the expected parts of their documents by JSON Pointer; "" means absent.
var written = []struct {
	name     string
	api      *request.API
	want     map[string]string
	warnings []string
}{
	{"nothing", &request.API{}, map[string]string{
		"": `{"openapi":"3.1.0","info":{"title":"API","version":"1.0.0"},"servers":[{"url":"/"}],"paths":{"/":{}}}`,
	}, []string{"lost.operations", "added.info"}},
	{"plain", &request.API{Title: "T", Version: "2", Servers: []*request.Server{mainServer}, Folders: []*request.Folder{folder}, Requests: []*request.Request{{
		Name: "One user", Method: "GET", Server: mainServer, Folder: folder, Path: "/users/{id}",
		PathParameters: parameters{{Name: "id", Value: "7"}},
		Query:          parameters{{Name: "q", Value: "a%20b"}, {Name: "page", Value: "2", Disabled: true}},
		Headers:        parameters{{Name: "X-A", Value: "b"}, {Name: "Accept", Value: "application/json"}},
		Cookies:        parameters{{Name: "c", Value: "true"}},
	}}}, map[string]string{
		"/servers":                             `[{"url":"https://api.example.com"}]`,
		"/tags":                                `[{"name":"Users","description":"All users"}]`,
		"/paths/~1users~1{id}/get/operationId": `"oneUser"`,
		"/paths/~1users~1{id}/get/parameters": `[{"name":"id","in":"path","required":true,"schema":{"type":"integer"},"example":7},` +
			`{"name":"q","in":"query","required":false,"schema":{"type":"string"},"example":"a b"},` +
			`{"name":"page","in":"query","required":false,"schema":{"type":"integer"},"examples":{"notSent":{"summary":"Not sent","value":2}}},` +
			`{"name":"X-A","in":"header","required":false,"schema":{"type":"string"},"example":"b"},` +
			`{"name":"c","in":"cookie","required":false,"schema":{"type":"boolean"},"example":true}]`,
		"/paths/~1users~1{id}/get/responses": `{"default":{"description":"Response","content":{"application/json":{}}}}`,
	}, nil},
	{"OAuth 2.0 of which only the token is known", &request.API{Requests: []*request.Request{{
		Method: "GET", Path: "/a", Security: &request.Security{Alternatives: [][]*request.Auth{{{Kind: request.OAuth2, In: request.InHeader, Scopes: []string{"read"}}}}},
	}, {
		Method: "GET", Path: "/b", Security: &request.Security{Alternatives: [][]*request.Auth{{{Kind: request.OAuth2, In: request.InQuery}}}},
	}}}, map[string]string{
		"/components/securitySchemes/oauth2":  `{"type":"http","scheme":"bearer","x-authorization-scheme":"OAuth2"}`,
		"/components/securitySchemes/oauth22": `{"type":"apiKey","name":"access_token","in":"query"}`,
		"/paths/~1a/get/security":             `[{"oauth2":[]}]`,
	}, []string{"lost.auth_details"}},
	{"a folder that is named after a path parameter", &request.API{
		Folders:  []*request.Folder{folder, perUser},
		Requests: []*request.Request{{Method: "GET", Path: "/users/{userId}", Folder: perUser}},
	}, map[string]string{
		"/tags":                             `[{"name":"Users","description":"All users"}]`,
		"/paths/~1users~1{userId}/get/tags": `["Users"]`,
	}, []string{"changed.folder_nesting"}},
	{"a form with a file and a field that is not sent", &request.API{Requests: []*request.Request{{
		Method: "POST", Path: "/a", Bodies: []*request.Body{{Kind: request.Multipart, Fields: []*request.Field{
			{Parameter: request.Parameter{Name: "f"}, IsFile: true},
			{Parameter: request.Parameter{Name: "t", Value: "x"}},
			{Parameter: request.Parameter{Name: "u", Value: "y", Disabled: true}},
		}}},
	}}}, map[string]string{
		"/paths/~1a/post/requestBody/content/multipart~1form-data/example": `{"f":"","t":"x"}`,
	}, nil},
	{"requests of one path and method", &request.API{Folders: []*request.Folder{folder, inner}, Requests: []*request.Request{
		{Name: "Log in", Method: "POST", Folder: inner, Path: "/login/{a}", Query: parameters{{Name: "x", Value: "1"}}, Bodies: raw("application/json", `{"n": 1}`)},
		{Name: "Log in twice", Method: "post", Path: "/login/{{b}}", Query: parameters{{Name: "x", Value: "z"}, {Name: "y", Value: "1"}}, Bodies: raw("application/json", `{"n": 1.5, "m": null}`)},
	}}, map[string]string{
		"/tags/1":                               `{"name":"Users / Admins"}`,
		"/paths/~1login~1{a}/post/operationId":  `"logIn"`,
		"/paths/~1login~1{a}/post/parameters/1": `{"name":"x","in":"query","required":true,"schema":{"type":"string"},"examples":{"logIn":{"summary":"Log in","value":"1"},"logInTwice":{"summary":"Log in twice","value":"z"}}}`,
		"/paths/~1login~1{a}/post/parameters/2": `{"name":"y","in":"query","required":false,"schema":{"type":"integer"},"example":1}`,
		"/paths/~1login~1{a}/post/requestBody/content/application~1json": `{"schema":{"type":"object","properties":{"n":{"type":"number"},"m":{}},"required":["n"]},` +
			`"examples":{"logIn":{"summary":"Log in","value":{"n":1}},"logInTwice":{"summary":"Log in twice","value":{"n":1.5,"m":null}}}}`,
	}, []string{"changed.path_names", "changed.merged_requests", "changed.folder_nesting", "changed.required"}},
	{"servers and variables", &request.API{Servers: []*request.Server{mainServer, other}, Variables: []*request.Variable{
		{Name: "host", Value: "https://{{region}}.example.com"}, {Name: "key", Secret: true}, {Name: "n", Value: "5"}},
		Requests: []*request.Request{
			{Method: "GET", Path: "/a", Server: mainServer, Headers: parameters{{Name: "X-Key", Value: "{{key}}"}}},
			{Method: "POST", Path: "/b", Server: other, Bodies: raw("application/json", `{"n": {{n}}, "u": {{unknown}}, "s": "{{n}}-{{key}}", "l": [1]}`)},
		}}, map[string]string{
		"/servers":                            `[{"url":"https://api.example.com"}]`,
		"/paths/~1b/servers/0/url":            `"https://{region}.example.com/v2"`,
		"/paths/~1a/get/servers":              ``,
		"/paths/~1a/get/parameters/0/example": `"<redacted>"`,
		"/paths/~1b/post/requestBody/content/application~1json/example":           `{"n":5,"s":"5-<redacted>","l":[1]}`,
		"/paths/~1b/post/requestBody/content/application~1json/schema/properties": `{"n":{"type":"integer"},"u":{},"s":{"type":"string"},"l":{"type":"array","items":{"type":"integer"}}}`,
	}, []string{"changed.unquoted_variables", "added.server_default"}},
	{"bodies", &request.API{Requests: []*request.Request{
		{Method: "POST", Path: "/form", Bodies: []*request.Body{{Kind: request.URLEncoded, Fields: []*request.Field{
			{Parameter: request.Parameter{Name: "a", Value: "1"}}, {Parameter: request.Parameter{Name: "b", Value: "x"}}, {Parameter: request.Parameter{Name: "b", Value: "y"}}}}}},
		{Method: "POST", Path: "/parts", Bodies: []*request.Body{{Kind: request.Multipart, MediaType: "multipart/form-data; boundary=x", Fields: []*request.Field{
			{Parameter: request.Parameter{Name: "f"}, IsFile: true}, {Parameter: request.Parameter{Name: "m", Value: "{}"}, ContentType: "application/json"}}}}},
		{Method: "PUT", Path: "/file", Bodies: []*request.Body{{Kind: request.File}}},
		{Method: "POST", Path: "/xml", Bodies: raw("application/xml", "<a/>")},
		{Method: "POST", Path: "/guess", Bodies: raw("", `{"a": 1}`)},
		{Method: "TRACE", Path: "/trace", Bodies: raw("text/plain", `x`)},
	}}, map[string]string{
		"/paths/~1form/post/requestBody/content":  `{"application/x-www-form-urlencoded":{"schema":{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"array","items":{"type":"string"}}}},"example":{"a":1,"b":["x","y"]}}}`,
		"/paths/~1parts/post/requestBody/content": `{"multipart/form-data":{"schema":{"type":"object","properties":{"f":{"type":"string","format":"binary"},"m":{"type":"object","examples":[{}]}}},"encoding":{"m":{"contentType":"application/json"}}}}`,
		"/paths/~1file/put/requestBody/content":   `{"application/octet-stream":{"schema":{"type":"string","format":"binary"}}}`,
		"/paths/~1xml/post/requestBody/content":   `{"application/xml":{"schema":{"type":"string"},"example":"<a/>"}}`,
		"/paths/~1guess/post/requestBody/content": `{"application/json":{"schema":{"type":"object","properties":{"a":{"type":"integer"}}},"example":{"a":1}}}`,
		"/paths/~1trace/trace/requestBody":        ``,
	}, []string{"lost.body"}},
	{"security", &request.API{Security: &request.Security{Alternatives: [][]*request.Auth{{{Kind: request.Basic}}}}, Requests: []*request.Request{
		{Method: "GET", Path: "/inherits"},
		{Method: "GET", Path: "/none", Security: &request.Security{}},
		{Method: "GET", Path: "/key", Security: &request.Security{Alternatives: [][]*request.Auth{{{Kind: request.APIKey, Key: "k", In: request.InQuery}}}}},
		{Method: "GET", Path: "/hawk", Security: &request.Security{Alternatives: [][]*request.Auth{{{Kind: request.Hawk}}}}},
		{Method: "GET", Path: "/oauth", Security: &request.Security{Alternatives: [][]*request.Auth{{{Kind: request.OAuth2, Scopes: []string{"r"}, Flows: []request.Flow{
			{Grant: request.ClientCredentials, TokenURL: "https://example.com/t"}, {Grant: request.Implicit}}}}}}},
	}}, map[string]string{
		"/security":                            `[{"basicAuth":[]}]`,
		"/paths/~1inherits/get/security":       ``,
		"/paths/~1none/get/security":           `[]`,
		"/paths/~1key/get/security":            `[{"apiKeyAuth":[]}]`,
		"/paths/~1oauth/get/security":          `[{"oauth2":["r"]}]`,
		"/components/securitySchemes/hawkAuth": `{"type":"http","scheme":"hawk","description":"Hawk authentication"}`,
		"/components/securitySchemes/oauth2":   `{"type":"oauth2","flows":{"clientCredentials":{"tokenUrl":"https://example.com/t","scopes":{"r":""}}}}`,
	}, []string{"lost.auth_details"}},
	{"names", &request.API{Requests: []*request.Request{
		{Name: "a b", Method: "GET", Path: "/{my id}/{my id}"},
		{Name: "Ünïcödé", Method: "GET", Path: "/x", Responses: []*request.Response{{Name: "200", Status: "200"}, {Name: "No name", Status: "400"}, {Name: "No age", Status: "400"}}},
		{Name: "same", Method: "GET", Path: "/y"},
		{Name: "Same", Method: "PUT", Path: "/y", Fragment: "f"},
	}}, map[string]string{
		"/paths/~1{my_id}~1{my_id2}/get/operationId": `"aB"`,
		"/paths/~1x/get/operationId":                 `"getX"`,
		"/paths/~1x/get/responses":                   `{"200":{"description":"OK"},"400":{"description":"No name; No age"}}`,
		"/paths/~1y/put/operationId":                 `"same2"`,
	}, []string{"lost.fragment", "changed.names"}},
}

func TestWrite(t *testing.T) {
	for _, c := range written {
		t.Run(c.name, func(t *testing.T) {
			w := &warning.List{}
			if len(c.api.Requests) > 0 { // without a title, a default is added with a warning
				c.api.Title = "T"
			}
			root := Write(c.api, versions.V31, nil, w)
			if err := documenttest.Validate(t, root); err != nil {
				t.Error(err)
			}
			if diff := cmp.Diff(c.want, documenttest.At(t, root, c.want)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.warnings, documenttest.Codes(w)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}
