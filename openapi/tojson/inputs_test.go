package main

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/openapi"
)

// input is an entry of x-service-inputs: a kind of input that a tool recognizes. Editors read the entries of each
// tool in order, and the first that matches applies. Patterns are ECMAScript's, as in OpenAPI.
type input struct {
	Kind, Reason string            // what the input is and what shows it; {name} is a named group of a pattern
	MediaType    string            // of the input
	Members      map[string]string // for valid JSON: patterns by JSON Pointer; [] and {} are arrays and objects
	Pattern      string            // for any other text; the group "value" is the part of it that is the input
	Start        string            // like Pattern, for the first 4,000 characters
	Unwrap       bool              // lines are joined before Pattern is matched
	IgnoreCase   bool              // letters match in both cases
	Certain      bool              // whether the input can hardly be anything else
	Options      map[string]any    // for this kind of input
	Same         map[string]any    // options with which the output has the format of the input
}

// TestInputs checks that each entry of x-service-inputs says when it applies, and has a media type and options that the
// tool accepts.
func TestInputs(t *testing.T) {
	doc := check.Value(load(openapi.YAML))(t)
	d := check.Value(read(doc, check.Value(indented(openapi.YAML))(t)))(t)
	checked := 0
	for _, o := range d.operations {
		text := check.Value(json.Marshal(doc.Paths.Value(o.Path).Post.Extensions["x-service-inputs"]))(t)
		var list []input
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&list); err != nil {
			t.Errorf("%s: %v", o.Path, err)
		}
		for i, in := range list {
			checked++
			if in.Kind == "" || in.Reason == "" || !slices.Contains(o.Accepts, in.MediaType) {
				t.Errorf("%s, entry %d: no kind or reason, or the tool does not accept %q", o.Path, i+1, in.MediaType)
			}
			if tests := []bool{in.Members != nil, in.Pattern != "", in.Start != ""}; len(slices.DeleteFunc(tests, func(set bool) bool { return !set })) != 1 {
				t.Errorf("%s, entry %d: not one of members, pattern and start", o.Path, i+1)
			}
			if in.Members != nil && in.MediaType != "application/json" {
				t.Errorf("%s, entry %d: only JSON has members", o.Path, i+1)
			}
			for _, options := range []map[string]any{in.Options, in.Same} {
				for name, value := range options {
					if s := o.Request.Property("options").Property(name); s == nil || !slices.Contains(s.Enum, value) {
						t.Errorf("%s, entry %d: the option %s has no value %v", o.Path, i+1, name, value)
					}
				}
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d entries", checked)
	}
}
