package jsondoc

import "encoding/json"

// Decode returns the value of text as encoding/json would with UseNumber:
// map[string]any, []any, string, json.Number, bool or nil. It is meant for
// small trees around large strings, a request's body for one: a tree takes
// many times the memory of its text.
//
// text must be valid UTF-8. Decode refuses what a Scanner refuses, but no
// number for its value. Numbers and the strings without escapes share text's
// memory. The error is a *convert.Failure with the place.
func Decode(text string) (any, error) {
	s := NewScanner(text)
	s.decode = true
	var (
		done any    // the value read last
		tree []node // the arrays and objects that are open
	)
	for {
		token, err := s.Next()
		if err != nil {
			return nil, err
		}
		switch token.Kind {
		case End:
			return done, nil
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
		default:
			done = s.scalarValue(token)
		}
		if len(tree) > 0 {
			tree[len(tree)-1].add(done)
		}
	}
}

// node is an object or an array that Decode is filling.
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

// scalarValue returns the value of a string, a number or a literal name.
func (s *Scanner) scalarValue(token Token) any {
	switch token.Kind {
	case String:
		return s.content
	case Number:
		return json.Number(token.Raw)
	case True:
		return true
	case False:
		return false
	default: // Null
		return nil
	}
}
