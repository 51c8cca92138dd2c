package versions

import (
	"encoding/json"

	"github.com/convertd/convertd/internal/tools/apiconvert/budget"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi"
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

// step rewrites a document of version from into version to in one walk from the root. Between versions of OpenAPI 3
// it may cover several versions at once (below, in rules.go). An object is changed before its children are visited.
// So a change sees the children as in the source, and what it creates is visited, too.
type step struct {
	*rewrite.Rewriter
	from, to Version
	// seen holds what was visited outside the locations that the shapes define, so that parts nested in each other
	// are visited once.
	seen map[*tree.Value]bool

	targets      map[*tree.Value]bool // of references; nil until referenced needs it
	schemes      map[string]schemeChange
	operationIDs words.Unique
	inlined      map[*tree.Value]*tree.Value // the reusable part that each value is a copy of
}

func walk(r *rewrite.Rewriter, of step) {
	s := &of
	s.Rewriter, s.operationIDs, s.inlined = r, words.Unique{}, map[*tree.Value]*tree.Value{}
	s.visit(r.Doc.Root, shape.Document)
	s.seen = map[*tree.Value]bool{}
	for i := 0; i < len(r.Extras); i++ { // grows meanwhile
		s.visit(r.Extras[i].Value, r.Extras[i].Kind)
	}
}

// visitParts is the budget cost of a visit: the walk itself, the changes, and the searches for references before and
// after it.
const visitParts = 4

// visit rewrites v, where the version expects kind k. It returns false if v must be dropped.
func (s *step) visit(v *tree.Value, k shape.Kind) bool {
	switch k {
	case shape.Anything:
		return true
	case shape.Text, shape.Number, shape.Flag:
		return s.scalar(v, k)
	case shape.SchemaOrFlag:
		if rewrite.IsFlag(v) {
			return true
		}
		k = shape.Schema
	case shape.SchemaList:
		if v.Kind() == tree.Array { // as in JSON Schema before 2020-12
			s.Warn(warning.ChangedTupleItems)
			v.Become(anyOf(v.Elements()))
		}
		k = shape.Schema
	}
	return s.object(v, k)
}

// object rewrites v, where the version expects an object of kind k, in five steps:
//
//  1. v becomes an object if its meaning is obvious, such as a string for a discriminator.
//  2. A reference is checked. It ends here unless it may have siblings.
//  3. The rules in before and below change v, or drop it.
//  4. Each property is visited, or dropped if the version doesn't have it (member).
//  5. The rule in after completes v.
//
// It returns false if v must be dropped.
func (s *step) object(v *tree.Value, k shape.Kind) bool {
	s.Budget.Parts(visitParts)
	if s.seen != nil {
		if s.seen[v] {
			return true
		}
		s.seen[v] = true
	}
	if k == shape.Schema && rewrite.IsFlag(v) {
		if s.to < V31 {
			s.booleanSchema(v)
		}
		return true
	}
	asObject(v, k)
	if v.Kind() != tree.Object {
		s.Warn(warning.LostMalformed)
		return false
	}
	if k == shape.Operation && openapi.IsExternal(v) {
		return true
	}
	if ref, ok := tree.Ref(v); ok && k.Referable() {
		if keep, done := s.reference(v, k, ref); done {
			return keep
		}
	}
	s.scalars(v, k)
	if !s.change(v, k) {
		return false
	}
	v.Keep(func(_ int, name string, value *tree.Value) bool { return s.member(k, name, value) })
	if rule := after[k]; rule != nil {
		rule(s, v)
	}
	return true
}

// scalars fixes or drops the strings, numbers and booleans of v that have the wrong type, so that change doesn't need
// to check.
func (s *step) scalars(v *tree.Value, k shape.Kind) {
	v.Keep(func(_ int, name string, value *tree.Value) bool {
		m := k.Shape().Members[name]
		return m == nil || m.In != shape.One || !m.Of.Leaf() || hasType(value, m.Of) ||
			value.Kind() != tree.Null && s.within(value, func() bool { return s.scalar(value, m.Of) })
	})
}

// member visits a member of an object of kind k. It returns false, usually with a warning, if the version doesn't
// support it.
func (s *step) member(k shape.Kind, name string, value *tree.Value) bool {
	object := k.Shape()
	m := object.Members[name]
	switch {
	case m != nil && m.Since <= s.to && m.In == shape.One && hasType(value, m.Of):
		return true
	case m == nil && shape.IsExtension(name):
		return true
	case m == nil && object.Rest.Of != shape.Anything:
		return s.within(value, func() bool { return s.entry(value, object.Rest.Of) })
	case m == nil && object.Open != Unknown && min(s.from, s.to) >= object.Open:
		return true
	}
	lost := warning.LostUnknownMembers
	switch {
	case m != nil && m.Since > s.to:
		lost = m.Lost
	case m != nil && m.In == shape.One:
		return value.Kind() != tree.Null && s.within(value, func() bool { return s.visit(value, m.Of) })
	case m != nil:
		return s.within(value, func() bool { return s.contained(value, m) })
	case k == shape.Schema:
		lost = warning.LostKeyword
	}
	switch {
	case lost.Code() == "":
	case shape.NamesEntries(lost) && value.Len() > 0:
		for _, entry := range value.Values() {
			s.WarnAt(lost, entry)
		}
	default:
		s.Warn(lost, name)
	}
	return false
}

// contained visits a list or object with values of a kind. YAML produces null for a name without a value; where null
// isn't allowed, it is treated as absent.
func (s *step) contained(v *tree.Value, m *shape.Member) bool {
	if m.In == shape.List && m.Of == shape.Text && v.Kind() == tree.String {
		v.Become(tree.NewArray(v.Take()))
	}
	wanted := tree.Object
	if m.In == shape.List {
		wanted = tree.Array
	}
	switch {
	case v.Kind() == tree.Null:
		return false
	case v.Kind() != wanted:
		s.Warn(warning.LostMalformed)
		return false
	case m.In == shape.List && m.Of == shape.Anything:
		return true
	}
	v.Keep(func(_ int, name string, value *tree.Value) bool {
		if m.In == shape.List {
			return value.Kind() != tree.Null && s.within(value, func() bool { return s.visit(value, m.Of) })
		}
		// Scopes may have extensions.
		return m.Of == shape.Text && shape.IsExtension(name) || s.within(value, func() bool { return s.entry(value, m.Of) })
	})
	return true
}

// entry visits a value with an author-defined name.
func (s *step) entry(v *tree.Value, k shape.Kind) bool {
	if v.Kind() == tree.Null {
		switch k {
		case shape.Schema, shape.MediaType, shape.Response, shape.PathItem:
			v.Become(tree.NewObject())
		case shape.Text:
			v.Become(tree.NewString(""))
		default:
			return k == shape.Anything
		}
	}
	return s.visit(v, k)
}

// within visits a part at its location.
func (s *step) within(v *tree.Value, visit func() bool) (keep bool) {
	s.Within(v, func() { keep = visit() })
	return keep
}

// hasType reports whether v needs no change: it is of kind Anything, or a scalar of the expected type. Most values
// are.
func hasType(v *tree.Value, k shape.Kind) bool {
	switch k {
	case shape.Anything:
		return true
	case shape.Text:
		return v.Kind() == tree.String
	case shape.Number:
		return v.Kind() == tree.Number
	}
	return k == shape.Flag && rewrite.IsFlag(v)
}

// scalar fixes a value of the wrong type with an obvious meaning: an unquoted version in YAML is a number, a quoted
// true or yes is a string.
func (s *step) scalar(v *tree.Value, k shape.Kind) bool {
	content, isScalar := v.Scalar()
	switch {
	case hasType(v, k):
	case k == shape.Text && isScalar:
		v.Become(tree.NewString(content))
	case k == shape.Number && v.Kind() == tree.String && isNumber(content):
		v.Become(tree.NewNumber(content))
	case k == shape.Flag && rewrite.BecomeFlag(v):
	default:
		s.Warn(warning.LostMalformed)
		return false
	}
	return true
}

func isNumber(lexeme string) bool {
	return lexeme != "" && (lexeme[0] == '-' || lexeme[0] >= '0' && lexeme[0] <= '9') && json.Valid([]byte(lexeme))
}

// asObject turns values that authors often write instead of an object into one: the name of a discriminator, as in
// Swagger 2.0, and the value of an example.
func asObject(v *tree.Value, k shape.Kind) {
	switch k {
	case shape.Discriminator:
		if v.Kind() == tree.String {
			v.Become(tree.NewObject().Set("propertyName", v.Take()))
		}
	case shape.Example:
		for name := range v.Members() {
			if shape.Example.Shape().Members[name] != nil || name == "$ref" || shape.IsExtension(name) {
				return
			}
		}
		v.Become(tree.NewObject().Set("value", v.Take()))
	}
}

// change changes v before its children are visited. It returns false if v must be dropped.
func (s *step) change(v *tree.Value, k shape.Kind) bool {
	if k == shape.Parameter && !s.parameter(v) || k == shape.SecurityScheme && !s.securityScheme(v) {
		return false
	}
	if rule := before[k]; rule != nil {
		rule(s, v)
	}
	for version := s.from; version > s.to; version-- {
		if rule := below[version][k]; rule != nil {
			rule(s, v)
		}
	}
	return true
}

// reference handles v, an object with $ref. keep is false if v must be dropped. done is false if v is then visited like
// any other object: it has become one, or k allows siblings of $ref.
func (s *step) reference(v *tree.Value, k shape.Kind, ref string) (keep, done bool) {
	siblings := k.Shape().Members["$ref"] != nil
	problem := s.Targets[ref].Problem
	switch {
	case problem == tree.Broken || problem == tree.Cyclic:
		feature := warning.LostBrokenReference
		if problem == tree.Cyclic {
			feature = warning.LostCyclicReference
		}
		s.Warn(feature)
		if k == shape.Response {
			v.Become(tree.NewObject())
			return true, false
		}
		if siblings {
			v.Delete("$ref")
		}
		return siblings, !siblings
	case siblings:
		return true, false
	case k == shape.MediaType && s.to < V32:
		s.inline(v)
		return true, false
	case k == shape.Parameter:
		if d := s.Deref(v); d != nil {
			if _, ok := s.expressible(d); !ok {
				return false, true
			}
		}
	}
	if s.from >= V31 && s.to < V31 && v.Len() > 1 {
		v.Keep(func(_ int, name string, _ *tree.Value) bool { return name == "$ref" })
		s.Warn(warning.LostReferenceTexts)
	}
	return true, true
}
