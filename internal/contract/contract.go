// Package contract is the service's description at run time: it loads the
// document once and answers what the document says about a tool, a request
// body and a problem. Front doors ask it, so that no second copy of a range, a
// default, a media type or a status exists in Go.
package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/convertd/convertd/gen/document"
	"github.com/convertd/convertd/internal/convert"
)

// Pipeline is the operation id of the pipeline; every other operation is a
// tool.
const Pipeline = "pipeline"

// Contract is the loaded description. It is read-only and safe for concurrent
// use.
type Contract struct {
	document   *openapi3.T // without responses, examples and problems
	tools      []Tool
	byName     map[string]*Tool
	operations map[string]*openapi3.Schema // request body schema by operation id
	routes     map[string]string           // operation id by path
	limits     Limits
}

// Limits are the document's x-service-limits, and what its schemas say of
// lengths that Go asks for too.
type Limits struct {
	RequestBytes      int `json:"requestBytes"`
	OutputCharacters  int `json:"outputCharacters"`
	PipelineBytes     int `json:"pipelineBytes"`
	PipelineSeconds   int `json:"pipelineSeconds"`
	RequestsPerMinute int `json:"requestsPerMinute"`
	PipelineSteps     int `json:"-"` // maxItems of the pipeline's steps
}

// Problem is one entry of the closed list of problem codes.
type Problem struct {
	Code    convert.Code `json:"code"`
	Status  int          `json:"status"` // HTTP status, 400 to 599
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
	doc, err := parse(document.Calls)
	if err != nil {
		return nil, err
	}
	c := &Contract{
		document:   doc,
		byName:     map[string]*Tool{},
		operations: map[string]*openapi3.Schema{},
		routes:     map[string]string{},
	}
	if err := extension(doc.Extensions, "x-service-limits", &c.limits); err != nil {
		return nil, err
	}
	for _, path := range doc.Paths.InMatchingOrder() {
		operation := doc.Paths.Value(path).Post
		if operation == nil {
			continue
		}
		body := operation.RequestBody.Value.Content["application/json"].Schema.Value
		dropImpliedLengths(body, c.limits.RequestBytes, map[*openapi3.Schema]bool{})
		c.operations[operation.OperationID] = body
		c.routes[path] = operation.OperationID
	}
	// The order of tools is that of the pipeline's steps, which the document
	// gives as a list; paths are an object and have none.
	step := doc.Components.Schemas["PipelineStep"].Value
	discriminate(step)
	if most := c.operations[Pipeline].Properties["steps"].Value.MaxItems; most != nil {
		c.limits.PipelineSteps = int(*most)
	}
	for _, ref := range step.OneOf {
		tool, err := c.loadTool(ref.Value)
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

// discriminate tells the validator that a step's tool decides its shape, so
// that it tries one alternative only and tells that one's error. The document
// says the same by the enum of each tool, without a discriminator: with one,
// openapi-generator's Rust client sends the member twice.
func discriminate(step *openapi3.Schema) {
	mapping := map[string]openapi3.MappingRef{}
	for _, ref := range step.OneOf {
		name, _ := ref.Value.Properties["tool"].Value.Enum[0].(string)
		mapping[name] = openapi3.MappingRef(*ref)
	}
	step.Discriminator = &openapi3.Discriminator{PropertyName: "tool", Mapping: mapping}
}

// dropImpliedLengths removes the maxLength of strings that no request within
// the size limit can exceed: counting a megabyte of code points would cost as
// much as reading it. checkLength holds callers to it who have no such limit.
func dropImpliedLengths(s *openapi3.Schema, requestBytes int, seen map[*openapi3.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	if s.MaxLength != nil && *s.MaxLength >= uint64(requestBytes) {
		s.MaxLength = nil
	}
	for _, p := range s.Properties {
		dropImpliedLengths(p.Value, requestBytes, seen)
	}
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
func (c *Contract) Problems() []Problem { return told().problems }

// Warnings returns the closed list of warning codes, in its order.
func (c *Contract) Warnings() []Warning { return told().warnings }

// Problem returns the entry of a code, that of internal_error when the code is
// not in the list.
func (c *Contract) Problem(code convert.Code) Problem {
	list := told().problems
	i := slices.IndexFunc(list, func(p Problem) bool { return p.Code == code })
	if i < 0 {
		return c.Problem(convert.InternalError)
	}
	return list[i]
}

// codes are the lists of what callers are told.
type codes struct {
	problems []Problem
	warnings []Warning
}

// told reads the lists when one is first asked for.
var told = sync.OnceValue(func() *codes {
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

// Document returns the whole description, with its responses and examples. It
// must not be changed. It is read when it is first asked for.
func (c *Contract) Document() *openapi3.T { return whole() }

var whole = sync.OnceValue(func() *openapi3.T {
	doc, err := parse(document.JSON)
	if err != nil {
		panic(err) // it is built in, and a test reads it
	}
	return doc
})

func parse(text []byte) (*openapi3.T, error) {
	loader := openapi3.NewLoader()
	loader.IsExternalRefsAllowed = false
	doc, err := loader.LoadFromData(text)
	if err != nil {
		return nil, fmt.Errorf("the description does not load: %w", err)
	}
	return doc, nil
}

// extension decodes an x- member into target.
func extension(extensions map[string]any, name string, target any) error {
	text, err := json.Marshal(extensions[name])
	if err == nil {
		err = json.Unmarshal(text, target)
	}
	if err != nil {
		return fmt.Errorf("the description's %s: %w", name, err)
	}
	return nil
}

// Example is one example of the document: a request body and the answer that
// it gets, both as decoded JSON.
type Example struct {
	Operation string
	Path      string
	Name      string // "" when an operation has one example only
	Request   any
	Answer    any
}

// Examples returns the document's examples of successful calls, sorted by path
// and name.
func (c *Contract) Examples() []Example {
	var all []Example
	for _, path := range slices.Sorted(maps.Keys(c.routes)) {
		post := c.Document().Paths.Value(path).Post
		request := post.RequestBody.Value.Content["application/json"]
		success := post.Responses.Value("200").Value.Content["application/json"]
		if request.Example != nil {
			all = append(all, Example{post.OperationID, path, "", request.Example, success.Example})
		}
		for _, name := range slices.Sorted(maps.Keys(request.Examples)) {
			e := Example{Operation: post.OperationID, Path: path, Name: name, Request: request.Examples[name].Value.Value}
			if answer := success.Examples[name]; answer != nil {
				e.Answer = answer.Value.Value
			}
			all = append(all, e)
		}
	}
	return all
}
