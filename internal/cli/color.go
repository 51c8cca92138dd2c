package cli

import (
	"bytes"
	"io"
)

// The colors of jq 1.7 (manual, "Colors"), as parameters of ECMA-48's select graphic rendition.
const (
	colorNull    = "1;30"
	colorScalar  = "0;39"
	colorString  = "0;32"
	colorBracket = "1;39"
	colorName    = "34;1"
)

// Color is a writer that colors JSON. The JSON must be well-formed and may be split anywhere except inside a character.
// The JSON goes to Text, the escape sequences to Codes; both may write to the same terminal.
type Color struct {
	Text, Codes io.Writer

	open    []byte // the open brackets
	name    bool   // the next string is a member's name
	inside  bool   // inside a string
	escaped bool   // after a backslash
	color   string // the current color, "" for none
	from    int    // where the text that has not been written begins
	err     error
}

// Write implements io.Writer.
func (c *Color) Write(p []byte) (int, error) {
	c.from = 0
	for i := 0; i < len(p) && c.err == nil; i++ {
		if c.inside {
			i = c.string(p, i)
			continue
		}
		switch b := p[i]; b {
		case '"':
			c.inside = true
			if c.name {
				c.use(p, i, colorName)
			} else {
				c.use(p, i, colorString)
			}
		case '{', '[', '}', ']', ',', ':':
			c.use(p, i, colorBracket)
			c.bracket(b)
		case ' ', '\t', '\r', '\n':
			if len(c.open) == 0 {
				c.use(p, i, "") // between values
			}
		case 'n':
			c.use(p, i, colorNull)
		case 't', 'f', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			c.use(p, i, colorScalar)
		}
	}
	c.put(p, len(p))
	return len(p), c.err
}

// string continues a string and returns the offset of the last byte it has seen.
func (c *Color) string(p []byte, i int) int {
	if c.escaped {
		c.escaped = false
		return i
	}
	at := bytes.IndexAny(p[i:], `"\`)
	if at < 0 {
		return len(p)
	}
	if p[i+at] == '\\' {
		c.escaped = true
	} else {
		c.inside = false
	}
	return i + at
}

// bracket keeps track of whether the next string is a name.
func (c *Color) bracket(b byte) {
	switch b {
	case '{', '[':
		c.open = append(c.open, b)
	case '}', ']':
		c.open = c.open[:max(len(c.open)-1, 0)]
	}
	in := len(c.open)
	c.name = (b == '{' || b == ',') && in > 0 && c.open[in-1] == '{'
}

// use switches to a color, "" for none, at p[i].
func (c *Color) use(p []byte, i int, color string) {
	if color == c.color {
		return
	}
	c.put(p, i)
	c.color = color
	if color == "" {
		color = "0"
	}
	if c.err == nil {
		_, c.err = io.WriteString(c.Codes, "\x1b["+color+"m")
	}
}

// put writes the text up to p[i].
func (c *Color) put(p []byte, i int) {
	if c.err == nil && i > c.from {
		_, c.err = c.Text.Write(p[c.from:i])
	}
	c.from = i
}

// End switches the color off.
func (c *Color) End() error {
	c.use(nil, 0, "")
	return c.err
}
