package yamldoc

import (
	"strings"
	"unicode/utf8"
)

// block is the position of a literal block. The zero value means none.
type block struct {
	column    int // of its lines, at least 1
	indicator int // the indentation in its header, 0 if none
}

// literal appends text as a literal block. If text has only one line or some reader would change it, it appends
// nothing and returns false. A block that keeps several final line feeds is held back, because it cannot end a
// document, which ends with one line feed.
func (w *writer) literal(dst []byte, text string) ([]byte, bool) {
	if !fitsLiteral(text) {
		return dst, false
	}
	b, width := block{}, w.indent
	switch w.place {
	case atStart:
		// Readers differ in what an indicator counts from here.
		if needsIndicator(text) {
			return dst, false
		}
		b.column = width
	case behindDash:
		width = len("- ")
		fallthrough
	default:
		b.column = w.open[w.depth-1].column + width
	}
	if needsIndicator(text) {
		b.indicator = width
	}
	if strings.HasSuffix(text, "\n\n") {
		w.held = b
		return dst, true
	}
	return w.block(dst, text, b), true
}

// release writes the block that is held back, because something follows it.
func (w *writer) release(dst []byte) []byte {
	b := w.held
	w.held = block{}
	return w.block(dst, w.decoded(), b)
}

// block appends text as a literal block.
func (w *writer) block(dst []byte, text string, b block) []byte {
	dst = append(dst, '|')
	if b.indicator > 0 {
		dst = append(dst, '0'+byte(b.indicator))
	}
	body := strings.TrimRight(text, "\n")
	switch final := len(text) - len(body); {
	case final == 0:
		dst = append(dst, '-')
	case final > 1:
		dst = append(dst, '+')
		body = text[:len(text)-1]
	}
	// Indentation can make the output much larger than text.
	for more := true; more && w.err == nil && !w.limit.Exceeded(dst); dst = w.drain(dst) {
		var line string
		line, body, more = strings.Cut(body, "\n")
		if line == "" {
			dst = append(dst, '\n')
			continue
		}
		dst = append(appendLine(dst, b.column), line...)
	}
	return dst
}

// fitsLiteral reports whether text has several lines and reads back unchanged from a literal block. Readers
// differ for text of only line feeds and for white space at the end of the last line.
func fitsLiteral(text string) bool {
	if strings.IndexByte(text, '\n') < 0 {
		return false
	}
	body := strings.TrimRight(text, "\n")
	if body == "" || strings.HasSuffix(body, " ") || strings.HasSuffix(body, "\t") {
		return false
	}
	for i := skip(text, 0, notLiteral|lead); i < len(text); i = skip(text, i, notLiteral|lead) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if r < utf8.RuneSelf || needsEscape(r) {
			return false
		}
		i += size
	}
	return true
}

// needsIndicator reports whether the block must state its indentation, because readers that derive it from the
// first line would be wrong.
func needsIndicator(text string) bool {
	return text[0] == ' ' || text[0] == '\t' || text[0] == '\n'
}
