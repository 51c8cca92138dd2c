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
// The way up (from < to) loses nothing but what warnings name; no writer ever
// asks for a way to V20 or V32. It fails with invalid_source or too_complex.
// What is walked and copied is paid from b.
func Rewrite(doc *tree.Document, from, to Version, b *budget.Budget, warnings *warning.List) error {
	if from == Unknown || from > V32 || to != V30 && to != V31 {
		return convert.Refuse(convert.InternalError,
			"Descriptions are not converted between these versions.",
			"Use another target.")
	}
	if doc.Root.Kind() != tree.Object {
		return doc.Refuse(convert.Refuse(convert.InvalidSource,
			"The API description is not an object.",
			"Send a description with the members openapi or swagger, info and paths."), doc.Root)
	}
	r := &rewriter{
		doc: doc, w: warnings, budget: b,
		copies:  tree.NewBudget(tree.NodesFor(b), b),
		targets: map[string]target{},
		seen:    map[*tree.Value]bool{},
		numbers: map[string]int{},
	}
	r.collect(rootKind(from))
	if from == V20 {
		r.step(V20, V20)
		r.swagger()
		r.step(V20, V30)
		from = V30
		if to == V30 {
			r.restore()
			return nil
		}
	}
	for from != to {
		next := from + 1
		if to < from {
			next = from - 1
		}
		r.step(from, next)
		if from = next; from == to {
			r.restore()
			return nil
		}
	}
	r.step(to, to)
	r.restore()
	return nil
}

// rewriter is one rewrite.
type rewriter struct {
	doc    *tree.Document
	w      *warning.List
	budget *budget.Budget
	copies *tree.Budget // values of parts that are copied

	targets map[string]target // by the text of references
	order   []string          // those texts, as the source has them
	extras  []part            // what only references lead to
	follow  *tree.References
	ids     map[string]target
	// definitions tell which component schema has a definition of a name.
	definitions map[string]string
	seen        map[*tree.Value]bool // by restore, outside the tree
	numbers     map[string]int       // how often a name was taken
}
