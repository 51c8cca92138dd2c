// Command tojson writes the YAML description of its first argument as
// openapi.json in the folder of its second, members in the same order. Beside
// it stands problems.json, which the program reads when there is one of those to
// tell, and beside that folder, in table, what it needs at every start, as Go.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"path/filepath"

	"github.com/goccy/go-yaml"
)

func main() {
	source, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	compact, err := yaml.YAMLToJSON(source)
	if err != nil {
		log.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, compact, "", " "); err != nil {
		log.Fatal(err)
	}
	write("openapi.json", indented.Bytes())

	var description map[string]any
	if err := json.Unmarshal(compact, &description); err != nil {
		log.Fatal(err)
	}
	components := description["components"].(map[string]any)
	codes := components["schemas"].(map[string]any)["ProblemCode"].(map[string]any)
	problems := map[string]any{}
	for _, name := range []string{"x-problems", "x-problem-examples"} {
		problems[name] = codes[name]
	}
	warnings := components["schemas"].(map[string]any)["Warnings"].(map[string]any)
	problems["x-warnings"] = warnings["x-warnings"]
	writeJSON("problems.json", problems)
	write("../table/table.gen.go", goTable(description, problems["x-problems"]))
}

func writeJSON(name string, value any) {
	text, err := json.MarshalIndent(value, "", "") // lines for diffs, no spaces to read
	if err != nil {
		log.Fatal(err)
	}
	write(name, append(text, '\n'))
}

func write(name string, text []byte) {
	if err := os.WriteFile(filepath.Join(os.Args[2], name), text, 0o644); err != nil {
		log.Fatal(err)
	}
}
