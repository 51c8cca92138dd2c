package contract

import (
	"fmt"
	"maps"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/convertd/convertd/internal/convert"
)

// Tool is what the document says of one tool.
type Tool struct {
	Name        string // the operation id
	Path        string // the route, /v1/tools/NAME
	Title       string
	Description string
	Accepts     []string // media types of the input
	Produces    []string // media types of the output
	Options     []Option // sorted by name
}

// Option is one member of a tool's options.
type Option struct {
	Name        string
	Description string
	Integer     bool // else a string
	Minimum     int  // of an integer
	Maximum     int  // of an integer
	Enum        []string
	Default     any // int or string, nil when there is none
	Required    bool

	// produces maps a value of this option to the output's media type
	// (x-service-produces), for the tool whose output depends on it.
	produces map[string]string
}

func (c *Contract) loadTool(step *openapi3.Schema) (Tool, error) {
	name, _ := step.Properties["tool"].Value.Enum[0].(string)
	for path, item := range c.document.Paths.Map() {
		if item.Post == nil || item.Post.OperationID != name {
			continue
		}
		tool := Tool{Name: name, Path: path, Title: item.Post.Summary, Description: item.Post.Description}
		var media struct{ Accepts, Produces []string }
		if err := extension(item.Post.Extensions, "x-service-media-types", &media); err != nil {
			return tool, err
		}
		tool.Accepts, tool.Produces = media.Accepts, media.Produces
		if len(tool.Accepts) == 0 || len(tool.Produces) == 0 {
			return tool, fmt.Errorf("%s has no x-service-media-types", name)
		}
		var err error
		tool.Options, err = loadOptions(step.Properties["options"].Value)
		return tool, err
	}
	return Tool{}, fmt.Errorf("the description has no operation for the step %q", name)
}

func loadOptions(s *openapi3.Schema) ([]Option, error) {
	var options []Option
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[name].Value
		o := Option{
			Name:        name,
			Description: p.Description,
			Integer:     p.Type.Is("integer"),
			Required:    slices.Contains(s.Required, name),
		}
		if o.Integer {
			if p.Min == nil || p.Max == nil {
				return nil, fmt.Errorf("option %s has no range", name)
			}
			o.Minimum, o.Maximum = int(*p.Min), int(*p.Max)
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
		if p.Extensions["x-service-produces"] != nil {
			if err := extension(p.Extensions, "x-service-produces", &o.produces); err != nil {
				return nil, err
			}
		}
		options = append(options, o)
	}
	return options, nil
}

// Accept reports whether the tool takes an input of the media type.
func (t *Tool) Accept(mediaType string) bool { return slices.Contains(t.Accepts, mediaType) }

// Output returns the media type of the tool's output for these options.
func (t *Tool) Output(options convert.Options) string {
	for _, o := range t.Options {
		if mediaType := o.produces[options.Text(o.Name)]; mediaType != "" {
			return mediaType
		}
	}
	return t.Produces[0]
}

// Complete returns the options with the document's defaults filled in. The
// options must have passed the document's schema.
func (t *Tool) Complete(options convert.Options) convert.Options {
	complete := make(convert.Options, len(t.Options))
	for _, o := range t.Options {
		if value, given := options[o.Name]; given {
			complete[o.Name] = value
		} else if o.Default != nil {
			complete[o.Name] = o.Default
		}
	}
	return complete
}
