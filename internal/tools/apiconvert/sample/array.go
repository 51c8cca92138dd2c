package sample

import (
	"slices"
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// array returns an array with the required number of elements, at least one if allowed.
func (s *shape) array(depth int) *tree.Value {
	var longest part
	for _, p := range s.parts("prefixItems") {
		if p.schema.Len() > longest.schema.Len() {
			longest = p
		}
	}
	prefix := longest.schema.Elements()
	least, most := s.limit("minItems", 0), s.limit("maxItems", maxCount)
	count := min(max(least, len(prefix), 1), most)
	if count < least || count > maxCount {
		return nil
	}
	out := tree.NewArray()
	for i := range count {
		var v *tree.Value
		switch {
		case i < len(prefix):
			v = s.m.sample([]part{{prefix[i], longest.from}}, depth+1)
		case i == len(prefix):
			v = s.m.sample(s.parts("items"), depth+1)
		default:
			v = out.Element(len(prefix)).Clone(s.m.budget)
			if slices.ContainsFunc(s.schemas, func(schema *tree.Value) bool { return schema.Get("uniqueItems").Bool() }) {
				v = s.m.vary(v, s.parts("items"), i-len(prefix))
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
func (m *run) vary(v *tree.Value, items []part, i int) *tree.Value {
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
	if text := v.Text() + strconv.Itoa(i+1); v.Kind() == tree.String && len(text) <= s.limit("maxLength", len(text)) {
		return tree.NewString(text)
	}
	b := s.bounds(isInteger(v))
	first, isNumber := float(v)
	if n := first + float64(i)*max(b.step, 1); isNumber && b.allow(n) {
		return decimal(n)
	}
	return nil
}
