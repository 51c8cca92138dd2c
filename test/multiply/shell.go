package multiply

import (
	"slices"
	"strings"
)

// shellShares are what the commands of a shell script share: the lines before
// them, and {use}, by which they refer to it.
var shellShares = []share{
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

// shellReferrers are commands.
var shellReferrers = []referrer{
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
var commandShares = []share{
	{"headers of a command", ``, part{``, `-H a{n}:b `, ``}},
	{"data of a command", ``, part{``, `-d a{n}=b `, ``}},
	{"JSON of a command", ``, part{`--json '[`, `{n},`, `]' `}},
	{"form fields", ``, part{``, `-F a{n}=b `, ``}},
	{"cookies", ``, part{`-b '`, `a{n}=b;`, `' `}},
	{"queries", ``, part{``, `--url-query a{n}=b `, ``}},
}

var commandReferrers = []referrer{
	{"one command: URLs", part{``, `http://a/{n} `, "\n"}},
	{"one command: URLs of one path", part{``, `http://a?{n} `, "\n"}},
	{"one command: a range", part{``, `http://a/{n}/[1-99999] `, "\n"}},
	{"one command: braces of braces", part{``, `http://a/{n}/{a,b}{c,d}{e,f}{g,h} `, "\n"}},
	{"one command: next", part{`http://a `, `--next http://a/{n} `, "\n"}},
}

// scripts expand by themselves.
var scripts = []referrer{
	{"a path for each body", part{``, "curl http://a/b{n} --json '[{n}]'\n", ``}},
	{"members of one path", part{``, "curl http://a/b --json '{\"a{n}\":{n}}'\n", ``}},
	{"nested members of one path", part{``, "curl http://a/b --json '{\"a\":{\"b{n}\":{\"c{n}\":[{n}]}}}'\n", ``}},
	{"paths of variables", part{``, "curl http://a/$a/$b/$c/$d/$e/{n}\n", ``}},
	{"paths of many variables", part{``, "curl http://a/$a{n}/$b{n}/{n}\n", ``}},
	{"functions of functions", part{"f0() { curl http://a; }\n", "f{m}() { f{n}; f{n}; }\n", "f20\n"}},
}

const shellType = "text/plain"

func shell() []Document {
	return slices.Concat(
		pairs("shell", shellType, "{share}{refer}", shellShares, shellReferrers),
		pairs("shell", shellType, "curl {share}{refer}", commandShares, commandReferrers),
		pairs("shell", shellType, "{share}{refer}", []share{{name: "itself"}}, scripts),
	)
}
