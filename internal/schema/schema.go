// Package schema implements the part of OpenAPI 3.0's Schema Object that the service's OpenAPI document uses:
// the model, a reader of its JSON, and validation of a value. It is small enough for programs that must start
// at once or run in a browser. It reports schemas that use more as errors or unknown keywords.
package schema

import "math"

// Schema is a Schema Object (OpenAPI 3.0.3, section 4.7.24). It is read-only and safe for concurrent use.
// Package gen/table holds those of the OpenAPI document as Go values that cost nothing at startup.
type Schema struct {
	// Type is object, array, string, integer, number or boolean, or "" for any.
	Type        string
	Description string
	Nullable    bool

	Enum    []any // string and float64 values; nil allows any
	Default any   // string or float64; nil if there is none

	Range *Range // of a number; nil allows any

	MinLength, MaxLength int    // of a string, in code points; MaxLength 0 means unlimited
	Pattern              string // of a string (RE2); "" allows any

	MinItems, MaxItems int // of an array; MaxItems 0 means unlimited
	UniqueItems        bool
	Items              *Schema // of an array; nil allows any

	Properties []Property // of an object, sorted by name
	Required   []string   // in the document's order
	MaxMembers int        // maxProperties; 0 means unlimited
	Closed     bool       // no other members than the properties (additionalProperties: false)
	Others     *Schema    // of other members than the properties; nil allows any

	OneOf []*Schema
	AllOf []*Schema
	// Decides is the member of an object that selects one of OneOf: each alternative allows it a single string.
	// It is "" if there is none.
	Decides string

	// Produces pairs values with media types (x-service-produces).
	Produces [][2]string
}

// Range is the range of a number, both ends included; Least and Most where the document sets no limit.
type Range struct{ Min, Max float64 }

// The ends of an open range.
const (
	Least = -math.MaxFloat64
	Most  = math.MaxFloat64
)

// Property is a member of an object.
type Property struct {
	Name string
	*Schema
}

// Property returns the schema of a member, or nil if there is none.
func (s *Schema) Property(name string) *Schema {
	if s == nil {
		return nil
	}
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return s.Properties[i].Schema
		}
	}
	return nil
}
