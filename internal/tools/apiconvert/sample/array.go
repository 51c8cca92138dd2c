package sample

import (
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// array returns an array with the required number of elements, at least one if allowed.
func (s *shape) array(depth int) *tree.Value {
	var items []part
	var prefix []*tree.Value
	var prefixFrom *link
	unique := false
	for i, schema := range s.schemas {
		if v := schema.Get("items"); v != nil {
			items = append(items, part{v, s.links[i]})
		}
		if p := schema.Get("prefixItems").Elements(); len(p) > len(prefix) {
			prefix, prefixFrom = p, s.links[i]
		}
		unique = unique || schema.Get("uniqueItems").Bool()
	}
	least, most := s.limit("minItems", 0), s.limit("maxItems", maxCount)
	count := min(max(least, len(prefix), 1), most)
	if count < least || count > maxCount {
		return nil
	}
	out := tree.NewArray()
	var first *tree.Value
	for i := range count {
		var v *tree.Value
		switch {
		case i < len(prefix):
			v = s.m.sample([]part{{prefix[i], prefixFrom}}, depth+1)
		case first == nil:
			first = s.m.sample(items, depth+1)
			v = first
		default:
			if v = first.Clone(s.m.budget); unique {
				v = s.m.vary(v, items, i-len(prefix))
			}
		}
		if v == nil {
			break
		}
		out.Append(v)
	}
	if out.Len() < least && !s.m.nearest {
		return nil
	}
	return out
}

// vary returns the i-th of several elements that must be distinct, or nil if it isn't known to be valid.
func (m *sampler) vary(v *tree.Value, items []part, i int) *tree.Value {
	s := shape{m: m}
	if !s.addAll(items) {
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
