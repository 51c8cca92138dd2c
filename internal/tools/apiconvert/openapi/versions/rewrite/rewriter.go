package rewrite

import (
	"iter"
	"slices"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Rewriter is the state of a rewrite.
type Rewriter struct {
	Doc      *tree.Document
	Warnings *warning.List
	Budget   *budget.Budget
	Copies   *tree.Quota // limits copied values
	Raising  bool        // the result is read and not shown
	To       shape.Version

	Targets map[string]Target // by the value of the reference
	Path    []*tree.Value     // the parts that the walk is in, outermost first
	Extras  []Part            // parts that can only be reached through references; they are visited last
	follow  *tree.References
	ids     map[string]Target
	Numbers words.Unique // the last number for each name that was taken
}

// Become updates the kinds of the targets of references after the rewrite has changed them.
func (r *Rewriter) Become(changed map[shape.Kind]shape.Kind) {
	for i, extra := range r.Extras {
		if k, is := changed[extra.Kind]; is {
			r.Extras[i].Kind = k
		}
	}
	for text, t := range r.Targets {
		if k, is := changed[t.kind]; is {
			t.kind = k
			r.Targets[text] = t
		}
	}
}

// Copy returns a copy of v, or an empty object and a warning if the budget doesn't suffice.
func (r *Rewriter) Copy(v *tree.Value) *tree.Value {
	if copied := v.Clone(r.Copies); copied != nil {
		return copied
	}
	r.Warn(warning.LostCopies)
	return tree.NewObject()
}

// String returns a string and charges for it.
func (r *Rewriter) String(text string) *tree.Value {
	r.Budget.Parts(1)
	r.Budget.Bytes(len(text))
	return tree.NewString(text)
}

// SetText sets a member of v to a string, unless it is empty.
func (r *Rewriter) SetText(v *tree.Value, name, text string) {
	if text != "" {
		v.Set(name, r.String(text))
	}
}

// Object returns an empty object and charges for it.
func (r *Rewriter) Object() *tree.Value {
	r.Budget.Parts(objectParts)
	return tree.NewObject()
}

// objectParts is the budget cost of a new object.
const objectParts = 4

// Part is a part of the document and its kind.
type Part struct {
	Value *tree.Value
	Kind  shape.Kind
}

// RootKind returns the kind of a document of the version.
func RootKind(v shape.Version) shape.Kind {
	if v == shape.V20 {
		return shape.Document20
	}
	return shape.Document
}

// Place returns the location of the walk: the innermost value that was read, or nil at the root.
func (r *Rewriter) Place() *tree.Value {
	if len(r.Path) == 0 {
		return nil
	}
	for _, v := range slices.Backward(r.Path) {
		if v.ID() >= 0 {
			return v
		}
	}
	return r.Doc.Root
}

// Within calls walk at the location of a part.
func (r *Rewriter) Within(v *tree.Value, walk func()) {
	r.Path = append(r.Path, v)
	walk()
	r.Path = r.Path[:len(r.Path)-1]
}

// Warn adds a warning at the location of the walk.
func (r *Rewriter) Warn(f warning.Feature, names ...string) {
	r.Warnings.AddNamed(f, r.Place(), names...)
}

// WarnAt adds a warning at the location of a part.
func (r *Rewriter) WarnAt(f warning.Feature, v *tree.Value, names ...string) {
	r.Within(v, func() { r.Warn(f, names...) })
}

// SetExtension sets a property that the target has only as an extension. It warns if the source has the property.
func (r *Rewriter) SetExtension(v *tree.Value, property string, value *tree.Value) {
	v.Rename(property, "x-"+property) // where it was
	v.Set("x-"+property, value)
	if !r.Warnings.OfOutput() {
		r.Warn(warning.ChangedExtensions, "x-"+property)
	}
}

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
