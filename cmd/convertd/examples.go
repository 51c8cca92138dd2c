package main

import (
	"strings"

	"github.com/spf13/cobra"
)

// examples are examples of the commands, for their help and man pages. A test runs those that begin with printf. A tool
// without an entry gets a generated example.
var examples = map[string][]string{
	"":           {"convertd run json_format package.json", "convertd run api_convert --target openapi-3.1-yaml collection.json", "convertd serve"},
	"serve":      {"convertd serve --listen 127.0.0.1:9000", "CONVERTD_RATE_LIMIT=600 convertd serve --base-url https://convert.example.com --listen :8080"},
	"mcp":        {"claude mcp add convertd -- convertd mcp", `printf '{"jsonrpc":"2.0","id":1,"method":"ping"}' | convertd mcp`},
	"run":        {"convertd run json_format package.json", "convertd run json_format --in-place *.json", "convertd run timestamp_to_iso --unit seconds --lines <times.txt"},
	"pipeline":   {`printf '{"b": [1.50, {}]}' | convertd pipeline json_format,indent:0 json_to_yaml,indent:4`, "convertd pipeline 'https://convert.example.com/editor#r=1&s=jwt_decode&s=json_to_yaml' token.jwt"},
	"tools":      {"convertd tools", "convertd tools json_format"},
	"openapi":    {"convertd openapi", "convertd openapi --json"},
	"verify":     {"convertd verify https://convert.example.com", "convertd verify --junit contract.xml --proxied --header X-Api-Key:KEY https://convert.example.com"},
	"completion": {"source <(convertd completion bash)", "convertd completion zsh >~/.zfunc/_convertd", "convertd completion powershell | Out-String | Invoke-Expression"},
	"man":        {"convertd man /usr/local/share/man/man1", "convertd man . && man ./convertd.1"},
	"help":       {"convertd help", "convertd help run json_format"},
	"version":    {"convertd version", "convertd --version"},

	"run jwt_decode": {"convertd run jwt_decode <token.jwt", "convertd run jwt_decode --lines -q tokens.txt >claims.jsonl"},
	"run json_format": {`printf '{"price":1.50}' | convertd run json_format --indent 0`, `printf '[1]\n[ 2 ]\n' | convertd run json_format --lines`,
		"convertd run json_format --indent 4 --in-place *.json"},
	"run json_to_yaml":     {`printf '{"answer":"no"}' | convertd run json_to_yaml --indent 4`, "convertd run json_to_yaml --out-dir yaml *.json"},
	"run timestamp_to_iso": {"printf 1700000000 | convertd run timestamp_to_iso --unit seconds", `printf '2024-02-29T12:00:00+02:00' | convertd run timestamp_to_iso`},
	"run api_convert": {"convertd run api_convert --target curl openapi.yaml", "pbpaste | convertd run api_convert --target openapi-3.1-yaml",
		"convertd run api_convert --target postman-2.1 --ids stable --out-dir collections apis/*.yaml"},
}

func (p *commandLine) examplesOf(command *cobra.Command) []string {
	_, path, _ := strings.Cut(command.CommandPath(), " ")
	if list := examples[path]; list != nil {
		return list
	}
	tool := p.contract.Tool(command.Name())
	if tool == nil {
		return nil
	}
	call := command.CommandPath()
	for _, o := range tool.Options {
		if o.Required {
			call += " --" + o.Name + " " + optionValues(o)[0]
		}
	}
	return []string{call + " input.txt", call + " --out-dir out *.txt"}
}
