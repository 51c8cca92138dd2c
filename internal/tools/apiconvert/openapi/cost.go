package openapi

import "github.com/convertd/convertd/internal/tools/apiconvert/budget"

// The budget costs of model elements, in parts.
const (
	RequestParts   = 32
	ParameterParts = 12 // also for a header or a field
	BodyParts      = 12 // also for a response
	SmallParts     = 2  // for a requirement, a tag or a scope
)

// ExampleBytes returns the maximum size of the examples that one conversion may create: several times its maximum
// output.
func ExampleBytes(b *budget.Budget) int { return 4 * b.Output() }
