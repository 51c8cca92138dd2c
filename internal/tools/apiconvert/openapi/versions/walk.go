package versions

import (
	"encoding/json"
	"slices"

	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// step rewrites a description of version from into one of version to in one
// walk from the root down; between versions of OpenAPI 3 it may pass several
// versions (below.go) at once. An object is changed before what it holds
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
	s.visit(r.doc.Root, root, nil)
	s.seen = map[*tree.Value]bool{}
	for s.pending = append(slices.Clone(r.extras), s.pending...); len(s.pending) > 0; {
		p := s.pending[0]
		s.pending = s.pending[1:]
		s.visit(p.value, p.kind, nil)
	}
}

// visitParts is what a visit costs: the walk itself, what is changed on the way,
// and the looks for references before and behind it.
const visitParts = 4

// visit rewrites v, which stands where the version has one of kind k. It
// returns false when v must be left out.
func (s *step) visit(v *tree.Value, k kind, at *warning.Place) bool {
	switch k {
	case anything:
		return true
	case text, number, flag:
		return s.scalar(v, k, at)
	case schemaOrFlag:
		if isFlag(v) {
			return true
		}
		k = schema
	case schemaList:
		if v.Kind() == tree.Array {
			s.itemsList(v, at)
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
			s.booleanSchema(v, at)
		}
		return true
	}
	asObject(v, k)
	if v.Kind() != tree.Object {
		s.w.Add(warning.Malformed, at)
		return false
	}
	if ref, ok := tree.Ref(v); ok && k.referable() {
		if keep, done := s.reference(v, k, ref, at); done {
			return keep
		}
	}
	s.scalars(v, k, at)
	if !s.typesOnly && !s.change(v, k, at) {
		return false
	}
	keep(v, func(i int, name string, value *tree.Value) bool { return s.member(k, i, name, value, at) })
	if !s.typesOnly {
		s.complete(v, k, at)
	}
	return true
}

// scalars puts right, or leaves out, the texts, numbers and marks that are
// members of v, so that change need not ask for their types.
func (s *step) scalars(v *tree.Value, k kind, at *warning.Place) {
	right := func(name string, value *tree.Value) bool {
		m := shapes()[k].members[name]
		return m == nil || m.in != one || !m.of.leaf() || settled(value, m.of)
	}
	for name, value := range v.Members() {
		if right(name, value) {
			continue
		}
		keep(v, func(i int, name string, value *tree.Value) bool {
			return right(name, value) ||
				value.Kind() != tree.Null && s.scalar(value, shapes()[k].members[name].of, at.Member(name, i))
		})
		return
	}
}

// member walks a member of an object of kind k. It returns false for what the version does not
// have.
func (s *step) member(k kind, i int, name string, value *tree.Value, at *warning.Place) bool {
	shape := &shapes()[k]
	m := shape.members[name]
	known := m != nil
	switch {
	case known && m.since > s.to:
		if m.lost.Code() != "" {
			s.w.AddMember(m.lost, at.Member(name, i))
		}
		return false
	case known && m.in == one:
		return settled(value, m.of) || value.Kind() != tree.Null && s.visit(value, m.of, at.Member(name, i))
	case known:
		return s.contained(value, m, at.Member(name, i))
	case isExtension(name):
		return true
	case shape.rest != anything:
		return s.entry(value, shape.rest, at.Index(i))
	case s.typesOnly || shape.open != Unknown && min(s.from, s.to) >= shape.open:
		return true
	}
	lost := warning.UnknownMembers
	if k == schema {
		lost = warning.SchemaKeywords
	}
	s.w.AddMember(lost, at.Member(name, i))
	return false
}

// contained walks a list or an object of values of a kind. What is null where
// nothing may be null is what YAML gives for a name without a value: it is as
// if it were not there.
func (s *step) contained(v *tree.Value, m *member, at *warning.Place) bool {
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
		s.w.Add(warning.Malformed, at)
		return false
	case m.in == list && m.of == anything:
		return true
	}
	keep(v, func(i int, name string, value *tree.Value) bool {
		if m.in == list {
			return value.Kind() != tree.Null && s.visit(value, m.of, at.Index(i))
		}
		// Scopes may have extensions.
		return m.of == text && isExtension(name) || s.entry(value, m.of, at.Index(i))
	})
	return true
}

// entry walks a value under a name that the author chose.
func (s *step) entry(v *tree.Value, k kind, at *warning.Place) bool {
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
	return s.visit(v, k, at)
}

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
func (s *step) scalar(v *tree.Value, k kind, at *warning.Place) bool {
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
		s.w.Add(warning.Malformed, at)
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

// change changes v before what it holds is walked: first what is wrong in any
// version, then what the versions below s.from have in another form. It returns
// false when v must be left out.
func (s *step) change(v *tree.Value, k kind, at *warning.Place) bool {
	if !s.tidy(v, k, at) {
		return false
	}
	for version := s.from; version > s.to; version-- {
		if to := below[version][k]; to != nil {
			to(s, v, at)
		}
	}
	return true
}

// identity is the member without which an object of a kind means nothing.
var identity = map[kind]string{tag: "name", externalDocs: "url", discriminator: "propertyName"}

func (s *step) tidy(v *tree.Value, k kind, at *warning.Place) bool {
	switch k {
	case document:
		s.document(v, at)
	case info:
		s.info(v, at)
	case license:
		s.license(v, at)
	case operation:
		s.operation(v, at)
	case parameter:
		return s.parameter(v, at)
	case securityScheme:
		return s.securityScheme(v, at)
	case server:
		s.server(v, at)
	case header:
		schemaOfOwn(v)
	case tag, externalDocs, discriminator:
		if !v.Has(identity[k]) {
			s.w.Add(warning.Malformed, at)
			return false
		}
	case schema:
		s.schema(v, at)
	}
	return true
}

// complete changes v after what it holds was walked: it adds what is missing.
func (s *step) complete(v *tree.Value, k kind, at *warning.Place) {
	switch k {
	case document:
		s.completeDocument(v)
	case paths:
		s.completePaths(v, at)
	case pathItem:
		s.endInline(v)
		s.uniqueParameters(v, at)
	case operation:
		s.uniqueParameters(v, at)
		s.completeOperation(v, at)
	case parameter, header:
		s.completeParameter(v, at)
	case requestBody:
		objectAt(v, "content")
	case response:
		if !v.Has("description") {
			v.Insert(0, "description", tree.NewString(""))
		}
	case mediaType:
		s.endInline(v)
		s.singleExample(v, at)
	case serverVariable:
		s.completeVariable(v, at)
	case oauthFlow:
		objectAt(v, "scopes")
	case schema:
		s.completeSchema(v, at)
	}
}
