// Command tojson writes the YAML description of its first argument as
// openapi.json in the folder of its second, members in the same order. Beside
// it stands what the program itself reads: calls.json to understand calls, at
// every start, and so without responses, examples and problems; problems.json
// when there is one to tell.
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
	delete(components, "responses")
	delete(components, "headers")
	codes := components["schemas"].(map[string]any)["ProblemCode"].(map[string]any)
	problems := map[string]any{}
	for _, name := range []string{"x-problems", "x-problem-examples"} {
		problems[name] = codes[name]
		delete(codes, name)
	}
	writeJSON("problems.json", problems)
	writeJSON("calls.json", strip(description))
}

func writeJSON(name string, value any) {
	text, err := json.MarshalIndent(value, "", " ")
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

// strip removes responses and examples everywhere.
func strip(value any) any {
	switch value := value.(type) {
	case map[string]any:
		delete(value, "example")
		delete(value, "examples")
		if _, operation := value["operationId"]; operation {
			value["responses"] = map[string]any{}
		}
		for _, member := range value {
			strip(member)
		}
	case []any:
		for _, item := range value {
			strip(item)
		}
	}
	return value
}
