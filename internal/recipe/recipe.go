// Package recipe writes and reads the recipe link: the steps of a call and
// their options as one line of text, in the form
//
//	r=1&s=json_format,indent:4&s=json_to_yaml
//
// r is the format's version and comes first. Each s is one step in order: the
// tool, then ,option:value sorted by name, without options that have their
// default; values are percent-encoded (RFC 3986, section 2.1). A recipe holds
// no step ids, no free text and nothing of any input. It is the fragment of
// the editor's address, which reaches no server, log or Referer.
package recipe

import (
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/contract"
	"github.com/convertd/convertd/internal/convert"
)

const (
	version = "r=1"
	// maxLength bounds what Parse looks at, in bytes.
	maxLength = 8192

	hint = "Write a recipe as r=1&s=TOOL,OPTION:VALUE&s=TOOL with the tools and options of the description."
)

// Format returns the recipe of the steps. The same steps give the same text,
// and Parse gives the same steps back, their ids aside.
func Format(steps []contract.Step) string { return Link("", steps) }

// Link returns the recipe of the steps behind an address.
func Link(address string, steps []contract.Step) string {
	var b strings.Builder
	b.Grow(len(address) + len(version) + 64*len(steps))
	b.WriteString(address)
	b.WriteString(version)
	for _, step := range steps {
		b.WriteString("&s=")
		b.WriteString(step.Tool.Name)
		for _, option := range step.Tool.Options {
			value, given := step.Options[option.Name]
			if !given || value == option.Default {
				continue
			}
			b.WriteByte(',')
			b.WriteString(option.Name)
			b.WriteByte(':')
			if n, ok := value.(int); ok {
				b.WriteString(strconv.Itoa(n))
			} else {
				escape(&b, value.(string))
			}
		}
	}
	return b.String()
}

// escape percent-encodes everything but RFC 3986's unreserved characters.
func escape(b *strings.Builder, text string) {
	const hex = "0123456789ABCDEF"
	for _, c := range []byte(text) {
		if unreserved(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
}

func unreserved(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte("-._~", c) >= 0
}

// Parse reads a recipe. It is linear and goes by allow-list: an unknown
// version, tool, option or value refuses the recipe whole. The steps have
// their options complete, and no ids.
func Parse(c *contract.Contract, text string) ([]contract.Step, error) {
	if len(text) > maxLength {
		return nil, convert.Refuse(convert.SchemaViolation, "The recipe is longer than %d characters.", hint, maxLength)
	}
	parts := strings.Split(text, "&")
	if parts[0] != version {
		return nil, convert.Refuse(convert.SchemaViolation, "The recipe is not of version 1: it does not begin with r=1.", hint)
	}
	if maxSteps := c.Limits().PipelineSteps; len(parts) == 1 || len(parts) > maxSteps+1 {
		return nil, convert.Refuse(convert.SchemaViolation, "A recipe has 1 to %d steps.", hint, maxSteps)
	}
	var steps []contract.Step
	for i, part := range parts[1:] {
		text, isStep := strings.CutPrefix(part, "s=")
		if !isStep {
			return nil, convert.Refuse(convert.SchemaViolation, "Part %d of the recipe is not a step: it does not begin with s=.", hint, i+1)
		}
		step, err := ParseStep(c, text, i+1)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return steps, nil
}

// ParseStep reads one step, TOOL[,OPTION:VALUE]…; number is its place in the
// recipe, from 1, for the refusal.
func ParseStep(c *contract.Contract, text string, number int) (contract.Step, error) {
	fields := strings.Split(text, ",")
	tool := c.Tool(fields[0])
	if tool == nil {
		return contract.Step{}, convert.Refuse(convert.SchemaViolation, "Step %d of the recipe names an unknown tool.", hint, number)
	}
	options := convert.Options{}
	for _, field := range fields[1:] {
		name, encoded, _ := strings.Cut(field, ":")
		i := slices.IndexFunc(tool.Options, func(o contract.Option) bool { return o.Name == name })
		if _, twice := options[name]; i < 0 || twice {
			return contract.Step{}, convert.Refuse(convert.SchemaViolation, "Step %d of the recipe names an option that the tool does not have, or names it twice.", hint, number)
		}
		value, ok := parseValue(tool.Options[i], encoded)
		if !ok {
			return contract.Step{}, convert.Refuse(convert.SchemaViolation, "Step %d of the recipe gives an option a value that it cannot have.", hint, number)
		}
		options[name] = value
	}
	for _, o := range tool.Options {
		if _, given := options[o.Name]; o.Required && !given {
			return contract.Step{}, convert.Refuse(convert.SchemaViolation, "Step %d of the recipe lacks an option that the tool requires.", hint, number)
		}
	}
	return contract.Step{Tool: tool, Options: tool.Complete(options)}, nil
}

func parseValue(o contract.Option, encoded string) (any, bool) {
	if o.Integer {
		n, err := strconv.Atoi(encoded)
		return n, err == nil && strconv.Itoa(n) == encoded && n >= o.Minimum && n <= o.Maximum
	}
	text, ok := unescape(encoded)
	return text, ok && slices.Contains(o.Enum, text)
}

func unescape(text string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case unreserved(c):
			b.WriteByte(c)
		case c == '%' && i+2 < len(text):
			n, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
			if err != nil {
				return "", false
			}
			b.WriteByte(byte(n))
			i += 2
		default:
			return "", false
		}
	}
	return b.String(), true
}
