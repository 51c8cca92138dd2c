package main

import (
	"strings"
	"testing"

	"github.com/convertd/convertd/internal/check"
)

// usageErrors are wrong arguments and what the error says.
var usageErrors = map[string]string{
	"sevre":                                       "unknown command sevre; did you mean serve?\nconvertd takes one of run, ",
	"nonsense --x":                                "unknown command nonsense\nconvertd takes one of run, ",
	"nonsense --help":                             "unknown command nonsense",
	"run":                                         "a tool is missing\nconvertd run takes one of api_convert, ",
	"run --quiet":                                 "a tool is missing",
	"run json_fromat":                             "unknown tool json_fromat; did you mean json_format?",
	"run nonsense --help":                         "unknown tool nonsense",
	"run json_format --indnt 2":                   "unknown flag --indnt; did you mean --indent?\nTry convertd run json_format --help.",
	"run json_format -z":                          "unknown flag -z",
	"run json_format --json=maybe":                "--json: must be true or false, not \"maybe\"",
	"run json_format --color=blue":                "--color: must be one of auto, always, never, not \"blue\"",
	"rn":                                          "unknown command rn; did you mean run?",
	"-v":                                          "unknown flag -v; did you mean --version?",
	"run timestamp_to_iso --unit ms":              "; did you mean milliseconds?",
	"run json_format --max-input=1k":              "; did you mean 1KiB?",
	"run json_format --max-input=1KB":             "; did you mean 1KiB?",
	"pipeline json_format --indent 4":             "unknown flag --indent; a step contains its options: json_format,indent:VALUE",
	"run json_format --max-input=2x":              "--max-input: must be a size such as ",
	"run json_format --base-url=ftp://h":          "--base-url: must begin with http:// or https://",
	"pipeline json_format --base-url=bad":         "--base-url: must be a URL such as",
	"mcp --base-url=ftp://h":                      "--base-url: must begin with http:// or https://",
	"mcp --provider=\xe9":                         "--provider: must be UTF-8",
	"run api_convert":                             "--target is required; use one of ",
	"serve --admin-listen=9090":                   "--admin-listen: must be ADDRESS:PORT, such as 127.0.0.1:9090",
	"serve --admin-listen=:metrics":               "--admin-listen: the port must be a number from 0 to 65535",
	"serve extra":                                 "unexpected argument extra",
	"serve --unknown":                             "unknown flag --unknown",
	"serve --rate-limit many":                     "--rate-limit: must be a whole number",
	"serve --rate-limit -1":                       "--rate-limit",
	"serve --listen nowhere":                      "--listen",
	"serve --base-url example.com":                "--base-url",
	"serve --exec-timeout 0s":                     "--exec-timeout",
	"serve --drain=-1s":                           "--drain",
	"serve --shutdown-timeout=-1s":                "--shutdown-timeout",
	"serve --log-format xml":                      "--log-format: must be one of json, text",
	"mcp --work-slots many":                       "--work-slots: must be a whole number",
	"mcp --work-slots 0":                          "--work-slots",
	"mcp --exec-timeout 0s":                       "--exec-timeout",
	"json_format":                                 "unknown command json_format; did you mean convertd run json_format?",
	"json_fromat":                                 "unknown command json_fromat; did you mean convertd run json_format?",
	"tools json_fromat":                           ", not \"json_fromat\"; did you mean json_format?",
	"run json_format --indent=9":                  "--indent: must be a whole number from 0 to 8, not \"9\"\nTry convertd run json_format --help.",
	"run timestamp_to_iso --unit s":               "--unit: must be one of seconds, milliseconds, microseconds, nanoseconds, not \"s\"; did you mean seconds?",
	"run api_convert --target=openapi-3.1-yml":    "; did you mean openapi-3.1-yaml?",
	"run json_format --color=alway":               "--color: must be one of auto, always, never, not \"alway\"; did you mean always?",
	"run json_format --output=":                   "--output: must be the name of a file, or - for standard output",
	"run json_format --no-clobber":                "--no-clobber needs --output or --out-dir",
	"pipeline":                                    "RECIPE is missing",
	"pipeline jwt_decoe":                          "step 1: unknown tool jwt_decoe; did you mean jwt_decode?",
	"pipeline jwt_decode json_to_yml,indent:4":    "step 2: unknown tool json_to_yml; did you mean json_to_yaml?",
	"pipeline json_format,indnt:4":                "step 1: json_format has no option indnt; did you mean indent?",
	"pipeline json_format,x=4":                    "step 1: json_format has no option x; it has indent",
	"pipeline jwt_decode,x:4":                     "step 1: jwt_decode has no option x\n",
	"pipeline json_format,indent:1,indent=2":      "step 1: the option indent is repeated",
	"pipeline json_format,indent=99":              "step 1: indent must be a whole number from 0 to 8, not \"99\"",
	"pipeline timestamp_to_iso,unit:s":            "step 1: unit must be one of seconds, milliseconds, microseconds, nanoseconds, not \"s\"; did you mean seconds?",
	"pipeline json_format api_convert":            "step 2: the option target is missing; write api_convert,target:VALUE, where VALUE is one of ",
	"pipeline api_convert,target:openapi-3.1-yml": "; did you mean openapi-3.1-yaml?",
	"serve --drain 5":                             "--drain: must be a duration such as 250ms, 10s or 5m, not \"5\"",
	"serve --log-level loud":                      "--log-level: must be debug, info, warn or error, not \"loud\"",
	"completion":                                  "SHELL is missing",
	"completion tcsh":                             "SHELL must be one of bash, zsh, fish, powershell, not \"tcsh\"",
	"verify":                                      "URL is missing",
	"verify http://":                              "URL: must be a URL such as https://convert.example.com",
	"verify https://a.example?key=hidden":         "URL: must have no query or fragment\n",
	"verify http://a.example:65536":               "URL: must be a URL such as",
	"verify http://a --base-url=http:///":         "--base-url: must be a URL such as",
	"run json_format --server=http://h/#":         "--server (or CONVERTD_SERVER): must have no query or fragment\n",
	"run json_format --server=http://h?q":         "--server (or CONVERTD_SERVER): must have no query or fragment\n",
	"run json_format --server=http://h:x":         "--server (or CONVERTD_SERVER): must be a URL such as",
	"verify http://a.example http://b.ex":         "unexpected argument http://b.ex",
}

// TestUsageErrors checks that an error says what is wrong with the arguments and what is right.
// Rule: CLI-2.
func TestUsageErrors(t *testing.T) {
	for arguments, want := range usageErrors {
		if got := command("", strings.Fields(arguments)...); got.code != exitBadUsage || got.out != "" || !strings.Contains(got.err, want) {
			t.Errorf("%q: %+v\nwant %q", arguments, got, want)
		}
	}
}

// TestEnvironment checks that the environment sets flags that are not on the
// command line, and that an error names the variable.
func TestEnvironment(t *testing.T) {
	t.Setenv("CONVERTD_SERVER", "http://127.0.0.1:1")
	t.Setenv("CONVERTD_INDENT", "4") // no flag reads it
	if got := command("[]", "run", "json_format"); got.code != exitUnavailable {
		t.Errorf("CONVERTD_SERVER is not read: %+v", got)
	}
	if got := command("[]", "run", "json_format", "--server="); got != (result{out: "[]\n"}) {
		t.Errorf("the flag does not come first: %+v", got)
	}
	for variable, want := range map[string]string{
		"CONVERTD_RATE_LIMIT": `--rate-limit (environment variable CONVERTD_RATE_LIMIT): must be a whole number, not "maybe"`,
		"CONVERTD_TRACES":     `--traces (environment variable CONVERTD_TRACES): must be true or false, not "maybe"`,
		"CONVERTD_LOG_FORMAT": `--log-format (environment variable CONVERTD_LOG_FORMAT): must be one of json, text, not "maybe"`,
	} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, "maybe")
			if got := command("", "serve", "--listen=nowhere"); got.code != exitBadUsage || !strings.Contains(got.err, want) {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestLists checks that lists split at commas.
func TestLists(t *testing.T) {
	var hosts []string
	command := newVersion(&commandLine{})
	f := flags{command.Flags(), command}
	f.list(&hosts, "host", "")
	check.OK(t, f.Parse([]string{"--host=a,,b", "--host", "c"}))
	if got := strings.Join(hosts, " "); got != "a b c" {
		t.Error(got)
	}
}
