package tree

import (
	"cmp"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// maxText is how many bytes the strings of a document of up to 2 MiB may have
// together: four times the largest input of a request, so that only repeated
// aliases get there.
const maxText = 4 << 20

// ReadYAML reads a text of one YAML document as JSON values; a byte order mark
// in front is passed over. Scalars mean what they mean in the core schema of
// YAML 1.2.2, section 10.3, that OpenAPI asks for: yes, no, on and off,
// dates, sexagesimals and numbers with underscores are strings. Names that are
// no strings become strings as they are written (200: is "200"). Aliases and
// merge keys are expanded, tags dropped; of comments it is only said that there
// are some.
//
// It fails with invalid_source and the place (broken YAML, a name that stands
// twice, an array or object as a name, a second document) or with too_complex
// (depth, values or bytes once everything is expanded).
//
// The parser builds its nodes in linear time and refuses more than 10,000
// levels before its recursion could hurt (measured for every pattern in
// TestYAMLHostile). It needs up to 500 bytes for a node and as many for a
// comment, which is why they are counted before it begins. What could explode
// happens here, under a budget.
func ReadYAML(text string, b *budget.Budget) (*Document, error) {
	text = strings.TrimPrefix(text, byteOrderMark)
	if most := nodesOf(text); indicators(text) > most {
		return nil, tooManyValues(most)
	}
	document, err := parseYAML(text, b)
	if err != nil {
		return nil, err
	}
	r := yamlReader{
		places: places{text: text, line: 1}, comment: commentOf(document),
		budget: b, most: nodesOf(text), room: max(maxText, 2*len(text)),
	}
	root, failure := r.value(document.Content[0], -1)
	if failure != nil {
		return nil, failure
	}
	return &Document{Text: text, Root: root, Comments: lineOf(text, r.comment)}, nil
}

// indicators counts the characters that can begin or part nodes and comments,
// wherever they stand: a text has no more of those than twice the count.
func indicators(text string) int {
	n := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ',', '[', '{':
			n++
		case '-', '?', ':':
			if i+1 == len(text) || text[i+1] <= ' ' {
				n++
			}
		case '#':
			if i == 0 || text[i-1] <= ' ' {
				n++
			}
		}
	}
	return n
}

// commented reports whether a comment stands beside a node.
func commentOf(node *yaml.Node) string {
	return cmp.Or(node.HeadComment, node.LineComment, node.FootComment)
}

// lineOf is the line in which a comment begins, 0 for none.
func lineOf(text, comment string) int {
	before, _, _ := strings.Cut(text, comment)
	if comment == "" {
		return 0
	}
	return 1 + strings.Count(before, "\n")
}

// parseYAML returns the node of the text's only document, which holds the root. One empty
// document may follow: people end a text with the line that begins another.
func parseYAML(text string, b *budget.Budget) (document *yaml.Node, err error) {
	defer b.Ask() // whatever the parser made of a reader that gave up
	defer func() {
		// The parser panics on states it holds impossible. Nothing of it
		// is kept, so nothing is left half done.
		if recover() != nil {
			document, err = nil, brokenYAML()
		}
	}()
	decoder := yaml.NewDecoder(&askingReader{strings.NewReader(text), b})
	document = new(yaml.Node)
	if err := decoder.Decode(document); err != nil {
		if errors.Is(err, io.EOF) {
			return &yaml.Node{Content: []*yaml.Node{{Kind: yaml.ScalarNode}}}, nil
		}
		return nil, placeYAML(text, err)
	}
	for empty := 0; ; empty++ {
		var next yaml.Node
		err := decoder.Decode(&next)
		if errors.Is(err, io.EOF) {
			return document, nil
		}
		if err != nil {
			return nil, placeYAML(text, err)
		}
		if content := next.Content[0]; content.Kind != yaml.ScalarNode || content.Value != "" || empty > 0 {
			p := places{text: text, line: 1}
			return nil, convert.Refuse(convert.InvalidSource,
				"The YAML text holds more than one document.",
				"Send one document: what stands between two lines of three hyphens.").At(text, p.offset(content))
		}
	}
}

// askingReader ends a text where its conversion ends: the parser of YAML reads
// as it goes, and is not ours to ask.
type askingReader struct {
	io.Reader
	budget *budget.Budget
}

func (r *askingReader) Read(p []byte) (int, error) {
	r.budget.Ask() // its panic is one of those that parseYAML recovers from
	return r.Reader.Read(p)
}

func brokenYAML() *convert.Failure {
	return convert.Refuse(convert.InvalidSource,
		"The text is not valid YAML.",
		"Check the indentation (spaces, never tabs), the colons and the quotes around here; quote a plain text that holds a colon with a space, or begins with one of @ ` % & * ! | > [ ] { }.")
}

// placeYAML makes a failure of the parser's error, of which only the line is
// used. The column is that of the line's first character.
func placeYAML(text string, err error) *convert.Failure {
	line := 0
	if _, rest, ok := strings.Cut(err.Error(), "yaml: line "); ok {
		for i := 0; i < len(rest) && rest[i] >= '0' && rest[i] <= '9' && line < len(text); i++ {
			line = 10*line + int(rest[i]-'0')
		}
	}
	if strings.Contains(err.Error(), "exceeded max depth") {
		return tooDeep()
	}
	p := places{text: text, line: 1}
	at := p.offset(&yaml.Node{Line: max(line, 1), Column: 1})
	for at < len(text) && text[at] == ' ' {
		at++
	}
	return brokenYAML().At(text, at)
}

// yamlReader turns nodes into values. It recurses at most jsondoc.MaxDepth
// deep, aliases included.
type yamlReader struct {
	budget  *budget.Budget
	most    int // values
	room    int // bytes of all strings and names
	places  places
	arena   arena
	bytes   int    // of all strings and names so far
	comment string // the first that was met
	// within holds the anchored nodes whose alias is being expanded.
	within map[*yaml.Node]bool
	depth  int
}

// value returns the value of a node. at is the place of the alias through
// which the node is reached, -1 when it stands there itself.
func (r *yamlReader) value(node *yaml.Node, at int) (*Value, *convert.Failure) {
	if at < 0 {
		at = r.places.offset(node)
	}
	r.comment = cmp.Or(r.comment, commentOf(node))
	if node.Kind == yaml.AliasNode {
		var v *Value
		failure := r.through(node, at, func() (failure *convert.Failure) {
			v, failure = r.value(node.Alias, at)
			return failure
		})
		return v, failure
	}
	if failure := r.pay(len(node.Value), at); failure != nil {
		return nil, failure
	}
	switch node.Kind {
	case yaml.ScalarNode:
		v := r.arena.value(Null, at)
		v.kind, v.text = scalar(node)
		return v, nil
	case yaml.SequenceNode, yaml.MappingNode:
		if r.depth == jsondoc.MaxDepth {
			return nil, tooDeep().At(r.places.text, at)
		}
		r.depth++
		defer func() { r.depth-- }()
		if node.Kind == yaml.SequenceNode {
			return r.array(node, at)
		}
		return r.object(node, at)
	}
	return nil, brokenYAML().At(r.places.text, at)
}

// aliasParts is what a value costs beside its own part when an alias repeats
// it: a text of a few kilobytes can stand for as many values as one of a
// megabyte, and all of them go through the readers, the redaction and a writer.
const aliasParts = 3

// pay accounts for one value and its bytes before it is made.
func (r *yamlReader) pay(bytes, at int) *convert.Failure {
	r.budget.Text(bytes)
	if len(r.within) > 0 {
		r.budget.Parts(aliasParts)
	}
	if r.bytes += bytes; r.bytes > r.room || r.arena.made >= r.most {
		return tooManyValues(r.most).At(r.places.text, at)
	}
	return nil
}

// through runs do while the alias's anchored node counts as open, and refuses
// a node that contains an alias of itself.
func (r *yamlReader) through(alias *yaml.Node, at int, do func() *convert.Failure) *convert.Failure {
	if r.within[alias.Alias] {
		return convert.Refuse(convert.InvalidSource,
			"A YAML anchor contains an alias of itself.",
			"Write recursive schemas with $ref, not with YAML aliases.").At(r.places.text, at)
	}
	if r.within == nil {
		r.within = map[*yaml.Node]bool{}
	}
	r.within[alias.Alias] = true
	failure := do()
	delete(r.within, alias.Alias)
	return failure
}

// inside is the place that a node's children inherit: theirs own, unless the
// node was reached through an alias.
func (r *yamlReader) inside(at int) int {
	if len(r.within) > 0 {
		return at
	}
	return -1
}

func (r *yamlReader) array(node *yaml.Node, at int) (*Value, *convert.Failure) {
	v := r.arena.value(Array, at)
	elements := make([]*Value, 0, len(node.Content))
	for _, child := range node.Content {
		element, failure := r.value(child, r.inside(at))
		if failure != nil {
			return nil, failure
		}
		elements = append(elements, element)
	}
	v.box = &box{values: elements}
	return v, nil
}

func (r *yamlReader) object(node *yaml.Node, at int) (*Value, *convert.Failure) {
	v := r.arena.value(Object, at)
	v.box = &box{
		names:  make([]string, 0, len(node.Content)/2),
		values: make([]*Value, 0, len(node.Content)/2),
	}
	return v, r.members(v, node, at)
}

// members adds a mapping's own members and what it merges to v, in order. A
// member of its own replaces a merged one in its place; what was merged first
// wins over what is merged later (yaml.org/type/merge.html).
func (r *yamlReader) members(v *Value, node *yaml.Node, at int) *convert.Failure {
	var merged map[string]bool // the names that came in by merging
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, child := node.Content[i], node.Content[i+1]
		keyAt := r.inside(at)
		if keyAt < 0 {
			keyAt = r.places.offset(key)
		}
		if isMergeKey(key) {
			if merged == nil {
				merged = map[string]bool{}
			}
			if failure := r.merge(v, child, keyAt, merged); failure != nil {
				return failure
			}
			continue
		}
		name, failure := r.name(key, keyAt)
		if failure != nil {
			return failure
		}
		if v.Has(name) && !merged[name] {
			return convert.Refuse(convert.InvalidSource,
				"A name stands twice in one mapping.",
				"Remove or rename one of the two; names are compared as text, so 200 and \"200\" are the same.").At(r.places.text, keyAt)
		}
		value, failure := r.value(child, r.inside(at))
		if failure != nil {
			return failure
		}
		if merged[name] {
			v.Set(name, value)
			delete(merged, name)
		} else {
			v.Add(name, value)
		}
	}
	return nil
}

// isMergeKey reports whether a key is <<, plain as YAML 1.1 had it and as the
// readers of OpenAPI tools still take it.
func isMergeKey(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Tag == "!!merge"
}

// merge adds the members of the mapping, or of each mapping of the sequence,
// that a merge key has as its value, and their names to merged. Every merge is
// paid for, also one that adds nothing, and nested merges count as depth.
func (r *yamlReader) merge(v *Value, source *yaml.Node, at int, merged map[string]bool) *convert.Failure {
	if failure := r.pay(0, at); failure != nil {
		return failure
	}
	r.arena.made++
	if r.depth == jsondoc.MaxDepth {
		return tooDeep().At(r.places.text, at)
	}
	r.depth++
	defer func() { r.depth-- }()
	switch source.Kind {
	case yaml.AliasNode:
		return r.through(source, at, func() *convert.Failure { return r.merge(v, source.Alias, at, merged) })
	case yaml.MappingNode:
		return r.mergeMapping(v, source, at, merged)
	case yaml.SequenceNode:
		for _, element := range source.Content {
			if failure := r.merge(v, element, at, merged); failure != nil {
				return failure
			}
		}
		return nil
	}
	return convert.Refuse(convert.InvalidSource,
		"A merge key (<<) has no mapping as its value.",
		"Give it an alias of a mapping or a list of such aliases, or quote it if it is meant as a name.").At(r.places.text, at)
}

// mergeMapping adds the members that v has not yet: first the mapping's own,
// then what it merges itself.
func (r *yamlReader) mergeMapping(v *Value, source *yaml.Node, at int, merged map[string]bool) *convert.Failure {
	for i := 0; i+1 < len(source.Content); i += 2 {
		if isMergeKey(source.Content[i]) {
			continue
		}
		name, failure := r.name(source.Content[i], at)
		if failure != nil {
			return failure
		}
		if v.Has(name) {
			continue
		}
		value, failure := r.value(source.Content[i+1], at)
		if failure != nil {
			return failure
		}
		v.Set(name, value)
		merged[name] = true
	}
	for i := 0; i+1 < len(source.Content); i += 2 {
		if isMergeKey(source.Content[i]) {
			if failure := r.merge(v, source.Content[i+1], at, merged); failure != nil {
				return failure
			}
		}
	}
	return nil
}

// name returns the text of a mapping's key.
func (r *yamlReader) name(key *yaml.Node, at int) (string, *convert.Failure) {
	r.comment = cmp.Or(r.comment, commentOf(key))
	if key.Kind == yaml.AliasNode {
		key = key.Alias
	}
	if key.Kind != yaml.ScalarNode {
		return "", convert.Refuse(convert.InvalidSource,
			"A mapping has a list or a mapping as a name.",
			"Write each name as a text; quote one that begins with [ or {.").At(r.places.text, at)
	}
	// A name is paid for like a value: members that a merge passes over cost
	// time too.
	if failure := r.pay(len(key.Value), at); failure != nil {
		return "", failure
	}
	return key.Value, nil
}
