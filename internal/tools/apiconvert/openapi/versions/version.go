package versions

import (
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/swagger"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
	"github.com/convertd/convertd/internal/tools/apiconvert/words"
)

// Rewrite converts a document in place from version from to version to, step by step through the versions in between;
// from and to may be equal. What the target can't represent is replaced by the closest alternative or dropped, with a
// warning. The result is valid if the source was. Otherwise mistakes with an obvious meaning are fixed (a missing
// responses object, a numeric info.version). A valid document that already has version to isn't changed, nor is any Swagger
// 2.0 document that stays one.
//
// An upgrade (from < to) loses nothing without a warning. The document must be an object and its version known. Rewrite
// charges b for what it visits and copies.
func Rewrite(doc *tree.Document, from, to Version, b *budget.Budget, warnings *warning.List) {
	run(&rewrite.Rewriter{Doc: doc, Warnings: warnings, Budget: b}, from, to)
}

// Raise upgrades a document in place to the newest version for a reader. It is like Rewrite, but adds no defaults
// that the reader could mistake for the author's words, and leaves warnings about remote references to the reader.
func Raise(doc *tree.Document, from Version, b *budget.Budget, warnings *warning.List) {
	run(&rewrite.Rewriter{Doc: doc, Warnings: warnings, Budget: b, Raising: true}, from, Newest)
}

func run(r *rewrite.Rewriter, from, to Version) {
	r.To = to
	r.Copies = tree.NewQuota(tree.NodesFor(r.Budget), r.Budget)
	r.Targets, r.Numbers = map[string]rewrite.Target{}, words.Unique{}
	r.Collect(rewrite.RootKind(from))
	if from == V20 && to == V20 {
		return
	}
	if from == V20 {
		swagger.Upgrade(r)
		walk(r, step{from: V20, to: V30})
		from = V30
		if to == V30 {
			r.Restore()
			return
		}
	}
	if from > V30 && to == V20 {
		walk(r, step{from: from, to: V30})
		from = V30
	}
	walk(r, step{from: from, to: to})
	if to == V20 {
		swagger.Downgrade(r)
	}
	r.Restore()
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

// Of returns the version that a document declares; ok is false if the document declares none.
func Of(root *tree.Value) (v Version, ok bool) { return shape.Of(root) }
