package multiply

import "strings"

// shellShares are what the commands of a shell script share: the lines before
// them, and {use}, by which they refer to it.
var shellShares = []struct {
	name, use string
	part
}{
	{"a variable", `$v`, part{`v='`, longText, "'\n"}},
	{"a variable of slashes", `$v`, part{`v=`, `/a`, "\n"}},
	{"a variable of parameters", `$v`, part{`v='`, `a{n}=b&`, "'\n"}},
	{"a variable of JSON", `$v`, part{`v='[`, `{},`, "]'\n"}},
	{"a variable of options", `$v`, part{`v='`, `-H a{n}:b `, "'\n"}},
	{"a variable of quotes", `$v`, part{`v="`, `\"'`, "\"\n"}},
	{"a variable of braces", `$v`, part{`v='`, `{a,b}`, "'\n"}},
	{"a variable of variables", `$v`, part{"w=" + strings.Repeat("a", 500) + "\nv=", `$w`, "\n"}},
	{"variables", `$v0$v1`, part{``, "v{n}=a\n", ``}},
	{"variables in a row", `$v0`, part{``, "v{m}=$v{n}\n", ``}},
	{"variables that double", `$v`, part{"v=ab\n", "v=$v$v\n", ``}},
	{"many variables that double", `$v20`, part{"v0=ab\n", "v{m}=$v{n}$v{n}\n", ``}},
	{"a default of a variable", `${u:-$v}`, part{`v='`, longText, "'\n"}},
	{"an unknown variable", `$u$w${x}`, part{`# `, longText, "\n"}},
	{"a substitution", `$(v)`, part{`v() { echo '`, longText, "'; }\n"}},
	{"a secret variable", `$token`, part{`token='`, `s3cr3tV`, "'\n"}},
	{"a function", `a`, part{"curl() { command curl ", `-H 'a{n}: b' `, "\"$@\"; }\n"}},
	{"an alias", `a`, part{"alias curl='curl ", `-H a{n}:b `, "'\n"}},
	{"a comment", `a`, part{``, "# comment\n", ``}},
	{"a here-document", `a`, part{"curl http://a -d @- <<E\n", "text $v0 line\n", "E\n"}},
	{"an array", `"${v[@]}"`, part{"v=(", `-H a{n}:b `, ")\n"}},
}

// shellReferrers are commands that contain {use}.
var shellReferrers = []struct {
	name string
	part
}{
	{"URLs", part{``, "curl http://a/{n}/{use}\n", ``}},
	{"quoted URLs", part{``, "curl \"http://a/{n}/{use}\"\n", ``}},
	{"hosts", part{``, "curl http://{use}/{n}\n", ``}},
	{"one path: queries", part{``, "curl \"http://a/?a{n}={use}\"\n", ``}},
	{"one path: bodies", part{``, "curl http://a --json \"{\\\"a{n}\\\":\\\"{use}\\\"}\"\n", ``}},
	{"one path: data", part{``, "curl http://a -d \"a{n}={use}\"\n", ``}},
	{"one path: headers", part{``, "curl http://a -H \"A{n}: {use}\"\n", ``}},
	{"one path: forms", part{``, "curl http://a -F \"a{n}={use}\"\n", ``}},
	{"headers", part{``, "curl http://a/{n} -H \"A: {use}\"\n", ``}},
	{"cookies", part{``, "curl http://a/{n} -b \"a={use}\"\n", ``}},
	{"users", part{``, "curl http://a/{n} -u \"u:{use}\"\n", ``}},
	{"data", part{``, "curl http://a/{n} -d \"{use}\"\n", ``}},
	{"data as a query", part{``, "curl -G http://a/{n} -d \"{use}\"\n", ``}},
	{"encoded data", part{``, "curl http://a/{n} --data-urlencode \"a={use}\"\n", ``}},
	{"JSON", part{``, "curl http://a/{n} --json \"[\\\"{use}\\\"]\"\n", ``}},
	{"pipes", part{``, "echo \"{use}\" | curl http://a/{n} -d @-\n", ``}},
	{"here-strings", part{``, "curl http://a/{n} -d @- <<< \"{use}\"\n", ``}},
	{"here-documents", part{``, "curl http://a/{n} -d @- <<E\n{use}\nE\n", ``}},
	{"one command: headers", part{`curl http://a `, "-H \"A{n}: {use}\" ", "\n"}},
	{"one command: data", part{`curl http://a `, "-d \"{use}\" ", "\n"}},
	{"one command: URLs", part{`curl `, "http://a/{n}/{use} ", "\n"}},
	{"one command: next", part{`curl http://a `, "--next http://a/{n} -d \"{use}\" ", "\n"}},
	{"one word", part{`curl http://a -d "`, "{use}", "\"\n"}},
	{"one URL", part{`curl http://a/`, "{use}", "\n"}},
	{"loops", part{``, "for i in 1 2 3; do curl http://a/{n}/$i/{use}; done\n", ``}},
	{"assignments", part{``, "w{n}=a{use}; curl http://a/$w{n}\n", ``}},
}

// commandShares are options of one command. commandReferrers are their uses in the same command.
var commandShares = []struct {
	name string
	part
}{
	{"headers of a command", part{``, `-H a{n}:b `, ``}},
	{"one header of a command", part{`-H 'a: `, longText, `' `}},
	{"data of a command", part{``, `-d a{n}=b `, ``}},
	{"JSON of a command", part{`--json '[`, `{n},`, `]' `}},
	{"data of a query", part{`-G `, `-d a{n}=b `, ``}},
	{"form fields", part{``, `-F a{n}=b `, ``}},
	{"cookies", part{`-b '`, `a{n}=b;`, `' `}},
	{"files", part{``, `-d @f{n} `, ``}},
	{"unknown options", part{``, `--unknown-{n} `, ``}},
	{"options without a meaning", part{``, `--compressed `, ``}},
	{"queries", part{``, `--url-query a{n}=b `, ``}},
}

var commandReferrers = []struct {
	name string
	part
}{
	{"URLs", part{``, `http://a/{n} `, "\n"}},
	{"URLs of one path", part{``, `http://a?{n} `, "\n"}},
	{"options for URLs", part{``, `--url a/{n} `, "\n"}},
	{"a range", part{``, `http://a/{n}/[1-99999] `, "\n"}},
	{"ranges of ranges", part{``, `http://a/{n}/[1-9][1-9][1-9] `, "\n"}},
	{"braces", part{`http://a/{`, `{n},`, "}\n"}},
	{"braces of braces", part{``, `http://a/{n}/{a,b}{c,d}{e,f}{g,h} `, "\n"}},
	{"next", part{`http://a `, `--next http://a/{n} `, "\n"}},
	{"outputs", part{``, `http://a/{n} -o f{n} `, "\n"}},
}

// commands are scripts that expand by themselves.
var commands = []struct {
	name string
	part
}{
	{"a path for each body", part{``, "curl http://a/b{n} --json '[{n}]'\n", ``}},
	{"bodies of one path", part{``, "curl http://a/b --json '[{n}]'\n", ``}},
	{"members of one path", part{``, "curl http://a/b --json '{\"a{n}\":{n}}'\n", ``}},
	{"nested members of one path", part{``, "curl http://a/b --json '{\"a\":{\"b{n}\":{\"c{n}\":[{n}]}}}'\n", ``}},
	{"paths of variables", part{``, "curl http://a/$a/$b/$c/$d/$e/{n}\n", ``}},
	{"paths of many variables", part{``, "curl http://a/$a{n}/$b{n}/{n}\n", ``}},
	{"one path of variables", part{`curl http://a`, "/$a{n}", "\n"}},
	{"hosts", part{``, "curl http://a{n}\n", ``}},
	{"hosts of variables", part{``, "curl http://$a{n}/\n", ``}},
	{"backslashes", part{`curl http://a -d '`, `\`, "'\n"}},
	{"backslashes in double quotes", part{`curl http://a -d "`, `\\`, "\"\n"}},
	{"backslashes before backquotes", part{"curl http://a -d `echo ", `\\`, "`\n"}},
	{"quotes", part{`curl http://a -d "`, `'`, "\"\n"}},
	{"quotes in JSON", part{`curl http://a --json '["`, `\"`, "\"]'\n"}},
	{"control characters", part{`curl http://a -d $'`, `\001`, "'\n"}},
	{"continuations", part{`curl http://a`, " \\\n -H a{n}:b", "\n"}},
	{"users of one path", part{``, "curl http://a/b -u u{n}:p{n}\n", ``}},
	{"methods of one path", part{``, "curl http://a/b -X M{n}\n", ``}},
	{"media types of one path", part{``, "curl http://a/b -d a -H 'Content-Type: a/t{n}'\n", ``}},
	{"comments", part{``, "# comment {n}\ncurl http://a/{n}\n", ``}},
	{"comments of one path", part{``, "# comment {n}\ncurl http://a\n", ``}},
	{"pipes", part{``, "curl http://a/{n} | jq .a\n", ``}},
	{"brackets in JSON", part{`curl http://a --json '`, `[`, "'\n"}},
	{"a list in JSON", part{`curl http://a --json '[`, `1,`, "]'\n"}},
	{"objects in JSON", part{`curl http://a --json '[`, `{"a{n}":1},`, "]'\n"}},
	{"XML", part{`curl http://a -H 'Content-Type: text/xml' -d '`, `<a>`, "'\n"}},
	{"a query", part{`curl 'http://a/?`, `a{n}=b&`, "'\n"}},
	{"a query of one name", part{`curl 'http://a/?`, `a=b&`, "'\n"}},
	{"a form", part{`curl http://a -d '`, `a{n}=b&`, "'\n"}},
	{"a path", part{`curl http://a`, `/a`, "\n"}},
	{"a path of parameters", part{`curl 'http://a`, `/{a{n}}`, "'\n"}},
	{"percent signs", part{`curl 'http://a/`, `%`, "'\n"}},
	{"short options", part{`curl http://a -`, `s`, "\n"}},
	{"numbers", part{``, "curl http://a/{n}\n", ``}},
	{"long options", part{``, "curl --request POST --url http://a/{n} --header a:b --data-raw c\n", ``}},
	{"substitutions", part{``, "curl http://a/$(curl http://b/{n})\n", ``}},
	{"cmd", part{``, "curl \"http://a/{n}\" ^\n  -H \"a: b\"\n", ``}},
	{"functions", part{``, "f{n}() { curl http://a/{n} \"$@\"; }; f{n} -H a:b\n", ``}},
	{"functions of functions", part{"f0() { curl http://a; }\n", "f{m}() { f{n}; f{n}; }\n", "f20\n"}},
}

const shellType = "text/plain"

func shell() []Document {
	var all []Document
	for _, s := range shellShares {
		for _, r := range shellReferrers {
			all = append(all, Document{"shell", s.name, r.name, shellType, func(shared, refers int) string {
				return s.text(shared) + part{strings.ReplaceAll(r.head, "{use}", s.use), strings.ReplaceAll(r.piece, "{use}", s.use), r.tail}.text(refers)
			}})
		}
	}
	for _, s := range commandShares {
		for _, r := range commandReferrers {
			all = append(all, Document{"shell", s.name, "one command: " + r.name, shellType, func(shared, refers int) string {
				return "curl " + s.text(shared) + r.text(refers)
			}})
		}
	}
	for _, c := range commands {
		all = append(all, Document{"shell", c.name, "itself", shellType, func(shared, refers int) string { return c.text(shared + refers) }})
	}
	return all
}
