package rewrite

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Rewriter is one rewrite.
type Rewriter struct {
	Doc      *tree.Document
	Warnings *warning.List
	Budget   *budget.Budget
	Copies   *tree.Budget // values of parts that are copied
	Raising  bool         // the result is read and not shown
	Lifted   bool         // the result goes down to Swagger 2.0 again
	To       shape.Version

	Targets map[string]Target // by the text of references
	path    []spot            // where a walk is
	Extras  []Part            // what only references lead to
	follow  *tree.References
	ids     map[string]Target
	Seen    map[*tree.Value]bool // by restore, outside the tree
	Numbers map[string]int       // how often a name was taken
}

// Become notes what the parts that references lead to have become.
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

// Copy returns a copy of v, an empty object when there is no room for one.
func (r *Rewriter) Copy(v *tree.Value, at *warning.Place) *tree.Value {
	if copied := v.Clone(r.Copies); copied != nil {
		return copied
	}
	r.Warnings.Add(warning.TooManyCopies, at)
	return tree.NewObject()
}

// Part is a piece of the document together with what it is.
type Part struct {
	Value *tree.Value
	Kind  shape.Kind
}

// RootKind is what a description of the version is.
func RootKind(v shape.Version) shape.Kind {
	if v == shape.V20 {
		return shape.Document20
	}
	return shape.Document
}

// spot is a step of the way that a walk has gone: a member of a defined name, or
// a position.
type spot struct {
	name     string
	position int
}

// Enter and leave go on to a part of what is walked and back, so that what is
// told has its place.
func (r *Rewriter) Enter(name string, position int) { r.path = append(r.path, spot{name, position}) }

func (r *Rewriter) Leave() { r.path = r.path[:len(r.path)-1] }

// Place is where a walk is.
func (r *Rewriter) Place() (at *warning.Place) {
	for _, s := range r.path {
		at = at.Member(s.name, s.position)
	}
	return at
}

// Within walks a part of what is walked.
func (r *Rewriter) Within(name string, position int, walk func() bool) bool {
	r.Enter(name, position)
	holds := walk()
	r.Leave()
	return holds
}
