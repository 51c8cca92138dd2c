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
	{"a variable of variables", `$v`, part{"w=" + strings.Repeat("a", 500) + "\nv=", `$w`, "\n"}},
	{"variables that double", `$v`, part{"v=ab\n", "v=$v$v\n", ``}},
	{"many variables that double", `$v20`, part{"v0=ab\n", "v{m}=$v{n}$v{n}\n", ``}},
	{"a default of a variable", `${u:-$v}`, part{`v='`, longText, "'\n"}},
	{"a substitution", `$(v)`, part{`v() { echo '`, longText, "'; }\n"}},
	{"a function", `a`, part{"curl() { command curl ", `-H 'a{n}: b' `, "\"$@\"; }\n"}},
	{"an alias", `a`, part{"alias curl='curl ", `-H a{n}:b `, "'\n"}},
	{"an array", `"${v[@]}"`, part{"v=(", `-H a{n}:b `, ")\n"}},
}

// shellReferrers are commands that contain {use}.
var shellReferrers = []struct {
	name string
	part
}{
	{"hosts", part{``, "curl http://{use}/{n}\n", ``}},
	{"one path: queries", part{``, "curl \"http://a/?a{n}={use}\"\n", ``}},
	{"one path: bodies", part{``, "curl http://a --json \"{\\\"a{n}\\\":\\\"{use}\\\"}\"\n", ``}},
	{"one path: headers", part{``, "curl http://a -H \"A{n}: {use}\"\n", ``}},
	{"headers", part{``, "curl http://a/{n} -H \"A: {use}\"\n", ``}},
	{"cookies", part{``, "curl http://a/{n} -b \"a={use}\"\n", ``}},
	{"data as a query", part{``, "curl -G http://a/{n} -d \"{use}\"\n", ``}},
	{"pipes", part{``, "echo \"{use}\" | curl http://a/{n} -d @-\n", ``}},
	{"one command: headers", part{`curl http://a `, "-H \"A{n}: {use}\" ", "\n"}},
	{"one command: URLs", part{`curl `, "http://a/{n}/{use} ", "\n"}},
	{"one word", part{`curl http://a -d "`, "{use}", "\"\n"}},
	{"loops", part{``, "for i in 1 2 3; do curl http://a/{n}/$i/{use}; done\n", ``}},
}

// commandShares are options of one command. commandReferrers are their uses in the same command.
var commandShares = []struct {
	name string
	part
}{
	{"headers of a command", part{``, `-H a{n}:b `, ``}},
	{"data of a command", part{``, `-d a{n}=b `, ``}},
	{"JSON of a command", part{`--json '[`, `{n},`, `]' `}},
	{"form fields", part{``, `-F a{n}=b `, ``}},
	{"cookies", part{`-b '`, `a{n}=b;`, `' `}},
	{"queries", part{``, `--url-query a{n}=b `, ``}},
}

var commandReferrers = []struct {
	name string
	part
}{
	{"URLs", part{``, `http://a/{n} `, "\n"}},
	{"URLs of one path", part{``, `http://a?{n} `, "\n"}},
	{"a range", part{``, `http://a/{n}/[1-99999] `, "\n"}},
	{"braces of braces", part{``, `http://a/{n}/{a,b}{c,d}{e,f}{g,h} `, "\n"}},
	{"next", part{`http://a `, `--next http://a/{n} `, "\n"}},
}

// commands are scripts that expand by themselves.
var commands = []struct {
	name string
	part
}{
	{"a path for each body", part{``, "curl http://a/b{n} --json '[{n}]'\n", ``}},
	{"members of one path", part{``, "curl http://a/b --json '{\"a{n}\":{n}}'\n", ``}},
	{"nested members of one path", part{``, "curl http://a/b --json '{\"a\":{\"b{n}\":{\"c{n}\":[{n}]}}}'\n", ``}},
	{"paths of variables", part{``, "curl http://a/$a/$b/$c/$d/$e/{n}\n", ``}},
	{"paths of many variables", part{``, "curl http://a/$a{n}/$b{n}/{n}\n", ``}},
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
