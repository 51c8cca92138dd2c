package schema

import (
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// array makes as many elements as are asked for, one if none are.
func (s *shape) array(depth int) *tree.Value {
	var items, prefix []*tree.Value
	var positions []int // of the schemas that they stand in
	unique, first := false, 0
	for i, schema := range s.schemas {
		if v := schema.Get("items"); v != nil {
			items, positions = append(items, v), append(positions, i)
		}
		if p := schema.Get("prefixItems").Elements(); len(p) > len(prefix) {
			prefix, first = p, i
		}
		unique = unique || schema.Get("uniqueItems").Bool()
	}
	least, most := s.limit("minItems", 0), s.limit("maxItems", maxCount)
	count := max(least, len(prefix))
	if len(prefix) == 0 {
		count = max(count, 1)
	}
	if count = min(count, most); count < least || count > maxCount {
		return nil
	}
	if len(prefix) > 0 {
		positions = append(positions, first)
	}
	defer s.leave(s.enter(positions))
	out := tree.NewArray()
	var made *tree.Value
	for i := range count {
		var v *tree.Value
		switch {
		case i < len(prefix):
			v = s.m.sample(prefix[i:i+1], depth+1)
		case made == nil:
			made = s.m.sample(items, depth+1)
			v = made
		default:
			v = made.Clone(s.m.budget)
			if unique {
				v = s.m.vary(v, items, i-len(prefix))
			}
		}
		if v == nil {
			if i >= least || s.m.nearest {
				break
			}
			return nil
		}
		out.Append(v)
	}
	if out.Len() < least && !s.m.nearest {
		return nil
	}
	return out
}

// vary makes the i-th of elements that have to be different; nil when it
// cannot be told that it fits.
func (m *sampler) vary(v *tree.Value, items []*tree.Value, i int) *tree.Value {
	s := newShape(m, 0)
	if !s.addAll(items, true) {
		return nil
	}
	for _, schema := range s.schemas {
		if enum := schema.Get("enum"); enum.Len() > 0 {
			return enum.Element(i).Clone(m.budget)
		}
		if schema.Has("pattern") || schema.Has("const") || schema.Has("format") && v.Kind() == tree.String {
			return nil
		}
	}
	switch v.Kind() {
	case tree.String:
		if text := v.Text() + strconv.Itoa(i+1); len(text) <= s.limit("maxLength", len(text)) {
			return tree.NewString(text)
		}
	case tree.Number:
		return s.numberAfter(v, i)
	}
	return nil
}
