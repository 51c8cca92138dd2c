package postman_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/documenttest"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman"
	"github.com/convertd/convertd/internal/tools/apiconvert/postman/writer"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

func TestWrite(t *testing.T) {
	for _, c := range load(t, "testdata/write.yaml") {
		t.Run(c.Name, func(t *testing.T) {
			model := models[c.Name]
			if model == nil {
				t.Fatal("there is no model of that name")
			}
			var w warning.List
			root := writer.Write(model(), nil, &w)
			if diff := cmp.Diff(c.Output, pretty(t, root)); diff != "" {
				t.Errorf("collection (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.Warnings, documenttest.Codes(&w)); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
			again := writer.Write(model(), nil, nil)
			if documenttest.Write(t, again) != documenttest.Write(t, root) {
				t.Error("writing is not deterministic")
			}
			checkSchema(t, documenttest.Write(t, root))
			checkRewritten(t, root)
		})
	}
}

func pretty(t *testing.T, root *tree.Value) string {
	t.Helper()
	text, err := jsondoc.Format(context.Background(), nil, jsondoc.NewScanner(documenttest.Write(t, root)), jsondoc.Layout{Indent: 1},
		convert.NewOutputLimit(convert.MaxOutputCharacters, 4*convert.MaxOutputCharacters))
	check.OK(t, err)
	return string(text) + "\n"
}

func parameterOf(name, value string) *request.Parameter {
	return &request.Parameter{Name: name, Value: value}
}

func optional(name, value, description string) *request.Parameter {
	return &request.Parameter{Name: name, Value: value, Description: description, Disabled: true}
}

// models are the models that other formats' readers build, by case name.
var models = map[string]func() *request.API{
	"a description": describedAPI,
	"commands":      commands,
	"security":      securedAPI,
	"no server": func() *request.API {
		return &request.API{Described: true, Title: "No server", Requests: []*request.Request{{Method: "GET", Path: "/pets"}}}
	},
	"names in use": func() *request.API {
		known, named := &request.Server{URL: "https://x.test"}, &request.Server{URL: "{{baseUrl}}"}
		return &request.API{Described: true, Title: "Names", Servers: []*request.Server{known, named}, Requests: []*request.Request{
			{Method: "GET", Server: known, Path: "/a"}, {Method: "GET", Server: named, Path: "/b"}, {Method: "GET", Path: "/c"},
		}}
	},
	"uniform security": func() *request.API {
		bearer := func() *request.Security { return request.Require(&request.Auth{Kind: request.Bearer}) }
		return &request.API{Described: true, Title: "Uniform", Requests: []*request.Request{
			{Method: "GET", Path: "/a", Security: bearer()}, {Method: "GET", Path: "/b", Security: bearer()},
		}}
	},
}

func describedAPI() *request.API {
	colours, _ := tree.ReadJSON(`{"type":"string","enum":["red","blue"]}`, nil)
	main := &request.Server{
		URL:       "https://{{region}}.example.com/v1",
		Variables: []*request.Variable{{Name: "region", Value: "eu", Enum: []string{"eu", "us"}, Description: "Where."}},
	}
	further := &request.Server{URL: "https://test.example.com", Description: "Test"}
	pets := &request.Folder{Name: "pets", Description: "All of them"}
	store := &request.Folder{Name: "store"}
	list := &request.Request{
		Name: "List pets", Description: "Lists.", Folder: pets, Method: "GET", Server: main, Deprecated: true,
		Path:  "/pets/{id}/photos/{photo}.json/{a}-{b}/%3Ax/:y",
		Query: []*request.Parameter{parameterOf("q", "a%20b%26c"), optional("limit", "10", "How many"), {Name: "flag", Bare: true}},
		PathParameters: []*request.Parameter{
			{Name: "id", Value: "42", Description: "Which one"}, parameterOf("photo", "7"), parameterOf("a", "1"), parameterOf("b", ""),
		},
		Headers: []*request.Parameter{parameterOf("X-One", "1"), {Name: "X-Colour", Optional: true, Schema: colours.Root}},
		Cookies: []*request.Parameter{parameterOf("session", "s"), optional("theme", "dark", "Look")},
		Responses: []*request.Response{
			{Status: "200", Description: "The pets.\nAll.", Headers: []*request.Parameter{optional("X-Next", "2", "")}, Bodies: []*request.Body{
				{MediaType: "application/json", Text: "[]", Examples: []*request.Example{{Name: "none", Text: "[]"}, {Name: "two", Text: "[1,2]"}}},
				{MediaType: "application/xml", Text: "<pets/>"},
			}},
			{Status: "4XX", Description: "Your fault"},
			{Status: "default", Bodies: []*request.Body{{MediaType: "text/plain", Text: "no"}}},
		},
	}
	add := &request.Request{
		ID: "addPet", Folder: pets, Method: "POST", Server: main, Path: "/pets",
		Bodies: []*request.Body{
			{MediaType: "application/json", Text: `{"name":"a"}`, Examples: []*request.Example{{Name: "cat", Text: `{"name":"cat"}`}}},
			{MediaType: "application/xml", Text: "<pet/>"},
		},
	}
	return &request.API{
		Described: true, Title: "Pets", Version: "1.2.0", Description: "About pets.",
		Servers:   []*request.Server{main, further},
		Variables: []*request.Variable{{Name: "token", Secret: true}},
		Folders:   []*request.Folder{pets, store},
		Security:  request.Require(&request.Auth{Kind: request.Bearer, Token: "{{token}}"}),
		Requests: []*request.Request{list, add, {
			Method: "GET", Server: main, Security: &request.Security{},
			Responses: []*request.Response{{Status: "default", Description: "Response"}}, // nothing to save
		}},
	}
}

func commands() *request.API {
	one, two := &request.Server{URL: "https://api.example.com:8443"}, &request.Server{URL: "{{HOST}}"}
	file := func(name string, files ...string) *request.Field {
		return &request.Field{Parameter: *parameterOf(name, ""), IsFile: true, Files: files}
	}
	return &request.API{
		Servers:   []*request.Server{one, two},
		Variables: []*request.Variable{{Name: "HOST"}},
		Requests: []*request.Request{
			{Method: "GET", Server: one, Path: "/a", Query: []*request.Parameter{parameterOf("q", "1%2B1%252+x")}, Fragment: "top",
				Security: request.Require(&request.Auth{Kind: request.Basic, Username: "u", Password: "p"}),
				Transport: []request.Option{{Name: "location", Bare: true}, {Name: "insecure", Bare: true}, {Name: "max-redirs", Value: "3"},
					{Name: "proxy", Value: "http://proxy.test:3128"}, {Name: "cert", Value: "c.pem"}, {Name: "max-time", Value: "5"}}},
			{Method: "GET", Server: two, Path: "/search", Bodies: []*request.Body{{MediaType: "application/json", Text: "{}"}}},
			{Method: "POST", Server: two, Path: "", Security: request.Require(&request.Auth{Kind: request.OtherScheme, Key: "Token", Token: "abc"}),
				Bodies: []*request.Body{{Kind: request.URLEncoded, MediaType: request.FormType, Fields: []*request.Field{{Parameter: *parameterOf("a b", "c&d")}}}}},
			{Method: "POST", Server: two, Path: "/", Bodies: []*request.Body{{Kind: request.Multipart, MediaType: request.MultipartType, Fields: []*request.Field{
				{Parameter: *parameterOf("a", "1"), ContentType: "text/csv"}, file("f", "/tmp/f"), file("g", "x", "y"), file("h"),
			}}}},
			{Method: "PUT", Server: two, Path: "/f", Bodies: []*request.Body{{Kind: request.File, MediaType: "image/png", Path: "f.png"}}},
			{Method: "POST", Server: two, Path: "/g", Bodies: []*request.Body{{Kind: request.GraphQL, Query: "{ a }", GraphQLVariables: "{}"}}},
		},
	}
}

func securedAPI() *request.API {
	server := &request.Server{URL: "https://x.test"}
	folder := &request.Folder{Name: "F", Security: request.Require(&request.Auth{Kind: request.Digest, Username: "u", Password: "p"})}
	cookie := &request.Auth{Kind: request.APIKey, In: request.InCookie, Key: "sid", Token: "{{sid}}"}
	key := &request.Auth{Kind: request.APIKey, In: request.InHeader, Key: "X-Key"}
	bearer := &request.Auth{Kind: request.Bearer, Token: "t"}
	flows := &request.Auth{Kind: request.OAuth2, In: request.InHeader, Scopes: []string{"read", "write"}, Flows: []request.Flow{
		{Grant: request.AuthorizationCode, AuthorizeURL: "https://x.test/a", TokenURL: "https://x.test/t"}, {Grant: request.Implicit},
	}}
	get := func(name string, s *request.Security) *request.Request {
		return &request.Request{Name: name, Method: "GET", Server: server, Path: "/", Security: s}
	}
	inFolder := get("of the folder", nil)
	inFolder.Folder = folder
	return &request.API{
		Described: true, Title: "Secured", Servers: []*request.Server{server}, Folders: []*request.Folder{folder},
		Requests: []*request.Request{
			inFolder,
			get("nothing said", nil), get("none", &request.Security{}),
			get("cookie", request.Require(cookie)), get("key and bearer", request.Require(key, bearer)),
			get("two", request.Require(bearer, &request.Auth{Kind: request.Basic})), get("certificate", request.Require(&request.Auth{Kind: request.MutualTLS})),
			get("alternatives", &request.Security{Alternatives: [][]*request.Auth{{bearer}, {key}}}),
			get("flows", request.Require(flows)), get("openid", request.Require(&request.Auth{Kind: request.OpenIDConnect, URL: "https://x.test/o"})),
			get("aws", request.Require(&request.Auth{Kind: request.AWSSignature4, Settings: []request.Option{{Name: "region", Value: "eu"}}})),
		},
	}
}

// TestUsed lists the variables that the strings of a collection, and those of a source's requests, refer to.
func TestUsed(t *testing.T) {
	root := documenttest.Parse(t, `{"info": {"name": "{{a}}"}, "item": [{"event": ["{{b}}"], "request": {"url": {"path": [":c", "{{d}}"]}, "description": "{{e}}"}}],
		"variable": [{"key": "f", "value": "{{g}}"}]}`)
	for written, want := range map[bool]map[string]bool{
		false: {"d": true, "g": true},
		true:  {"a": true, "b": true, "c": true, "d": true, "e": true, "g": true},
	} {
		if diff := cmp.Diff(want, postman.Used(root, written, nil)); diff != "" {
			t.Error(diff)
		}
	}
}
