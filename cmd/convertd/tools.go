package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
)

// newTools returns convertd tools.
func newTools(p *commandLine) *cobra.Command {
	command := p.command("tools [TOOL]", "List the tools and their options.", "Describe this tool only.", func(_ context.Context, args []string) error {
		list := p.contract.Tools()
		if len(args) > 0 {
			tool := p.contract.Tool(args[0])
			if tool == nil {
				return usage(fmt.Errorf("TOOL %w", cli.OneOf(args[0], p.contract.ToolNames())))
			}
			list = []contract.Tool{*tool}
		}
		columns := cli.Columns(p.std.out)
		for i, tool := range list {
			text := describeTool(tool, len(args) > 0, columns)
			if i > 0 {
				text = "\n" + text
			}
			if _, err := fmt.Fprint(p.std.out, text); err != nil {
				return err
			}
		}
		return nil
	})
	command.ValidArgsFunction = p.toolNames
	return command
}

// describeTool returns a tool's title, media types and options for people; with whole, its description, too.
func describeTool(tool contract.Tool, whole bool, columns int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", tool.Name, tool.Title)
	if whole {
		fmt.Fprintf(&b, "\n%s\n\n", wrapped(toolHelp(&tool), columns))
	}
	fmt.Fprintf(&b, "  accepts   %s\n", strings.Join(tool.Accepts, ", "))
	fmt.Fprintf(&b, "  produces  %s\n", strings.Join(tool.Produces, ", "))
	for _, o := range tool.Options {
		name := fmt.Sprintf("  --%-6s", o.Name)
		fmt.Fprintf(&b, "%s%s\n", name, hangingIndent(optionHelp(o), len(name), columns))
	}
	return b.String()
}
