package rewrite

import (
	"slices"

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
