package apiconvert

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/convertd/convertd/internal/check"
	"github.com/convertd/convertd/internal/convert/converttest"
)

// marker is in each added member, except for marks (true), which can only be found in a warning.
const marker = "Zmarkerq"

// parent follows a JSON Pointer (RFC 6901) to the object that a member is added to.
func parent(tb testing.TB, v any, pointer string) map[string]any {
	tb.Helper()
	for token := range strings.SplitSeq(pointer, "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch at := v.(type) {
		case map[string]any:
			if token != "" {
				v = at[token]
			}
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i >= len(at) {
				tb.Fatalf("no element %q on the way to %s", token, pointer)
			}
			v = at[i]
		}
	}
	object, isObject := v.(map[string]any)
	if !isObject {
		tb.Fatalf("%s is no object", pointer)
	}
	return object
}

// TestMembersAreKeptOrReported adds one member after another to a plain OpenAPI document: its content is in the
// output, or an additional warning reports it.
// Rule: API-6.
func TestMembersAreKeptOrReported(t *testing.T) {
	var data struct {
		Plain   any
		Members []struct {
			At   string
			Add  any
			To   []string
			Kept []string // the targets whose output has the marker
		}
	}
	converttest.Data(t, "testdata/members.yaml", &data)
	text := check.Value(yaml.MarshalWithOptions(data.Plain, yaml.JSON()))(t)
	for _, m := range data.Members {
		var with any
		check.JSON(t, text, &with)
		add := check.Value(yaml.MarshalWithOptions(m.Add, yaml.JSON()))(t)
		at := parent(t, with, m.At)
		if err := json.Unmarshal(add, &at); err != nil { // into the existing object
			t.Fatal(err)
		}
		changed := check.Value(json.Marshal(with))(t)
		for _, target := range m.To {
			before := call(t, "application/json", string(text), target)
			after := call(t, "application/json", string(changed), target)
			kept := strings.Contains(after.Value, marker)
			reported := slices.ContainsFunc(after.Warnings, func(w string) bool { return !slices.Contains(before.Warnings, w) })
			if wanted := slices.Contains(m.Kept, target); kept != wanted || !kept && !reported {
				t.Errorf("%s of %s to %s: kept %t, reported %t", m.Add, m.At, target, kept, reported)
			}
		}
	}
}
