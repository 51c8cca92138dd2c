package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/openapi"
)

// newOpenAPI is convertd openapi, which writes the description, the bytes that
// the service serves.
func newOpenAPI(p *commandLine) *cobra.Command {
	var asJSON bool
	command := p.command("openapi", "Print the API description.", argument{}, func(context.Context, []string) error {
		text := openapi.YAML
		if asJSON {
			text = document.JSON
		}
		_, err := p.std.out.Write(text)
		return err
	})
	flags{command.Flags()}.on(&asJSON, "json", "As JSON instead of YAML.")
	return command
}
