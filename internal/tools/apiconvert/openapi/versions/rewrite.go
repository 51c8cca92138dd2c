package versions

import (
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Rewrite changes a description of version from in place into one of version
// to, step by step through the versions between; from and to may be equal. What
// to cannot hold is put into the nearest thing it can, or left out, and told.
// The result is valid if the source was, and otherwise what was wrong is put
// right where the meaning is plain (a missing responses object, a numeric
// info.version). A valid description that is of version to already is not
// changed.
//
// The way up (from < to) loses nothing but what warnings name. A description of
// V20 passes V30 on its way to V20. It fails with invalid_source or
// too_complex. What is walked and copied is paid from b.
func Rewrite(doc *tree.Document, from, to Version, b *budget.Budget, warnings *warning.List) error {
	return (&rewriter{doc: doc, w: warnings, budget: b}).run(from, to)
}

// Lift is Rewrite for a description that is written as Swagger 2.0 in the end:
// it also keeps names of bodies that say nothing.
func Lift(doc *tree.Document, from, to Version, b *budget.Budget, warnings *warning.List) error {
	return (&rewriter{doc: doc, w: warnings, budget: b, lifted: true}).run(from, to)
}

// Raise changes a description in place into one of the newest version for a
// reader. It does what Rewrite does, but adds nothing that its reader could
// take for the author's word, and leaves telling of remote references to it.
func Raise(doc *tree.Document, from Version, b *budget.Budget, warnings *warning.List) error {
	return (&rewriter{doc: doc, w: warnings, budget: b, raising: true}).run(from, Newest)
}

func (r *rewriter) run(from, to Version) error {
	if from == Unknown || from > Newest || to < V20 || to > Newest {
		return convert.Refuse(convert.InternalError,
			"Descriptions are not converted between these versions.",
			"Use another target.")
	}
	if r.doc.Root.Kind() != tree.Object {
		return r.doc.Refuse(convert.Refuse(convert.InvalidSource,
			"The API description is not an object.",
			"Send a description with the members openapi or swagger, info and paths."), r.doc.Root)
	}
	r.to = to
	r.copies = tree.NewBudget(tree.NodesFor(r.budget), r.budget)
	r.targets, r.seen, r.numbers = map[string]target{}, map[*tree.Value]bool{}, map[string]int{}
	r.collect(rootKind(from))
	if from == V20 {
		r.walk(step{from: V20, to: V30, typesOnly: true})
		r.swagger()
		r.walk(step{from: V20, to: V30})
		from = V30
		if to == V30 {
			r.restore()
			return nil
		}
	}
	r.walk(step{from: from, to: to})
	if to == V20 {
		r.toSwagger()
	}
	r.restore()
	return nil
}

// rewriter is one rewrite.
type rewriter struct {
	doc     *tree.Document
	w       *warning.List
	budget  *budget.Budget
	copies  *tree.Budget // values of parts that are copied
	raising bool         // the result is read and not shown
	lifted  bool         // the result goes down to Swagger 2.0 again
	to      Version

	targets map[string]target // by the text of references
	path    []spot            // where a walk is
	extras  []part            // what only references lead to
	follow  *tree.References
	ids     map[string]target
	seen    map[*tree.Value]bool // by restore, outside the tree
	numbers map[string]int       // how often a name was taken
}

// become notes what the parts that references lead to have become.
func (r *rewriter) become(changed map[kind]kind) {
	for i, extra := range r.extras {
		if k, is := changed[extra.kind]; is {
			r.extras[i].kind = k
		}
	}
	for text, t := range r.targets {
		if k, is := changed[t.kind]; is {
			t.kind = k
			r.targets[text] = t
		}
	}
}

// copy returns a copy of v, an empty object when there is no room for one.
func (r *rewriter) copy(v *tree.Value, at *warning.Place) *tree.Value {
	if copied := v.Clone(r.copies); copied != nil {
		return copied
	}
	r.w.Add(warning.TooManyCopies, at)
	return tree.NewObject()
}
