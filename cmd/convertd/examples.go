package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/internal/contract"
)

// examples are two or more calls of each command, for its help and its page of
// the manual. Those that begin with printf or end in a file of theirs are run
// by a test.
var examples = map[string][]string{
	"serve":      {"convertd serve --listen 127.0.0.1:9000", "CONVERTD_RATE_LIMIT=600 convertd serve --base-url https://convert.example.com --listen :8080"},
	"mcp":        {"claude mcp add convertd -- convertd mcp", `printf '{"jsonrpc":"2.0","id":1,"method":"ping"}' | convertd mcp`},
	"run":        {"convertd run json_format package.json", "convertd run json_format --in-place *.json", "convertd run timestamp_to_iso --unit seconds --lines <times.txt"},
	"pipeline":   {`printf '{"b": [1.50, {}]}' | convertd pipeline json_format,indent:0 json_to_yaml,indent:4`, "convertd pipeline 'https://convert.example.com/editor#r=1&s=jwt_decode&s=json_to_yaml' token.jwt"},
	"tools":      {"convertd tools", "convertd tools --json"},
	"openapi":    {"convertd openapi", "convertd openapi --json"},
	"verify":     {"convertd verify https://convert.example.com", "convertd verify --junit contract.xml --proxied --header X-Api-Key:KEY https://convert.example.com"},
	"completion": {"source <(convertd completion bash)", "convertd completion zsh >~/.zfunc/_convertd"},
	"man":        {"convertd man /usr/local/share/man/man1", "convertd man . && man ./convertd.1"},
	"help":       {"convertd help", "convertd help run json_format"},
	"version":    {"convertd version", "convertd --version"},

	"run jwt_decode": {"convertd run jwt_decode <token.jwt", "convertd run jwt_decode --lines -q tokens.txt >claims.jsonl"},
	"run json_format": {`printf '{"price":1.50}' | convertd run json_format`, `printf '[1]\n[ 2 ]\n' | convertd run json_format --lines`,
		"convertd run json_format --indent 4 --in-place *.json"},
	"run json_to_yaml":     {`printf '{"answer":"no"}' | convertd run json_to_yaml`, "convertd run json_to_yaml --out-dir yaml *.json"},
	"run timestamp_to_iso": {"printf 1700000000 | convertd run timestamp_to_iso --unit seconds", `printf '2024-02-29T12:00:00+02:00' | convertd run timestamp_to_iso`},
	"run api_convert": {"convertd run api_convert --target curl openapi.yaml", "pbpaste | convertd run api_convert --target openapi-3.1-yaml",
		"convertd run api_convert --target postman-2.1 --ids stable --out-dir collections apis/*.yaml"},
}

// describe gives each command its help: what its tool does by the description,
// what it says itself, and its examples.
func describe(command *cobra.Command, c *contract.Contract) {
	for _, child := range command.Commands() {
		if tool := c.Tool(child.Name()); tool != nil {
			child.Long = strings.TrimSpace(forTerminal(tool.Description))
		}
		if list := examples[pathOf(child)]; len(list) > 0 {
			child.Long = strings.TrimSpace(child.Long + "\n\nExamples:\n\n  " + strings.Join(list, "\n  "))
		}
		describe(child, c)
	}
}

// pathOf is a command's words behind the program's name.
func pathOf(command *cobra.Command) string {
	_, path, _ := strings.Cut(command.CommandPath(), " ")
	return path
}
