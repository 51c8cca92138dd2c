// Package contract is the service's description at run time: it loads the
// document once and answers what the document says about a tool, a request
// body and a problem. Front doors ask it, so that no second copy of a range, a
// default, a media type or a status exists in Go.
package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/gen/table"
	"github.com/convertd/convertd/internal/convert"
	"github.com/convertd/convertd/internal/schema"
)

// Pipeline is the operation id of the pipeline; every other operation is a
// tool.
const Pipeline = "pipeline"

// Contract is the loaded description. It is read-only and safe for concurrent
// use.
type Contract struct {
	tools      []Tool
	byName     map[string]*Tool
	operations map[string]*schema.Schema // request body schema by operation id
	routes     map[string]string         // operation id by path
	limits     Limits
}

// Limits are the document's x-service-limits, and what its schemas say of
// lengths that Go asks for too.
type Limits struct {
	table.Limits
	PipelineSteps int // maxItems of the pipeline's steps
}

// Problem is one entry of the closed list of problem codes.
type Problem struct {
	Code    convert.Code `json:"code"`
	Status  int          `json:"status"` // HTTP status, 400 to 599
	Retry   string       `json:"retry"`  // whether the same request may succeed: never, after-delay or once
	Title   string       `json:"title"`
	Meaning string       `json:"meaning"` // what happened
	Remedy  string       `json:"remedy"`  // what to change

	// Wrong and Right are HTTP requests that are answered with this code and
	// that are not; one that holds "…" is an outline of a request.
	Wrong, Right string
}

// Warning is one entry of the closed list of warning codes.
type Warning struct {
	Code    string `json:"code"`
	Meaning string `json:"meaning"`
}

// Load returns the description that is built into the program, which it reads
// the first time. An error means that the document breaks a rule of this
// package, which a test would have shown.
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
	// The order of tools is that of the pipeline's steps, which the document
	// gives as a list; paths are an object and have none.
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
		return nil, fmt.Errorf("the description has %d operations and %d kinds of step", len(c.operations), len(c.tools))
	}
	return c, nil
}

// WithLimits returns the description with other limits of a call, for callers
// that are in one process with it: the document's are those of the service.
func (c *Contract) WithLimits(limits Limits) *Contract {
	other := *c
	other.limits = limits
	return &other
}

// Tools returns what the document says of every tool, in its order.
func (c *Contract) Tools() []Tool { return c.tools }

// Tool returns what the document says of the tool with this name, nil when
// there is none.
func (c *Contract) Tool(name string) *Tool { return c.byName[name] }

// OperationOf returns the operation id of a path of the document, "" when there
// is none.
func (c *Contract) OperationOf(path string) string { return c.routes[path] }

// PathOf returns the path of an operation, "" when there is none.
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
func (c *Contract) Problems() []Problem { return codeLists().problems }

// Warnings returns the closed list of warning codes, in its order.
func (c *Contract) Warnings() []Warning { return codeLists().warnings }

// Status returns a code with its HTTP status and title, internal_error when the
// code is not in the list.
func Status(code convert.Code) table.Problem {
	i := slices.IndexFunc(table.Problems, func(p table.Problem) bool { return p.Code == string(code) })
	if i < 0 {
		return Status(convert.InternalError)
	}
	return table.Problems[i]
}

// Title is the description's title.
const Title = table.Title

// codes are the lists of problem and warning codes.
type codes struct {
	problems []Problem
	warnings []Warning
}

// codeLists reads the lists when one is first needed.
var codeLists = sync.OnceValue(func() *codes {
	list, err := loadCodes(document.Problems)
	if err != nil {
		panic(err) // it is built in, and a test reads it
	}
	return list
})

func loadCodes(text []byte) (*codes, error) {
	var said struct {
		List     []Problem                                      `json:"x-problems"`
		Warnings []Warning                                      `json:"x-warnings"`
		Examples map[convert.Code]struct{ Wrong, Right string } `json:"x-problem-examples"`
	}
	if err := json.Unmarshal(text, &said); err != nil {
		return nil, fmt.Errorf("the description's problems: %w", err)
	}
	for i := range said.List {
		p := &said.List[i]
		p.Wrong, p.Right = said.Examples[p.Code].Wrong, said.Examples[p.Code].Right
		if p.Wrong == "" || p.Right == "" {
			return nil, fmt.Errorf("the problem %s has no examples", p.Code)
		}
	}
	return &codes{said.List, said.Warnings}, nil
}
