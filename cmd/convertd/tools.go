package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/convertd/convertd/internal/contract"
)

func newTools(p *commandLine) *cobra.Command {
	var asJSON bool
	command := p.command("tools", "List the tools and their options.", argument{},
		func(context.Context, []string) error { return listTools(p.contract, p.std, asJSON) })
	flags{command.Flags()}.on(&asJSON, "json", "As JSON, for programs.")
	return command
}

// listedTool is one tool as convertd tools --json gives it.
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

// listTools is convertd tools: it lists the tools of the description.
func listTools(c *contract.Contract, std streams, asJSON bool) error {
	if !asJSON {
		for _, tool := range c.Tools() {
			fmt.Fprintf(std.out, "%s\n    %s: %s -> %s\n", tool.Name, tool.Title, strings.Join(tool.Accepts, ", "), strings.Join(tool.Produces, ", "))
			for _, o := range tool.Options {
				fmt.Fprintf(std.out, "    --%s  %s\n", o.Name, o.Description)
			}
		}
		return nil
	}
	list := []listedTool{}
	for _, tool := range c.Tools() {
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
	encoder := json.NewEncoder(std.out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(list)
}
