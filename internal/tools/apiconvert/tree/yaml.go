package tree

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// maxText is how many bytes the strings of a document of up to 2 MiB may have in total: four times the largest
// input of a request, a size that only repeated aliases reach.
const maxText = 4 << 20

// Comments are the lines of a text that have a comment.
type Comments struct {
	Count int
	Line  int // of the first one
}

// ReadYAML parses a single YAML document as JSON values and skips a leading byte order mark. It resolves
// scalars by the core schema of YAML 1.2.2, section 10.3, which OpenAPI requires: yes, no, on and off, dates,
// sexagesimals and numbers with underscores are strings. Names that are not strings become strings as written
// (200: becomes "200"). Aliases and merge keys are expanded, tags dropped and comments counted.
//
// It fails with invalid_source and the position (broken YAML, a duplicate name, an array or object as a name, a
// second document) or with too_complex (depth, values or bytes after expansion).
func ReadYAML(text string, b *budget.Budget) (*Document, error) {
	text = strings.TrimPrefix(text, byteOrderMark)
	text = lineBreaks.Replace(text)
	p := parser{
		text: text, fresh: true, room: max(maxText, 2*len(text)), anchors: map[string]*Value{},
		builder: builder{budget: b, most: nodesOf(text)},
	}
	root := p.document()
	if p.failure != nil {
		return nil, p.failure
	}
	return &Document{Text: text, Root: root, Comments: p.comments, offsets: p.arena.offsets}, nil
}

// lineBreaks replaces a CR that is not part of CR LF, which is a line break, too (YAML 1.2.2, section 5.4).
var lineBreaks = strings.NewReplacer("\r\n", "\r\n", "\r", "\n")

// parser parses one YAML document: block and flow collections, all kinds of scalar, anchors, aliases, tags, merge keys and
// comments. It rejects what YAML allows but documents don't have: lists and mappings as keys, and keys of several lines
// without a question mark. NEL, LS and PS, line breaks to YAML 1.1, are ordinary characters (YAML 1.2.2, section 5.4).
// FuzzYAML compares it with a library.
//
// It recurses at most jsondoc.MaxDepth deep, aliases included. It reads the text once, except for the line of the first key
// of each mapping and of a scalar that is not a key, which it reads twice.
type parser struct {
	builder
	text     string // up to the end of the document
	at       int    // offset of the next token
	line     int    // offset where the line begins
	fresh    bool   // only blanks of the line were read, or the text ends
	depth    int
	flows    int // the flow collections among them
	failure  *convert.Failure
	comments Comments
	counted  int               // offset after the last comment that was counted
	anchors  map[string]*Value // nil for a value that is being parsed
	keys     []int             // the offsets of names, in the same order
	room     int               // bytes that strings and names may still have
	buffer   []byte            // of the scalar being read
}

// document parses the only document of a text and returns its root.
func (p *parser) document() *Value {
	text := p.text
	if at := invalid(text); at >= 0 {
		p.at = at
		p.reject()
		return nil
	}
	p.skip()
	directives := p.peek(0) == '%' && p.at == p.line
	for p.peek(0) == '%' && p.at == p.line {
		p.toLineEnd()
		p.skip()
	}
	switch {
	case p.atMarker() && p.peek(0) == '-':
		p.at += len(marker)
	case p.atMarker(), directives:
		p.reject()
	default:
		p.at = p.line
	}
	root := p.valueAfter(-1, true)
	if p.at < len(p.text) {
		p.reject()
	}
	// People end a file with the line that begins another document.
	at := p.at
	for p.text = text; p.atMarker(); at = p.at {
		p.at += len(marker)
		p.skip()
	}
	if p.at = at; p.at < len(text) {
		p.fail(convert.Reject(convert.InvalidSource,
			"The YAML input has more than one document.",
			"Send one document, the part between two lines of three hyphens."))
	}
	return root
}

// fail rejects the text at the next token, unless it was rejected before, and moves to its end.
func (p *parser) fail(f *convert.Failure) {
	if p.failure == nil {
		p.failure = f.At(p.text, p.at)
	}
	p.at = len(p.text)
}

// reject rejects the next token.
func (p *parser) reject() {
	p.fail(convert.Reject(convert.InvalidSource,
		"The text is not valid YAML.",
		"Check the indentation (spaces, never tabs), the colons and the quotes around here; quote a value that contains a colon and a space, or begins with one of @ ` % & * ! | > [ ] { }."))
}

func (p *parser) notName() {
	p.fail(convert.Reject(convert.InvalidSource,
		"A name in a mapping is a list or a mapping.",
		"Write each name as a string; quote a name that begins with [ or {."))
}

// pay charges for a value or a name and its bytes before it is made.
func (p *parser) pay(bytes int) {
	p.budget.Text(bytes)
	if p.room -= bytes; p.room < 0 || p.arena.made >= p.most {
		p.fail(tooManyValues(p.most))
	}
}

// scalar returns a scalar, which is resolved by its content if it is plain.
func (p *parser) scalar(text string, plain bool, at int) *Value {
	p.pay(len(text))
	v := p.arena.value(String, at)
	if v.text = text; plain {
		v.kind, v.text = plainScalar(text)
	}
	return v
}

// collection is an open array or object.
type collection struct {
	frame
	merges []merge
}

// key is a name in a mapping.
type key struct {
	text  string
	at    int
	merge bool // it is <<
}

// merge is the value of a merge key.
type merge struct {
	value *Value
	at    int // of the key
}

func (p *parser) enter(kind Kind) collection {
	p.pay(0)
	if p.depth++; p.depth > jsondoc.MaxDepth {
		p.fail(budget.TooDeep())
	}
	return collection{frame: p.open(kind, p.at)}
}

// member adds a member to an object.
func (p *parser) member(c *collection, k key, v *Value) {
	if k.merge {
		c.merges = append(c.merges, merge{v, k.at})
		return
	}
	p.pay(len(k.text))
	p.names, p.keys, p.values = append(p.names, k.text), append(p.keys, k.at), append(p.values, v)
}

// leave closes a collection. The members of an object come first, in order, and then those that it merges; its own win, and
// of several that it merges the first (yaml.org/type/merge.html).
func (p *parser) leave(c collection) *Value {
	p.depth--
	p.close(c.frame)
	if i := c.value.box.repeated(); i >= 0 {
		p.at = p.keys[c.names+i]
		p.fail(convert.Reject(convert.InvalidSource,
			"A mapping has the same name twice.",
			"Remove or rename one of them. Names are compared as strings, so 200 and \"200\" are the same."))
	}
	p.keys = p.keys[:c.names]
	for _, m := range c.merges {
		p.merge(c.value, m.value, m.at)
	}
	return c.value
}

// merge adds the members of an object, or of the objects in an array, to v.
func (p *parser) merge(v, from *Value, at int) {
	switch {
	case p.failure != nil:
	case from.Kind() == Object:
		for name, value := range from.Members() {
			if !v.Has(name) {
				v.Add(name, value)
			}
		}
	case from.Kind() == Array:
		for _, element := range from.Elements() {
			p.merge(v, element, at)
		}
	default:
		p.at = at
		p.fail(convert.Reject(convert.InvalidSource,
			"The value of a merge key (<<) is not a mapping.",
			"Set it to an alias of a mapping or to a list of such aliases, or quote it if it is meant as a name."))
	}
}

// properties are the anchor and the tag of a node.
type properties struct {
	name string // of the anchor
	tag  string
}

// properties parses the anchor and the tag before a node, and moves to the node.
func (p *parser) properties() (of properties) {
	for p.atProperty() && (of == properties{} || !p.fresh) {
		at, text := p.at, p.word()
		switch {
		case text[0] == '&' && of.name == "" && len(text) > 1:
			of.name = text[1:]
			p.anchors[of.name] = nil
		case text[0] == '!' && of.tag == "":
			of.tag = text
		default:
			p.at = at
			p.reject()
		}
		p.next()
	}
	return of
}

// word moves over an anchor, an alias or a tag and returns it.
func (p *parser) word() string {
	from, punctuation := p.at, "-_"
	p.at++
	tag := p.text[from] == '!'
	if tag && p.peek(0) == '<' {
		if n := strings.IndexAny(p.text[p.at:], "> \n"); n > 0 && p.text[p.at+n] == '>' {
			p.at += n + 1
			return strings.Replace(strings.TrimSuffix(p.text[from:p.at], ">"), "!<tag:yaml.org,2002:", "!!", 1)
		}
		p.reject()
	}
	if tag {
		punctuation = "-_.:/"
		if p.peek(0) == '!' {
			p.at++
		}
	}
	for words.IsAlnum(p.peek(0)) || strings.IndexByte(punctuation, p.peek(0)) >= 0 {
		p.at++
	}
	text := p.text[from:p.at]
	if c := p.peek(0); text == "!!" || !ends(c) && (tag || yamlBytes[c]&p.stops() == 0) {
		p.reject()
	}
	return text
}

// resolves reports whether a scalar is resolved by its content: it is plain and has no tag, or has a tag that requires it.
// Every other tag, including !!str, !!binary and !!timestamp, makes a string.
func (of *properties) resolves(plain bool) bool {
	switch of.tag {
	case "", "!":
		return plain
	case "!!int", "!!float", "!!bool", "!!null":
		return true
	}
	return false
}

// anchor records the value that aliases of an anchor refer to.
func (p *parser) anchor(of properties, v *Value) *Value {
	if of.name != "" {
		p.anchors[of.name] = v
	}
	return v
}

// aliased returns the value that an alias refers to.
func (p *parser) aliased() *Value {
	at := p.at
	v, known := p.anchors[p.word()[1:]]
	if v != nil {
		return v
	}
	p.at = at
	if known {
		p.fail(convert.Reject(convert.InvalidSource,
			"A YAML anchor contains an alias of itself.",
			"Write recursive schemas with $ref, not with YAML aliases."))
	} else {
		p.reject()
	}
	return nil
}

// aliasName returns the name that an alias refers to.
func (p *parser) aliasName() string {
	at := p.at
	v := p.aliased()
	if v.Kind() == Array || v.Kind() == Object {
		p.at = at
		p.notName()
	}
	text, _ := v.Scalar()
	return text
}

// aliasParts is what each value copied for an alias costs in addition to its own part: a few kilobytes of YAML
// can expand to as many values as a document of a megabyte, and all of them pass through the readers, the
// redaction and a writer.
const aliasParts = 3

// copy returns a copy of v for an alias. Its values have the offset of the alias.
func (p *parser) copy(v *Value, at int) *Value {
	if v == nil { // the alias was rejected
		return nil
	}
	p.budget.Parts(aliasParts)
	if p.pay(len(v.text)); p.failure != nil {
		return nil
	}
	copied := p.arena.value(v.kind, at)
	copied.text = v.text
	if v.box == nil {
		return copied
	}
	if p.depth == jsondoc.MaxDepth {
		p.at = at
		p.fail(budget.TooDeep())
		return nil
	}
	p.depth++
	copied.box = p.arena.room(len(v.box.names), len(v.box.values))
	for _, name := range v.box.names {
		p.pay(len(name))
		copied.box.names = append(copied.box.names, name)
	}
	for _, value := range v.box.values {
		copied.box.values = append(copied.box.values, p.copy(value, at))
	}
	p.depth--
	return copied
}
