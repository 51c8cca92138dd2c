package yamldoc

import (
	"strconv"
	"unsafe"

	"github.com/convertd/convertd/internal/jsondoc"
)

// value appends a string value.
func (w *writer) value(dst []byte, t jsondoc.Token) []byte {
	content := w.decode(t)
	if t.Escaped && w.place != behindLongKey { // without escapes it has one line
		if dst, ok := w.literal(dst, content); ok {
			return dst
		}
	}
	return appendText(dst, content)
}

// appendText appends text, on the line where it begins, plain or in double quotes.
func appendText(dst []byte, text string) []byte {
	if isPlain(text) {
		return append(dst, text...)
	}
	return appendQuoted(dst, text)
}

// decode returns the content of a string, valid until the next call.
func (w *writer) decode(t jsondoc.Token) string {
	if !t.Escaped {
		return t.Content()
	}
	w.content = jsondoc.AppendContent(w.content[:0], t.Raw)
	return w.decoded()
}

func (w *writer) decoded() string {
	return unsafe.String(unsafe.SliceData(w.content), len(w.content))
}

// isPlain reports whether text can be written without quotes on one line.
func isPlain(text string) bool {
	if text == "" || classes[text[0]]&begins == 0 {
		return false
	}
	last := len(text) - 1
	for i := 0; ; i++ {
		i = skip(text, i, notPlain|colon)
		if i > last {
			break
		}
		if text[i] != ':' || i == last || text[i+1] == ' ' {
			return false
		}
	}
	return text[last] != ' ' && (classes[text[0]]&beginsWord == 0 || !hasOtherMeaning(text))
}

// hasOtherMeaning reports whether some reader interprets text, which begins with a letter, as something other
// than a string.
func hasOtherMeaning(text string) bool {
	if text[0]|0x20 == 'e' {
		return isExponent(text)
	}
	var lower [len("infinity")]byte
	if len(text) > len(lower) {
		return false
	}
	for i := range len(text) {
		lower[i] = text[i] | 0x20
	}
	switch string(lower[:len(text)]) {
	case "y", "yes", "n", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity":
		return true
	}
	return false
}

// isExponent reports whether text begins like the exponent of a number. Some readers require no digits before it.
func isExponent(text string) bool {
	digit := 1
	if len(text) > 1 && (text[1] == '-' || text[1] == '+') {
		digit = 2
	}
	return digit < len(text) && text[digit]-'0' <= 9
}

// longNumber is the length from which a number is rewritten without the zeros that make it so long: some
// readers don't read more than 1,000 characters as a number, and those in Go misread more than 800 digits.
const longNumber = 800

// appendNumber appends a JSON number token so that every reader reads a number of the same kind and value. YAML
// 1.1 recognizes a float by its fraction and requires the sign of an exponent.
func appendNumber(dst []byte, raw string) []byte {
	if len(raw) > longNumber && jsondoc.SafeNumber(raw) {
		value, _ := strconv.ParseFloat(jsondoc.Shorten(raw), 64) // no error, because it is safe
		raw = strconv.FormatFloat(value, 'e', -1, 64)
	}
	e, point := 0, false
	for e < len(raw) && raw[e]|0x20 != 'e' {
		point = point || raw[e] == '.'
		e++
	}
	dst = append(dst, raw[:e]...)
	if e == len(raw) {
		return dst
	}
	if !point {
		dst = append(dst, ".0"...)
	}
	dst = append(dst, 'e')
	if sign := raw[e+1]; sign != '-' && sign != '+' {
		dst = append(dst, '+')
	}
	return append(dst, raw[e+1:]...)
}
