package rewrite

import (
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
)

// Keep leaves out of v, an object or an array (whose elements have no name),
// the entries for which holds is false. Unlike v.Keep it lets holds look up
// what it likes, as nothing is moved before it was asked about all entries.
func Keep(v *tree.Value, holds func(i int, name string, entry *tree.Value) bool) {
	var drop []bool
	ask := func(i int, name string, entry *tree.Value) {
		if !holds(i, name, entry) {
			if drop == nil {
				drop = make([]bool, v.Len())
			}
			drop[i] = true
		}
	}
	Each(v, ask)
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

// Distinct leaves out of a list what has the key of something before it, and
// calls twice for it.
func Distinct[K comparable](v *tree.Value, key func(*tree.Value) K, twice func(i int)) {
	if v.Len() < 2 {
		return
	}
	seen := make(map[K]bool, v.Len())
	Keep(v, func(i int, _ string, entry *tree.Value) bool {
		k := key(entry)
		if seen[k] {
			twice(i)
			return false
		}
		seen[k] = true
		return true
	})
}

// Each calls f for every member of v with its position.
func Each(v *tree.Value, f func(i int, name string, value *tree.Value)) {
	i := 0
	for name, value := range v.Members() {
		f(i, name, value)
		i++
	}
}

// Entries calls f for every member of v that is no extension.
func Entries(v *tree.Value, f func(i int, name string, value *tree.Value)) {
	Each(v, func(i int, name string, value *tree.Value) {
		if !shape.IsExtension(name) {
			f(i, name, value)
		}
	})
}

// Rebuild replaces the members of v by those that f sets for each of them in
// turn.
func Rebuild(v *tree.Value, f func(out *tree.Value, i int, name string, value *tree.Value)) {
	out := tree.NewObject()
	Each(v, func(i int, name string, value *tree.Value) { f(out, i, name, value) })
	v.Become(out)
}

// Replace puts a member in the place of the one called name. Another member
// that is called like it goes.
func Replace(v *tree.Value, name, by string, value *tree.Value) {
	if name != by {
		v.Delete(by)
	}
	v.Set(name, value)
	v.Rename(name, by)
}

// InFrontOf returns the position of v's member that is called like the first of
// the names that it has, the end if it has none.
func InFrontOf(v *tree.Value, names ...string) int {
	for _, name := range names {
		if i := v.Position(name); i >= 0 {
			return i
		}
	}
	return v.Len()
}

// ObjectAt returns the object that is a member of v, a new one if there is
// none.
func ObjectAt(v *tree.Value, name string) *tree.Value {
	if v.Get(name) == nil {
		v.Set(name, tree.NewObject())
	}
	return v.Get(name)
}

func SetText(v *tree.Value, name, text string) {
	if text != "" {
		v.Set(name, tree.NewString(text))
	}
}

func IsReference(v *tree.Value) bool {
	_, is := tree.Ref(v)
	return is
}

func IsFlag(v *tree.Value) bool { return v.Kind() == tree.True || v.Kind() == tree.False }

// Texts returns the different texts of an array.
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

// MaxTexts bounds the media types and schemes of one list.
const MaxTexts = 100

// Media types that mean more than their name.
const (
	JSONType       = "application/json"
	UrlencodedType = "application/x-www-form-urlencoded"
	MultipartType  = "multipart/form-data"
	BinaryType     = "application/octet-stream"
)

// Bare is a media type without its parameters, in lower case.
func Bare(mediaType string) string {
	name, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	return strings.TrimSpace(name)
}

func IsForm(mediaType string) bool {
	name := Bare(mediaType)
	return name == UrlencodedType || name == MultipartType
}

// TemplateNames returns what stands in braces in a path or an address.
func TemplateNames(template string) (names []string) {
	for {
		_, rest, found := strings.Cut(template, "{")
		if !found {
			return names
		}
		name, rest, found := strings.Cut(rest, "}")
		if !found {
			return names
		}
		if name != "" {
			names = append(names, name)
		}
		template = rest
	}
}

// methods20 are the members of a path item that are operations in Swagger 2.0,
// methods those that are in every version behind it.
var (
	Methods20 = []string{"get", "put", "post", "delete", "options", "head", "patch"}
	Methods   = append(slices.Clip(Methods20), "trace")
)

// oneTypeOnly are the members that belong to one type of scheme.
var SchemeTypeMembers = []string{"name", "in", "scheme", "bearerFormat", "flows", "openIdConnectUrl"}
