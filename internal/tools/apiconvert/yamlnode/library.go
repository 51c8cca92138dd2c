package yamlnode

import (
	"cmp"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// parseAny returns the root of a text's only document, as the library parses it, and its comments next to nodes. The first read bytes are known to be valid so far.
func parseAny(text string, read int, b *budget.Budget) (root *Node, comments Comments, err error) {
	document, err := parseDocument(text, read, b)
	if err != nil {
		return nil, comments, err
	}
	l := libraryNodes{places: places{text: text, line: 1}}
	root = l.node(document).First
	if l.comments > 0 {
		comments = Comments{Count: l.comments, Line: lineOf(text, strings.Index(text, l.comment))}
	}
	return root, comments, nil
}

// parseDocument returns the node of the only document, which holds the root. It allows one empty document after
// it: people end a file with the line that begins another document.
func parseDocument(text string, read int, b *budget.Budget) (document *yaml.Node, err error) {
	defer b.Check() // end the conversion if its context ended while the parser read
	defer func() {
		// The parser panics on states it considers impossible. Its state is dropped, so nothing is left half
		// done.
		if recover() != nil {
			document, err = nil, brokenYAML()
		}
	}()
	decoder := yaml.NewDecoder(&checkingReader{strings.NewReader(text), b})
	document = new(yaml.Node)
	if err := decoder.Decode(document); err != nil {
		if errors.Is(err, io.EOF) {
			return &yaml.Node{Content: []*yaml.Node{{Kind: yaml.ScalarNode}}}, nil
		}
		return nil, placeYAML(text, read, err)
	}
	for empty := 0; ; empty++ {
		var next yaml.Node
		err := decoder.Decode(&next)
		if errors.Is(err, io.EOF) {
			return document, nil
		}
		if err != nil {
			return nil, placeYAML(text, read, err)
		}
		if content := next.Content[0]; content.Kind != yaml.ScalarNode || content.Value != "" || empty > 0 {
			p := places{text: text, line: 1}
			return nil, convert.Reject(convert.InvalidSource,
				"The YAML input has more than one document.",
				"Send one document, the part between two lines of three hyphens.").At(text, p.offset(content))
		}
	}
}

// checkingReader checks the context on every Read: the library's parser reads as it goes and doesn't take a
// context.
type checkingReader struct {
	io.Reader
	budget *budget.Budget
}

func (r *checkingReader) Read(p []byte) (int, error) {
	r.budget.Check() // parseDocument recovers from its panic, too
	return r.Reader.Read(p)
}

func brokenYAML() *convert.Failure {
	return convert.Reject(convert.InvalidSource,
		"The text is not valid YAML.",
		"Check the indentation (spaces, never tabs), the colons and the quotes around here; quote a value that contains a colon and a space, or begins with one of @ ` % & * ! | > [ ] { }.")
}

// placeYAML builds a failure from the parser's error, using only its line. That is where the collection that
// contains the error begins, perhaps hundreds of lines above it. The error comes after the first read bytes;
// otherwise the column is that of the line's first character.
func placeYAML(text string, read int, err error) *convert.Failure {
	line := 0
	if _, rest, ok := strings.Cut(err.Error(), "yaml: line "); ok {
		for i := 0; i < len(rest) && rest[i] >= '0' && rest[i] <= '9' && line < len(text); i++ {
			line = 10*line + int(rest[i]-'0')
		}
	}
	if strings.Contains(err.Error(), "exceeded max depth") {
		return budget.TooDeep()
	}
	p := places{text: text, line: 1}
	at := p.offset(&yaml.Node{Line: max(line, 1), Column: 1})
	for at < len(text) && text[at] == ' ' {
		at++
	}
	if read < len(text) {
		at = max(at, read)
	}
	return brokenYAML().At(text, at)
}

// libraryNodes converts the library's nodes to Nodes.
type libraryNodes struct {
	places   places
	anchored map[*yaml.Node]*Node
	comment  string // the first one found
	comments int    // their lines
}

func (l *libraryNodes) node(of *yaml.Node) *Node {
	l.comment = cmp.Or(l.comment, of.HeadComment, of.LineComment, of.FootComment)
	for _, text := range []string{of.HeadComment, of.LineComment, of.FootComment} {
		l.comments += strings.Count("\n"+text, "\n#")
	}
	n := &Node{At: int32(l.places.offset(of))}
	if of.Anchor != "" {
		if l.anchored == nil {
			l.anchored = map[*yaml.Node]*Node{}
		}
		l.anchored[of] = n
	}
	switch of.Kind {
	case yaml.ScalarNode:
		n.Text, n.Plain = of.Value, isPlain(of)
	case yaml.AliasNode:
		n.Kind, n.Alias = Alias, l.anchored[of.Alias]
	case yaml.MappingNode:
		n.Kind = Mapping
	default: // also a document
		n.Kind = Sequence
	}
	last := &n.First
	for i, child := range of.Content {
		node := l.node(child)
		node.Merge = n.Kind == Mapping && i%2 == 0 && child.Tag == "!!merge"
		if i%2 == 0 && isKeyAlone(of, i) {
			node.Text = strings.TrimSuffix(node.Text, ":")
		}
		last = n.add(last, node)
	}
	return n
}

// isKeyAlone reports whether the library took the colon after a key for the key's last character, as it does in
// {a:, b:}. There the colon separates key and value (YAML 1.2.2, section 7.3.3).
func isKeyAlone(of *yaml.Node, i int) bool {
	if of.Kind != yaml.MappingNode || of.Style&yaml.FlowStyle == 0 {
		return false
	}
	key, value := of.Content[i], of.Content[i+1]
	return key.Kind == yaml.ScalarNode && isPlain(key) && strings.HasSuffix(key.Value, ":") &&
		value.Kind == yaml.ScalarNode && isPlain(value) && value.Value == ""
}

// isPlain reports whether a scalar is resolved by its content: it has neither quotes nor a tag, or has a tag
// that requires it. Every other tag, including !!str, !!binary and !!timestamp, makes a string.
func isPlain(of *yaml.Node) bool {
	if of.Style&yaml.TaggedStyle != 0 {
		return of.Tag == "!!int" || of.Tag == "!!float" || of.Tag == "!!bool" || of.Tag == "!!null"
	}
	return of.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
}

// places converts the parser's lines and columns (1-based, in code points) to byte offsets. It follows the
// walk, which moves forward except for a few steps, so that a long line is not counted again for each of its
// nodes.
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

// lineBreak returns the length of the line break at the start of text, by the parser's rules: LF, CR, CR LF and
// YAML 1.1's NEL, LS and PS.
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
