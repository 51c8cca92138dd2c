package secret

import (
	"cmp"

	"github.com/convertd/convertd/internal/tools/apiconvert/spans"
)

const (
	// maxPattern is how many bytes of a secret are searched for: a match is then extended as far as it agrees.
	maxPattern = 64
	// maxPatterns limits the memory of a sweep, in bytes of all patterns. A source needs thousands of secrets
	// to reach it.
	maxPatterns = 1 << 19
)

// pattern is one spelling of a secret.
type pattern struct {
	of      *found
	text    string // the whole spelling
	edged   bool   // matches only if no letter or digit is next to it
	base64  bool   // replaced together with the base64 text around it
	matched int    // how many bytes of text the automaton matches
}

// sweeper finds all spellings of all secrets in one pass over a text, with an automaton after Aho and Corasick
// (1975). The match that ends first wins.
type sweeper struct {
	patterns []pattern
	first    *[256]int32 // the children of the root
	nodes    []node
	more     map[edge]int32 // the further children of a node
	size     int
	certain  bool // at least one of the secrets is certain
}

// node is a state. Most have only one child. A parent precedes its children.
type node struct {
	child   int32
	parent  int32
	fail    int32
	accepts int32 // index of the pattern that ends here, plus 1
	by      byte  // the byte that leads here from the parent
	depth   uint8
	many    bool // there are more children, in sweeper.more
}

type edge struct {
	node int32
	by   byte
}

func (s *sweeper) insert(p pattern) {
	p.matched = min(len(p.text), maxPattern)
	if s.size += p.matched; s.size > maxPatterns {
		return
	}
	at := int32(0)
	for i := range p.matched {
		c := p.text[i]
		to := s.step(at, c)
		if to == 0 {
			to = int32(len(s.nodes))
			s.nodes = append(s.nodes, node{parent: at, by: c, depth: uint8(i + 1)})
			switch n := &s.nodes[at]; {
			case at == 0:
				s.first[c] = to
			case n.child == 0:
				n.child = to
			default:
				n.many = true
				s.more[edge{at, c}] = to
			}
		}
		at = to
	}
	if s.nodes[at].accepts == 0 {
		s.patterns = append(s.patterns, p)
		s.nodes[at].accepts = int32(len(s.patterns))
	}
}

func (s *sweeper) step(at int32, c byte) int32 {
	if at == 0 {
		return s.first[c]
	}
	n := &s.nodes[at]
	if n.child != 0 && s.nodes[n.child].by == c {
		return n.child
	}
	if n.many {
		return s.more[edge{at, c}]
	}
	return 0
}

// link sets the failure links of the nodes, in order of depth.
func (s *sweeper) link() {
	var starts [maxPattern + 2]int // where the nodes of a depth begin in order
	for _, n := range s.nodes {
		starts[n.depth+1]++
	}
	for d := range maxPattern + 1 {
		starts[d+1] += starts[d]
	}
	order := make([]int32, len(s.nodes))
	for i, n := range s.nodes {
		order[starts[n.depth]] = int32(i)
		starts[n.depth]++
	}
	for _, at := range order {
		n := &s.nodes[at]
		if n.depth < 2 {
			continue
		}
		to := s.nodes[n.parent].fail
		for to != 0 && s.step(to, n.by) == 0 {
			to = s.nodes[to].fail
		}
		n.fail = s.step(to, n.by)
		n.accepts = cmp.Or(n.accepts, s.nodes[n.fail].accepts)
	}
}

// find returns an edit for every secret in a text for which with returns a replacement.
func (s *sweeper) find(text string, with func(f *found, from, to int) (string, bool)) []spans.Edit {
	if len(s.patterns) == 0 || len(text) < minShort {
		return nil
	}
	var edits []spans.Edit
	last, at := 0, int32(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		for at != 0 && s.step(at, c) == 0 {
			at = s.nodes[at].fail
		}
		at = s.step(at, c)
		// The longest pattern that ends here, then its suffixes.
		for ends := at; s.nodes[ends].accepts != 0; ends = s.nodes[ends].fail {
			p := &s.patterns[s.nodes[ends].accepts-1]
			from, to := i+1-p.matched, i+1
			if from < last || p.edged && (from > 0 && isAlnum(text[from-1]) || to < len(text) && isAlnum(text[to])) {
				continue
			}
			from, to = p.extend(text, from, to, last)
			if replacement, ok := with(p.of, from, to); ok {
				p.of.replaced = true
				edits = append(edits, spans.Edit{From: from, To: to, With: replacement})
				last, at, i = to, 0, to-1
				break
			}
		}
	}
	return edits
}

// extend extends a match: a long secret as far as the text agrees with it, base64 as far as it continues.
func (p *pattern) extend(text string, from, to, last int) (int, int) {
	for n := p.matched; n < len(p.text) && to < len(text) && text[to] == p.text[n]; n++ {
		to++
	}
	if !p.base64 {
		return from, to
	}
	for from > last && (isAlnum(text[from-1]) || text[from-1] == '+' || text[from-1] == '_') {
		from--
	}
	for to < len(text) && (isAlnum(text[to]) || text[to] == '+' || text[to] == '_' || text[to] == '=') {
		to++
	}
	return from, to
}
