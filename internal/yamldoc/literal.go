package yamldoc

import (
	"strings"
	"unicode/utf8"
)

// literal appends text as a literal block, or nothing and false when text has
// one line only or some reader would change it.
func (w *writer) literal(dst []byte, text string) ([]byte, bool) {
	body := strings.TrimRight(text, "\n")
	if !fitsLiteral(text, body) {
		return dst, false
	}
	column, width := 0, w.indent
	switch w.place {
	case atStart:
		// What an indicator counts from is not clear here.
		if needsIndicator(text) {
			return dst, false
		}
		column = width
	case behindDash:
		width = len("- ")
		column = w.open[w.depth-1].column + width
	default:
		column = w.open[w.depth-1].column + width
	}
	start := len(dst)
	dst = append(dst, '|')
	if needsIndicator(text) {
		dst = append(dst, '0'+byte(width))
	}
	switch final := len(text) - len(body); {
	case final == 0:
		dst = append(dst, '-')
	case final > 1:
		dst = append(dst, '+')
		w.kept = start
		body = text[:len(text)-1]
	}
	return w.lines(dst, body, column), true
}

// lines appends each line of text at the given column. As indentation can make
// the output much larger than text, it stops when the budget is exceeded.
func (w *writer) lines(dst []byte, text string, column int) []byte {
	for more := true; more && !w.budget.Exceeded(dst); {
		var line string
		line, text, more = strings.Cut(text, "\n")
		if line == "" {
			dst = append(dst, '\n')
			continue
		}
		dst = append(appendLine(dst, column), line...)
	}
	return dst
}

// fitsLiteral reports whether text has several lines and reads back the same
// from a literal block. body is text without its final line feeds; readers
// differ when there is nothing else or when it ends in white space.
func fitsLiteral(text, body string) bool {
	if body == "" || strings.IndexByte(text, '\n') < 0 {
		return false
	}
	if last := body[len(body)-1]; last == ' ' || last == '\t' {
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

// needsIndicator reports whether the block must say how far it is indented,
// because readers that find it out from the first line would be misled.
func needsIndicator(text string) bool {
	return text[0] == ' ' || text[0] == '\t' || text[0] == '\n'
}
