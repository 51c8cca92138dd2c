// Package schema is the part of OpenAPI 3.0's schema object that the service's
// description is written in: the model, a reader of its JSON, and a check of a
// value. It is small enough for programs that must start at once, or be sent to
// a browser; a schema that uses more does not read.
package schema

import "math"

// Schema is a schema object (OpenAPI 3.0.3, section 4.7.24). It is read-only
// and safe for concurrent use; gen/table holds those of the description as Go
// values that cost nothing at start.
type Schema struct {
	// Type is object, array, string, integer, number or boolean, "" for any.
	Type        string
	Description string
	Nullable    bool

	Enum    []any // of string and float64, nil is any value
	Default any   // string or float64, nil is none

	Range *Range // of a number, nil is any

	MinLength, MaxLength int    // of a string, in code points; MaxLength 0 is any
	Pattern              string // of a string (RE2), "" is any

	MinItems, MaxItems int // of an array; MaxItems 0 is any number
	UniqueItems        bool
	Items              *Schema // of an array, nil is any

	Properties []Property // of an object, sorted by name
	Required   []string   // in the document's order
	MaxMembers int        // maxProperties, 0 is any number
	Closed     bool       // no members but the properties (additionalProperties: false)
	Others     *Schema    // of members that are no properties, nil is any

	OneOf []*Schema
	AllOf []*Schema
	// Decides is the member of an object that says which of OneOf it is, a
	// string that each alternative allows one value of; "" when there is none.
	Decides string

	// Produces pairs values with media types (x-service-produces).
	Produces [][2]string
}

// Range is what a number may be, both ends included; Least and Most where the
// document sets none.
type Range struct{ Min, Max float64 }

// The ends of a range that is open.
const (
	Least = -math.MaxFloat64
	Most  = math.MaxFloat64
)

// Property is a member of an object.
type Property struct {
	Name string
	*Schema
}

// Property returns the schema of a member, nil when there is none.
func (s *Schema) Property(name string) *Schema {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return s.Properties[i].Schema
		}
	}
	return nil
}
