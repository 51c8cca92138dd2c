package jsondoc

import (
	"encoding/json"

	"github.com/convertd/convertd/internal/convert"
)

// maxValues is how many values one Decode may return. A request that the OpenAPI document allows has a few hundred.
const maxValues = 4096

// Decode returns the value of text as encoding/json does with UseNumber: map[string]any, []any, string,
// json.Number, bool or nil. It is meant for request bodies: a small tree around large strings.
//
// text must be valid UTF-8. Decode rejects what a Scanner rejects, but accepts every number. It also rejects more
// than maxValues values, as a violation of the schema, because a tree takes up to sixty times the memory of its
// source. Numbers and strings without escapes share text's memory. The error is a *convert.Failure, with the
// position if text is not valid JSON.
func Decode(text string) (any, error) {
	s := NewContentScanner(text)
	defer s.Release()
	var (
		values int
		done   any                  // the value read last
		tree   = make([]node, 0, 8) // the open arrays and objects
	)
	for {
		token, err := s.Next()
		if err != nil {
			return nil, err
		}
		if token.Kind == End {
			break
		}
		if token.Kind != Name && token.Kind != EndObject && token.Kind != EndArray {
			values++
		}
		if values > maxValues {
			continue // the rest must be valid JSON, but is not kept
		}
		switch token.Kind {
		case BeginObject:
			tree = append(tree, node{object: map[string]any{}})
			continue
		case BeginArray:
			tree = append(tree, node{array: []any{}})
			continue
		case Name:
			tree[len(tree)-1].name = token.Content()
			continue
		case EndObject:
			done, tree = tree[len(tree)-1].object, tree[:len(tree)-1]
		case EndArray:
			done, tree = tree[len(tree)-1].array, tree[:len(tree)-1]
		case String:
			done = s.content
		case Number:
			done = json.Number(token.Raw)
		default:
			done = literals[token.Kind]
		}
		if len(tree) > 0 {
			tree[len(tree)-1].add(done)
		}
	}
	if values > maxValues {
		return nil, convert.Reject(convert.SchemaViolation,
			"The request body has more than %d JSON values.",
			"Send one request as the OpenAPI document describes it. To convert a JSON document, send it as one string.", maxValues)
	}
	return done, nil
}

// literals are the values of the literal names.
var literals = map[Kind]any{True: true, False: false, Null: nil}

// node is an object or array that Decode is filling.
type node struct {
	object map[string]any // nil for an array
	name   string         // of the object's next member
	array  []any
}

func (n *node) add(value any) {
	if n.object != nil {
		n.object[n.name] = value
	} else {
		n.array = append(n.array, value)
	}
}
