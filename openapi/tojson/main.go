// Command tojson writes the YAML description of its first argument as the
// JSON file of its second, members in the same order, and what the program
// itself needs of it to understand calls, without responses and examples, as
// that of its third: reading half as much at each start is worth a file.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"

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
	var out bytes.Buffer
	if err := json.Indent(&out, compact, "", " "); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[2], out.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
	var description map[string]any
	if err := json.Unmarshal(compact, &description); err != nil {
		log.Fatal(err)
	}
	components := description["components"].(map[string]any)
	delete(components, "responses")
	delete(components, "headers")
	calls, err := json.MarshalIndent(strip(description), "", " ")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[3], append(calls, '\n'), 0o644); err != nil {
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
