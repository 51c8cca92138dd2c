package secret

import (
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/convertd/convertd/internal/jsondoc"
)

const (
	// minSwept is the length in bytes from which a secret is looked for
	// everywhere: shorter ones stand in too much that is none.
	minSwept = 6
	// maxPattern is how much of a secret is looked for: what begins with that
	// much of it is replaced as far as it agrees.
	maxPattern = 64
	// maxPatterns bounds the memory of a sweep, in bytes of all patterns. A
	// source has to hold thousands of secrets to reach it.
	maxPatterns = 1 << 18
)

// pattern is one spelling of a secret.
type pattern struct {
	of      *found
	text    string // the whole spelling
	edged   bool   // only where no letter or digit stands beside it
	base64  bool   // replaced with what of base64 stands around it
	matched int    // how much of text the automaton looks for
}

// sweeper finds all spellings of all secrets in one pass over a text: an
// automaton after Aho and Corasick (1975). The end that comes first wins.
type sweeper struct {
	patterns []pattern
	first    [256]int32 // the children of the root
	nodes    []node
	more     map[edge]int32 // the children of a node beside its first
	size     int
}

// node is a state: most have one child only.
type node struct {
	child   int32
	by      byte // leads to child
	many    bool // there are others, in more
	fail    int32
	accepts int32 // the pattern that ends here, plus 1
}

type edge struct {
	node int32
	by   byte
}

// swept returns the sweeper of all secrets found until now.
func (r *Redactor) swept() *sweeper {
	if r.sweeper == nil || r.built != len(r.secrets) {
		r.sweeper, r.built = newSweeper(r.secrets), len(r.secrets)
	}
	return r.sweeper
}

func newSweeper(secrets []*found) *sweeper {
	s := &sweeper{nodes: make([]node, 1), more: map[edge]int32{}}
	for _, f := range secrets {
		if len(f.value) < minSwept || isWeak(f.value) {
			continue
		}
		for _, p := range spellings(f) {
			s.insert(p)
		}
	}
	s.link()
	return s
}

// isWeak reports whether a secret could as well be a word or a small number:
// it is replaced in its place, but its like elsewhere means nothing.
func isWeak(value string) bool {
	if isDigits(value) {
		return len(value) < 10
	}
	for i := 0; i < len(value); i++ {
		if c := value[i]; !isLower(c) && !(isUpper(c) && i == 0) && c != ' ' {
			return noSecrets[value] || isDummy(strings.ToUpper(value))
		}
	}
	return len(value) < 16
}

// spellings are a secret as it is, percent-encoded, as in JSON, as in single
// quotes of a shell, and within base64 at each of the three alignments.
func spellings(f *found) []pattern {
	v := f.value
	edged := isDigits(v)
	patterns := []pattern{{of: f, text: v, edged: edged}}
	add := func(p pattern) {
		for _, q := range patterns {
			if q.text == p.text {
				return
			}
		}
		p.of = f
		patterns = append(patterns, p)
	}
	for _, encoded := range []string{url.QueryEscape(v), url.PathEscape(v)} {
		add(pattern{text: encoded})
		add(pattern{text: lowerEscapes(encoded)})
	}
	quoted := jsondoc.AppendString(nil, v)
	add(pattern{text: string(quoted[1 : len(quoted)-1])})
	add(pattern{text: strings.ReplaceAll(v, "'", `'\''`)})
	if decoded, err := url.QueryUnescape(v); err == nil && len(decoded) >= minSwept {
		add(pattern{text: decoded})
	}
	for shift := range 3 {
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := encoding.EncodeToString(append(make([]byte, shift, shift+len(v)), v...))
			// Only characters that v alone decides.
			text = text[(shift*8+5)/6 : (shift+len(v))*8/6]
			add(pattern{text: text, base64: true})
		}
	}
	return patterns
}

func lowerEscapes(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	b := []byte(text)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			b[i+1] |= 0x20 & -(b[i+1] >> 6 & 1)
			b[i+2] |= 0x20 & -(b[i+2] >> 6 & 1)
		}
	}
	return string(b)
}

func (s *sweeper) insert(p pattern) {
	p.matched = min(len(p.text), maxPattern)
	if s.size += p.matched; s.size > maxPatterns {
		return
	}
	at := int32(0)
	for i := 0; i < p.matched; i++ {
		c := p.text[i]
		to := s.step(at, c)
		if to == 0 {
			to = int32(len(s.nodes))
			s.nodes = append(s.nodes, node{})
			switch n := &s.nodes[at]; {
			case at == 0:
				s.first[c] = to
			case n.child == 0:
				n.child, n.by = to, c
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
	if n.child != 0 && n.by == c {
		return n.child
	}
	if n.many {
		return s.more[edge{at, c}]
	}
	return 0
}

// link sets where to go on when no pattern goes on as the text does. Nodes
// are gone through by their depth; the order within a depth does not matter.
func (s *sweeper) link() {
	children := make([][]edge, len(s.nodes)) // by, and in node the child
	for at, n := range s.nodes {
		if n.child != 0 {
			children[at] = append(children[at], edge{n.child, n.by})
		}
	}
	for e, to := range s.more {
		children[e.node] = append(children[e.node], edge{to, e.by})
	}
	var queue []int32
	for _, to := range s.first {
		if to != 0 {
			queue = append(queue, to)
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, child := range children[at] {
			to := s.nodes[at].fail
			for to != 0 && s.step(to, child.by) == 0 {
				to = s.nodes[to].fail
			}
			n := &s.nodes[child.node]
			n.fail = s.step(to, child.by)
			if n.accepts == 0 {
				n.accepts = s.nodes[n.fail].accepts
			}
			queue = append(queue, child.node)
		}
	}
}

// sweep returns text with every secret in it replaced by what with returns;
// inside {{…}} it is told so. Text without secrets is returned as it is.
func (s *sweeper) sweep(text string, with func(f *found, inBraces bool) string) string {
	if len(s.patterns) == 0 || len(text) < minSwept {
		return text
	}
	var out []byte
	last, at := 0, int32(0)
	for i := 0; i < len(text); i++ {
		c := text[i]
		for at != 0 && s.step(at, c) == 0 {
			at = s.nodes[at].fail
		}
		if at = s.step(at, c); s.nodes[at].accepts == 0 {
			continue
		}
		p := &s.patterns[s.nodes[at].accepts-1]
		from, to := i+1-p.matched, i+1
		if from < last || p.edged && (from > 0 && isAlnum(text[from-1]) || to < len(text) && isAlnum(text[to])) {
			continue
		}
		from, to = p.extend(text, from, to, last)
		out = append(append(out, text[last:from]...), with(p.of, inBraces(text, from, to))...)
		last, at, i = to, 0, to-1
	}
	if last == 0 {
		return text
	}
	return string(append(out, text[last:]...))
}

// extend returns how far a match goes: a long secret as far as the text
// agrees with it, base64 as far as there is any.
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

// inBraces reports whether the text around from and to is {{name}}.
func inBraces(text string, from, to int) bool {
	before := text[max(0, from-200):from]
	open := strings.LastIndex(before, "{{")
	if open < 0 || strings.Contains(before[open:], "}}") {
		return false
	}
	after := text[to:min(len(text), to+200)]
	closing := strings.Index(after, "}}")
	return closing >= 0 && !strings.Contains(after[:closing], "{{")
}
