package openapi

import "github.com/convertd/convertd/internal/tools/apiconvert/budget"

// What the parts of a model cost, in parts of the budget.
const (
	RequestParts   = 32
	ParameterParts = 12 // of a header or a field, too
	BodyParts      = 12 // of a response, too
	SmallParts     = 2  // of a requirement, a tag, a scope
)

// ExampleBytes returns how many bytes of examples one conversion may make: several
// times the size of its output.
func ExampleBytes(b *budget.Budget) int { return 4 * b.Output() }
