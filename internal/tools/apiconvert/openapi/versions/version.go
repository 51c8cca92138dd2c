// Package versions rewrites an API description from one version to another on
// its tree, so that the order of members, digits, extensions and descriptions
// survive untouched: Swagger 2.0 → OpenAPI 3.0 → 3.1 → 3.2, and down again to
// 2.0. Readers and writers know the newest version only.
//
// A table (shapes.txt) says what each object of each version may have: its kind,
// since which version, and what is told where it is lost. One walk over it
// (walk.go) is a step between two versions of OpenAPI 3: the table alone leaves
// out and tells what the lower version lacks and puts right values of the wrong
// type; what has another form there is changed before, by the rules of its kind
// (rules.go has them all and the short ones; document.go, path.go, schema.go and,
// for schemas on the way down, schema30.go have the others). The walk knows where
// it is, so that a rule tells what is lost without passing places on. The
// structure of Swagger 2.0 is replaced before its step (swagger.go,
// swagger_part.go), and made behind it on the way down (toswagger.go,
// toswagger_part.go, toswagger_content.go). References are resolved before
// anything moves and get their new addresses at the end (reference.go,
// restore.go): a rule that moves an object leaves the references to it alone.
// Extensions, examples, defaults and enums are data and never looked into;
// examples are not held against their schemas.
package versions

import (
	"strings"

	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// Version is a version of API descriptions, its minor version that is:
// patches change no format.
type Version uint8

// The versions.
const (
	Unknown Version = iota // a description, but of no version we know
	V20                    // Swagger 2.0
	V30                    // OpenAPI 3.0.x
	V31                    // OpenAPI 3.1.x
	V32                    // OpenAPI 3.2.x

	// Newest is the version that descriptions are read in and written in.
	Newest = V32
)

// Text is the value of the description's member openapi (of swagger for V20)
// that writers use.
func (v Version) Text() string {
	return [...]string{V20: "2.0", V30: "3.0.3", V31: "3.1.0", V32: "3.2.0"}[v]
}

var prefixes = [...]string{V20: "2.0", V30: "3.0", V31: "3.1", V32: "3.2"}

// Of returns the version that a description says it has. ok is false when the
// value is no description at all. The version may be a number, as in YAML
// without quotes; of text behind the patch (3.0.0-rc1) nothing is asked.
func Of(root *tree.Value) (v Version, ok bool) {
	for _, name := range []string{"openapi", "swagger", "swaggerVersion"} {
		text, isScalar := root.Get(name).Scalar()
		if !isScalar {
			continue
		}
		for version := V20; version <= V32; version++ {
			rest, found := strings.CutPrefix(text, prefixes[version])
			if found && (version == V20) == (name != "openapi") && (rest == "" || rest[0] == '.' || rest[0] == '-') {
				return version, true
			}
		}
		return Unknown, true
	}
	return Unknown, false
}

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
