package versions

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// booleanSchema turns true and false into object schemas.
func (s *step) booleanSchema(v *tree.Value) {
	s.Warn(warning.ChangedBooleanSchema)
	empty := tree.NewObject()
	if v.Kind() == tree.False {
		empty.Set("not", tree.NewObject())
	}
	v.Become(empty)
}

// schema30 converts a schema of JSON Schema 2020-12 to OpenAPI 3.0. The walk drops the remaining keywords. A schema
// that already is OpenAPI 3.0 stays unchanged.
func (s *step) schema30(v *tree.Value) {
	for _, name := range []string{"$defs", "definitions"} {
		for _, definition := range v.Get(name).Members() {
			s.Extras = append(s.Extras, rewrite.Part{Value: definition, Kind: shape.Schema})
			if !s.referenced(definition) {
				s.WarnAt(warning.LostUnusedComponents, definition)
			}
		}
	}
	if v.Get("readOnly").Bool() && v.Get("writeOnly").Bool() {
		v.Delete("readOnly")
		v.Delete("writeOnly")
		s.Warn(warning.LostKeyword, "readOnly", "writeOnly")
	}
	s.referenceWithSiblings(v)
	s.constAsEnum(v)
	namedExamples(v)
	s.firstExample(v)
	inclusiveBound(v, "minimum", "exclusiveMinimum", 1)
	inclusiveBound(v, "maximum", "exclusiveMaximum", -1)
	s.format(v)
	unevaluated(v, "unevaluatedItems", "items", "contains")
	unevaluated(v, "unevaluatedProperties", "additionalProperties")
	s.tuple(v)
	s.patterns(v)
	s.typeList(v)
}

// unevaluated renames a keyword that means the same as another one in a schema without parts that evaluate values, too.
func unevaluated(v *tree.Value, name, to string, evaluating ...string) {
	evaluating = append(evaluating, "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas")
	if v.Has(name) && !v.Has(to) && !slices.ContainsFunc(evaluating, v.Has) {
		v.Rename(name, to)
	}
}

// also adds a schema that values of v must match, too.
func also(v, schema *tree.Value) {
	if v.Get("allOf").Kind() != tree.Array {
		v.Set("allOf", tree.NewArray())
	}
	v.Get("allOf").Append(schema)
}

// constAsEnum turns a constant into an enum of one value. An enum next to it stays unless the constant is one of its
// values. An empty enum accepts nothing.
func (s *step) constAsEnum(v *tree.Value) {
	c, list := v.Get("const"), v.Get("enum")
	if s.from >= V31 && list.Kind() == tree.Array && list.Len() == 0 {
		v.Delete("enum")
		also(v, tree.NewBool(false))
	}
	switch {
	case c == nil:
	case v.Has("enum") && !slices.ContainsFunc(list.Elements(), func(e *tree.Value) bool { return s.Copies.Equal(e, c) }):
		v.Delete("const")
		also(v, tree.NewObject().Set("enum", tree.NewArray(c)))
	default:
		rewrite.Replace(v, "const", "enum", tree.NewArray(c))
	}
}

// referenceWithSiblings moves a reference that has siblings, which OpenAPI 3.0 would ignore, into allOf.
func (s *step) referenceWithSiblings(v *tree.Value) {
	if dynamic := v.Get("$dynamicRef"); dynamic.Kind() == tree.String && !v.Has("$ref") {
		if t := s.Targets[dynamic.Text()]; t.Value != nil {
			v.Rename("$dynamicRef", "$ref")
			s.Warn(warning.ChangedDynamicReference, "$dynamicRef")
		}
	}
	ref, isRef := tree.Ref(v)
	if !isRef || v.Len() == 1 || s.from < V31 {
		return
	}
	inner := tree.NewObject().Set("$ref", tree.NewString(ref))
	rewrite.Replace(v, "$ref", "allOf", tree.NewArray(inner).Append(v.Get("allOf").Elements()...))
}

// firstExample turns the first of several examples into the example.
func (s *step) firstExample(v *tree.Value) {
	list := v.Get("examples")
	if list == nil {
		return
	}
	used := list.Kind() == tree.Array && list.Len() > 0 && !v.Has("example")
	if list.Len() > 1 || !used && list.Len() > 0 {
		s.Warn(warning.LostExamples)
	}
	if used {
		rewrite.Replace(v, "examples", "example", list.Element(0))
	} else {
		v.Delete("examples")
	}
}

// inclusiveBound turns an exclusive bound into one that is flagged as exclusive. Of two bounds it keeps the stricter:
// the greater one for sign 1.
func inclusiveBound(v *tree.Value, bound, exclusive string, sign float64) {
	limit, other := v.Get(exclusive), v.Get(bound)
	if limit.Kind() != tree.Number {
		if limit != nil && !rewrite.IsFlag(limit) {
			v.Delete(exclusive)
		}
		return
	}
	switch {
	case other.Kind() != tree.Number:
		v.Insert(v.Position(exclusive), bound, limit)
	case float(limit)*sign < float(other)*sign:
		v.Delete(exclusive)
		return
	default:
		v.Set(bound, limit)
	}
	v.Set(exclusive, tree.NewBool(true))
}

func float(v *tree.Value) float64 {
	lexeme, _ := v.Scalar()
	f, _ := strconv.ParseFloat(lexeme, 64)
	return f
}

// format turns the encoding of a string into a format.
func (s *step) format(v *tree.Value) {
	if t := v.Get("type").Text(); t != "" && t != "string" || v.Has("format") {
		return // the walk warns about it
	}
	switch {
	case v.Get("contentEncoding").Text() == "base64":
		rewrite.Replace(v, "contentEncoding", "format", tree.NewString("byte"))
	case !v.Has("contentEncoding") && request.IsBinaryType(v.Get("contentMediaType").Text()):
		rewrite.Replace(v, "contentMediaType", "format", tree.NewString("binary"))
		if !v.Has("type") && !v.Has("$ref") { // bytes rather than JSON
			v.Insert(v.Position("format"), "type", tree.NewString("string"))
		}
	}
}

// tuple turns items with a schema per position into items that match any of these schemas or that of the items after
// them. Authors who say nothing about those mean that there are none.
func (s *step) tuple(v *tree.Value) {
	prefix, rest := v.Get("prefixItems"), v.Get("items")
	if prefix.Kind() != tree.Array {
		return
	}
	limit := float(v.Get("maxItems"))
	limited := v.Has("maxItems") && limit <= float64(prefix.Len())
	if rest.Kind() == tree.False && !limited {
		v.Set("maxItems", tree.NewInt(prefix.Len()))
		limited = true
	}
	items, exact := union(prefix.Elements(), rest, limited)
	if !exact || rest == nil && !limited {
		s.Warn(warning.ChangedTupleItems, "prefixItems")
	}
	rewrite.Replace(v, "prefixItems", "items", items)
}

// patterns turns the schemas of patternProperties into the schema of all additional properties, which a schema that says
// nothing about other names than those of the patterns would otherwise lose.
func (s *step) patterns(v *tree.Value) {
	patterns, rest := v.Get("patternProperties"), v.Get("additionalProperties")
	if patterns.Kind() != tree.Object {
		return
	}
	if patterns.Len() == 0 {
		v.Delete("patternProperties")
		return
	}
	var schemas []*tree.Value
	every := false
	for pattern, schema := range patterns.Members() {
		schemas = append(schemas, schema)
		every = every || slices.Contains([]string{"", ".*", "^.*$"}, pattern)
	}
	additional, _ := union(schemas, rest, every || rest.Kind() == tree.False)
	if !every || patterns.Len() > 1 || v.Has("properties") {
		s.Warn(warning.ChangedPatternProperties, "patternProperties")
	}
	rewrite.Replace(v, "patternProperties", "additionalProperties", additional)
}

// union returns a schema that accepts what any of the schemas accepts and, unless they are all, what the rest accepts.
// exact is set if that is the same for each.
func union(schemas []*tree.Value, rest *tree.Value, all bool) (of *tree.Value, exact bool) {
	if !all && rest != nil {
		schemas = append(slices.Clone(schemas), rest)
	}
	if slices.ContainsFunc(schemas, func(e *tree.Value) bool { return e.Kind() == tree.True || e.Kind() == tree.Object && e.Len() == 0 }) {
		return tree.NewObject(), len(schemas) == 1
	}
	of = anyOf(schemas)
	return of, !of.Has("anyOf")
}

// schema20 converts a schema of OpenAPI 3.0 to Swagger 2.0.
func schema20(s *step, v *tree.Value) {
	if v.Get("nullable").Bool() {
		s.SetExtension(v, "nullable", v.Get("nullable"))
	}
	v.Delete("nullable")
	s.differentValues(v.Get("enum"))
	for _, name := range []string{"anyOf", "oneOf"} {
		list := v.Get(name)
		if list.Kind() != tree.Array {
			continue
		}
		if list.Len() == 1 && !v.Has("allOf") {
			v.Rename(name, "allOf") // equivalent
		} else if kind, null := s.commonType(list); !v.Has("type") && !v.Has("$ref") {
			if kind != "" {
				v.Insert(v.Position(name), "type", tree.NewString(kind))
			}
			if null {
				s.SetExtension(v, "nullable", tree.NewBool(true))
			}
		}
	}
}

// differentValues removes duplicates from a list, which Swagger 2.0 doesn't allow in an enum and in security.
func (s *step) differentValues(list *tree.Value) {
	if list.Kind() == tree.Array && list.Len() <= rewrite.MaxTexts {
		var seen []*tree.Value
		list.Keep(func(_ int, _ string, e *tree.Value) bool {
			keep := !slices.ContainsFunc(seen, func(other *tree.Value) bool { return s.Copies.Equal(e, other) })
			seen = append(seen, e)
			return keep
		})
	}
}

// requiredProperties declares properties that are required but not declared, because readers of Swagger 2.0 expect
// it.
func (s *step) requiredProperties(v *tree.Value) {
	properties := v.Get("properties")
	if v.Has("allOf") || v.Has("additionalProperties") || properties.Len() == 0 {
		return
	}
	for _, name := range rewrite.Texts(v.Get("required")) {
		if !properties.Has(name) && s.Copies.Spend(1) {
			properties.Set(name, tree.NewObject())
		}
	}
}

// commonType returns the type that all alternatives other than null have, or "" if they differ, and whether any of them
// may accept null.
func (s *step) commonType(list *tree.Value) (kind string, null bool) {
	kinds := map[string]bool{}
	for _, alternative := range list.Elements() {
		d := s.Deref(alternative)
		null = s.acceptsNull(d) || null || s.nullOnly(d)
		if s.nullOnly(d) {
			continue
		}
		of := d.Get("type").Text()
		for _, part := range d.Get("allOf").Elements() {
			of, null = cmp.Or(of, s.Deref(part).Get("type").Text()), s.acceptsNull(part) || null
		}
		kinds[of] = true
	}
	if kinds["number"] {
		delete(kinds, "integer")
	}
	if len(kinds) == 1 {
		for kind = range kinds {
		}
	}
	return kind, null
}

// discriminator20 replaces a discriminator with its property name. Swagger 2.0 requires a property of that name in
// the same schema.
func (s *step) discriminator20(v *tree.Value) {
	d := v.Get("discriminator")
	if d == nil {
		return
	}
	name := d.Get("propertyName")
	if !v.Get("properties").Has(name.Text()) {
		s.Warn(warning.LostSchemaAlternatives, "discriminator")
		v.Delete("discriminator")
		return
	}
	v.Set("discriminator", name)
}
