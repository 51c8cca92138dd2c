// Package multiply makes documents that stand for more than they hold: every
// pair of a thing that can be shared and of something that refers to it, in
// every format that api_convert reads, of any size. What is shared and who
// refers to it are tables (openapi_shares.go and so on); a document is one row
// of each, filled up to a size.
package multiply

import (
	"regexp"
	"strconv"
	"strings"
)

// Document is one pair, in one format, of no size yet.
type Document struct {
	Format    string // and the way of referring: openapi-3.1, yaml-alias …
	Share     string // what is shared
	Referrer  string // who refers to it
	MediaType string // of the text
	build     func(shared, refers int) string
}

// Name is the document's own among all.
func (d Document) Name() string { return d.Format + "/" + d.Share + "/" + d.Referrer }

// Split is how a document's bytes are divided: so many of 16 are the shared
// thing, the others refer to it. Equal halves make the largest product.
type Split struct {
	Name   string
	Shared int
}

// Splits are the divisions that are tried.
var Splits = []Split{{"half", 8}, {"small", 1}, {"large", 15}}

// Text is the document with about size bytes in a JSON string (Size), as
// which a request carries it, and not over it by more than its own frame.
func (d Document) Text(size int, split Split) string {
	shared := size / 16 * split.Shared
	return d.build(shared, size-shared)
}

// Documents are all pairs in all formats, in an order that stays.
func Documents() []Document {
	var all []Document
	for _, list := range [][]Document{openAPI(), swagger(), postman(), shell(), secrets(), places()} {
		all = append(all, list...)
	}
	return all
}

// Size is how many bytes a text has in a JSON string.
func Size(text string) int {
	return len(text) + strings.Count(text, `"`) + strings.Count(text, `\`) + strings.Count(text, "\n")
}

var numbers = regexp.MustCompile(`\{[nm]\}`)

// fill repeats a piece, at least once, until it has size bytes in a JSON
// string. {n} in it is the number of the repetition from 0, {m} the next one.
// A comma at its end stands between two only. An empty piece stays so.
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

// times is how often fill repeats a piece, roughly.
func times(piece string, size int) int { return max(1, size/(Size(piece)+2)) }

// part is a text whose piece is repeated.
type part struct{ head, piece, tail string }

func (p part) text(size int) string {
	return p.head + fill(p.piece, size-Size(p.head)-Size(p.tail)) + p.tail
}
