package secret

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/spans"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
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
	of    *found
	text  string   // the whole spelling
	head  string   // its first maxPattern bytes
	edged bool     // matches only if no letter or digit is next to it
	inner *pattern // the longest other pattern with which head begins, or nil
}

// sweeper finds all spellings of all secrets in one pass over a text. The match that begins first wins, then the
// longest.
type sweeper struct {
	budget   *budget.Budget
	patterns []*pattern // sorted by head, without duplicates
	pairs    *pairs     // those that every text with a secret has
	size     int
	certain  bool // at least one of the secrets is certain
	scratch  []byte
}

func (s *sweeper) insert(p *pattern) {
	p.head = p.text[:min(len(p.text), maxPattern)]
	if s.size += len(p.head); s.size <= maxPatterns {
		s.patterns = append(s.patterns, p)
	}
}

// sort prepares the patterns for find. Of equal ones, it keeps the first.
func (s *sweeper) sort() {
	pairs := encodedPairs
	s.pairs = &pairs
	slices.SortStableFunc(s.patterns, func(a, b *pattern) int { return strings.Compare(a.head, b.head) })
	s.patterns = slices.CompactFunc(s.patterns, func(a, b *pattern) bool { return a.head == b.head })
	var before *pattern
	for _, p := range s.patterns {
		p.inner = before.startOf(p.head)
		s.pairs.addStart(p.head[0], p.head[1])
		before = p
	}
}

// startOf returns p or the longest pattern within it with which text begins, or nil.
func (p *pattern) startOf(text string) *pattern {
	for p != nil && !strings.HasPrefix(text, p.head) {
		p = p.inner
	}
	return p
}

// longest returns the longest pattern with which text begins, or nil. In sorted order, the patterns between it and
// text begin with it.
func (s *sweeper) longest(text string) *pattern {
	after, _ := slices.BinarySearchFunc(s.patterns, text, func(p *pattern, text string) int {
		if p.head <= text {
			return -1
		}
		return 1
	})
	if after == 0 {
		return nil
	}
	return s.patterns[after-1].startOf(text)
}

// replacement returns what replaces a secret at text[from:to], and whether it is replaced.
type replacement func(f *found, from, to int) (string, bool)

// find returns an edit for every secret in a text, in up to two encodings.
func (s *sweeper) find(text string, with replacement) (edits []spans.Edit) {
	if len(s.patterns) == 0 {
		return nil
	}
	last := 0
	for _, h := range s.hits(text, maxEncodings, with) {
		if h.From < last {
			continue
		}
		if replacement, ok := with(h.of, h.From, h.To); ok {
			h.of.replaced = true
			for _, codec := range h.codecs {
				replacement = codec.Quote(replacement)
			}
			edits = append(edits, spans.Edit{From: h.From, To: h.To, With: replacement})
			last = h.To
		}
	}
	return edits
}

const maxEncodings = 2

// hit is a secret in a text. codecs are the encodings around it, the innermost first.
type hit struct {
	spans.Edit
	of     *found
	codecs []*spans.Codec
}

// hits returns the secrets in a text in order, and those in the texts that it encodes. Matches that with rejects may be
// among them, but no match within another one that it accepts.
func (s *sweeper) hits(text string, depth int, with replacement) []hit {
	if !s.pairs.in(text) {
		return nil
	}
	all := s.plain(text, with)
	if depth == 0 {
		return all
	}
	for _, codec := range []*spans.Codec{&spans.JSONString, &spans.Percent, &spans.XMLText} {
		plain := codec.Decode(text)
		if plain == text {
			continue
		}
		s.budget.Text(len(text))
		inner := s.hits(plain, depth-1, asRedacted)
		edits := make([]spans.Edit, len(inner))
		for i := range inner {
			edits[i] = inner[i].Edit
		}
		codec.Locate(text, edits)
		for i, h := range inner {
			h.Edit, h.codecs = edits[i], append(h.codecs, codec)
			all = append(all, h)
		}
	}
	all = append(all, s.base64(text)...)
	slices.SortStableFunc(all, func(a, b hit) int { return a.From - b.From })
	end := 0
	return slices.DeleteFunc(all, func(h hit) bool {
		overlaps := depth < maxEncodings && h.From < end
		end = max(end, h.To)
		return overlaps
	})
}

func (s *sweeper) plain(text string, with replacement) (all []hit) {
	for i := 0; i+minShort <= len(text); i++ {
		if !s.pairs.has(text[i], text[i+1]) {
			continue
		}
		for p := s.longest(text[i:min(len(text), i+maxPattern)]); p != nil; p = p.inner {
			to := i + len(p.head)
			if p.edged && (i > 0 && words.IsAlnum(text[i-1]) || to < len(text) && words.IsAlnum(text[to])) {
				continue
			}
			for n := len(p.head); n < len(p.text) && to < len(text) && text[to] == p.text[n]; n++ {
				to++
			}
			s.budget.Text(to - i)
			if _, ok := with(p.of, i, to); ok {
				all = append(all, hit{Edit: spans.Edit{From: i, To: to}, of: p.of})
				i = to - 1
				break
			}
		}
	}
	return all
}

// minBase64 is the length of the shortest secret in base64.
const minBase64 = minSwept * 4 / 3

// base64 returns the texts in base64 that contain a secret.
func (s *sweeper) base64(text string) (all []hit) {
	for i := 0; i < len(text); i++ {
		n := inBase64.run(text[i:])
		if n >= minBase64 && s.pairs.in(text[i:i+n]) {
			s.budget.Text(n)
			if inner := s.plain(s.decoded(text[i:i+n]), asRedacted); len(inner) > 0 {
				to := len(text) - len(strings.TrimLeft(text[i+n:], "="))
				all = append(all, hit{Edit: spans.Edit{From: i, To: to}, of: inner[0].of})
			}
		}
		i += n
	}
	return all
}

// decoded returns what a text in base64 represents.
func (s *sweeper) decoded(text string) string {
	s.scratch = append(append(s.scratch[:0], text...), text...)
	encoded, plain := s.scratch[:len(text)], s.scratch[len(text):]
	for i, c := range encoded {
		switch c {
		case '-':
			encoded[i] = '+'
		case '_':
			encoded[i] = '/'
		}
	}
	n, _ := base64.RawStdEncoding.Decode(plain, encoded)
	return string(plain[:n])
}

var inBase64 = newAlphabet(letters + "+/_-")

// encodedPairs are those in the encoded sequences that may represent any byte, and of a slash of base64 in JSON.
var encodedPairs = func() (all pairs) {
	all.addAll('\\', "u/")
	all.addAll('%', digits+"abcdefABCDEF")
	all.addAll('&', letters+"#")
	return all
}()

// escapes are the bytes with a short escape in JSON, each followed by its own.
const escapes = "\"\"\\\\//\bb\ff\nn\rr\tt"

// addStart adds the first bytes of a secret as they are, escaped, and encoded: the digits of base64 (RFC 4648, sections 4
// and 5) that have no bits but theirs, for each offset of the secret in what is encoded.
func (p *pairs) addStart(a, b byte) {
	p.add(a, b)
	for i := 0; i < len(escapes); i += 2 {
		if escapes[i] == a || escapes[i] == b {
			p.add('\\', escapes[i+1])
		}
	}
	p.add(inForm(a), inForm(b))
	for _, digits := range []string{base64Standard, base64URL} {
		p.add(digits[a>>2], digits[a&3<<4|b>>4])
		p.add(digits[a&15<<2|b>>6], digits[b&63])
		p.add(digits[a&63], digits[b>>2])
	}
}

// inForm returns how a byte is written in a form if it is not percent-encoded.
func inForm(c byte) byte {
	if c == ' ' {
		return '+'
	}
	return c
}

const (
	base64Digits   = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" + digits
	base64Standard = base64Digits + "+/"
	base64URL      = base64Digits + "-_"
)
