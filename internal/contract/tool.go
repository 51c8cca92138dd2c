package contract

import (
	"fmt"
	"slices"

	"github.com/convertd/convertd/gen/table"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/schema"
)

// Tool is the document's information about one tool.
type Tool struct {
	Name        string // the operation id
	Path        string // the route, /v1/tools/NAME
	Title       string
	Description string
	Accepts     []string // media types of the input
	Produces    []string // media types of the output
	Options     []Option // sorted by name

	// The results of Complete for no options, and for one option with a value of a short list or range, which
	// are the most common requests. They are read-only.
	defaults     convert.Options
	withDefaults map[setting]convert.Options
}

// setting is an option with its value, a string or an integer.
type setting struct {
	name, text string
	whole      int
}

// Option is one member of a tool's options.
type Option struct {
	Name        string
	Description string
	Integer     bool // otherwise a string
	Minimum     int  // of an integer
	Maximum     int  // of an integer
	Enum        []string
	Default     any // int or string, nil if there is none
	Required    bool

	// produces pairs values of this option with the output's media type (x-service-produces), for tools whose
	// output depends on it.
	produces [][2]string
}

func loadTool(step *schema.Schema) (Tool, error) {
	name, _ := step.Property("tool").Enum[0].(string)
	i := slices.IndexFunc(table.Operations, func(o table.Operation) bool { return o.ID == name })
	if i < 0 {
		return Tool{}, fmt.Errorf("the OpenAPI document has no operation for the step %q", name)
	}
	o := table.Operations[i]
	if len(o.Accepts) == 0 || len(o.Produces) == 0 {
		return Tool{}, fmt.Errorf("%s has no x-service-media-types", name)
	}
	options, err := loadOptions(step.Property("options"))
	tool := Tool{
		Name: name, Path: o.Path, Title: o.Summary, Description: o.Description,
		Accepts: o.Accepts, Produces: o.Produces, Options: options,
	}
	tool.computeDefaults()
	return tool, err
}

func loadOptions(s *schema.Schema) ([]Option, error) {
	var options []Option
	for _, p := range s.Properties {
		o := Option{
			Name:        p.Name,
			Description: p.Description,
			Integer:     p.Type == "integer",
			Required:    slices.Contains(s.Required, p.Name),
			produces:    p.Produces,
		}
		if o.Integer {
			if p.Range == nil || p.Range.Min == schema.Least || p.Range.Max == schema.Most {
				return nil, fmt.Errorf("option %s has no range", p.Name)
			}
			o.Minimum, o.Maximum = int(p.Range.Min), int(p.Range.Max)
		}
		for _, value := range p.Enum {
			o.Enum = append(o.Enum, fmt.Sprint(value))
		}
		switch value := p.Default.(type) {
		case float64:
			o.Default = int(value)
		case string:
			o.Default = value
		}
		options = append(options, o)
	}
	return options, nil
}

// Accept reports whether the tool accepts an input of the media type.
func (t *Tool) Accept(mediaType string) bool { return slices.Contains(t.Accepts, mediaType) }

// Output returns the media type of the tool's output for these options.
func (t *Tool) Output(options convert.Options) string {
	for _, o := range t.Options {
		for _, pair := range o.produces {
			if pair[0] == options.Text(o.Name) {
				return pair[1]
			}
		}
	}
	return t.Produces[0]
}

// Complete returns the options with the document's defaults filled in. The options must have passed validation.
// The result is read-only.
func (t *Tool) Complete(options convert.Options) convert.Options {
	if len(options) == 0 && t.defaults != nil {
		return t.defaults
	}
	complete := make(convert.Options, len(t.Options))
	for _, o := range t.Options {
		if value, given := options[o.Name]; given {
			complete[o.Name] = value
		}
	}
	return t.fill(complete)
}

// computeDefaults computes defaults and settled.
func (t *Tool) computeDefaults() {
	t.defaults, t.withDefaults = t.fill(convert.Options{}), map[setting]convert.Options{}
	for _, o := range t.Options {
		for _, text := range o.Enum {
			t.withDefaults[setting{name: o.Name, text: text}] = t.fill(convert.Options{o.Name: text})
		}
		for n := o.Minimum; o.Integer && n <= o.Maximum && n < o.Minimum+settledRange; n++ {
			t.withDefaults[setting{name: o.Name, whole: n}] = t.fill(convert.Options{o.Name: n})
		}
	}
}

const settledRange = 16

func (t *Tool) fill(options convert.Options) convert.Options {
	for _, o := range t.Options {
		if _, given := options[o.Name]; !given && o.Default != nil {
			options[o.Name] = o.Default
		}
	}
	return options
}
