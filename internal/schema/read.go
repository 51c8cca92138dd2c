package schema

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
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
	if err := r.members(s, members); err != nil {
		return nil, err
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

// simple are the keywords that contain no schema.
var simple = []string{"type", "description", "nullable", "uniqueItems", "pattern", "enum", "default", "minimum", "maximum",
	"minLength", "maxLength", "minItems", "maxItems", "maxProperties", "required", "x-service-produces"}

// members reads the members of a schema object.
func (r *Reader) members(s *Schema, members map[string]any) (err error) {
	keywords := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value := members[name]
		switch name {
		case "items":
			s.Items, err = r.Read(value)
		case "oneOf":
			s.OneOf, err = r.all(value)
		case "allOf":
			s.AllOf, err = r.all(value)
		case "properties":
			s.Properties, err = r.properties(value)
		case "additionalProperties":
			if allowed, is := value.(bool); is {
				s.Closed = !allowed
			} else {
				s.Others, err = r.Read(value)
			}
		default:
			if slices.Contains(simple, name) {
				keywords[name] = value
			} else if !slices.Contains(ignored, name) && !strings.HasPrefix(name, "x-") {
				r.Unknown = append(r.Unknown, name)
			}
		}
		if err != nil {
			return err
		}
	}
	return s.keywords(keywords)
}

// keywords reads the simple keywords.
func (s *Schema) keywords(values map[string]any) error {
	written := struct {
		*Schema          // for those that it has under their own name
		Minimum, Maximum *float64
		MaxProperties    int
		Produces         map[string]string `json:"x-service-produces"`
	}{Schema: s}
	text, err := json.Marshal(values)
	if err == nil {
		err = json.Unmarshal(text, &written)
	}
	if err != nil || min(s.MinLength, s.MaxLength, s.MinItems, s.MaxItems, written.MaxProperties) < 0 {
		return errors.New("a keyword has a value that it cannot have")
	}
	s.MaxMembers = written.MaxProperties
	if low, high := written.Minimum, written.Maximum; low != nil || high != nil {
		least, most := Least, Most
		s.Range = &Range{Min: *cmp.Or(low, &least), Max: *cmp.Or(high, &most)}
	}
	for _, value := range slices.Sorted(maps.Keys(written.Produces)) {
		s.Produces = append(s.Produces, [2]string{value, written.Produces[value]})
	}
	_, err = regexp.Compile(s.Pattern)
	return err
}

func (r *Reader) all(value any) (schemas []*Schema, err error) {
	list, ok := value.([]any)
	if !ok {
		return nil, errors.New("a list of schemas is no list")
	}
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
