package versions

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// keep leaves out of v, an object or an array (whose elements have no name),
// the entries for which holds is false. Unlike v.Keep it lets holds look up
// what it likes, as nothing is moved before it was asked about all entries.
func keep(v *tree.Value, holds func(i int, name string, entry *tree.Value) bool) {
	var drop []bool
	ask := func(i int, name string, entry *tree.Value) {
		if !holds(i, name, entry) {
			if drop == nil {
				drop = make([]bool, v.Len())
			}
			drop[i] = true
		}
	}
	each(v, ask)
	for i, entry := range v.Elements() {
		ask(i, "", entry)
	}
	i := -1
	stays := func() bool { i++; return !drop[i] }
	switch {
	case drop == nil:
	case v.Kind() == tree.Array:
		v.KeepElements(func(*tree.Value) bool { return stays() })
	default:
		v.Keep(func(string, *tree.Value) bool { return stays() })
	}
}

// distinct leaves out of a list what has the key of something before it, and
// calls twice for it.
func distinct[K comparable](v *tree.Value, key func(*tree.Value) K, twice func(i int)) {
	if v.Len() < 2 {
		return
	}
	seen := make(map[K]bool, v.Len())
	keep(v, func(i int, _ string, entry *tree.Value) bool {
		k := key(entry)
		if seen[k] {
			twice(i)
			return false
		}
		seen[k] = true
		return true
	})
}

// each calls f for every member of v with its position.
func each(v *tree.Value, f func(i int, name string, value *tree.Value)) {
	i := 0
	for name, value := range v.Members() {
		f(i, name, value)
		i++
	}
}

// entries calls f for every member of v that is no extension.
func entries(v *tree.Value, f func(i int, name string, value *tree.Value)) {
	each(v, func(i int, name string, value *tree.Value) {
		if !isExtension(name) {
			f(i, name, value)
		}
	})
}

// rebuild replaces the members of v by those that f sets for each of them in
// turn.
func rebuild(v *tree.Value, f func(out *tree.Value, i int, name string, value *tree.Value)) {
	out := tree.NewObject()
	each(v, func(i int, name string, value *tree.Value) { f(out, i, name, value) })
	v.Become(out)
}

// replace puts a member in the place of the one called name. Another member
// that is called like it goes.
func replace(v *tree.Value, name, by string, value *tree.Value) {
	if name != by {
		v.Delete(by)
	}
	v.Set(name, value)
	v.Rename(name, by)
}

// inFrontOf returns the position of v's member that is called like the first of
// the names that it has, the end if it has none.
func inFrontOf(v *tree.Value, names ...string) int {
	for _, name := range names {
		if i := v.Position(name); i >= 0 {
			return i
		}
	}
	return v.Len()
}

// objectAt returns the object that is a member of v, a new one if there is
// none.
func objectAt(v *tree.Value, name string) *tree.Value {
	if v.Get(name) == nil {
		v.Set(name, tree.NewObject())
	}
	return v.Get(name)
}

func setText(v *tree.Value, name, text string) {
	if text != "" {
		v.Set(name, tree.NewString(text))
	}
}

func isExtension(name string) bool { return strings.HasPrefix(name, "x-") }

func isReference(v *tree.Value) bool {
	_, is := tree.Ref(v)
	return is
}

func isFlag(v *tree.Value) bool { return v.Kind() == tree.True || v.Kind() == tree.False }

// texts returns the different texts of an array.
func texts(v *tree.Value) (list []string) {
	for _, element := range v.Elements() {
		if len(list) == maxTexts {
			break
		}
		if element.Kind() == tree.String && !slices.Contains(list, element.Text()) {
			list = append(list, element.Text())
		}
	}
	return list
}

// maxTexts bounds the media types and schemes of one list.
const maxTexts = 100

// Media types that mean more than their name.
const (
	jsonType       = "application/json"
	urlencodedType = "application/x-www-form-urlencoded"
	multipartType  = "multipart/form-data"
	binaryType     = "application/octet-stream"
)

// bare is a media type without its parameters, in lower case.
func bare(mediaType string) string {
	name, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	return strings.TrimSpace(name)
}

func isForm(mediaType string) bool {
	name := bare(mediaType)
	return name == urlencodedType || name == multipartType
}
