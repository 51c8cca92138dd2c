package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/openapi"
)

// newOpenAPI returns convertd openapi, which prints the OpenAPI document that the service serves.
func newOpenAPI(p *commandLine) *cobra.Command {
	var asJSON bool
	command := p.command("openapi", "Print the OpenAPI document.", "", func(context.Context, []string) error {
		text := openapi.YAML
		if asJSON {
			text = document.JSON
		}
		_, err := p.std.out.Write(text)
		return err
	})
	command.Flags().BoolVar(&asJSON, "json", false, "Print JSON instead of YAML.")
	return command
}
