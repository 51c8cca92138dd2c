package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/convertd/convertd/gen/table"
	"github.com/convertd/convertd/internal/schema"
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

// checkInputs returns an error if an entry has an unknown member, does not say when it applies, or has a media type or
// an option that the tool rejects. decode would ignore unknown members.
func checkInputs(extension any, o table.Operation) error {
	if extension == nil {
		return nil
	}
	text, err := json.Marshal(extension)
	if err != nil {
		return err
	}
	var list []input
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return fmt.Errorf("%s: x-service-inputs: %w", o.Path, err)
	}
	for i, in := range list {
		tests := 0
		for _, set := range []bool{in.Members != nil, in.Pattern != "", in.Start != ""} {
			if set {
				tests++
			}
		}
		switch {
		case in.Kind == "" || in.Reason == "":
			err = fmt.Errorf("kind or reason is missing")
		case !slices.Contains(o.Accepts, in.MediaType):
			err = fmt.Errorf("the tool does not accept %q", in.MediaType)
		case tests != 1:
			err = fmt.Errorf("%d of members, pattern and start are set, not one", tests)
		case in.Members != nil && in.MediaType != "application/json":
			err = fmt.Errorf("only JSON has members")
		}
		for _, options := range []map[string]any{in.Options, in.Same} {
			for name, value := range options {
				if s := property(property(o.Request, "options"), name); s == nil || !slices.Contains(s.Enum, value) {
					err = fmt.Errorf("the option %s has no value %v", name, value)
				}
			}
		}
		if err != nil {
			return fmt.Errorf("%s: x-service-inputs, entry %d: %w", o.Path, i+1, err)
		}
	}
	return nil
}

// property returns the schema of a property, or nil.
func property(s *schema.Schema, name string) *schema.Schema {
	if s == nil {
		return nil
	}
	i := slices.IndexFunc(s.Properties, func(p schema.Property) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return s.Properties[i].Schema
}
