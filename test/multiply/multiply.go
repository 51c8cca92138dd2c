// Package multiply generates documents that expand to more than their size: every pair of a share (something that can
// be shared) and a referrer (something that refers to it), in every format that api_convert reads, of any size. Shares
// and referrers are tables (openapi_shares.go and so on). A document is one row of each, filled up to a size.
package multiply

import (
	"regexp"
	"strconv"
	"strings"
)

// Document is one pair in one format, not yet of any size.
type Document struct {
	Format    string // and the kind of reference: openapi-3.1, yaml-alias …
	Share     string // the share
	Referrer  string // the referrer
	MediaType string // of the generated text
	build     func(shared, refers int) string
}

// Name returns the document's unique name.
func (d Document) Name() string { return d.Format + "/" + d.Share + "/" + d.Referrer }

// Split is how a document's bytes are divided: Shared of 16 are the share's, the
// rest the referrer's. Equal halves make the largest product.
type Split struct {
	Name   string
	Shared int
}

// Splits are the divisions to try.
var Splits = []Split{{"half", 8}, {"small", 1}, {"large", 15}}

// Text returns the document with about size bytes as a JSON string (see Size), the form in which a request contains it.
// It exceeds size by no more than its own frame.
func (d Document) Text(size int, split Split) string {
	shared := size / 16 * split.Shared
	return d.build(shared, size-shared)
}

// Documents returns all pairs in all formats, in a stable order.
func Documents() []Document {
	var all []Document
	for _, list := range [][]Document{openAPI(), swagger(), postman(), shell()} {
		all = append(all, list...)
	}
	return all
}

// Size returns the length of text in bytes as a JSON string.
func Size(text string) int {
	return len(text) + strings.Count(text, `"`) + strings.Count(text, `\`) + strings.Count(text, "\n")
}

var numbers = regexp.MustCompile(`\{[nm]\}`)

// fill repeats a piece, at least once, until it has size bytes in a JSON string. It replaces {n} by the number of the
// repetition from 0, and {m} by the next number. If the piece ends in a comma, fill drops the last one. It returns an
// empty piece unchanged.
func fill(piece string, size int) string {
	if piece == "" {
		return ""
	}
	var b strings.Builder
	texts, between := numbers.Split(piece, -1), numbers.FindAllString(piece, -1)
	escapes := Size(piece) - len(piece)
	for n := 0; n == 0 || size > 0; n++ {
		before := b.Len()
		for i, text := range texts {
			b.WriteString(text)
			switch {
			case i == len(between):
			case between[i] == "{n}":
				b.WriteString(strconv.Itoa(n))
			default:
				b.WriteString(strconv.Itoa(n + 1))
			}
		}
		size -= b.Len() - before + escapes
	}
	return strings.TrimSuffix(b.String(), ",")
}

// times returns roughly how often fill repeats a piece.
func times(piece string, size int) int { return max(1, size/(Size(piece)+2)) }

// part is a text whose piece is repeated.
type part struct{ head, piece, tail string }

func (p part) text(size int) string {
	return p.head + fill(p.piece, size-Size(p.head)-Size(p.tail)) + p.tail
}

// share is what a document has once.
type share struct {
	name string
	use  string // what refers to it
	part
}

// referrer is what a document has many of. It contains {use}, by which it refers to a share.
type referrer struct {
	name string
	part
}

// pairs returns each share with each referrer. The frame contains {share} and {refer}.
func pairs(format, mediaType, frame string, shares []share, referrers []referrer) (all []Document) {
	for _, s := range shares {
		for _, r := range referrers {
			all = append(all, Document{format, s.name, r.name, mediaType, func(shared, refers int) string {
				if s.piece == "" {
					refers += shared
				}
				used := strings.NewReplacer("{use}", s.use)
				refer := part{used.Replace(r.head), used.Replace(r.piece), used.Replace(r.tail)}
				return strings.NewReplacer("{share}", s.text(shared), "{refer}", refer.text(refers)).Replace(frame)
			}})
		}
	}
	return all
}
