// Package convert defines the types that every part of the service shares: tools, their inputs, results and
// failures. It imports no other package of this module.
package convert

import (
	"context"
	"unsafe"
)

// Artifact is a value and its type: the input of a request or the output of a step. Value is valid UTF-8;
// MediaType is one that the document lists.
type Artifact struct {
	MediaType string
	Value     string
}

// Options are a request's options after validation, with the document's defaults filled in: integers are int,
// everything else is string. An option without a default that the request omits is absent.
type Options map[string]any

// Int returns an integer option, or 0 if it is absent.
func (o Options) Int(name string) int {
	n, _ := o[name].(int)
	return n
}

// Text returns a string option, or "" if it is absent.
func (o Options) Text(name string) string {
	s, _ := o[name].(string)
	return s
}

// Input is one request to a tool. The tool accepts the artifact's media type, and the value is no longer than a
// request.
type Input struct {
	Artifact
	Options Options
	// Limit limits the output. A tool that grows a buffer checks it while it works, so that it never builds
	// more than it may return. It may pass on partial output with Drain; the result is then the rest.
	Limit *OutputLimit
}

// Result is what a tool returns. The media type of the value follows from the document and the options, so it
// is not repeated.
type Result struct {
	Value string
	// Into is what OutputLimit.Into returned, followed by the output, if the tool has written it there; Value is then "".
	Into []byte
	// Warnings each start with a stable code and ": " (ANS-3).
	Warnings []string
}

// Tool is one conversion: a name, which is also its operation id in the document, and a function. Everything
// else about it (media types, options, ranges, defaults, descriptions) is in the document.
//
// Convert is deterministic: it uses no current time, randomness, files, environment or network. Its time and
// memory are bounded for every input. It fails with a *Failure, or with ctx's error if ctx ends first.
type Tool struct {
	Name    string
	Convert func(ctx context.Context, in Input) (Result, error)

	// Recognise returns the tool's media type that an input has, judging by its beginning or by markers, for
	// callers that don't know it. It is nil for a tool with only one.
	Recognise func(text string) (mediaType string)

	// Weight estimates how much work an input is, in bytes read and written; if it is nil, the weight is the
	// length of the value. It only determines whether the request is Light, so it only needs to be accurate
	// near that limit, and must be cheap compared with the conversion.
	Weight func(in Input) int
}

// Light is the weight, in bytes, up to which a request runs at once instead of waiting for others: some hundred
// microseconds of work.
const Light = 32 << 10

// Weigh returns the weight of an input.
func (t Tool) Weigh(in Input) int {
	if t.Weight == nil {
		return len(in.Value)
	}
	return t.Weight(in)
}

// OwnedText returns b as a string without copying it, as strings.Builder does. The caller must not write to b any more.
func OwnedText(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}
