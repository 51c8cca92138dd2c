package openapi

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// input is what requests send under one name: a parameter of one place, or a
// field of forms.
type input struct {
	name        string
	description string
	list        bool   // a request sends it several times
	sent        []sent // one of each request that sends it
	unsent      []sent // values that the source writes beside those
}

// sent is what one request sends in an input.
type sent struct {
	from  int // the number of the request or form
	label string
	place *warning.Place
	texts []string
}

// again returns what a request has sent under the name already, nil when it
// has not.
func (in *input) again(from int) *sent {
	if n := len(in.sent); n > 0 && in.sent[n-1].from == from {
		return &in.sent[n-1]
	}
	return nil
}

// values are what requests send as JSON: numbers and booleans where every text
// is one. What stands several times in a request and is no list is one text
// (RFC 9110, section 5.3).
func (in *input) values(list []sent) []*tree.Value {
	texts := make([][]string, len(list))
	read := literal
	for i, s := range list {
		if texts[i] = s.texts; !in.list {
			texts[i] = []string{strings.Join(s.texts, ", ")}
		}
		if slices.ContainsFunc(texts[i], func(text string) bool { return literal(text).Kind() == tree.String }) {
			read = str
		}
	}
	values := make([]*tree.Value, len(list))
	for i, texts := range texts {
		if !in.list {
			values[i] = read(texts[0])
			continue
		}
		values[i] = tree.NewArray()
		for _, text := range texts {
			values[i].Append(read(text))
		}
	}
	return values
}

// literal is the number or boolean that a text is, where it is written as one
// would write it; everything else is a string.
func literal(text string) *tree.Value {
	switch {
	case text == "true" || text == "false":
		return tree.NewBool(text == "true")
	case isDecimal(text):
		return tree.NewNumber(text)
	}
	return str(text)
}

// maxDecimal is how many characters a number in a text may have: longer ones
// are identifiers.
const maxDecimal = 15

// isDecimal reports whether a text is a plain decimal number: no exponent, no
// leading zero, no zero at the end of a fraction.
func isDecimal(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	whole, fraction, dot := strings.Cut(digits, ".")
	if text == "-0" || len(text) > maxDecimal || whole == "" || len(whole) > 1 && whole[0] == '0' {
		return false
	}
	if dot && (fraction == "" || fraction[len(fraction)-1] == '0') {
		return false
	}
	return strings.Trim(whole+fraction, "0123456789") == ""
}

// ordered are things by a key, in the order in which they were first asked for.
type ordered[K comparable, V any] struct {
	list  []*V
	byKey map[K]*V
}

// get returns the thing of a key: made where there is none yet.
func (o *ordered[K, V]) get(key K, made V) *V {
	if known := o.byKey[key]; known != nil {
		return known
	}
	if o.byKey == nil {
		o.byKey = map[K]*V{}
	}
	o.byKey[key] = &made
	o.list = append(o.list, &made)
	return &made
}
