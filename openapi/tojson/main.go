// Command tojson reads the OpenAPI document and generates what the program needs
// of it:
//
//	tojson openapi/openapi.yaml gen/document
//
// writes openapi.json (the document as JSON, members in the same order) to
// gen/document, table.gen.go (operations, schemas, limits, problem and warning
// codes as Go values) to gen/table next to it, convertd.gen.go (the options and functions of the Go
// package) to the module's root, rest.gen.go (a handler for each operation) to
// internal/rest, warning.gen.go to api_convert's package warning (its
// warnings) and to internal/convert (those of the other tools), and
// functions.gen.go (the Go package's function for each tool) to test/places.
//
// kin-openapi loads and validates the document. Generation fails if a request
// uses a keyword that internal/schema does not enforce.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"go/format"
	"log"
	"os"
	"path/filepath"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/goccy/go-yaml"
)

func main() {
	log.SetFlags(0)
	source, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	files, err := generate(source)
	if err != nil {
		log.Fatalf("%s: %v", os.Args[1], err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(os.Args[2], name), text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// generate returns the files that a document generates, by their paths relative
// to gen/document.
func generate(source []byte) (map[string][]byte, error) {
	doc, err := load(source)
	if err != nil {
		return nil, err
	}
	text, err := indented(source)
	if err != nil {
		return nil, err
	}
	d, err := read(doc, text)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{"openapi.json": text}
	tools, err := goPackage(d)
	if err != nil {
		return nil, err
	}
	own, others, err := goWarnings(doc)
	for name, source := range map[string]string{
		"../table/table.gen.go":                                  goTable(d),
		"../../convertd.gen.go":                                  tools,
		"../../internal/rest/rest.gen.go":                        goHandlers(d),
		"../../test/places/functions.gen.go":                     goFunctions(d),
		"../../internal/tools/apiconvert/warning/warning.gen.go": own,
		"../../internal/convert/warning.gen.go":                  others,
	} {
		if err == nil {
			files[name], err = format.Source([]byte("// Code generated from openapi/openapi.yaml by make generate. DO NOT EDIT.\n\npackage " + source))
		}
	}
	return files, err
}

// load reads and validates an OpenAPI document without external references.
func load(source []byte) (*openapi3.T, error) {
	doc, err := openapi3.NewLoader().LoadFromData(source)
	if err != nil {
		return nil, err
	}
	return doc, doc.Validate(context.Background())
}

// indented returns YAML as JSON with its members in the same order.
func indented(source []byte) ([]byte, error) {
	compact, err := yaml.YAMLToJSON(source)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	err = json.Indent(&text, compact, "", " ")
	return text.Bytes(), err
}
