package request

import (
	"iter"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Pair is one name=value of a text, as it is written there.
type Pair struct {
	Name, Value string
	Bare        bool // without "=": the name alone
	At          int  // where Value begins in the text, in bytes
}

// Pairs yields the name=value of a text that a separator parts: & in a form or
// a query, ; in cookies. A separator within {{…}} parts nothing.
func Pairs(text string, separator byte) iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		start, equals := 0, -1
		for i := 0; i <= len(text); i++ {
			switch {
			case i == len(text) || text[i] == separator:
				pair := Pair{Name: text[start:i], Bare: true, At: i}
				if equals >= 0 {
					pair = Pair{Name: text[start:equals], Value: text[equals+1 : i], At: equals + 1}
				}
				if !yield(pair) {
					return
				}
				start, equals = i+1, -1
			case text[i] == '=' && equals < 0:
				equals = i
			case text[i] == '{':
				i += max(0, VariableLength(text[i:])-1)
			}
		}
	}
}

// ParseForm takes the text of an application/x-www-form-urlencoded body apart;
// nil when it is not made of pairs that can be decoded.
func ParseForm(text string) []*Field {
	if strings.HasPrefix(text, "--") && strings.Contains(text, "Content-Disposition:") {
		return nil // a multipart body without its media type
	}
	var fields []*Field
	for p := range Pairs(text, '&') {
		name, err := url.QueryUnescape(p.Name)
		value, err2 := url.QueryUnescape(p.Value)
		if p.Bare || err != nil || err2 != nil || !utf8.ValidString(name) || !utf8.ValidString(value) ||
			strings.ContainsAny(name, "\n<{") && !HasVariable(name) {
			return nil
		}
		fields = append(fields, &Field{Parameter: Parameter{Name: name, Value: value}})
	}
	return fields
}
