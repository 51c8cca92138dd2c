package tree

import (
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// places turns the parser's lines and columns (1-based, in code points) into
// byte offsets. It moves along with the walk, which goes forward but for a few
// steps, so that a long line is not counted again for each of its nodes.
type places struct {
	text         string
	line, column int // of at; column 0-based
	start, at    int // of the line; of the column
}

func (p *places) offset(node *yaml.Node) int {
	if node.Line < p.line {
		p.line, p.start = 1, 0
		p.at, p.column = 0, 0
	}
	for p.line < node.Line && p.at < len(p.text) {
		if n := lineBreak(p.text[p.at:]); n > 0 {
			p.at += n
			p.line, p.start, p.column = p.line+1, p.at, 0
		} else {
			p.at++
		}
	}
	column := max(node.Column-1, 0)
	if column < p.column {
		p.at, p.column = p.start, 0
	}
	for p.column < column && p.at < len(p.text) {
		_, n := utf8.DecodeRuneInString(p.text[p.at:])
		p.at += n
		p.column++
	}
	return p.at
}

// lineBreak returns the length of the line break that text begins with, as
// the parser counts lines: LF, CR, CR LF and YAML 1.1's NEL, LS and PS.
func lineBreak(text string) int {
	switch text[0] {
	case '\n':
		return 1
	case '\r':
		if strings.HasPrefix(text, "\r\n") {
			return 2
		}
		return 1
	case 0xC2:
		if strings.HasPrefix(text, "\u0085") {
			return 2
		}
	case 0xE2:
		if strings.HasPrefix(text, "\u2028") || strings.HasPrefix(text, "\u2029") {
			return 3
		}
	}
	return 0
}
