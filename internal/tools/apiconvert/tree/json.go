package tree

import (
	"errors"
	"math"
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/jsondoc"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
)

// MaxNodes is the most values that a document of up to 1 MiB may have. A dense OpenAPI document of 1 MiB has
// about 100,000.
const MaxNodes = 1 << 18

// nodesOf returns how many values a document may have: MaxNodes, or one for each four bytes of the larger
// documents that the command line accepts.
func nodesOf(text string) int { return max(MaxNodes, len(text)/4) }

// Document is a parsed document: its source and its root value.
type Document struct {
	Text     string // without a leading byte order mark
	Root     *Value
	Comments Comments // which the tree drops

	offsets []int32 // of the values, by ID
}

// Reject sets the position of f to where v begins in the document, and returns f.
func (d *Document) Reject(f *convert.Failure, v *Value) *convert.Failure {
	if at := d.Offset(v); at >= 0 {
		return f.At(d.Text, at)
	}
	return f
}

// Offset returns the byte offset where v begins in the document, or -1 if v was not read from it. A value that
// a YAML alias or merge key expands to has the offset of the alias.
func (d *Document) Offset(v *Value) int {
	if id := v.ID(); id >= 0 && id < len(d.offsets) {
		return int(d.offsets[id])
	}
	return -1
}

// Number gives each value of a document that was built an ID, as if it had been read.
func (d *Document) Number() {
	var walk func(v *Value)
	walk = func(v *Value) {
		v.id = int32(len(d.offsets))
		d.offsets = append(d.offsets, -1)
		for _, value := range v.Values() {
			walk(value)
		}
	}
	walk(d.Root)
}

// Values returns the number of values that were read; their IDs are less.
func (d *Document) Values() int { return len(d.offsets) }

// byteOrderMark begins files that some editors write.
const byteOrderMark = "\ufeff"

// ReadJSON parses a JSON document (RFC 8259) and skips a leading byte order mark. Numbers keep their digits,
// however large they are. ReadJSON fails with invalid_source and the position (broken JSON, a duplicate name,
// half a surrogate pair) or with too_complex (depth, number of values). It charges b for the values.
func ReadJSON(text string, b *budget.Budget) (*Document, error) { return readJSON(text, false, b) }

// ReadRecords is like ReadJSON, but checks the objects in arrays at /*/* without parsing them: see Records. The IDs of
// the values are their offsets.
func ReadRecords(text string, b *budget.Budget) (*Document, error) { return readJSON(text, true, b) }

func readJSON(text string, records bool, b *budget.Budget) (*Document, error) {
	text = strings.TrimPrefix(text, byteOrderMark)
	r := jsonReader{text: text, scanner: jsondoc.NewScanner(text), builder: builder{budget: b, most: nodesOf(text)}, records: records}
	defer r.scanner.Release()
	root, err := r.read()
	if err != nil {
		return nil, asSource(err)
	}
	return &Document{Text: text, Root: root, offsets: r.arena.offsets}, nil
}

// Records parses the records of a document.
type Records struct{ reader jsonReader }

// Parse returns the object that v is if ReadRecords has not parsed it, and otherwise v. The object is valid until the
// next call, which uses its memory again.
func (p *Records) Parse(v *Value, b *budget.Budget) *Value {
	if v.Kind() != Record {
		return v
	}
	r := &p.reader
	r.budget, r.most, r.arena, r.names, r.values = b, math.MaxInt, r.arena.reset(), r.names[:0], r.values[:0]
	r.text, r.scanner, r.frames, r.records, r.base = v.text, jsondoc.NewScanner(v.text), r.frames[:0], true, v.ID()
	defer r.scanner.Release()
	record, _ := r.read() // it was checked
	return record
}

// asSource replaces the code of a jsondoc failure with the code for sources.
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

// builder builds values. The children of open arrays and objects are on two shared stacks, so that each array or object
// gets slices of its exact length when it closes.
type builder struct {
	budget *budget.Budget
	most   int // values
	arena  arena
	names  []string
	values []*Value
}

// frame is an open array or object, and the indexes of its first children.
type frame struct {
	value         *Value
	names, values int
}

// open returns the frame of a new array or object, whose children follow.
func (b *builder) open(kind Kind, at int) frame {
	return frame{b.arena.value(kind, at), len(b.names), len(b.values)}
}

// close moves the children of the innermost open array or object to it.
func (b *builder) close(f frame) {
	box := b.arena.room(len(b.names)-f.names, len(b.values)-f.values)
	box.names, box.values = append(box.names, b.names[f.names:]...), append(box.values, b.values[f.values:]...)
	f.value.box = box
	b.names, b.values = b.names[:f.names], b.values[:f.values]
}

// jsonReader reads JSON without recursion.
type jsonReader struct {
	builder
	text    string
	scanner *jsondoc.Scanner
	frames  []frame // the open arrays and objects
	records bool
	base    int // offset of a record, or 0
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
			last := len(r.frames) - 1
			r.close(r.frames[last])
			r.values = append(r.values, r.frames[last].value)
			r.frames = r.frames[:last]
			continue
		}
		if r.arena.made == r.most {
			return nil, tooManyValues(r.most)
		}
		r.budget.Parts(1)
		f := r.open(kinds[token.Kind], at)
		v := f.value
		if r.records {
			v.id = int32(r.base + at)
		}
		switch token.Kind {
		case jsondoc.BeginObject, jsondoc.BeginArray:
			if !r.atRecord(v) {
				r.frames = append(r.frames, f)
				continue
			}
			if err := r.skip(); err != nil {
				return nil, err
			}
			v.kind, v.text = Record, r.text[at:r.scanner.Offset()]
		case jsondoc.String:
			v.text = token.Content()
		case jsondoc.Number:
			v.text = token.Raw
		}
		r.values = append(r.values, v)
	}
}

// atRecord reports whether an array or object that begins is a record.
func (r *jsonReader) atRecord(v *Value) bool {
	return r.records && r.base == 0 && v.kind == Object && len(r.frames) == 3 && r.frames[2].value.kind == Array
}

// skip reads the rest of an object and counts its values.
func (r *jsonReader) skip() error {
	for depth := r.scanner.Depth(); r.scanner.Depth() >= depth; {
		token, err := r.scanner.Next()
		if err != nil {
			return err
		}
		switch token.Kind {
		case jsondoc.Name, jsondoc.EndObject, jsondoc.EndArray:
			continue
		}
		if r.arena.made++; r.arena.made > r.most {
			return tooManyValues(r.most)
		}
		r.budget.Pass(1)
	}
	return nil
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

// arena allocates values, boxes and slices in blocks: a document is built once and dropped as a whole.
type arena struct {
	made    int // values made
	offsets []int32
	values  []Value
	boxes   []box
	names   []string
	refs    []*Value
}

const block = 512

// reset returns an arena that uses the memory of a again.
func (a arena) reset() arena {
	a.offsets, a.values, a.boxes, a.names, a.refs = a.offsets[:0], a.values[:0], a.boxes[:0], a.names[:0], a.refs[:0]
	return a
}

func (a *arena) value(kind Kind, at int) *Value {
	if len(a.values) == cap(a.values) {
		a.values = make([]Value, 0, min(block, 16+a.made))
	}
	a.made++
	a.values = append(a.values, Value{kind: kind, id: int32(len(a.offsets))})
	a.offsets = append(a.offsets, int32(at))
	return &a.values[len(a.values)-1]
}

// room returns a box with the given capacities.
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

// carve cuts an empty slice of capacity n from a block. Its capacity is exactly n, so that a later append
// cannot overwrite a neighbour. Blocks are large only in large documents, because many small documents may be
// in memory at once.
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
