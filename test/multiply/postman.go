package multiply

import "strings"

// collectionShares are members of a collection that its items share.
var collectionShares = []share{
	{"a long variable", `{{v}}`, part{`"variable":[{"key":"v","value":"`, longText, `"}],`}},
	{"a variable of slashes", `{{v}}`, part{`"variable":[{"key":"v","value":"`, `/a`, `"}],`}},
	{"a variable of parameters", `{{v}}`, part{`"variable":[{"key":"v","value":"`, `a{n}=b&`, `"}],`}},
	{"a variable of JSON", `{{v}}`, part{`"variable":[{"key":"v","value":"[`, `{},`, `]"}],`}},
	{"a variable of variables", `{{v}}`, part{`"variable":[{"key":"w","value":` + someText + `},{"key":"v","value":"`, `{{w}}`, `"}],`}},
	{"variables that double", `{{v0}}`, part{`"variable":[`, `{"key":"v{n}","value":"{{v{m}}}{{v{m}}}"},`, `]` + `,`}},
	{"an auth", `a`, part{`"auth":{"type":"oauth2","oauth2":[{"key":"authUrl","value":"http://a"},{"key":"scope","value":"`, `s{n} `, `"}]},`}},
}

// collectionReferrers are items. Those that begin with "one path" are merged into one operation.
var collectionReferrers = []referrer{
	{"names", part{``, `{"name":"{use}{n}","request":"http://a/{n}"},`, ``}},
	{"hosts", part{``, `{"request":"http://{use}/{n}"},`, ``}},
	{"paths", part{``, `{"request":"http://a/{n}/{use}"},`, ``}},
	{"paths in parts", part{``, `{"request":{"url":{"host":["a"],"path":["{n}","{use}","{use}"]}}},`, ``}},
	{"queries", part{``, `{"request":"http://a/{n}?{use}={use}"},`, ``}},
	{"one path: queries", part{``, `{"request":"http://a/?a{n}={use}"},`, ``}},
	{"one URL: queries", part{`{"request":{"url":{"raw":"http://a","host":["a"],"query":[`, `{"key":"a{n}","value":"{use}"},`, `]}}}`}},
	{"path variables", part{``, `{"request":{"url":{"host":["a"],"path":["{n}",":b"],"variable":[{"key":"b","value":"{use}"}]}}},`, ``}},
	{"headers", part{``, `{"request":{"url":"http://a/{n}","header":[{"key":"A","value":"{use}"}]}},`, ``}},
	{"one path: headers", part{``, `{"request":{"url":"http://a","header":[{"key":"A{n}","value":"{use}"}]}},`, ``}},
	{"one request: headers", part{`{"request":{"url":"http://a","header":[`, `{"key":"A{n}","value":"{use}"},`, `]}}`}},
	{"cookies", part{`{"request":{"url":"http://a","header":[`, `{"key":"Cookie","value":"a{n}={use}"},`, `]}}`}},
	{"descriptions", part{``, `{"request":{"url":"http://a/{n}","description":"{use}"}},`, ``}},
	{"bodies", part{``, `{"request":{"method":"POST","url":"http://a/{n}","body":{"mode":"raw","raw":"{use}"}}},`, ``}},
	{"bodies of JSON", part{``, `{"request":{"method":"POST","url":"http://a/{n}","body":{"mode":"raw","raw":"[\"{use}\"]"}}},`, ``}},
	{"one path: bodies", part{``, `{"request":{"method":"POST","url":"http://a","body":{"mode":"raw","raw":"{\"a{n}\":\"{use}\"}"}}},`, ``}},
	{"one path: names", part{``, `{"name":"{n}{use}","request":"http://a"},`, ``}},
	{"urlencoded", part{``, `{"request":{"method":"POST","url":"http://a/{n}","body":{"mode":"urlencoded","urlencoded":[{"key":"a","value":"{use}"}]}}},`, ``}},
	{"graphql", part{``, `{"request":{"method":"POST","url":"http://a/{n}","body":{"mode":"graphql","graphql":{"query":"{use}","variables":"[\"{use}\"]"}}}},`, ``}},
	{"auths", part{``, `{"request":{"url":"http://a/{n}","auth":{"type":"basic","basic":[{"key":"username","value":"{use}"},{"key":"password","value":"p{n}"}]}}},`, ``}},
	{"variables", part{``, `{"variable":[{"key":"w{n}","value":"{use}"}],"request":"http://a/{n}/{{w{n}}}"},`, ``}},
	{"responses", part{``, `{"request":"http://a/{n}","response":[{"code":200,"body":"{use}","header":[{"key":"A","value":"{use}"}]}]},`, ``}},
	{"folders", part{``, `{"name":"f","item":[{"request":"http://a/{n}/{use}"}]},`, ``}},
	{"deep folders", part{strings.Repeat(`{"name":"f","description":"a text","item":[`, 40), `{"request":"http://a/{n}"},`, strings.Repeat(`]}`, 40)}},
	{"methods", part{``, `{"request":{"method":"M{n}","url":"http://a/{use}"}},`, ``}},
}

const (
	schema20 = `https://schema.getpostman.com/json/collection/v2.0.0/collection.json`
	schema21 = `https://schema.getpostman.com/json/collection/v2.1.0/collection.json`
)

// aliasedItems are parts of items that YAML aliases repeat in many places.
var aliasedItems = []struct {
	name  string
	share part
	refer part // items; *s is the share
}{
	{"items", part{`{"name":"f","item":[`, `{"request":"http://a/{n}"},`, `]}`}, part{``, ` *s ,`, ``}},
	{"requests", part{`{"url":"http://a/a","header":[`, `{"key":"A{n}","value":"a"},`, `]}`}, part{``, `{"request": *s },`, ``}},
	{"URLs", part{`{"raw":"http://a","query":[`, `{"key":"a{n}","value":"b"},`, `]}`}, part{``, `{"request":{"url": *s }},`, ``}},
	{"headers", part{`[`, `{"key":"A{n}","value":"a"},`, `]`}, part{``, `{"request":{"url":"http://a/{n}","header": *s }},`, ``}},
	{"bodies", part{`{"mode":"urlencoded","urlencoded":[`, `{"key":"a{n}","value":"b"},`, `]}`}, part{``, `{"request":{"method":"POST","url":"http://a/{n}","body": *s }},`, ``}},
	{"texts", part{`"`, longText, `"`}, part{``, `{"name": *s ,"description": *s ,"request":{"url":"http://a/{n}","description": *s }},`, ``}},
	{"responses", part{`[`, `{"code":200,"body":"a{n}"},`, `]`}, part{``, `{"request":"http://a/{n}","response": *s },`, ``}},
	{"auths", part{`{"type":"bearer","bearer":[`, `{"key":"k{n}","value":"b"},`, `]}`}, part{``, `{"request":{"url":"http://a/{n}","auth": *s }},`, ``}},
	{"events", part{`[`, `{"script":{"exec":["a()"]}},`, `]`}, part{``, `{"event": *s ,"request":"http://a/{n}"},`, ``}},
	{"variables", part{`[`, `{"key":"v{n}","value":"a"},`, `]`}, part{``, `{"variable": *s ,"request":"http://a/{n}"},`, ``}},
}

func postman() (all []Document) {
	frame := func(schema string) string {
		return `{"info":{"name":"a","schema":"` + schema + `"},{share}"item":[{refer}]}`
	}
	for i, s := range collectionShares {
		format, schema := "postman-2.1", schema21
		if i%2 > 0 {
			format, schema = "postman-2.0", schema20
		}
		all = append(all, pairs(format, jsonType, frame(schema), []share{s}, collectionReferrers)...)
	}
	for _, a := range aliasedItems {
		a.share.head, a.share.tail = `"x": &s `+a.share.head, a.share.tail+","
		all = append(all, pairs("postman-yaml", yamlType, "--- "+frame(schema21), []share{{a.name, "", a.share}}, []referrer{{"aliases", a.refer}})...)
	}
	return all
}
