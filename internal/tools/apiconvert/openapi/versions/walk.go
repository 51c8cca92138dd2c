package versions

import (
	"encoding/json"
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// step rewrites a description of version from into one of version to in one
// walk from the root down; between versions of OpenAPI 3 it may pass several
// versions (below, in rules.go) at once. An object is changed before what it holds
// is walked, so a change sees everything below it as the source has it, and
// what it makes is walked too.
type step struct {
	*rewriter
	from, to Version
	// typesOnly is set while the description has the structure of Swagger 2.0:
	// values of the wrong type are put right, nothing else.
	typesOnly bool
	// pending are parts that only references lead to; they are walked last.
	pending []part
	// seen holds what was walked outside the places that the shapes name, so
	// that parts which lie within each other are walked once.
	seen map[*tree.Value]bool

	schemes      map[string]schemeChange
	operationIDs map[string]bool
	// inlining are the reusable parts that are being copied in, outermost
	// first, into the values that inlined holds.
	inlining []*tree.Value
	inlined  map[*tree.Value]bool
}

// part is a piece of the document together with what it is.
type part struct {
	value *tree.Value
	kind  kind
}

// rootKind is what a description of the version is.
func rootKind(v Version) kind {
	if v == V20 {
		return document20
	}
	return document
}

func (r *rewriter) walk(of step) {
	s := &of
	s.rewriter, s.operationIDs, s.inlined = r, map[string]bool{}, map[*tree.Value]bool{}
	root := document
	if s.typesOnly {
		root = document20
	}
	s.visit(r.doc.Root, root)
	s.seen = map[*tree.Value]bool{}
	for s.pending = append(slices.Clone(r.extras), s.pending...); len(s.pending) > 0; {
		p := s.pending[0]
		s.pending = s.pending[1:]
		s.visit(p.value, p.kind)
	}
}

// visitParts is what a visit costs: the walk itself, what is changed on the way,
// and the looks for references before and behind it.
const visitParts = 4

// visit rewrites v, which stands where the version has one of kind k. It
// returns false when v must be left out.
func (s *step) visit(v *tree.Value, k kind) bool {
	switch k {
	case anything:
		return true
	case text, number, flag:
		return s.scalar(v, k)
	case schemaOrFlag:
		if isFlag(v) {
			return true
		}
		k = schema
	case schemaList:
		if v.Kind() == tree.Array { // as JSON Schema had it before 2020-12
			s.tell(warning.TupleItems)
			v.Become(anyOf(v.Elements()))
		}
		k = schema
	}
	s.budget.Parts(visitParts)
	if s.seen != nil {
		if s.seen[v] {
			return true
		}
		s.seen[v] = true
	}
	if k == schema && isFlag(v) {
		if s.to < V31 {
			s.booleanSchema(v)
		}
		return true
	}
	asObject(v, k)
	if v.Kind() != tree.Object {
		s.tell(warning.Malformed)
		return false
	}
	if ref, ok := tree.Ref(v); ok && k.referable() {
		if keep, done := s.reference(v, k, ref); done {
			return keep
		}
	}
	s.scalars(v, k)
	if !s.typesOnly && !s.change(v, k) {
		return false
	}
	keep(v, func(i int, name string, value *tree.Value) bool { return s.member(k, i, name, value) })
	if rule := after[k]; rule != nil && !s.typesOnly {
		rule(s, v)
	}
	return true
}

// scalars puts right, or leaves out, the texts, numbers and marks that are
// members of v, so that change need not ask for their types.
func (s *step) scalars(v *tree.Value, k kind) {
	right := func(name string, value *tree.Value) bool {
		m := shapes()[k].members[name]
		return m == nil || m.in != one || !m.of.leaf() || settled(value, m.of)
	}
	for name, value := range v.Members() {
		if right(name, value) {
			continue
		}
		keep(v, func(i int, name string, value *tree.Value) bool {
			return right(name, value) || value.Kind() != tree.Null &&
				s.within(name, i, func() bool { return s.scalar(value, shapes()[k].members[name].of) })
		})
		return
	}
}

// member walks a member of an object of kind k. It returns false for what the
// version does not have.
func (s *step) member(k kind, i int, name string, value *tree.Value) bool {
	shape := &shapes()[k]
	m := shape.members[name]
	switch {
	case m != nil && m.since <= s.to && m.in == one && settled(value, m.of):
		return true
	case m == nil && isExtension(name):
		return true
	case m == nil && shape.rest != anything:
		return s.within("", i, func() bool { return s.entry(value, shape.rest) })
	case m == nil && (s.typesOnly || shape.open != Unknown && min(s.from, s.to) >= shape.open):
		return true
	}
	return s.within(name, i, func() bool { return s.known(k, m, value) })
}

// known walks a member that the shapes name, and tells of one that they do not.
func (s *step) known(k kind, m *member, value *tree.Value) bool {
	lost := warning.UnknownMembers
	switch {
	case m != nil && m.since > s.to:
		lost = m.lost
	case m != nil && m.in == one:
		return value.Kind() != tree.Null && s.visit(value, m.of)
	case m != nil:
		return s.contained(value, m)
	case k == schema:
		lost = warning.SchemaKeywords
	}
	if lost.Code() != "" {
		s.w.AddMember(lost, s.place())
	}
	return false
}

// contained walks a list or an object of values of a kind. What is null where
// nothing may be null is what YAML gives for a name without a value: it is as
// if it were not there.
func (s *step) contained(v *tree.Value, m *member) bool {
	if m.in == list && m.of == text && v.Kind() == tree.String {
		v.Become(tree.NewArray(v.Take()))
	}
	wanted := tree.Object
	if m.in == list {
		wanted = tree.Array
	}
	switch {
	case v.Kind() == tree.Null:
		return false
	case v.Kind() != wanted:
		s.tell(warning.Malformed)
		return false
	case m.in == list && m.of == anything:
		return true
	}
	keep(v, func(i int, name string, value *tree.Value) bool {
		if m.in == list {
			return value.Kind() != tree.Null && s.within("", i, func() bool { return s.visit(value, m.of) })
		}
		// Scopes may have extensions.
		return m.of == text && isExtension(name) || s.within("", i, func() bool { return s.entry(value, m.of) })
	})
	return true
}

// entry walks a value under a name that the author chose.
func (s *step) entry(v *tree.Value, k kind) bool {
	if v.Kind() == tree.Null {
		switch k {
		case schema, mediaType, response, response20, pathItem, pathItem20, items20:
			v.Become(tree.NewObject())
		case text:
			v.Become(tree.NewString(""))
		case anything:
		default:
			return false
		}
	}
	return s.visit(v, k)
}

// spot is a step of the way that a walk has gone: a member of a defined name, or
// a position.
type spot struct {
	name     string
	position int
}

// enter and leave go on to a part of what is walked and back, so that what is
// told has its place.
func (r *rewriter) enter(name string, position int) { r.path = append(r.path, spot{name, position}) }

func (r *rewriter) leave() { r.path = r.path[:len(r.path)-1] }

// place is where a walk is.
func (r *rewriter) place() (at *warning.Place) {
	for _, s := range r.path {
		at = at.Member(s.name, s.position)
	}
	return at
}

// within walks a part of what is walked.
func (r *rewriter) within(name string, position int, walk func() bool) bool {
	r.enter(name, position)
	holds := walk()
	r.leave()
	return holds
}

// tell tells of what is walked.
func (s *step) tell(f warning.Feature, names ...string) { s.w.AddNamed(f, s.place(), names...) }

// settled reports whether v is right as it is: of no type of its own, or a
// scalar of the type that is asked for. Most members are.
func settled(v *tree.Value, k kind) bool {
	switch k {
	case anything:
		return true
	case text:
		return v.Kind() == tree.String
	case number:
		return v.Kind() == tree.Number
	}
	return k == flag && isFlag(v)
}

// scalar puts right a value of the wrong type whose meaning is plain: in YAML
// a version without quotes is a number, a quoted true is text.
func (s *step) scalar(v *tree.Value, k kind) bool {
	content, isScalar := v.Scalar()
	switch {
	case settled(v, k):
	case k == text && isScalar:
		v.Become(tree.NewString(content))
	case k == number && v.Kind() == tree.String && isNumber(content):
		v.Become(tree.NewNumber(content))
	case k == flag && (content == "true" || content == "false"):
		v.Become(tree.NewBool(content == "true"))
	default:
		s.tell(warning.Malformed)
		return false
	}
	return true
}

func isNumber(lexeme string) bool {
	return lexeme != "" && (lexeme[0] == '-' || lexeme[0] >= '0' && lexeme[0] <= '9') && json.Valid([]byte(lexeme))
}

// asObject makes an object of what often stands alone: a discriminator's name,
// as in Swagger 2.0, and the value of an example.
func asObject(v *tree.Value, k kind) {
	switch k {
	case discriminator:
		if v.Kind() == tree.String {
			v.Become(tree.NewObject().Set("propertyName", v.Take()))
		}
	case example:
		for name := range v.Members() {
			if shapes()[example].members[name] != nil || name == "$ref" || isExtension(name) {
				return
			}
		}
		v.Become(tree.NewObject().Set("value", v.Take()))
	}
}

// change changes v before what it holds is walked. It returns false when v must
// be left out.
func (s *step) change(v *tree.Value, k kind) bool {
	if is := means[k]; is != nil && !is(s, v) {
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
