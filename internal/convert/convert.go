// Package convert holds the words every part of the service shares: what a
// tool is, what it is given, what it gives back and how it fails. It imports
// no package of this module.
package convert

import (
	"context"
	"unsafe"
)

// Artifact is a text and what it is: the input of a call, the output of a
// step. Value is valid UTF-8; MediaType is one the document lists.
type Artifact struct {
	MediaType string
	Value     string
}

// Options are a call's options after the document has accepted them and
// filled in its defaults: integers are int, everything else is string. An
// option without a default that the caller left out is absent.
type Options map[string]any

// Int returns an integer option, 0 when it is absent.
func (o Options) Int(name string) int {
	n, _ := o[name].(int)
	return n
}

// Text returns a string option, "" when it is absent.
func (o Options) Text(name string) string {
	s, _ := o[name].(string)
	return s
}

// Input is one call of a tool. The artifact's media type is one the tool
// accepts, its value is no longer than a request.
type Input struct {
	Artifact
	Options Options
	// Budget bounds the output. A tool that grows a buffer asks it as it
	// goes, so that no more is ever built than may be returned, and may give it
	// what there is by Drain; the result is what it has not given away.
	Budget *Budget
}

// Result is what a tool gives back. The media type of the value follows from
// the document and the options; the tool does not repeat it.
type Result struct {
	Value string
	// Into is what Budget.Into returned, followed by the output, where the tool has
	// written it there; Value is "" then.
	Into []byte
	// Warnings each start with a stable code and ": " (ANS-3).
	Warnings []string
}

// Tool is one conversion: a name, which is also its operation id in the
// document, and a function. Everything else about it (media types, options,
// ranges, defaults, descriptions) is in the document.
//
// Convert is deterministic: it reads no clock, no random source, no file, no
// environment and no network. Its time and memory are bounded for every
// input. It fails with a *Failure, or with ctx's error when ctx ends first.
type Tool struct {
	Name    string
	Convert func(ctx context.Context, in Input) (Result, error)

	// Recognise says which of the tool's media types a text is of, by a look at
	// its beginning or its marks, for callers that do not know it; nil is a tool
	// that takes one.
	Recognise func(text string) (mediaType string)

	// Weight guesses how much work an input is, in bytes that are read and
	// written; nil is the length of the value. It only decides whether the
	// call is Light, so it need be good only about there, and must cost little
	// in addition to the conversion.
	Weight func(in Input) int
}

// Light is the weight of a call, in bytes, up to which it is done at once
// rather than in turn with others: some hundred microseconds of work.
const Light = 32 << 10

// Weigh returns the weight of an input, see Weight.
func (t Tool) Weigh(in Input) int {
	if t.Weight == nil {
		return len(in.Value)
	}
	return t.Weight(in)
}

// OwnedText returns b as a string without copying it, as strings.Builder
// does. The caller gives b up: it must not be written to again.
func OwnedText(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}
