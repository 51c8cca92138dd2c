// Package contract is the OpenAPI document at run time: it loads the document once and provides what it says
// about a tool, a request body and a problem. All front doors use it, so no range, default, media type or
// status is repeated in Go.
package contract

import (
	"fmt"
	"slices"
	"sync"

	"github.com/convertd/convertd/gen/table"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/schema"
)

// Pipeline is the operation id of the pipeline; every other operation is a tool.
const Pipeline = "pipeline"

// Contract is the loaded document. It is read-only and safe for concurrent use.
type Contract struct {
	tools      []Tool
	byName     map[string]*Tool
	operations map[string]*schema.Schema // request body schema by operation id
	routes     map[string]string         // operation id by path
	limits     Limits
}

// Limits are the document's x-service-limits, and those limits from its schemas that Go code needs.
type Limits struct {
	table.Limits
	PipelineSteps int // maxItems of the pipeline's steps
}

// ProblemCode is one entry of the closed list of problem codes, and Warning one of the closed list of warning codes.
type (
	ProblemCode = table.Problem
	Warning     = table.Warning
)

// Load returns the document that is built into the program. The first call reads it. An error means that the
// document violates a rule of this package, which tests rule out.
func Load() (*Contract, error) { return load() }

var load = sync.OnceValues(read)

func read() (*Contract, error) {
	c := &Contract{
		byName:     map[string]*Tool{},
		operations: map[string]*schema.Schema{},
		routes:     map[string]string{},
		limits:     Limits{Limits: table.Limit},
	}
	for _, operation := range table.Operations {
		c.operations[operation.ID] = operation.Request
		c.routes[operation.Path] = operation.ID
	}
	// Tools are in the order of the pipeline's steps, which the document lists; paths are an object and have no order.
	steps := c.operations[Pipeline].Property("steps")
	c.limits.PipelineSteps = steps.MaxItems
	for _, step := range steps.Items.OneOf {
		tool, err := loadTool(step)
		if err != nil {
			return nil, err
		}
		c.tools = append(c.tools, tool)
	}
	for i := range c.tools {
		c.byName[c.tools[i].Name] = &c.tools[i]
	}
	if len(c.operations) != len(c.tools)+1 {
		return nil, fmt.Errorf("the OpenAPI document has %d operations and %d kinds of step", len(c.operations), len(c.tools))
	}
	return c, nil
}

// WithLimits returns a copy with other limits, for callers in the same process: the document's limits are those
// of the service.
func (c *Contract) WithLimits(limits Limits) *Contract {
	other := *c
	other.limits = limits
	return &other
}

// Tools returns all tools, in the document's order.
func (c *Contract) Tools() []Tool { return c.tools }

// Tool returns the tool with this name, or nil if there is none.
func (c *Contract) Tool(name string) *Tool { return c.byName[name] }

// ToolNames returns the names of all tools, in the document's order.
func (c *Contract) ToolNames() []string {
	names := make([]string, len(c.tools))
	for i, tool := range c.tools {
		names[i] = tool.Name
	}
	return names
}

// OperationOf returns the operation id for a path of the document, or "" if there is none.
func (c *Contract) OperationOf(path string) string { return c.routes[path] }

// PathOf returns the path of an operation, or "" if there is none.
func (c *Contract) PathOf(operation string) string {
	for path, id := range c.routes {
		if id == operation {
			return path
		}
	}
	return ""
}

// Limits returns the document's limits.
func (c *Contract) Limits() Limits { return c.limits }

// Problems returns the closed list of problem codes, in its order.
func (c *Contract) Problems() []ProblemCode { return table.Problems }

// Warnings returns the closed list of warning codes, in its order.
func (c *Contract) Warnings() []Warning { return table.Warnings }

// Status returns the entry of a code in the list of problems, or that of internal_error if the code is not in the list.
func Status(code convert.Code) ProblemCode {
	i := slices.IndexFunc(table.Problems, func(p ProblemCode) bool { return p.Code == string(code) })
	if i < 0 {
		return Status(convert.InternalError)
	}
	return table.Problems[i]
}

// Title is the document's title.
const Title = table.Title
