package rewrite

import (
	"iter"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Distinct removes the elements of a list that have the same key as an earlier one, and calls twice for each.
func Distinct[K comparable](v *tree.Value, key func(*tree.Value) K, twice func(again *tree.Value)) {
	if v.Len() < 2 {
		return
	}
	seen := make(map[K]bool, v.Len())
	v.Keep(func(_ int, _ string, entry *tree.Value) bool {
		k := key(entry)
		if seen[k] {
			twice(entry)
			return false
		}
		seen[k] = true
		return true
	})
}

// Entries yields the members of v except extensions.
func Entries(v *tree.Value) iter.Seq2[string, *tree.Value] {
	return func(yield func(string, *tree.Value) bool) {
		for name, value := range v.Members() {
			if !shape.IsExtension(name) && !yield(name, value) {
				return
			}
		}
	}
}

// Rebuild replaces the members of v with those that f sets when called for each of them in order.
func Rebuild(v *tree.Value, f func(out *tree.Value, name string, value *tree.Value)) {
	out := tree.NewObject()
	for name, value := range v.Members() {
		f(out, name, value)
	}
	v.Become(out)
}

// Replace replaces the member name by value under the name by, at the same position. It removes any other member
// named by.
func Replace(v *tree.Value, name, by string, value *tree.Value) {
	if name != by {
		value.From(v.Get(by))
		v.Delete(by)
	}
	v.Set(name, value)
	v.Rename(name, by)
}

// PositionBefore returns the position of the first of names that v has, or the end if it has none.
func PositionBefore(v *tree.Value, names ...string) int {
	for _, name := range names {
		if i := v.Position(name); i >= 0 {
			return i
		}
	}
	return v.Len()
}

// ObjectAt returns a member of v. It adds an empty object if v has no such member.
func ObjectAt(v *tree.Value, name string) *tree.Value {
	if v.Get(name) == nil {
		v.Set(name, tree.NewObject())
	}
	return v.Get(name)
}

func IsReference(v *tree.Value) bool {
	_, is := tree.Ref(v)
	return is
}

func IsFlag(v *tree.Value) bool { return v.Kind() == tree.True || v.Kind() == tree.False }

// BecomeFlag turns a string that means true or false, which yes and no did in YAML 1.1, into a boolean. It reports
// whether v is a boolean.
func BecomeFlag(v *tree.Value) bool {
	switch v.Text() {
	case "true", "yes":
		v.Become(tree.NewBool(true))
	case "false", "no":
		v.Become(tree.NewBool(false))
	}
	return IsFlag(v)
}

// Texts returns the distinct strings in an array.
func Texts(v *tree.Value) (list []string) {
	for _, element := range v.Elements() {
		if len(list) == MaxTexts {
			break
		}
		if element.Kind() == tree.String && !slices.Contains(list, element.Text()) {
			list = append(list, element.Text())
		}
	}
	return list
}

// MaxTexts limits the media types and schemes in one list.
const MaxTexts = 100

// TemplateNames returns the names in braces in a path or URL.
func TemplateNames(template string) (names []string) {
	for part := range strings.SplitAfterSeq(template, "}") {
		_, name, _ := strings.Cut(part, "{")
		if name, closed := strings.CutSuffix(name, "}"); closed && name != "" {
			names = append(names, name)
		}
	}
	return names
}
