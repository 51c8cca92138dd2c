// Command tojson writes the YAML description of its first argument as the
// JSON file of its second, members in the same order.
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
}
