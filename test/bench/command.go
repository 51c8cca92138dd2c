package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// commandLine compares whole processes: convertd run and the tools that people use for the same task today.
func commandLine(run harness) []row {
	var rows []row
	for _, c := range commands(run) {
		wall, _ := compared(c.times*run.rounds, map[string][]string{"ours": append([]string{run.binary, "run"}, c.ours...), "other": c.other})
		rows = append(rows, atMost(fmt.Sprintf("convertd run %s, %s (%s ms) : %s", c.ours[0], c.size, digits(1000*wall["ours"]), c.title), wall["ours"]/wall["other"], 0))
	}
	return rows
}

// command is one of our commands and another program's.
type command struct {
	size, title string
	ours, other []string // ours without the common arguments
	times       int      // per round
}

func commands(run harness) []command {
	files := map[string]string{
		"500KB.json": anyJSON(500_000), "tiny.json": tiny, "900KB.json": anyJSON(900_000),
		"api.json": description(900_000), "small-api.json": description(7_000), "curl.txt": curlCommand,
	}
	path := map[string]string{}
	for name, text := range files {
		path[name] = filepath.Join(run.folder, name)
		ok(os.WriteFile(path[name], []byte(text), 0o644))
	}
	here := must(os.Getwd())
	yq := filepath.Join(here, "test/bench/bin/yq")
	modules := filepath.Join(here, "test/bench/yardsticks/node_modules")
	curl := []string{"sh", "-c", `exec node "$0" --language har - <"$1"`, filepath.Join(modules, "curlconverter/dist/src/cli.js"), path["curl.txt"]}
	collection := func(file string) []string {
		return []string{"node", filepath.Join(modules, "openapi-to-postmanv2/bin/openapi2postmanv2.js"), "-s", path[file], "-o", filepath.Join(run.folder, "collection.json")}
	}
	convert := func(file string, options ...string) []string {
		return append([]string{"api_convert", path[file], "--target", "postman-2.1"}, options...)
	}
	return []command{
		{"500 KB", "python3 -m json.tool", []string{"json_format", path["500KB.json"]}, []string{"python3", "-m", "json.tool", path["500KB.json"]}, 3},
		{"tiny", "yq -p json -o yaml", []string{"json_to_yaml", path["tiny.json"]}, []string{yq, "-p", "json", "-o", "yaml", path["tiny.json"]}, 3},
		{"900 KB", "yq -p json -o yaml", []string{"json_to_yaml", path["900KB.json"]}, []string{yq, "-p", "json", "-o", "yaml", path["900KB.json"]}, 1},
		{"cURL → Postman", "curlconverter (HAR)", convert("curl.txt", "--media-type", "text/plain"), curl, 1},
		{"OpenAPI → Postman 7 KB", "openapi-to-postmanv2", convert("small-api.json"), collection("small-api.json"), 1},
		{"OpenAPI → Postman 900 KB", "openapi-to-postmanv2", convert("api.json"), collection("api.json"), 1},
	}
}
