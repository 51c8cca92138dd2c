package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/internal/cli"
	"github.com/convertd/convertd/internal/contract"
)

// newTools returns convertd tools.
func newTools(p *commandLine) *cobra.Command {
	var asJSON bool
	command := p.command("tools [TOOL]", "List the tools and their options.", "Describe this tool only.", func(_ context.Context, args []string) error {
		list := p.contract.Tools()
		if len(args) > 0 {
			tool := p.contract.Tool(args[0])
			if tool == nil {
				return usage(fmt.Errorf("TOOL %w", cli.OneOf(args[0], p.contract.ToolNames())))
			}
			list = []contract.Tool{*tool}
		}
		if asJSON {
			return p.printJSON(list, len(args) > 0)
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
	command.Flags().BoolVar(&asJSON, "json", false, "Print JSON.")
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

// listedTool is one tool of convertd tools --json.
type listedTool struct {
	Name     string         `json:"name"`
	Path     string         `json:"path"`
	Title    string         `json:"title"`
	Accepts  []string       `json:"accepts"`
	Produces []string       `json:"produces"`
	Options  []listedOption `json:"options"`
}

type listedOption struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Minimum     *int     `json:"minimum,omitempty"`
	Maximum     *int     `json:"maximum,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Default     any      `json:"default,omitempty"`
	Required    bool     `json:"required"`
}

// printJSON prints an array of tools, or the single one.
func (p *commandLine) printJSON(tools []contract.Tool, single bool) error {
	list := []listedTool{}
	for _, tool := range tools {
		listed := listedTool{tool.Name, tool.Path, tool.Title, tool.Accepts, tool.Produces, []listedOption{}}
		for _, o := range tool.Options {
			option := listedOption{Name: o.Name, Description: o.Description, Enum: o.Enum, Default: o.Default, Required: o.Required}
			if o.Integer {
				option.Minimum, option.Maximum = &o.Minimum, &o.Maximum
			}
			listed.Options = append(listed.Options, option)
		}
		list = append(list, listed)
	}
	encoder := json.NewEncoder(p.std.out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	if single {
		return encoder.Encode(list[0])
	}
	return encoder.Encode(list)
}
