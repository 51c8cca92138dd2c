package sample

import "github.com/convertd/convertd/internal/tools/apiconvert/tree"

// array returns an array with the required number of elements, at least one if allowed. Elements after the first are
// copies of it, even if they should be unique.
func (s *shape) array(depth int) *tree.Value {
	var prefix []*tree.Value
	var prefixFrom *link
	for i, schema := range s.schemas {
		if p := schema.Get("prefixItems").Elements(); len(p) > len(prefix) {
			prefix, prefixFrom = p, s.links[i]
		}
	}
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
			v = s.m.sample([]part{{prefix[i], prefixFrom}}, depth+1)
		case i == len(prefix):
			v = s.m.sample(s.parts("items"), depth+1)
		default:
			v = out.Element(len(prefix)).Clone(s.m.budget)
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
