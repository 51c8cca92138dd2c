package main

import (
	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/openapi"
)

// openapiCommand is convertd openapi.
type openapiCommand struct {
	JSON bool `name:"json" env:"-" help:"As JSON instead of YAML."`
}

// Run writes the description, the bytes that the service serves.
func (o *openapiCommand) Run(std streams) error {
	text := openapi.YAML
	if o.JSON {
		text = document.JSON
	}
	_, err := std.out.Write(text)
	return err
}
