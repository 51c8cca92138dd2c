package schema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Reader reads the schemas of one document.
type Reader struct {
	// Unknown are the keywords that were ignored because this package doesn't support them.
	Unknown []string
	// Named are the schemas that references have led to, by reference.
	Named map[string]*Schema

	document map[string]any
	count    int // of schemas read
}

// maxSchemas limits the schemas of a document, which may be untrusted.
const maxSchemas = 10000

// NewReader returns a reader for an OpenAPI document as package json decodes it.
func NewReader(document map[string]any) *Reader {
	return &Reader{document: document, Named: map[string]*Schema{}}
}

// object is the object that keywords are read from. It keeps the first error of a malformed keyword.
type object struct {
	members map[string]any
	err     error
}

// Read reads a schema object and follows its references. Each target becomes one schema, so a document may
// refer to itself. Read fails on an invalid schema and on a reference to another document.
func (r *Reader) Read(value any) (*Schema, error) { return r.read(value, nil) }

// read reads a schema into s, or into a new one if s is nil.
func (r *Reader) read(value any, s *Schema) (*Schema, error) {
	members, ok := value.(map[string]any)
	if r.count++; !ok || r.count > maxSchemas {
		return nil, errors.New("a schema is no object, or there are too many")
	}
	if address, has := members["$ref"]; has {
		return r.follow(address)
	}
	if s == nil {
		s = &Schema{}
	}
	o := object{members: members}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if err := r.keyword(s, &o, name); err != nil {
			return nil, err
		}
		if o.err != nil {
			return nil, o.err
		}
	}
	s.Decides = decider(s.OneOf)
	return s, nil
}

// follow returns the schema that a reference refers to.
func (r *Reader) follow(address any) (*Schema, error) {
	text, _ := address.(string)
	if s := r.Named[text]; s != nil {
		return s, nil
	}
	target, err := r.target(text)
	if err != nil {
		return nil, err
	}
	s := &Schema{}
	r.Named[text] = s
	return r.read(target, s)
}

// Object returns an object of the document. It follows a reference, and returns an empty object for any other value.
func (r *Reader) Object(value any) map[string]any {
	members, _ := value.(map[string]any)
	if text, is := members["$ref"].(string); is {
		members, _ = r.target(text)
	}
	return members
}

// target returns the object that a reference within the document refers to.
func (r *Reader) target(reference string) (map[string]any, error) {
	path, ok := strings.CutPrefix(reference, "#/")
	if !ok {
		return nil, errors.New("a reference leaves the document")
	}
	var target any = r.document
	for name := range strings.SplitSeq(path, "/") {
		within, _ := target.(map[string]any)
		target = within[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	object, ok := target.(map[string]any)
	if !ok || object["$ref"] != nil {
		return nil, errors.New("a reference names no object, or another reference")
	}
	return object, nil
}

// ignored are keywords that don't restrict a value, or only repeat others.
var ignored = []string{"title", "example", "externalDocs", "deprecated", "format", "readOnly", "writeOnly"}

// keyword reads one member of a schema object.
func (r *Reader) keyword(s *Schema, o *object, name string) (err error) {
	switch name {
	case "type":
		s.Type = read[string](o, name)
	case "description":
		s.Description = read[string](o, name)
	case "nullable":
		s.Nullable = read[bool](o, name)
	case "uniqueItems":
		s.UniqueItems = read[bool](o, name)
	case "pattern":
		s.Pattern = read[string](o, name)
		_, err = regexp.Compile(s.Pattern)
	case "enum":
		s.Enum = o.scalars(name)
	case "default":
		s.Default = scalar(o.members[name])
	case "minimum":
		s.bounds().Min = o.number(name)
	case "maximum":
		s.bounds().Max = o.number(name)
	case "minLength":
		s.MinLength = o.count(name)
	case "maxLength":
		s.MaxLength = o.count(name)
	case "minItems":
		s.MinItems = o.count(name)
	case "maxItems":
		s.MaxItems = o.count(name)
	case "maxProperties":
		s.MaxMembers = o.count(name)
	case "required":
		for _, member := range read[[]any](o, name) {
			text, _ := member.(string)
			s.Required = append(s.Required, text)
		}
	case "items":
		s.Items, err = r.Read(o.members[name])
	case "oneOf":
		s.OneOf, err = r.all(read[[]any](o, name))
	case "allOf":
		s.AllOf, err = r.all(read[[]any](o, name))
	case "properties":
		s.Properties, err = r.properties(o.members[name])
	case "additionalProperties":
		if allowed, is := o.members[name].(bool); is {
			s.Closed = !allowed
		} else {
			s.Others, err = r.Read(o.members[name])
		}
	case "x-service-produces":
		s.Produces = o.pairs(name)
	default:
		if !slices.Contains(ignored, name) && !strings.HasPrefix(name, "x-") {
			r.Unknown = append(r.Unknown, name)
		}
	}
	return err
}

func (r *Reader) all(list []any) (schemas []*Schema, err error) {
	for _, value := range list {
		s, err := r.Read(value)
		if err != nil {
			return nil, err
		}
		schemas = append(schemas, s)
	}
	return schemas, nil
}

func (r *Reader) properties(value any) (properties []Property, err error) {
	members, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		s, err := r.Read(members[name])
		if err != nil {
			return nil, err
		}
		properties = append(properties, Property{name, s})
	}
	return properties, nil
}

// decider returns the first property that distinguishes the alternatives of a oneOf, or "": each alternative
// requires it and allows a single string, different in each.
func decider(alternatives []*Schema) string {
	if len(alternatives) < 2 {
		return ""
	}
	for _, p := range alternatives[0].Properties {
		seen := map[string]bool{}
		for _, alternative := range alternatives {
			member := alternative.Property(p.Name)
			if member == nil || len(member.Enum) != 1 || member.Type != "string" || !slices.Contains(alternative.Required, p.Name) {
				break
			}
			text, _ := member.Enum[0].(string)
			seen[text] = true
		}
		if len(seen) == len(alternatives) {
			return p.Name
		}
	}
	return ""
}

// bounds returns the schema's range and creates it on first use.
func (s *Schema) bounds() *Range {
	if s.Range == nil {
		s.Range = &Range{Min: Least, Max: Most}
	}
	return s.Range
}

func (o *object) wrong(name string) {
	o.err = fmt.Errorf("the keyword %s has a value that it cannot have", name)
}

// read returns a member of the type T.
func read[T any](o *object, name string) T {
	value, ok := o.members[name].(T)
	if !ok {
		o.wrong(name)
	}
	return value
}

func (o *object) number(name string) float64 {
	n, ok := number(o.members[name])
	if !ok {
		o.wrong(name)
	}
	return n
}

func (o *object) count(name string) int {
	n := o.number(name)
	if n < 0 || n > math.MaxInt32 || n != math.Trunc(n) {
		o.wrong(name)
		return 0
	}
	return int(n)
}

func (o *object) scalars(name string) (values []any) {
	for _, value := range read[[]any](o, name) {
		values = append(values, scalar(value))
	}
	return values
}

func (o *object) pairs(name string) (pairs [][2]string) {
	members, _ := o.members[name].(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(members)) {
		text, _ := members[key].(string)
		pairs = append(pairs, [2]string{key, text})
	}
	return pairs
}

// scalar converts a value of an enum or a default to the form that Schema holds.
func scalar(value any) any {
	if n, is := value.(json.Number); is {
		f, _ := n.Float64()
		return f
	}
	return value
}
