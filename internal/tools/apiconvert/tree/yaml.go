package tree

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/yamlnode"
)

// maxText is how many bytes the strings of a document of up to 2 MiB may have in total: four times the largest
// input of a request, a size that only repeated aliases reach.
const maxText = 4 << 20

// ReadYAML parses a single YAML document as JSON values and skips a leading byte order mark. It resolves
// scalars by the core schema of YAML 1.2.2, section 10.3, which OpenAPI requires: yes, no, on and off, dates,
// sexagesimals and numbers with underscores are strings. Names that are not strings become strings as written
// (200: becomes "200"). Aliases and merge keys are expanded and tags dropped. Comments are
// counted.
//
// It fails with invalid_source and the position (broken YAML, a duplicate name, an array or object as a name, a
// second document) or with too_complex (depth, values or bytes after expansion).
//
// Package yamlnode parses in linear time and rejects deep nesting, measured for every pattern in TestYAMLHostile, but
// may need 500 bytes for each node and for each comment, so ReadYAML counts them first. Expansion, which can explode,
// happens here under a budget.
func ReadYAML(text string, b *budget.Budget) (*Document, error) {
	text = strings.TrimPrefix(text, byteOrderMark)
	if most := nodesOf(text); indicators(text) > most {
		return nil, tooManyValues(most)
	}
	root, comments, err := yamlnode.Parse(text, b)
	if err != nil {
		return nil, err
	}
	r := yamlReader{text: text, budget: b, most: nodesOf(text), room: max(maxText, 2*len(text))}
	v, failure := r.value(root)
	if failure != nil {
		return nil, failure
	}
	return &Document{Text: text, Root: v, Comments: comments, offsets: r.arena.offsets}, nil
}

// indicators counts the characters that can begin or separate nodes and comments, wherever they occur. A
// document has at most twice as many nodes and comments as the count.
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

// yamlReader converts nodes to values. It recurses at most jsondoc.MaxDepth deep, aliases included.
type yamlReader struct {
	text   string
	budget *budget.Budget
	most   int // values
	room   int // bytes allowed in all strings and names
	arena  arena
	bytes  int // bytes of strings and names so far
	depth  int

	// expanding is the nesting of aliases and merge keys that are being expanded, and place is the offset of
	// the outermost of them.
	expanding, place int
	open             map[*yamlnode.Node]bool // the anchored nodes whose aliases are being expanded
}

// at returns the offset of a node. Inside an alias or a merge key it is the offset of that alias or key.
func (r *yamlReader) at(n *yamlnode.Node) int {
	if r.expanding > 0 {
		return r.place
	}
	return int(n.At)
}

func (r *yamlReader) value(n *yamlnode.Node) (v *Value, failure *convert.Failure) {
	at := r.at(n)
	if n.Kind == yamlnode.Alias {
		failure = r.expand(n, at, func() (failure *convert.Failure) {
			v, failure = r.value(n.Alias)
			return failure
		})
		return v, failure
	}
	if failure := r.pay(len(n.Text), at); failure != nil {
		return nil, failure
	}
	v = r.arena.value(Null, at)
	if n.Kind == yamlnode.Scalar {
		v.kind, v.text = String, n.Text
		if n.Plain {
			v.kind, v.text = plainScalar(n.Text)
		}
		return v, nil
	}
	if r.depth == jsondoc.MaxDepth {
		return nil, budget.TooDeep().At(r.text, at)
	}
	r.depth++
	if n.Kind == yamlnode.Mapping {
		v.kind, v.box = Object, r.arena.room(int(n.Count)/2, int(n.Count)/2)
		failure = r.members(v, n, false)
	} else {
		v.kind, v.box = Array, r.arena.room(0, int(n.Count))
		failure = r.elements(v, n)
	}
	r.depth--
	return v, failure
}

// aliasParts is what each value repeated by an alias costs in addition to its own part: a few kilobytes of YAML
// can expand to as many values as a document of a megabyte, and all of them pass through the readers, the
// redaction and a writer.
const aliasParts = 3

// pay charges for one value and its bytes before it is made.
func (r *yamlReader) pay(bytes, at int) *convert.Failure {
	r.budget.Text(bytes)
	if r.expanding > 0 {
		r.budget.Parts(aliasParts)
	}
	if r.bytes += bytes; r.bytes > r.room || r.arena.made >= r.most {
		return tooManyValues(r.most).At(r.text, at)
	}
	return nil
}

// expand runs do to expand an alias or a merge key at an offset. It rejects an alias inside the node that it
// refers to.
func (r *yamlReader) expand(n *yamlnode.Node, at int, do func() *convert.Failure) *convert.Failure {
	if anchored := n.Alias; anchored != nil {
		if r.open[anchored] {
			return convert.Reject(convert.InvalidSource,
				"A YAML anchor contains an alias of itself.",
				"Write recursive schemas with $ref, not with YAML aliases.").At(r.text, at)
		}
		if r.open == nil {
			r.open = map[*yamlnode.Node]bool{}
		}
		r.open[anchored] = true
		defer delete(r.open, anchored)
	}
	if r.expanding == 0 {
		r.place = at
	}
	r.expanding++
	defer func() { r.expanding-- }()
	return do()
}

func (r *yamlReader) elements(v *Value, n *yamlnode.Node) *convert.Failure {
	for child := n.First; child != nil; child = child.Next {
		element, failure := r.value(child)
		if failure != nil {
			return failure
		}
		v.Append(element)
	}
	return nil
}

// members adds a mapping's own members to v, in order, and then those that it merges. v may have the members of a
// mapping that merges this one, which win (yaml.org/type/merge.html).
func (r *yamlReader) members(v *Value, n *yamlnode.Node, merging bool) *convert.Failure {
	for key := n.First; key != nil; key = key.Next.Next {
		if key.Merge {
			continue
		}
		name, failure := r.name(key)
		switch {
		case failure != nil:
			return failure
		case v.Has(name) && merging:
			continue
		case v.Has(name):
			return convert.Reject(convert.InvalidSource,
				"A mapping has the same name twice.",
				"Remove or rename one of them. Names are compared as strings, so 200 and \"200\" are the same.").At(r.text, r.at(key))
		}
		value, failure := r.value(key.Next)
		if failure != nil {
			return failure
		}
		v.Add(name, value)
	}
	for key := n.First; key != nil; key = key.Next.Next {
		if key.Merge {
			if failure := r.merge(v, key.Next, r.at(key)); failure != nil {
				return failure
			}
		}
	}
	return nil
}

// merge adds the members of the value of a merge key, a mapping or a sequence of mappings, to v. The first of several
// with a name wins. Every merge costs, even one that adds nothing, and nested merges count as depth.
func (r *yamlReader) merge(v *Value, source *yamlnode.Node, at int) *convert.Failure {
	if failure := r.pay(0, at); failure != nil {
		return failure
	}
	r.arena.made++
	if r.depth == jsondoc.MaxDepth {
		return budget.TooDeep().At(r.text, at)
	}
	r.depth++
	defer func() { r.depth-- }()
	return r.expand(source, at, func() *convert.Failure {
		switch source.Kind {
		case yamlnode.Alias:
			return r.merge(v, source.Alias, at)
		case yamlnode.Mapping:
			return r.members(v, source, true)
		case yamlnode.Sequence:
			for element := source.First; element != nil; element = element.Next {
				if failure := r.merge(v, element, at); failure != nil {
					return failure
				}
			}
			return nil
		}
		return convert.Reject(convert.InvalidSource,
			"The value of a merge key (<<) is not a mapping.",
			"Set it to an alias of a mapping or to a list of such aliases, or quote it if it is meant as a name.").At(r.text, at)
	})
}

// name returns the name that a mapping's key becomes.
func (r *yamlReader) name(key *yamlnode.Node) (string, *convert.Failure) {
	at := r.at(key)
	if key.Kind == yamlnode.Alias {
		key = key.Alias
	}
	if key.Kind != yamlnode.Scalar {
		return "", convert.Reject(convert.InvalidSource,
			"A name in a mapping is a list or a mapping.",
			"Write each name as a string; quote a name that begins with [ or {.").At(r.text, at)
	}
	// A name costs as much as a value: members that a merge skips take time, too.
	if failure := r.pay(len(key.Text), at); failure != nil {
		return "", failure
	}
	return key.Text, nil
}
