package versions

import (
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/swagger"
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
	return run(&rewrite.Rewriter{Doc: doc, Warnings: warnings, Budget: b}, from, to)
}

// Lift is Rewrite for a description that is written as Swagger 2.0 in the end:
// it also keeps names of bodies that say nothing.
func Lift(doc *tree.Document, from, to Version, b *budget.Budget, warnings *warning.List) error {
	return run(&rewrite.Rewriter{Doc: doc, Warnings: warnings, Budget: b, Lifted: true}, from, to)
}

// Raise changes a description in place into one of the newest version for a
// reader. It does what Rewrite does, but adds nothing that its reader could
// take for the author's word, and leaves telling of remote references to it.
func Raise(doc *tree.Document, from Version, b *budget.Budget, warnings *warning.List) error {
	return run(&rewrite.Rewriter{Doc: doc, Warnings: warnings, Budget: b, Raising: true}, from, Newest)
}

func run(r *rewrite.Rewriter, from, to Version) error {
	if from == Unknown || from > Newest || to < V20 || to > Newest {
		return convert.Refuse(convert.InternalError,
			"Descriptions are not converted between these versions.",
			"Use another target.")
	}
	if r.Doc.Root.Kind() != tree.Object {
		return r.Doc.Refuse(convert.Refuse(convert.InvalidSource,
			"The API description is not an object.",
			"Send a description with the members openapi or swagger, info and paths."), r.Doc.Root)
	}
	r.To = to
	r.Copies = tree.NewBudget(tree.NodesFor(r.Budget), r.Budget)
	r.Targets, r.Seen, r.Numbers = map[string]rewrite.Target{}, map[*tree.Value]bool{}, map[string]int{}
	r.Collect(rewrite.RootKind(from))
	if from == V20 {
		walk(r, step{from: V20, to: V30, typesOnly: true})
		swagger.Upgrade(r)
		walk(r, step{from: V20, to: V30})
		from = V30
		if to == V30 {
			r.Restore()
			return nil
		}
	}
	walk(r, step{from: from, to: to})
	if to == V20 {
		swagger.Downgrade(r)
	}
	r.Restore()
	return nil
}

// Version is a version of OpenAPI documents.
type Version = shape.Version

// The versions.
const (
	Unknown = shape.Unknown
	V20     = shape.V20
	V30     = shape.V30
	V31     = shape.V31
	V32     = shape.V32
	Newest  = shape.Newest
)

// Of returns the version that a document declares; ok is false for a value that
// is not an OpenAPI document.
func Of(root *tree.Value) (v Version, ok bool) { return shape.Of(root) }
