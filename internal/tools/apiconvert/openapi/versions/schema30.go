package versions

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/shape"
	"github.com/convertd/convertd/internal/tools/apiconvert/openapi/versions/rewrite"
	"github.com/convertd/convertd/internal/tools/apiconvert/request"
	"github.com/convertd/convertd/internal/tools/apiconvert/tree"
	"github.com/convertd/convertd/internal/tools/apiconvert/warning"
)

// booleanSchema turns true and false into object schemas.
func (s *step) booleanSchema(v *tree.Value) {
	s.warn(warning.BooleanSchema)
	empty := tree.NewObject()
	if v.Kind() == tree.False && s.to < V30 {
		s.warn(warning.SchemaKeywords)
	} else if v.Kind() == tree.False {
		empty.Set("not", tree.NewObject())
	}
	v.Become(empty)
}

// schema30 converts a schema of JSON Schema 2020-12 to OpenAPI 3.0. The walk drops the remaining keywords. A schema
// that already is OpenAPI 3.0 stays unchanged.
func (s *step) schema30(v *tree.Value) {
	for _, name := range []string{"$defs", "definitions"} {
		for _, definition := range v.Get(name).Members() {
			s.pending = append(s.pending, rewrite.Part{Value: definition, Kind: shape.Schema})
		}
	}
	if v.Get("readOnly").Bool() && v.Get("writeOnly").Bool() {
		v.Delete("readOnly")
		v.Delete("writeOnly")
		s.warn(warning.SchemaKeywords, "readOnly", "writeOnly")
	}
	s.referenceWithSiblings(v)
	if c := v.Get("const"); c != nil {
		rewrite.Replace(v, "const", "enum", tree.NewArray(c))
	}
	namedExamples(v)
	s.firstExample(v)
	inclusiveBound(v, "minimum", "exclusiveMinimum", 1)
	inclusiveBound(v, "maximum", "exclusiveMaximum", -1)
	s.format(v)
	s.tuple(v)
	s.patterns(v)
	if closed := v.Get("unevaluatedProperties"); closed.Kind() == tree.False && !v.Has("additionalProperties") &&
		!v.Has("allOf") && !v.Has("anyOf") && !v.Has("oneOf") && !v.Has("if") && !v.Has("dependentSchemas") {
		v.Rename("unevaluatedProperties", "additionalProperties")
	}
	s.typeList(v)
	if v.Get("nullable").Kind() == tree.False && s.from >= V31 {
		v.Delete("nullable")
	}
}

// referenceWithSiblings moves a reference that has siblings, which OpenAPI 3.0 would ignore, into allOf.
func (s *step) referenceWithSiblings(v *tree.Value) {
	if dynamic := v.Get("$dynamicRef"); dynamic.Kind() == tree.String && !v.Has("$ref") {
		if t := s.Targets[dynamic.Text()]; t.Value != nil {
			v.Rename("$dynamicRef", "$ref")
			s.warn(warning.DynamicReference, "$dynamicRef")
		}
	}
	ref, isRef := tree.Ref(v)
	if !isRef || v.Len() == 1 || s.from < V31 {
		return
	}
	inner := tree.NewObject().Set("$ref", tree.NewString(ref))
	if all := v.Get("allOf"); all.Kind() == tree.Array {
		v.Delete("$ref")
		v.Set("allOf", tree.NewArray(inner).Append(all.Elements()...))
		return
	}
	rewrite.Replace(v, "$ref", "allOf", tree.NewArray(inner))
}

// firstExample turns the first of several examples into the example.
func (s *step) firstExample(v *tree.Value) {
	list := v.Get("examples")
	if list == nil {
		return
	}
	used := list.Kind() == tree.Array && list.Len() > 0 && !v.Has("example")
	if list.Len() > 1 || !used && list.Len() > 0 {
		s.warn(warning.Examples)
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

// encodingFormats maps contentEncoding to formats of OpenAPI 3.0.
var encodingFormats = map[string]string{"": "binary", "binary": "binary", "base64": "byte", "base64url": "base64url"}

// format turns the encoding of a string into a format.
func (s *step) format(v *tree.Value) {
	encoding, mediaType := v.Get("contentEncoding").Text(), v.Get("contentMediaType").Text()
	if encoding == "" && mediaType == "" {
		return
	}
	if t := v.Get("type"); t.Kind() == tree.String && t.Text() != "string" || v.Has("format") {
		return // the walk warns about it
	}
	name, known := encodingFormats[strings.ToLower(encoding)]
	if !known || encoding == "" && !request.IsBinaryType(mediaType) {
		return
	}
	from := "contentEncoding"
	if encoding == "" {
		from = "contentMediaType"
	}
	rewrite.Replace(v, from, "format", tree.NewString(name))
	if !v.Has("type") && !v.Has("$ref") {
		v.Insert(v.Position("format"), "type", tree.NewString("string"))
	}
	if mediaType == request.BinaryType {
		v.Delete("contentMediaType")
	} else if mediaType != "" && !v.Has("contentMediaType") {
		s.warn(warning.SchemaKeywords, "contentMediaType")
	}
}

// tuple turns items with a schema per position into items that match any of these schemas.
func (s *step) tuple(v *tree.Value) {
	prefix := v.Get("prefixItems")
	if prefix.Kind() != tree.Array {
		return
	}
	s.warn(warning.TupleItems, "prefixItems")
	schemas := prefix.Elements()
	switch rest := v.Get("items"); rest.Kind() {
	case tree.Object:
		schemas = append(schemas[:len(schemas):len(schemas)], rest)
	case tree.False:
		if !v.Has("maxItems") {
			v.Set("maxItems", tree.NewInt(prefix.Len()))
		}
	}
	rewrite.Replace(v, "prefixItems", "items", anyOf(schemas))
}

// patterns turns the schemas of patternProperties into the schema of all additional properties.
func (s *step) patterns(v *tree.Value) {
	properties := v.Get("patternProperties")
	if properties.Len() == 0 {
		return
	}
	rest := v.Get("additionalProperties")
	if rest != nil && rest.Kind() != tree.False {
		return // the walk warns about it
	}
	s.warn(warning.PatternProperties, "patternProperties")
	var schemas []*tree.Value
	for _, p := range properties.Members() {
		schemas = append(schemas, p)
	}
	rewrite.Replace(v, "patternProperties", "additionalProperties", anyOf(schemas))
}

// nullAlternatives turns null among alternatives into nullable.
func (s *step) nullAlternatives(v *tree.Value) {
	for {
		name := "anyOf"
		if !slices.ContainsFunc(v.Get(name).Elements(), isNull) {
			if name = "oneOf"; !slices.ContainsFunc(v.Get(name).Elements(), isNull) {
				return
			}
		}
		list := v.Get(name)
		list.Keep(func(_ int, _ string, e *tree.Value) bool { return !isNull(e) })
		if list.Len() > 0 {
			v.Set("nullable", tree.NewBool(true))
			if list.Len() == 1 {
				onlyAlternative(v, name) // may add further alternatives
			}
			continue
		}
		v.Delete(name)
		if !v.Has("type") {
			v.Set("type", tree.NewString("null"))
		}
	}
}

// onlyAlternative merges the only remaining alternative into v. It uses allOf if the alternative is a reference or
// has members that v has, too.
func onlyAlternative(v *tree.Value, list string) {
	only := v.Get(list).Element(0)
	merge := only.Kind() == tree.Object && !rewrite.IsReference(only)
	for name := range only.Members() {
		merge = merge && (!v.Has(name) || name == list)
	}
	switch {
	case merge:
		rewrite.Rebuild(v, func(out *tree.Value, _ int, name string, value *tree.Value) {
			if name != list {
				out.Set(name, value)
				return
			}
			for name, value := range only.Members() {
				out.Set(name, value)
			}
		})
	case v.Has("allOf"):
		v.Get("allOf").Append(only)
		v.Delete(list)
	default:
		if !rewrite.IsReference(only) && only.Get("type").Kind() == tree.String {
			only.Set("nullable", tree.NewBool(true))
		}
		v.Rename(list, "allOf")
	}
}

// typeList turns a list of types into alternatives, and null into nullable.
func (s *step) typeList(v *tree.Value) {
	t := v.Get("type")
	var kept []string
	null := t.Text() == "null"
	switch t.Kind() {
	case tree.Array:
		kept = rewrite.Texts(t)
		null = slices.Contains(kept, "null")
		kept = slices.DeleteFunc(kept, func(name string) bool { return name == "null" })
	case tree.Missing:
		if s.from >= V31 && slices.ContainsFunc(v.Get("enum").Elements(), isNullValue) {
			v.Set("nullable", tree.NewBool(true))
		}
		return
	default:
		if !null {
			return
		}
	}
	switch {
	case len(kept) == 0 && null:
		v.Set("type", tree.NewString("string"))
		v.Set("enum", tree.NewArray(tree.NewNull()))
	case len(kept) == 0:
		v.Delete("type")
	case len(kept) == 1:
		v.Set("type", tree.NewString(kept[0]))
	case s.to < V30:
		s.warn(warning.SchemaAlternatives)
		v.Delete("type")
	default:
		s.warn(warning.TypeList)
		alternatives(v, kept, null)
		return
	}
	if null && !v.Has("nullable") {
		v.Insert(v.Position("type")+1, "nullable", tree.NewBool(true))
	}
}

// alternatives turns each of several types into an alternative with the keywords for that type.
func alternatives(v *tree.Value, types []string, null bool) {
	schemas := map[string]*tree.Value{}
	list := tree.NewArray()
	for _, name := range types {
		schemas[name] = tree.NewObject().Set("type", tree.NewString(name))
		if null {
			schemas[name].Set("nullable", tree.NewBool(true))
		}
		list.Append(schemas[name])
	}
	if schemas["number"] == nil {
		schemas["number"] = schemas["integer"]
	}
	rewrite.Rebuild(v, func(out *tree.Value, _ int, name string, value *tree.Value) {
		of := shape.KeywordTypes[name]
		if name == "format" {
			of = cmp.Or(formatTypes[value.Text()], "string")
		}
		switch {
		case name == "type":
			out.Set("type", list)
		case of != "" && schemas[of] != nil:
			schemas[of].Set(name, value)
		default:
			out.Set(name, value)
		}
	})
	if v.Rename("type", "anyOf") {
		return
	}
	v.Delete("type")
	if v.Get("allOf").Kind() != tree.Array {
		v.Set("allOf", tree.NewArray())
	}
	v.Get("allOf").Append(tree.NewObject().Set("anyOf", list))
}

var formatTypes = map[string]string{"int32": "integer", "int64": "integer", "float": "number", "double": "number"}

// schema20 converts a schema of OpenAPI 3.0 to Swagger 2.0.
func schema20(s *step, v *tree.Value) {
	if v.Get("nullable").Bool() {
		v.Delete("x-nullable")
		v.Rename("nullable", "x-nullable")
	}
	v.Delete("nullable")
	s.differentValues(v)
	for _, name := range []string{"anyOf", "oneOf"} {
		list := v.Get(name)
		if list.Kind() != tree.Array {
			continue
		}
		if list.Len() == 1 && !v.Has("allOf") {
			v.Rename(name, "allOf") // equivalent
		} else if kind := s.commonType(list); kind != "" && !v.Has("type") && !v.Has("$ref") {
			v.Insert(v.Position(name), "type", tree.NewString(kind))
		}
	}
}

// differentValues removes duplicates from an enum, which Swagger 2.0 doesn't allow.
func (s *step) differentValues(v *tree.Value) {
	if list := v.Get("enum"); list.Kind() == tree.Array && list.Len() <= rewrite.MaxTexts {
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
	if v.Has("allOf") || properties.Len() == 0 {
		return
	}
	for _, name := range rewrite.Texts(v.Get("required")) {
		if !properties.Has(name) && s.Copies.Spend(1) {
			properties.Set(name, tree.NewObject())
		}
	}
}

// commonType returns the type that all alternatives have, or "" if they differ.
func (s *step) commonType(list *tree.Value) (kind string) {
	for i, alternative := range list.Elements() {
		s.Budget.Parts(1)
		of := s.Deref(alternative).Get("type").Text()
		if i > 0 && of != kind {
			return ""
		}
		kind = of
	}
	return kind
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
		s.warn(warning.SchemaAlternatives)
		v.Delete("discriminator")
		return
	}
	v.Set("discriminator", name)
}
