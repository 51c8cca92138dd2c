package web

import (
	"fmt"
	"strings"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/recipe"
)

// allowed returns the values of an option, its range or its list, and its default.
func allowed(o contract.Option) string {
	text := strings.Join(o.Enum, ", ")
	if o.Integer {
		text = fmt.Sprintf("%d to %d", o.Minimum, o.Maximum)
	}
	switch {
	case o.Required:
		return text + " (required)"
	case o.Default != nil:
		return fmt.Sprintf("%s, default %v", text, o.Default)
	}
	return text
}

// optionsOf returns a sentence about the options of a tool, "" if it has none.
func optionsOf(t contract.Tool) string {
	var parts []string
	for _, o := range t.Options {
		parts = append(parts, fmt.Sprintf("`%s` (%s)", o.Name, allowed(o)))
	}
	if len(parts) == 0 {
		return ""
	}
	return " Options: " + strings.Join(parts, "; ") + "."
}

// opened returns the link that opens a tool in the editor with its defaults. A
// required option has its first value. recipe.Format does the necessary escaping.
func opened(root string, t contract.Tool) string {
	options := convert.Options{}
	for _, o := range t.Options {
		if o.Required && o.Default == nil {
			if o.Integer {
				options[o.Name] = o.Minimum
			} else {
				options[o.Name] = o.Enum[0]
			}
		}
	}
	return root + "/editor#" + recipe.Format([]contract.Step{{Tool: &t, Options: t.Complete(options)}})
}

// summary returns the first sentence of a description (CommonMark) as plain text.
func summary(description string) string {
	text := strings.Join(strings.Fields(strings.ReplaceAll(description, "`", "")), " ")
	if first, _, more := strings.Cut(text, ". "); more {
		return first + "."
	}
	return text
}
