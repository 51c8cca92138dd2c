// Command tojson writes the YAML description of its first argument as
// openapi.json in the folder of its second, members in the same order. Beside
// it stands what the program itself reads: calls.json to understand calls, at
// every start, and so without responses, examples, problems and warnings;
// problems.json when there is one of those to tell.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"path"
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
	delete(components, "examples")
	codes := components["schemas"].(map[string]any)["ProblemCode"].(map[string]any)
	problems := map[string]any{}
	for _, name := range []string{"x-problems", "x-problem-examples"} {
		problems[name] = codes[name]
		delete(codes, name)
	}
	warnings := components["schemas"].(map[string]any)["Warnings"].(map[string]any)
	problems["x-warnings"] = warnings["x-warnings"]
	writeJSON("problems.json", problems)
	strip(description)
	keepReferenced(description)
	writeJSON("calls.json", description)
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

// keepReferenced removes the schemas that no operation refers to any more.
func keepReferenced(description map[string]any) {
	schemas := description["components"].(map[string]any)["schemas"].(map[string]any)
	kept := map[string]any{}
	var visit func(value any)
	visit = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			if ref, ok := value["$ref"].(string); ok {
				name := path.Base(ref)
				if kept[name] == nil {
					kept[name] = schemas[name]
					visit(schemas[name])
				}
			}
			for _, member := range value {
				visit(member)
			}
		case []any:
			for _, item := range value {
				visit(item)
			}
		}
	}
	visit(description["paths"])
	description["components"].(map[string]any)["schemas"] = kept
}

// strip removes responses and examples everywhere.
func strip(value any) {
	switch value := value.(type) {
	case map[string]any:
		delete(value, "example")
		delete(value, "examples")
		delete(value, "x-codeSamples")
		delete(value, "externalDocs")
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
}
