package main

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/convertd/convertd/internal/schema"
)

// enforced are the keywords that internal/schema checks, and those that describe.
var enforced = map[string]bool{
	"type": true, "nullable": true, "enum": true, "default": true,
	"minimum": true, "maximum": true,
	"minLength": true, "maxLength": true, "pattern": true,
	"minItems": true, "maxItems": true, "uniqueItems": true, "items": true,
	"properties": true, "required": true, "maxProperties": true, "additionalProperties": true,
	"oneOf": true, "allOf": true,
	"description": true,
}

// annotations are the keywords that restrict no value.
var annotations = map[string]bool{
	"title": true, "example": true, "externalDocs": true, "deprecated": true, "format": true,
	"readOnly": true, "writeOnly": true,
}

// compiler translates schemas of kin-openapi's model to those of
// internal/schema. Schemas that a reference names are translated once.
type compiler struct {
	named map[string]*schema.Schema // by reference
}

// compile returns the schema of a reference or of an inline schema. at is its
// location in the document, for errors.
func (c *compiler) compile(at string, ref *openapi3.SchemaRef) (*schema.Schema, error) {
	if ref == nil || ref.Value == nil {
		return nil, fmt.Errorf("%s: no schema", at)
	}
	s := &schema.Schema{}
	if ref.Ref != "" {
		if known := c.named[ref.Ref]; known != nil {
			return known, nil
		}
		at, c.named[ref.Ref] = ref.Ref, s
	}
	v := ref.Value
	if unsupported := unsupportedKeywords(v); len(unsupported) > 0 {
		return nil, fmt.Errorf("%s: internal/schema does not enforce the keyword %s; describe the value with other keywords, or teach internal/schema this one first",
			at, strings.Join(unsupported, ", "))
	}
	if _, err := regexp.Compile(v.Pattern); err != nil {
		return nil, fmt.Errorf("%s: pattern: %w", at, err)
	}
	types := v.Type.Slice()
	if len(types) > 1 {
		return nil, fmt.Errorf("%s: more than one type: %q", at, types)
	}
	if len(types) == 1 {
		s.Type = types[0]
	}
	s.Description, s.Nullable, s.Pattern, s.UniqueItems = v.Description, v.Nullable, v.Pattern, v.UniqueItems
	s.Enum, s.Default, s.Required = v.Enum, v.Default, v.Required
	if v.Min != nil || v.Max != nil {
		s.Range = &schema.Range{Min: *cmp.Or(v.Min, new(schema.Least)), Max: *cmp.Or(v.Max, new(schema.Most))}
	}
	s.MinLength, s.MaxLength = int(v.MinLength), limit(v.MaxLength)
	s.MinItems, s.MaxItems, s.MaxMembers = int(v.MinItems), limit(v.MaxItems), limit(v.MaxProps)
	s.Produces = produces(v.Extensions["x-service-produces"])
	return s, c.compileParts(at, v, s)
}

// compileParts translates the schemas within a schema.
func (c *compiler) compileParts(at string, v *openapi3.Schema, s *schema.Schema) (err error) {
	if v.Items != nil {
		if s.Items, err = c.compile(at+"/items", v.Items); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.Properties)) {
		property, err := c.compile(at+"/properties/"+name, v.Properties[name])
		if err != nil {
			return err
		}
		s.Properties = append(s.Properties, schema.Property{Name: name, Schema: property})
	}
	if others := v.AdditionalProperties; others.Schema != nil {
		if s.Others, err = c.compile(at+"/additionalProperties", others.Schema); err != nil {
			return err
		}
	} else {
		s.Closed = others.Has != nil && !*others.Has
	}
	if s.OneOf, err = c.compileAll(at+"/oneOf", v.OneOf); err != nil {
		return err
	}
	s.AllOf, err = c.compileAll(at+"/allOf", v.AllOf)
	s.Decides = schema.Decider(s.OneOf)
	return err
}

func (c *compiler) compileAll(at string, refs openapi3.SchemaRefs) (all []*schema.Schema, err error) {
	for i, ref := range refs {
		s, err := c.compile(fmt.Sprintf("%s/%d", at, i), ref)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// unsupportedKeywords returns the keywords of a schema that restrict its values and that internal/schema does
// not enforce. It iterates over the fields of kin-openapi's model, so it also reports keywords that a later
// version adds.
func unsupportedKeywords(s *openapi3.Schema) (keywords []string) {
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		keyword, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if keyword != "-" && !v.Field(i).IsZero() && !enforced[keyword] && !annotations[keyword] {
			keywords = append(keywords, keyword)
		}
	}
	if s.Always != nil {
		keywords = append(keywords, fmt.Sprint(*s.Always))
	}
	for name := range s.Extensions {
		if !strings.HasPrefix(name, "x-") {
			keywords = append(keywords, name)
		}
	}
	slices.Sort(keywords)
	return keywords
}

// limit returns a maximum, or 0 if there is none.
func limit(n *uint64) int {
	if n == nil {
		return 0
	}
	return int(*n)
}

// produces returns the pairs of x-service-produces, sorted by value.
func produces(extension any) (pairs [][2]string) {
	members, _ := extension.(map[string]any)
	for _, value := range slices.Sorted(maps.Keys(members)) {
		mediaType, _ := members[value].(string)
		pairs = append(pairs, [2]string{value, mediaType})
	}
	return pairs
}
