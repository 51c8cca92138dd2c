package writer

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/curl/syntax"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
)

func (c *command) url(dst []byte) []byte {
	var text string
	if server := c.r.Server; server != nil {
		c.w.servers[server] = true
		text = c.w.vars.expand(server, server.URL)
	}
	if text == "" || text[0] == '/' {
		text = c.w.vars.unknownServer() + strings.TrimSuffix(text, "/")
	}
	text += c.path() + c.queryText()
	if c.r.Fragment != "" {
		text += "#" + c.sendable(c.r.Fragment)
	}
	if hasGlob(text) && !c.r.Patterns {
		dst = append(dst, "--globoff "...)
	}
	if strings.Contains(c.r.Path+"/", "/./") || strings.Contains(c.r.Path+"/", "/../") {
		dst = append(dst, "--path-as-is "...)
	}
	if strings.HasPrefix(text, "-") {
		dst = append(dst, "--url "...) // otherwise curl would read an option
	}
	return c.w.vars.word(dst, text)
}

// hasGlob reports whether curl would read a part of a URL as a range or a list.
func hasGlob(text string) bool {
	return strings.ContainsAny(text, "[]{}") && slices.ContainsFunc(request.Split(text), func(p request.Part) bool {
		return p.Kind == request.LiteralPart && strings.ContainsAny(p.Text, "[]{}")
	})
}

// path returns the path with the values of its parameters.
func (c *command) path() string {
	values := map[string]string{}
	for _, p := range c.r.PathParameters {
		if values[p.Name] = p.Segment(); p.Value != "" && !p.Invented {
			values[p.Name] = escapeSegment(c.w.vars.expand(nil, p.Value))
		}
	}
	var path strings.Builder
	for _, part := range request.SplitPath(c.w.vars.expand(nil, c.r.Path)) {
		switch isParameter, value := part.Kind == request.ParameterPart, values[part.Text]; {
		case part.Kind == request.LiteralPart:
			path.WriteString(sendable(part.Text))
		case isParameter && c.r.Patterns && !syntax.IsParameterName(part.Text):
			path.WriteString(part.String())
		case isParameter && value != "":
			c.w.budget.Bytes(len(value))
			path.WriteString(value)
		default:
			path.WriteString("{{" + part.Text + "}}")
		}
	}
	return path.String()
}

func (c *command) queryText() string {
	pairs := c.query
	for _, p := range c.r.Query {
		switch {
		case !c.sends(p):
		case p.Bare:
			pairs = append(pairs, c.sendable(p.Name))
		default:
			pairs = append(pairs, c.sendable(p.Name)+"="+c.sendable(p.Value))
		}
	}
	if len(pairs) == 0 {
		return ""
	}
	return "?" + strings.Join(pairs, "&")
}

// sendable substitutes variables and encodes the result.
func (c *command) sendable(text string) string { return sendable(c.w.vars.expand(nil, text)) }

// sendable percent-encodes what curl rejects in a URL or a server would not understand: blanks, control characters, #
// and bytes that aren't ASCII.
func sendable(text string) string {
	return syntax.Escape(text, func(c byte) bool { return c <= ' ' || c >= 0x7f || c == '#' })
}

// escapeSegment percent-encodes what a path segment must not contain (RFC 3986, section 3.3).
func escapeSegment(text string) string {
	return syntax.Escape(text, func(c byte) bool {
		return c <= ' ' || c >= 0x7f || strings.IndexByte("/?#[]{}%\"<>\\^`|", c) >= 0
	})
}
