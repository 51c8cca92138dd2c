package yamlreaders

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/jsondoc"
)

// kindOf says which differences a reader preserves.
type kindOf struct {
	Order bool // the order of a mapping's keys
	Types bool // integers from floats
	Depth int  // how many levels it supports; 0: all that we write
}

// canonical rewrites a JSON text so that two texts become equal if a reader of the given kind sees no difference
// between their values: strings without needless escapes, numbers as doubles (integers and floats are distinguished if
// the reader does so), and members sorted by name if the reader does not keep their order.
func canonical(text string, kind kindOf) (string, error) {
	s := jsondoc.NewScanner(text)
	token, err := s.Next()
	if err != nil {
		return "", err
	}
	out, err := appendCanonical(nil, s, token, kind)
	if err == nil {
		token, err = s.Next()
		if err == nil && token.Kind != jsondoc.End {
			err = errors.New("more than one value")
		}
	}
	return string(out), err
}

func appendCanonical(dst []byte, s *jsondoc.Scanner, token jsondoc.Token, kind kindOf) ([]byte, error) {
	switch token.Kind {
	case jsondoc.String:
		return jsondoc.AppendString(dst, token.Content()), nil
	case jsondoc.Number:
		return appendNumber(dst, token.Raw, kind)
	case jsondoc.BeginArray:
		return appendItems(dst, s, kind)
	case jsondoc.BeginObject:
		return appendMembers(dst, s, kind)
	}
	return append(dst, token.Raw...), nil
}

func appendNumber(dst []byte, raw string, kind kindOf) ([]byte, error) {
	value, err := strconv.ParseFloat(jsondoc.Shorten(raw), 64) // ParseFloat misreads long ones, too
	if value == 0 {
		value = 0 // minus zero is the same number
	}
	dst = strconv.AppendFloat(dst, value, 'e', -1, 64)
	if kind.Types && value != 0 && strings.ContainsAny(raw, ".eE") {
		dst = append(dst, " float"...)
	}
	return dst, err
}

func appendItems(dst []byte, s *jsondoc.Scanner, kind kindOf) ([]byte, error) {
	dst = append(dst, '[')
	for {
		token, err := s.Next()
		if err != nil {
			return nil, err
		}
		if token.Kind == jsondoc.EndArray {
			return append(dst, ']'), nil
		}
		if dst, err = appendCanonical(dst, s, token, kind); err != nil {
			return nil, err
		}
		dst = append(dst, '\n')
	}
}

func appendMembers(dst []byte, s *jsondoc.Scanner, kind kindOf) ([]byte, error) {
	var members []string
	for {
		token, err := s.Next()
		if err != nil {
			return nil, err
		}
		if token.Kind == jsondoc.EndObject {
			break
		}
		member := append(jsondoc.AppendString(nil, token.Content()), ": "...)
		if token, err = s.Next(); err != nil {
			return nil, err
		}
		if member, err = appendCanonical(member, s, token, kind); err != nil {
			return nil, err
		}
		members = append(members, string(member)+"\n")
	}
	if !kind.Order {
		slices.Sort(members)
	}
	dst = append(dst, '{')
	for _, member := range members {
		dst = append(dst, member...)
	}
	return append(dst, '}'), nil
}

// depth returns the maximum nesting of arrays and objects in a JSON text.
func depth(text string) int {
	s, deepest := jsondoc.NewScanner(text), 0
	for {
		token, err := s.Next()
		if err != nil || token.Kind == jsondoc.End {
			return deepest
		}
		deepest = max(deepest, s.Depth())
	}
}
