package tree

import (
	"errors"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// MaxNodes is how many values a document may have, when it has no more than
// 1 MiB. A dense description of 1 MiB has about 100,000.
const MaxNodes = 1 << 18

// nodesOf is how many values a document of the text may have: MaxNodes, and
// for the larger texts that the command line takes one for each fourth byte.
func nodesOf(text string) int { return max(MaxNodes, len(text)/4) }

// Document is a text that was read and its root value.
type Document struct {
	Text     string // without a byte order mark in front
	Root     *Value
	Comments int // the line of the first comment, which the tree does not hold; 0 for none
}

// Refuse places f where v begins in the document's text and returns it.
func (d *Document) Refuse(f *convert.Failure, v *Value) *convert.Failure {
	if v.Offset() < 0 {
		return f
	}
	return f.At(d.Text, v.Offset())
}

// byteOrderMark stands in front of files that some editors wrote.
const byteOrderMark = "\ufeff"

// ReadJSON reads a JSON text (RFC 8259); a byte order mark in front is passed
// over. Numbers are kept as they are written, however large. It fails with
// invalid_source and the place (broken JSON, a name that stands twice, half a
// surrogate pair) or with too_complex (depth, number of values). Values are
// paid from b.
func ReadJSON(text string, b *budget.Budget) (*Document, error) {
	text = strings.TrimPrefix(text, byteOrderMark)
	r := jsonReader{scanner: jsondoc.NewScanner(text), budget: b, most: nodesOf(text)}
	defer r.scanner.Release()
	root, err := r.read()
	if err != nil {
		return nil, asSource(err)
	}
	return &Document{Text: text, Root: root}, nil
}

// asSource gives a jsondoc failure the code that a source's failure has.
func asSource(err error) error {
	var f *convert.Failure
	if !errors.As(err, &f) {
		return err
	}
	switch f.Code {
	case convert.TooDeep:
		return f.WithCode(convert.TooComplex)
	case convert.InvalidJSON, convert.DuplicateKey, convert.InvalidUnicode:
		return f.WithCode(convert.InvalidSource)
	}
	return f
}

// jsonReader builds values with an explicit stack. While an array or object is
// open its children lie on two shared stacks, so that each gets slices of
// exactly its length when it closes.
type jsonReader struct {
	scanner *jsondoc.Scanner
	budget  *budget.Budget
	most    int // values
	arena   arena
	open    []frame
	names   []string
	values  []*Value
}

// frame is an open array or object: it, and where its children begin.
type frame struct {
	value         *Value
	names, values int
}

func (r *jsonReader) read() (*Value, error) {
	for {
		token, err := r.scanner.Next()
		if err != nil {
			return nil, err
		}
		at := r.scanner.Offset() - len(token.Raw)
		switch token.Kind {
		case jsondoc.End:
			return r.values[0], nil
		case jsondoc.Name:
			r.names = append(r.names, token.Content())
			continue
		case jsondoc.EndObject, jsondoc.EndArray:
			r.close()
			continue
		}
		if r.arena.made == r.most {
			return nil, tooManyValues(r.most)
		}
		r.budget.Parts(1)
		v := r.arena.value(kinds[token.Kind], at)
		r.values = append(r.values, v)
		switch token.Kind {
		case jsondoc.BeginObject, jsondoc.BeginArray:
			r.open = append(r.open, frame{v, len(r.names), len(r.values)})
		case jsondoc.String:
			v.text = token.Content()
		case jsondoc.Number:
			v.text = token.Raw
		}
	}
}

var kinds = [...]Kind{
	jsondoc.BeginObject: Object,
	jsondoc.BeginArray:  Array,
	jsondoc.String:      String,
	jsondoc.Number:      Number,
	jsondoc.True:        True,
	jsondoc.False:       False,
	jsondoc.Null:        Null,
}

// close gives the innermost open array or object its children.
func (r *jsonReader) close() {
	last := len(r.open) - 1
	f := r.open[last]
	r.open = r.open[:last]
	b := r.arena.room(len(r.names)-f.names, len(r.values)-f.values)
	b.names, b.values = append(b.names, r.names[f.names:]...), append(b.values, r.values[f.values:]...)
	f.value.box = b
	r.names, r.values = r.names[:f.names], r.values[:f.values]
}

// arena allocates values, boxes and slices in blocks: a document is built
// once and dropped as a whole.
type arena struct {
	made   int // values made
	values []Value
	boxes  []box
	names  []string
	refs   []*Value
}

const block = 512

func (a *arena) value(kind Kind, at int) *Value {
	if len(a.values) == cap(a.values) {
		a.values = make([]Value, 0, min(block, 16+a.made))
	}
	a.made++
	a.values = append(a.values, Value{kind: kind, offset: int32(at)})
	return &a.values[len(a.values)-1]
}

// room returns a box with room for so many names and values.
func (a *arena) room(names, values int) *box {
	if len(a.boxes) == cap(a.boxes) {
		a.boxes = make([]box, 0, min(block, 16+a.made))
	}
	a.boxes = append(a.boxes, box{
		names:  carve(&a.names, names, a.made),
		values: carve(&a.refs, values, a.made),
	})
	return &a.boxes[len(a.boxes)-1]
}

// carve cuts an empty slice with room for n from a block. It has no more room
// than that, so that a later append cannot reach a neighbour's. Blocks are
// large only in documents that are: many small ones may be held at once.
func carve[T any](from *[]T, n, made int) []T {
	if n == 0 {
		return nil
	}
	if len(*from)+n > cap(*from) {
		*from = make([]T, 0, max(min(2*block, made), n))
	}
	start := len(*from)
	*from = (*from)[:start+n]
	return (*from)[start : start : start+n]
}
