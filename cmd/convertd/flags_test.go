package main

import (
	"strings"
	"testing"
)

// TestWords: what is wrong with the arguments is said so that it can be mended.
// Rule: CLI-2.
func TestWords(t *testing.T) {
	for arguments, want := range map[string]string{
		"":                                    "which command?\nconvertd takes one of serve, mcp, run, ",
		"sevre":                               "unexpected argument sevre, did you mean serve?",
		"nonsense --x":                        "unexpected argument nonsense\nconvertd takes one of serve, ",
		"nonsense --help":                     "unexpected argument nonsense",
		"run":                                 "which command?\nconvertd run takes one of jwt_decode, ",
		"run --quiet":                         "which command?",
		"run json_fromat":                     "unexpected argument json_fromat, did you mean json_format?",
		"run nonsense --help":                 "unexpected argument nonsense",
		"run json_format --indnt 2":           "unknown flag --indnt, did you mean --indent?\nTry convertd run json_format --help.",
		"run json_format -z":                  "unknown flag -z",
		"run json_format --json=maybe":        "--json: must be true, yes, 1, false, no or 0, not \"maybe\"",
		"run json_format --color=blue":        "--color: must be one of auto, always, never, not \"blue\"",
		"run json_format --max-input=2x":      "--max-input: must be a size such as ",
		"run json_format --base-url=ftp://h":  "--base-url: must begin with http:// or https://",
		"pipeline json_format --base-url=bad": "--base-url: is not an address such as",
		"mcp --base-url=ftp://h":              "--base-url: must begin with http:// or https://",
		"mcp --provider=\xe9":                 "--provider: must be UTF-8",
		"run api_convert":                     "--target is missing",
		"serve --admin-listen=9090":           "--admin-listen: must be ADDRESS:PORT, such as 127.0.0.1:9090",
		"serve --admin-listen=:metrics":       "--admin-listen: the port must be a number from 0 to 65535",
		"serve extra":                         "unexpected argument extra",
		"serve --drain 5":                     "--drain: must be a duration such as 250ms, 10s or 5m, not \"5\"",
		"serve --log-level loud":              "--log-level: must be debug, info, warn or error, not \"loud\"",
		"completion":                          "SHELL is missing",
		"completion tcsh":                     "SHELL must be one of bash, zsh, fish, not \"tcsh\"",
		"verify":                              "URL is missing",
		"verify http://":                      "URL: must be an address such as https://convert.example.com",
		"verify https://a.example?key=hidden": "URL: must have no query or fragment\n",
		"verify http://a.example:65536":       "URL: must be an address such as",
		"verify http://a --base-url=http:///": "--base-url: must be an address such as",
		"run json_format --server=http://h/#": "--server: must have no query or fragment\n",
		"run json_format --server=http://h?q": "--server: must have no query or fragment\n",
		"run json_format --server=http://h:x": "--server: must be an address such as",
		"verify http://a.example http://b.ex": "unexpected argument http://b.ex",
	} {
		if got := command("", strings.Fields(arguments)...); got.code != exitBadUsage || got.out != "" || !strings.Contains(got.err, want) {
			t.Errorf("%q: %+v\nwant %q", arguments, got, want)
		}
	}
	for _, arguments := range []string{"--version", "run --version", "run json_format --version", "serve --version"} {
		if got := command("", strings.Fields(arguments)...); got != (result{out: version + "\n"}) {
			t.Errorf("%q: %+v", arguments, got)
		}
	}
}

// TestEnvironment: a flag is set by the environment where it is not given, and
// what the environment sets wrong is named.
func TestEnvironment(t *testing.T) {
	t.Setenv("CONVERTD_SERVER", "http://127.0.0.1:1")
	t.Setenv("CONVERTD_INDENT", "4") // which no flag reads
	if got := command("[]", "run", "json_format"); got.code != exitUnavailable {
		t.Errorf("CONVERTD_SERVER is not read: %+v", got)
	}
	if got := command("[]", "run", "json_format", "--server="); got != (result{out: "[]\n"}) {
		t.Errorf("the flag does not come first: %+v", got)
	}
	for variable, want := range map[string]string{
		"CONVERTD_RATE_LIMIT": `--rate-limit, from the variable CONVERTD_RATE_LIMIT: must be a whole number, not "maybe"`,
		"CONVERTD_TRACES":     `--traces, from the variable CONVERTD_TRACES: must be true, `,
		"CONVERTD_LOG_FORMAT": `--log-format, from the variable CONVERTD_LOG_FORMAT: must be one of json, text, not "maybe"`,
	} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, "maybe")
			if got := command("", "serve", "--listen=nowhere"); got.code != exitBadUsage || !strings.Contains(got.err, want) {
				t.Errorf("%+v", got)
			}
		})
	}
	t.Run("a word", func(t *testing.T) {
		t.Setenv("CONVERTD_TRACES", "yes")
		if got := command("", "serve", "--listen=nowhere"); got.code != exitBadUsage || !strings.Contains(got.err, "--listen") {
			t.Errorf("%+v", got)
		}
	})
}

// TestLists: a list grows with each time that it is given, and by commas; a
// header has its commas.
func TestLists(t *testing.T) {
	var hosts, headers []string
	f := flags{newVersion(&commandLine{}).Flags()}
	f.list(&hosts, "host", "HOST", "")
	f.each(&headers, "header", "NAME:VALUE", "")
	if err := f.Parse([]string{"--host=a,b", "--host", "c", "--header=x:1,2", "--header", "y:3"}); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(hosts, " ") + " | " + strings.Join(headers, " "); got != "a b c | x:1,2 y:3" {
		t.Error(got)
	}
}
